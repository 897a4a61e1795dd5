#include "app/studies/bench/footprint.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace texelscope {
namespace {

using Polygon = std::vector<Point>;

double cross(Point o, Point a, Point b) { return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x); }

// Andrew's monotone chain.
Polygon convex_hull(Polygon points) {
    std::sort(points.begin(), points.end(), [](Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    Polygon hull;
    const auto add_chain = [&](auto first, auto last) {
        const size_t begin = hull.size();
        for (; first != last; ++first) {
            while (hull.size() >= begin + 2 && cross(hull[hull.size() - 2], hull.back(), *first) <= 0) hull.pop_back();
            hull.push_back(*first);
        }
        hull.pop_back();  // the other chain begins with it
    };
    add_chain(points.begin(), points.end());
    add_chain(points.rbegin(), points.rend());
    return hull;
}

// The part in which inside() is not negative (Sutherland & Hodgman 1974).
Polygon clipped(const Polygon& polygon, const std::function<double(Point)>& inside) {
    Polygon result;
    for (size_t i = 0; i < polygon.size(); ++i) {
        const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
        const double at_a = inside(a), at_b = inside(b);
        if (at_a >= 0) result.push_back(a);
        if ((at_a >= 0) == (at_b >= 0)) continue;
        const double t = at_a / (at_a - at_b);
        result.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
    }
    return result;
}

double area(const Polygon& polygon) {
    double twice = 0;
    for (size_t i = 1; i + 1 < polygon.size(); ++i) twice += cross(polygon[0], polygon[i], polygon[i + 1]);
    return std::abs(twice) / 2;
}

}  // namespace

double footprint(const Affine& positions, int output_width, int output_height, double support_x, double support_y,
                 int image_width, int image_height) {
    Polygon corners;
    for (const double i : {0.0, double(output_width - 1)})
        for (const double j : {0.0, double(output_height - 1)})
            for (const double dx : {-support_x / 2, support_x / 2})
                for (const double dy : {-support_y / 2, support_y / 2}) {
                    const Point p = apply(positions, i, j);
                    corners.push_back({p.x + dx, p.y + dy});
                }
    Polygon polygon = convex_hull(corners);
    polygon = clipped(polygon, [](Point p) { return p.x + 0.5; });
    polygon = clipped(polygon, [](Point p) { return p.y + 0.5; });
    polygon = clipped(polygon, [=](Point p) { return image_width - 0.5 - p.x; });
    polygon = clipped(polygon, [=](Point p) { return image_height - 0.5 - p.y; });
    return area(polygon);
}

}  // namespace texelscope
