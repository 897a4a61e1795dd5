#pragma once
// How two pictures differ, pixel by pixel: differences of their values, and errors as people see them, maps of ΔE2000, FLIP, SSIM
// and gradient similarity, one number for each pixel; and the figures of a map.

#include <array>
#include <cstdint>
#include <optional>

#include "gpu/compare/metrics.h"
#include "gpu/core/image.h"
#include "gpu/core/platform.h"
#include "gpu/core/view.h"
#include "gpu/display/display.h"

struct CUstream_st;

namespace texelscope {

// The exposures over which FLIP is computed of pictures whose values go beyond 1: each tone-mapped, the largest error counts.
// Andersson, Nilsson, Shirley & Akenine-Möller 2021, Visualizing Errors in Rendered High Dynamic Range Images; ACES curve.
struct FlipExposures {
    double start = 0,
           stop = 0;  // stops: at the first one the brightest pixel is nearly white, at the last one the median is
    int count = 0;    // evenly spread; 0: FLIP of pictures on a screen, clamped to 0 … 1

    double at(int k) const { return count > 1 ? start + k * (stop - start) / (count - 1) : start; }
    bool operator==(const FlipExposures&) const = default;
};

// The exposures for the luminance of the image's finite samples: from ACES⁻¹(0.85) / largest to ACES⁻¹(0.85) / median, one per stop or
// closer, at least two. The median counts as at least 2⁻¹⁶ of the largest. None for integers, or floats of at most 1 whose
// profile is not linear. For an image in memory.
FlipExposures exposures_of(const Image& image);
FlipExposures exposures_of(double largest, double median);
// Exposures for packed values in memory of the host, the first 3 or the first of each pixel being its colour. None if all are at most 1,
// unless they are linear light.
FlipExposures exposures_of(const float* values, size_t pixels, int pixel_values, int colours, bool linear);

// What is compared: as for MeasureJob; the peak counts for SSIM and gradients. Pixels that are not finite on either side are not
// compared: their map is NaN; around them, FLIP sees the grey of the window's background in both pictures. Differences of values
// are those of each channel, whatever the values.
struct ErrorMapJob : PicturePair {
    DifferenceKind kind = DifferenceKind::flip;
    // The first values of a pixel: 3, or 1 for grey. sRGB-coded, clamped to 0 … 1; with alpha premultiplied: over black.
    int colours = 3;
    double pixels_per_degree = usual_pixels_per_degree;  // for FLIP, least_… to most_pixels_per_degree
    bool linear = false;                                 // colours are linear light
    FlipExposures exposures = {};                        // for FLIP; of linear light, not clamped before
    const int* rows =
        nullptr;  // of what is computed pixel by pixel, values and ΔE2000, memory of the backend: row k of the map is this row of the pictures; null: all
    int row_count = 0;
};

TS_HD int map_rows(const ErrorMapJob& job) { return job.rows ? job.row_count : job.height; }

// Numbers of the map: width × rows; of differences of values × channels, which are side by side.
inline size_t map_size(const ErrorMapJob& job) {
    return size_t(job.width) * size_t(map_rows(job)) * size_t(is_map(job.kind) ? 1 : job.channels);
}

// About how long a core takes for one pixel, nanoseconds.
double pixel_cost(DifferenceKind kind, int channels, double pixels_per_degree, int exposures);

// Threaded; `map` has map_size() numbers. FLIP is computed in float32, all else in float64. Throws
// OutOfMemory.
void error_map_on_cpu(const ErrorMapJob& job, float* map);

// In device memory; enqueued. Throws Error.
size_t error_map_scratch_bytes(const ErrorMapJob& job);
void error_map_on_cuda(const ErrorMapJob& job, float* map, void* scratch, CUstream_st* stream);

// Figures of a map.

struct MapSumJob {
    const float* map = nullptr;
    int width = 0, height = 0;  // of the pictures
    const int* rows = nullptr;  // as in ErrorMapJob
    int row_count = 0;
    std::optional<MeasureJob::Selection> selection = {};  // of the pixels that count
    std::optional<Interior> inside = {};                  // a part whose figures are wanted as well
    double step = 1.0 / (1 << 16);                        // map_step() of its kind
};

// Values in steps, each the centre of a bin: of ΔE2000 1/512, since no two colours of sRGB are 128 apart, else 1/65536.
inline constexpr int map_bins = 1 << 16;
constexpr double map_step(DifferenceKind kind) { return kind == DifferenceKind::delta_e ? 1.0 / 512 : 1.0 / map_bins; }

// The values of some pixels, added up.
struct MapValues : Largest<float> {
    double sum = 0, squares = 0;
    long long pixels = 0;

    TS_HD void add(float value, long long pixel) {
        sum += double(value);
        squares += double(value) * double(value);
        ++pixels;
        Largest::add(value, pixel);
    }
    TS_HD void join(const MapValues& other) {
        sum += other.sum;
        squares += other.squares;
        pixels += other.pixels;
        Largest::join(other);
    }
};

struct MapSums : MapValues {
    uint32_t bins[map_bins] = {};  // pixels by value
};

// Over all pixels, and over what of them is inside.
struct BothMapSums {
    MapSums all, inside;
};

// Threaded. Throws OutOfMemory.
void sum_map_on_cpu(const MapSumJob& job, BothMapSums* sums);
size_t map_sum_scratch_bytes();
void sum_map_on_cuda(const MapSumJob& job, BothMapSums* sums, void* scratch, CUstream_st* stream);

struct MapFigures {
    static constexpr int columns = 32;

    double mean = 0;
    double deviation = 0;        // of the population; of 1 − GMS it is GMSD (Xue et al. 2014)
    double weighted_median = 0;  // half of the sum of all errors is in smaller ones; rounded to a step
    double percentile_95 = 0;    // linear between neighbours in rank, each rounded to a step
    double largest = 0;
    int worst_x = -1, worst_y = -1;               // pixel of the largest
    int64_t pixels = 0;                           // compared
    std::array<int64_t, columns> histogram = {};  // pixels in equal columns from 0 to the largest
    bool operator==(const MapFigures&) const = default;
};

// NaN, and no pixel, of a map without values.
MapFigures figures_of(const MapSums& sums, const MapSumJob& job);

// The one figure by which methods are ranked: the deviation of gradients (GMSD), else the mean.
inline double pooled(const MapFigures& figures, DifferenceKind kind) {
    return kind == DifferenceKind::gradient ? figures.deviation : figures.mean;
}

}  // namespace texelscope
