#include "gpu/compare/error_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include "gpu/compare/compared_pixel.h"
#include "gpu/compare/flip.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"
#include "gpu/method/simd/kernels.h"

namespace texelscope {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

void difference_on_cpu(const ErrorMapJob& job, float* map) {
    parallel_for(work::errors, map_rows(job), std::max(1, (1 << 14) / job.width), [&](int k) {
        for (int x = 0; x < job.width; ++x) write_difference(job, x, k, map);
    });
}

void colour_map_on_cpu(const ErrorMapJob& job, float* map) {
    const simd::Kernels& vectors = simd::kernels(simd::best_instructions());
    const size_t width = size_t(job.width), room = width + simd::padding;
    parallel_for(work::colours, map_rows(job), 1, [&](int k) {
        std::vector<double> colours(6 * room);
        std::vector<float> differences(room);
        const int y = job.rows ? job.rows[k] : k;
        for (int x = 0; x < job.width; ++x) {
            const size_t at = value_index(job, x, y);
            double pair[2][3];
            read_compared_colour(job, job.values, at, pair[0]);
            read_compared_colour(job, job.reference, at, pair[1]);
            for (size_t n = 0; n < 6; ++n) colours[n * room + size_t(x)] = pair[n / 3][n % 3];
        }
        const double* planes[6];
        for (size_t n = 0; n < 6; ++n) planes[n] = colours.data() + n * room;
        vectors.colour_differences(planes, job.linear, job.width, differences.data());
        for (int x = 0; x < job.width; ++x)
            map[size_t(k) * width + size_t(x)] =
                compares(job, value_index(job, x, y)) ? differences[size_t(x)] : float(no_number);
    });
}

// Each block's number for its four pixels; a last column or row without a partner has none.
void gradient_map_on_cpu(const ErrorMapJob& job, float* map) {
    parallel_for(work::gradients, (job.height + 1) / 2, 1, [&](int block_y) {
        const int rows = std::min(2, job.height - 2 * block_y);
        for (int block_x = 0; block_x < (job.width + 1) / 2; ++block_x) {
            const auto value = float(gradient_difference(job, block_x, block_y));
            for (int y = 0; y < rows; ++y)
                for (int x = 2 * block_x; x < std::min(2 * block_x + 2, job.width); ++x)
                    map[size_t(2 * block_y + y) * size_t(job.width) + size_t(x)] = value;
        }
    });
}

}  // namespace

void error_map_on_cpu(const ErrorMapJob& job, float* map) try {
    switch (job.kind) {
        case DifferenceKind::ssim: return ssim_map_on_cpu({job}, map);
        case DifferenceKind::delta_e: return colour_map_on_cpu(job, map);
        case DifferenceKind::flip: return flip_on_cpu(job, map);
        case DifferenceKind::gradient: return gradient_map_on_cpu(job, map);
        default: return difference_on_cpu(job, map);
    }
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the map of errors");
}

double pixel_cost(DifferenceKind kind, int channels, double pixels_per_degree, int exposures) {
    switch (kind) {
        case DifferenceKind::ssim: return 35.0 * channels;
        case DifferenceKind::delta_e: return 350;
        case DifferenceKind::flip: {
            const FlipFilters filters = flip_filters(pixels_per_degree);
            return (190 + 3.0 * (filters.colour_radius + filters.feature_radius)) * std::max(exposures, 1);
        }
        case DifferenceKind::gradient: return 90;
        default: return channels;
    }
}

// Exposures.

