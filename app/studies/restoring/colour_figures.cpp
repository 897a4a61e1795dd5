#include "app/studies/restoring/colour_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "gpu/compare/delta_e.h"
#include "gpu/core/parallel.h"
#include "gpu/core/work_names.h"

namespace texelscope {
namespace {

constexpr int rows_at_a_time = 8;
constexpr long long most_pixels = 1 << 21;

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

// At a random place in each strip: a regular one would always meet the same phase of a picture shrunk by a whole factor.
std::vector<int> compared_rows(Extent size) {
    const int strip = int((size.width * (long long)(size.height) + most_pixels - 1) / most_pixels);
    std::minstd_rand random;  // the same rows each time
    std::vector<int> rows;
    for (int top = 0; top < size.height; top += strip)
        rows.push_back(top + int(random() % unsigned(std::min(strip, size.height - top))));
    return rows;
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
    : size_{original.width(), original.height()}, rows_(compared_rows(size_)) {
    original_.resize(rows_.size() * size_t(size_.width));
    parallel_for(work::colours, int(rows_.size()), rows_at_a_time, [&](int k) {
        const float* row = original.row_as<float>(rows_[size_t(k)]);
        for (int x = 0; x < size_.width; ++x)
            original_[size_t(k) * size_t(size_.width) + size_t(x)] =
                colour_of(row + size_t(x) * size_t(original.channels()));
    });
}

ColourComparison::Figures ColourComparison::figures(const Image& picture, const Interior& interior) const {
    std::vector<float> differences(original_.size());
    parallel_for(work::colours, int(rows_.size()), rows_at_a_time, [&](int k) {
        const float* row = picture.row_as<float>(k);
        for (int x = 0; x < size_.width; ++x) {
            const size_t at = size_t(k) * size_t(size_.width) + size_t(x);
            const Colour c = colour_of(row + size_t(x) * size_t(picture.channels())), o = original_[at];
            differences[at] = float(delta_e_2000({c.l, c.a, c.b}, {o.l, o.a, o.b}));
        }
    });
    std::vector<float> inside, all;
    for (size_t at = 0; at < differences.size(); ++at) {
        if (!std::isfinite(differences[at])) continue;
        all.push_back(differences[at]);
        const int x = int(at % size_t(size_.width)), y = rows_[at / size_t(size_.width)];
        if (interior.contains(x, y, size_)) inside.push_back(differences[at]);
    }
    return {figures_of(inside), figures_of(all)};
}

}  // namespace texelscope
