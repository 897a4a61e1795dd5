#include "gpu/backend/map_levels.h"

#include <cmath>

namespace texelscope {
namespace {

class Map {
public:
    Map(const PointsView& points, int width, int height) : points_(points), width_(width), height_(height) {}

    // The distance of the position of pixel (i, j) from the next ones, along each axis of sample space.
    Point stretch_at(int i, int j) const {
        const Point p = at(i, j);
        const Point along_i = shorter(p, i > 0 ? at(i - 1, j) : p, i + 1 < width_ ? at(i + 1, j) : p),
                    along_j = shorter(p, j > 0 ? at(i, j - 1) : p, j + 1 < height_ ? at(i, j + 1) : p);
        return {std::hypot(along_i.x, along_j.x), std::hypot(along_i.y, along_j.y)};
    }

private:
    Point at(int i, int j) const { return points_.at(size_t(j) * size_t(width_) + size_t(i)); }

    // The shorter step to one of two neighbours, if both have a length; a missing neighbour is p itself.
    static Point shorter(Point p, Point before, Point after) {
        const Point back{p.x - before.x, p.y - before.y}, forth{after.x - p.x, after.y - p.y};
        const double to_before = std::hypot(back.x, back.y), to_after = std::hypot(forth.x, forth.y);
        return to_before > 0 && (to_before < to_after || !(to_after > 0)) ? back : forth;
    }

    PointsView points_;
    int width_, height_;
};

}  // namespace

std::vector<Level> levels_of_map(const PointsView& points, int width, int height, const MethodSpec& spec,
                                 const ImageShape& image) {
    const Map map(points, width, height);
    std::vector<Level> levels;
    levels.reserve(size_t(width) * size_t(height));
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            const Point stretch = map.stretch_at(i, j);
            const bool finite = std::isfinite(stretch.x) && std::isfinite(stretch.y);
            levels.push_back(finite ? level_for(stretch.x, stretch.y, spec, image) : Level{});
        }
    return levels;
}

}  // namespace texelscope