FlipExposures exposures_of(double largest, double median) {
    if (!(largest > 0)) return {0, 0, 1};
    median = std::max(median, largest * 0x1p-16);
    // Where the ACES curve of flip_tone_mapped() is 0.85: a x² + b x + c = 0.
    constexpr double t = 0.85, a = 0.9036 - t * 0.8748, b = 0.018 - t * 0.354, c = -t * 0.14;
    const double x = (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
    const double start = std::log2(x / largest), stop = std::log2(x / median);
    return {start, stop, std::max(2, int(std::ceil(stop - start)))};
}

namespace {

// What the exposures of a picture depend on, added pixel by pixel.
struct Luminances {
    std::vector<float> finite;
    float largest = 0;  // of a component

    void add(float r, float g, float b) {
        const float l = luma(r, g, b);
        if (!is_finite(double(l))) return;
        finite.push_back(std::max(l, 0.0f));
        largest = std::max({largest, r, g, b});
    }
    FlipExposures exposures(bool linear) {
        if (finite.empty() || (largest <= 1 && !linear)) return {};
        const auto middle = finite.begin() + std::ptrdiff_t(finite.size() / 2);
        std::nth_element(finite.begin(), middle, finite.end());
        double median = *middle;
        if (finite.size() % 2 == 0) median = (median + double(*std::max_element(finite.begin(), middle))) / 2;
        return exposures_of(*std::max_element(middle, finite.end()), median);
    }
};

}  // namespace

FlipExposures exposures_of(const Image& image) {
    if (!is_float(image.type()) || !image.in_memory()) return {};
    const int colours = image.channels() - (image.alpha() == Alpha::none ? 0 : 1);
    if (colours == 2) return {};
    Luminances luminances;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const auto value = [&](int c) { return float(image.value(x, y, colours == 3 ? c : 0)); };
            luminances.add(value(0), value(1), value(2));
        }
    return luminances.exposures(is_linear(image.profile().get()));
}

FlipExposures exposures_of(const float* values, size_t pixels, int pixel_values, int colours, bool linear) {
    Luminances luminances;
    for (size_t k = 0; k < pixels; ++k, values += pixel_values)
        luminances.add(values[0], values[colours == 3 ? 1 : 0], values[colours == 3 ? 2 : 0]);
    return luminances.exposures(linear);
}

// Sums.

void sum_map_on_cpu(const MapSumJob& job, BothMapSums* sums) {
    *sums = {};
    const int rows = job.rows ? job.row_count : job.height;
    const auto add = [&](MapSums& to, float value, long long pixel) {
        to.add(value, pixel);
        ++to.bins[map_bin(double(value), job.step)];
    };
    for (int k = 0; k < rows; ++k) {
        const int y = job.rows ? job.rows[k] : k;
        for (int x = 0; x < job.width; ++x) {
            const float value = job.map[size_t(k) * size_t(job.width) + size_t(x)];
            if (std::isnan(value) || (job.selection && !is_selected(*job.selection, x, y))) continue;
            const long long pixel = (long long)(y)*job.width + x;
            add(sums->all, value, pixel);
            if (job.inside && job.inside->contains(x, y, {job.width, job.height})) add(sums->inside, value, pixel);
        }
    }
}

namespace {

// The value of this rank, from 0.
double of_rank(const MapSums& sums, long long rank, double step) {
    long long before = 0;
    for (int bin = 0; bin < map_bins; ++bin)
        if ((before += sums.bins[bin]) > rank) return bin * step;
    return map_bins * step;
}

double weighted_median_of(const MapSums& sums, double step) {
    double whole = 0, before = 0;
    for (int bin = 0; bin < map_bins; ++bin) whole += bin * step * sums.bins[bin];
    for (int bin = 0; bin < map_bins; ++bin)
        if ((before += bin * step * sums.bins[bin]) >= whole / 2) return bin * step;
    return 0;
}

}  // namespace

MapFigures figures_of(const MapSums& sums, const MapSumJob& job) {
    MapFigures figures;
    if (sums.pixels == 0) {
        figures.mean = figures.deviation = figures.weighted_median = figures.percentile_95 = figures.largest =
            no_number;
        return figures;
    }
    const auto pixels = double(sums.pixels);
    figures.mean = sums.sum / pixels;
    figures.deviation = std::sqrt(std::max(sums.squares / pixels - figures.mean * figures.mean, 0.0));
    figures.weighted_median = weighted_median_of(sums, job.step);
    const double rank = 0.95 * (pixels - 1), below = of_rank(sums, (long long)rank, job.step);
    const double above = of_rank(sums, std::min((long long)rank + 1, sums.pixels - 1), job.step);
    figures.percentile_95 = below + (rank - std::floor(rank)) * (above - below);
    figures.largest = double(sums.largest);
    figures.worst_x = int(sums.worst % job.width);
    figures.worst_y = int(sums.worst / job.width);
    figures.pixels = sums.pixels;
    const int last = std::max(map_bin(figures.largest, job.step), 1);
    for (int bin = 0; bin < map_bins; ++bin)
        figures.histogram[size_t(std::min((long long)(bin)*MapFigures::columns / (last + 1),
                                          (long long)(MapFigures::columns)-1))] += sums.bins[bin];
    return figures;
}

}  // namespace texelscope
