#pragma once
// ReferenceJob: one rendering in float64, as plain data that a kernel takes by value.

#include "gpu/method/footprint.h"
#include "gpu/method/poles.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/tap_source.h"
#include "gpu/reference/weight_pieces.h"

namespace texelscope {

// The exact prefilter: Σ over the poles of gain · Σ z^|k| s(i − k) by recursion (see gpu/prefilter/filter.h), cut off where
// |z|^k < 1e-17; without poles, by the taps b(0) … b(reach).
struct ExactPrefilter {
    static constexpr int most_taps = 64;
    int reach = 0;  // largest k; 0: the method takes samples
    double tap[most_taps] = {};
    int poles = 0;
    double pole[most_poles] = {}, gain[most_poles] = {};
    double sum = 1;  // of all that it weighs a constant by
};

// The stretch of indices along one axis over which something is kept. Any index stands for one of them, if the hull of
// the requested indices is inside.
struct KeptAxis {
    AddressMode mode = AddressMode::clamp;
    int n = 1;                 // samples of the image
    int margin = 0;            // beyond which coefficients no longer change; for modes that do not repeat
    int begin = 0, count = 1;  // kept; of a signal that wraps around perhaps across its seam

    TS_HD int stored(int i) const {
        if (mode == AddressMode::wrap) i = addressed(mode, i - begin, n);
        else if (is_periodic(mode)) i = addressed(mode, i, n) - begin;
        else i = (i < -margin ? -margin : i >= n + margin ? n + margin - 1 : i) - begin;
        return i < 0 ? 0 : i >= count ? count - 1 : i;
    }
};

// float64 coefficients of the part of the extended image that a tile of the output reads.
struct CoefficientPatch {
    KeptAxis x, y;
    KeptAxis rows;                    // of samples, whose filtered values the columns need
    double* values = nullptr;         // x.count · y.count texels; memory of the backend
    double* filtered_rows = nullptr;  // x.count · rows.count texels; null for signals

    // Where row k of the extended image is among the filtered ones; −1: it is zero.
    TS_HD int filtered_row(int k) const {
        return rows.mode == AddressMode::border && unsigned(k) >= unsigned(rows.n) ? -1 : rows.stored(k);
    }
};

// A rectangle of pixels of an output.
struct PixelRange {
    int x = 0, y = 0, width = 0, height = 0;
    bool operator==(const PixelRange&) const = default;
};

// The value beyond a border: subtracted from every sample, so that zero is beyond it, and added to the result, times the
// sum of the weights.
struct ReferenceBorder {
    double subtracted[4] = {}, added[4] = {};
};

struct ReferenceJob {
    ResampleJob job;  // source: the samples; output: doubles, rows packed. Path and parameters are not used.
    WeightPieces weight;
    ExactPrefilter prefilter;
    PixelRange tile;                      // what is computed at a time
    CoefficientPatch patch;               // what that reads, if there is a prefilter
    double stretch_x = 1, stretch_y = 1;  // as in Resampling
    bool local_stretch = false;
    bool normalise = false;  // weights over their sum
    ReferenceBorder border;

    // Of a polar method (gpu/method/polar.h): `weight` is the radial function, whose weights are always normalised.
    bool polar = false;
    FootprintKind footprint_kind = FootprintKind::circle;
    double largest_stretch = 1;
};

}  // namespace texelscope
