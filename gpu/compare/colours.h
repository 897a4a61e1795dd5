#pragma once
// How different the colours of two renderings look: ΔE2000 of each pixel (delta_e.h), its mean and its 95th percentile.

#include <cstdint>
#include <optional>

#include "gpu/compare/metrics.h"

struct CUstream_st;

namespace texelscope {

// Colours are taken as sRGB-coded and clamped to [0, 1], as a screen shows them; with a fourth channel, alpha,
// premultiplied: over black. Pixels that are not finite on either side are left out.
struct ColourJob {
    const float *values = nullptr, *reference = nullptr;  // memory of the backend, rows packed
    int width = 0, height = 0, channels = 3;              // 3 or 4
    const int* rows = nullptr;                            // those that are compared: memory of the backend
    int row_count = 0;
    std::optional<Interior> inside;  // a part whose figures are wanted as well
};

// ΔE2000 in steps of 1/512, each the centre of a bin. No two colours of sRGB are 128 apart.
inline constexpr int colour_bins = 1 << 16;
inline constexpr double colour_step = 1.0 / 512;

struct ColourSums {
    double sum = 0;
    long long pixels = 0;
    uint32_t bins[colour_bins] = {};  // pixels by difference
};

// Over all compared rows, and over what of them is inside.
struct BothColours {
    ColourSums all, inside;
};

struct ColourFigures {
    double mean = 0;
    double percentile_95 = 0;  // linear between neighbours in rank, each rounded to a step
};

// NaN for no pixel.
ColourFigures figures_of(const ColourSums& sums);

// Threaded. Throws OutOfMemory.
void compare_colours_on_cpu(const ColourJob& job, BothColours* sums);

// The same over device memory, `sums` included; enqueued. `scratch` has colour_scratch_bytes(). Throws Error.
size_t colour_scratch_bytes();
void compare_colours_on_cuda(const ColourJob& job, BothColours* sums, void* scratch, CUstream_st* stream);

}  // namespace texelscope
