#include "app/studies/restoring/colour_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/compare/delta_e.h"
#include "gpu/core/parallel.h"
#include "gpu/core/work_names.h"

namespace texelscope {
namespace {

constexpr int rows_at_a_time = 8;

// Changes the order of the values.
ColourFigures figures_of(std::vector<float>& values) {
    if (values.empty()) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    ColourFigures figures;
    for (const float value : values) figures.mean += value;
    figures.mean /= double(values.size());
    const double rank = 0.95 * double(values.size() - 1);
    const auto below = values.begin() + std::ptrdiff_t(rank);
    std::nth_element(values.begin(), below, values.end());
    const float above = below + 1 < values.end() ? *std::min_element(below + 1, values.end()) : *below;
    figures.percentile_95 = *below + (rank - std::floor(rank)) * (above - *below);
    return figures;
}

}  // namespace

bool has_colours(const Image& image) {
    return image.channels() == 3 || (image.channels() == 4 && image.alpha() != Alpha::none);
}

ColourComparison::Colour ColourComparison::colour_of(const float* pixel) {
    const auto level = [](float value) {
        return std::isfinite(value) ? std::clamp(double(value), 0.0, 1.0) : std::nan("");
    };
    const Lab lab = lab_of_srgb(level(pixel[0]), level(pixel[1]), level(pixel[2]));
    return {float(lab.l), float(lab.a), float(lab.b)};
}

ColourComparison::ColourComparison(const Image& original)
    : width_(original.width()), height_(original.height()), original_(size_t(width_) * size_t(height_)) {
    parallel_for(work::colours, height_, rows_at_a_time, [&](int y) {
        const float* row = original.row_as<float>(y);
        for (int x = 0; x < width_; ++x)
            original_[size_t(y) * size_t(width_) + size_t(x)] =
                colour_of(row + size_t(x) * size_t(original.channels()));
    });
}

ColourComparison::Figures ColourComparison::figures(const Image& picture, const Interior& interior) const {
    std::vector<float> differences(original_.size());
    parallel_for(work::colours, height_, rows_at_a_time, [&](int y) {
        const float* row = picture.row_as<float>(y);
        for (int x = 0; x < width_; ++x) {
            const size_t k = size_t(y) * size_t(width_) + size_t(x);
            const Colour c = colour_of(row + size_t(x) * size_t(picture.channels())), o = original_[k];
            differences[k] = float(delta_e_2000({c.l, c.a, c.b}, {o.l, o.a, o.b}));
        }
    });
    std::vector<float> inside, all;
    for (int y = 0; y < height_; ++y)
        for (int x = 0; x < width_; ++x) {
            const float difference = differences[size_t(y) * size_t(width_) + size_t(x)];
            if (!std::isfinite(difference)) continue;
            all.push_back(difference);
            if (interior.contains(x, y, {width_, height_})) inside.push_back(difference);
        }
    return {figures_of(inside), figures_of(all)};
}

}  // namespace texelscope
