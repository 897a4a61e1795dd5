#include "app/state/inspect_report.h"

#include <cmath>

namespace texelscope {

double ProfileReport::end() const { return first + std::hypot(b.x - a.x, b.y - a.y); }

Point ProfileReport::point(double where) const {
    const double length = end() - first, t = length > 0 ? (where - first) / length : 0;
    // Along a row or a column to the last bit: `where` is the coordinate itself.
    if (a.y == b.y && a.x == first) return {where, a.y};
    if (a.x == b.x && a.y == first) return {a.x, where};
    return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

}  // namespace texelscope
