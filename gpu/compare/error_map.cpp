#include "gpu/compare/error_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include "gpu/compare/flip.h"
#include "gpu/compare/map_pixel.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"

namespace texelscope {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

void colour_map_on_cpu(const ErrorMapJob& job, float* map) {
    const MapPlanes planes = planes_of(job);
    parallel_for(work::colours, planes.row_count, 1, [&](int k) {
        float* row = map + size_t(k) * size_t(job.width);
        for (int x = 0; x < job.width; ++x) row[x] = float(colour_difference(planes, k, x));
    });
}

// Each block's number for its four pixels; a last column or row without a partner has none.
void gradient_map_on_cpu(const ErrorMapJob& job, float* map) {
    const MapPlanes planes = planes_of(job);
    parallel_for(work::gradients, (job.height + 1) / 2, 1, [&](int block_y) {
        const int rows = std::min(2, job.height - 2 * block_y);
        for (int block_x = 0; block_x < (job.width + 1) / 2; ++block_x) {
            const auto value = float(gradient_difference(planes, block_x, block_y));
            for (int y = 0; y < rows; ++y)
                for (int x = 2 * block_x; x < std::min(2 * block_x + 2, job.width); ++x)
                    map[size_t(2 * block_y + y) * size_t(job.width) + size_t(x)] = value;
        }
    });
}

}  // namespace

MeasureJob measured(const ErrorMapJob& job) {
    MeasureJob measured;
    measured.values = job.values;
    measured.reference = job.reference;
    measured.width = job.width;
    measured.height = job.height;
    measured.channels = job.channels;
    measured.pixel_values = job.pixel_values;
    measured.peak = job.peak;
    return measured;
}

void error_map_on_cpu(const ErrorMapJob& job, float* map) try {
    switch (job.kind) {
        case DifferenceKind::ssim: return ssim_map_on_cpu(measured(job), map);
        case DifferenceKind::delta_e: return colour_map_on_cpu(job, map);
        case DifferenceKind::flip: return flip_on_cpu(job, map);
        case DifferenceKind::gradient: return gradient_map_on_cpu(job, map);
        default: throw Error("a difference of values is no map of errors");
    }
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the map of errors");
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

FlipExposures exposures_of(const Image& image) {
    if (!is_float(image.type()) || !image.in_memory()) return {};
    const int colours = image.channels() - (image.alpha() == Alpha::none ? 0 : 1);
    if (colours == 2) return {};
    std::vector<float> luminances;
    float most = 0;
    std::vector<float> row(size_t(image.width()) * size_t(image.channels()));
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            float v[3];
            for (int c = 0; c < 3; ++c) v[c] = float(image.value(x, y, colours == 3 ? c : 0));
            const float l = luma(v[0], v[1], v[2]);
            if (!is_finite(double(l))) continue;
            luminances.push_back(std::max(l, 0.0f));
            most = std::max({most, v[0], v[1], v[2]});
        }
    if (luminances.empty() || (most <= 1 && !is_linear(image.profile().get()))) return {};
    const auto middle = luminances.begin() + std::ptrdiff_t(luminances.size() / 2);
    std::nth_element(luminances.begin(), middle, luminances.end());
    double median = *middle;
    if (luminances.size() % 2 == 0) median = (median + double(*std::max_element(luminances.begin(), middle))) / 2;
    return exposures_of(*std::max_element(middle, luminances.end()), median);
}

// Sums.

void sum_map_on_cpu(const MapSumJob& job, BothMapSums* sums) {
    *sums = {};
    const int rows = job.rows ? job.row_count : job.height;
    const auto add = [&](MapSums& to, float value, long long pixel) {
        to.sum += double(value);
        to.squares += double(value) * double(value);
        ++to.pixels;
        ++to.bins[map_bin(double(value), job.step)];
        if (value > to.largest) to.largest = value, to.worst = pixel;
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
