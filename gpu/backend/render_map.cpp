// SourceImage::render_map: renders each pixel from the level of the pyramid that its stretch needs.

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/backend/arguments.h"
#include "gpu/backend/source_state.h"
#include "gpu/method/kernel_method.h"

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

// The level of each of width × height pixels, which widens the weight function as far as under a view: for the distances to
// the neighbouring points along each axis of sample space, on the side where they are closer, so that a seam of the map is no
// stretch. The points are in host memory and in samples of the image.
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

// The points in samples of a level, as pairs.
std::vector<double> points_on(const ReadPlan& reading, const PointsView& points) {
    std::vector<double> pairs(2 * points.count);
    for (size_t k = 0; k < points.count; ++k) {
        const Point p = points.at(k);
        pairs[2 * k] = reading.level_x.at(p.x);
        pairs[2 * k + 1] = reading.level_y.at(p.y);
    }
    return pairs;
}

ReadPlan reading_of_map(Level level, const AddressPair& address, const ResidentImage& image) {
    ReadPlan reading;
    reading.level = level;
    reading.level_x = LevelAxis(address.x, image.width(), halved(image.width(), level.x));
    reading.level_y = LevelAxis(address.y, image.height(), halved(image.height(), level.y));
    reading.local_stretch = true;
    reading.prefiltered = level.x == 0 || level.y == 0;  // as in plan_reading()
    return reading;
}

}  // namespace

Image SourceImage::render_map(const SampleRequest& request, const PointsView& points, int width, int height) {
    check_spec(request.spec);
    check_output_size(width, height);
    Backend& backend = *state_->backend;
    check_host_points(backend, points, samples());
    Resampling resampling(request);
    resampling.spec = state_->acting(request.spec);
    resampling.width = width;
    resampling.height = height;
    resampling.encode_srgb = state_->light == Light::linear;
    std::vector<Level> left(size_t(width) * size_t(height));  // levels that pixels still need
    if (!kernel_of(*request.spec.method))                     // else nothing is widened
        left = levels_of_map(points, width, height, resampling.spec,
                             {samples().width(), samples().height(), samples().one_dimensional()});
    constexpr Level done{-1, -1};
    Image result(width, height, samples().channels(), SampleType::f32, samples().alpha()), read = result;
    const size_t channels = size_t(samples().channels());
    for (auto next = left.begin(); next != left.end();
         next = std::find_if(next, left.end(), [&](Level level) { return level != done; })) {
        if (*next == done) continue;
        const Level level = *next;
        resampling.reading = reading_of_map(level, resampling.spec.address, samples());
        const std::vector<double> pairs = points_on(resampling.reading, points);
        const auto memory = state_->points.at_least(backend, pairs.size() * sizeof(double));
        backend.write(memory.get(), pairs.data(), pairs.size() * sizeof(double));
        resampling.points = PointsView::pairs(static_cast<const double*>(memory.get()), points.count);
        const auto output = state_->output.at_least(backend, read.size_bytes());
        state_->resample(*state_->source_of(resampling), resampling,
                         {output.get(), read.row_bytes(), RenderTarget::Format::floats, no_timer});
        backend.read_back(read.data(), output.get(), read.size_bytes());
        for (size_t k = 0; k < left.size(); ++k) {
            if (left[k] != level) continue;
            left[k] = done;
            std::copy_n(read.row_as<float>(0) + k * channels, channels, result.row_as<float>(0) + k * channels);
        }
    }
    return result;
}

}  // namespace texelscope
