#pragma once
// The float64 reference and its coefficients.

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "gpu/core/platform.h"
#include "gpu/method/method_info.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/tabulated.h"
#include "gpu/method/tap_source.h"
#include "gpu/weights/poles.h"
#include "gpu/weights/weights.h"

struct CUstream_st;  // cudaStream_t without a CUDA header

namespace texelscope {

// ReferenceJob: one rendering in float64, as plain data that a kernel takes by value.

inline constexpr int pieces_a_sample = 8;
inline constexpr int piece_coefficients = 14;

// h on [−radius, radius), zero elsewhere; each piece includes only its left end.
struct WeightPieces {
    const double* coefficients = nullptr;  // memory of the backend; for 1, u, u², … with u from −1 to 1 over the piece
    double radius = 1;                     // samples
    double a_sample = pieces_a_sample;  // pieces: a whole number of them is as wide as the function
    PieceTable<double> pieces = {};     // used instead if there are any: of a custom method
};

// Pieces of a function this wide to each side: at least pieces_a_sample a sample, and an even number.
inline int piece_count(double radius) { return 2 * int(std::ceil(radius * pieces_a_sample)); }

// Pieces of the method's own weight function, or of what is widened.
std::vector<double> weight_pieces(const MethodInfo& method, const MethodParameters& parameters,
                                  WeightForm form = WeightForm::own);

TS_HD double weight_at(const WeightPieces& pieces, double d) {
    if (!(d >= -pieces.radius && d < pieces.radius)) return 0;
    if (pieces.pieces.pieces) {
        const double whole = floor(d);
        return piece_value(pieces.pieces, int(whole), d - whole);
    }
    const double at = (d + pieces.radius) * pieces.a_sample;
    const int last = int(2 * pieces.radius * pieces.a_sample + 0.5) - 1;
    const int piece = int(at) < last ? int(at) : last;
    const double u = 2 * (at - piece) - 1;
    const double* c = pieces.coefficients + piece * piece_coefficients;
    double sum = c[piece_coefficients - 1];
    TS_UNROLL
    for (int n = piece_coefficients - 2; n >= 0; --n) sum = sum * u + c[n];
    return sum;
}

// The exact prefilter: Σ over the poles of gain · Σ z^|k| s(i − k) by recursion (see gpu/prefilter/prefilter.h), cut off where
// |z|^k < 1e-17; without poles, by the taps b(0) … b(reach).
struct ExactPrefilter {
    static constexpr int most_taps = 72;
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
    ExactPrefilter prefilter, prefilter_y;  // along x, or both axes of points; along y: of the same reach
    PixelRange tile;                        // what is computed at a time
    CoefficientPatch patch;                 // what that reads, if there is a prefilter
    double stretch_x = 1, stretch_y = 1;    // as in Resampling
    bool local_stretch = false;
    bool normalise = false;  // weights over their sum
    ReferenceBorder border;

    // For a polar method (gpu/method/polar_method.h): `weight` is the radial function, whose weights are always normalised.
    bool polar = false;
    FootprintKind footprint_kind = FootprintKind::circle;
    double largest_stretch = 1;
};

// The coefficients that a reference rendering needs, and the memory they take.

// Memory that coefficients may take, intermediate ones included.
inline constexpr size_t most_coefficient_bytes = size_t(1) << (sizeof(size_t) == 8 ? 32 : 30);

// And those of a tile: on a CPU they should stay in its cache; a GPU needs tiles of many pixels to be busy.
inline constexpr size_t tile_bytes_on_cpu = size_t(32) << 20, tile_bytes_on_cuda = size_t(256) << 20;

ExactPrefilter exact_prefilter(std::span<const double> poles);
ExactPrefilter exact_prefilter(const InverseFilter& inverse);

// Along both axes of what a request with this spec reads: the image, or a level of the pyramid, where the prefilter is that of
// the image (on_level).
void set_prefilter(ReferenceJob& job, const MethodSpec& spec);

// A part of the output, and the coefficients that it reads; the backend sets their memory.
struct ReferenceTile {
    PixelRange pixels;
    CoefficientPatch patch;
};

// Tiles that together are the output of a job whose prefilter is set, each with coefficients of at most `limit` bytes
// if that can be. A single one: without a prefilter; for points, which may be anywhere, so that the patch is the whole
// image with its margins; and where tiles would filter the same samples again and again, eight times in all, as in a
// view of many repetitions. Throws OutOfMemory if one is beyond most_coefficient_bytes.
std::vector<ReferenceTile> reference_tiles(const ReferenceJob& job, size_t limit);

// The sizes of a patch, in doubles.
size_t patch_size(const CoefficientPatch& patch, const TexelArray& source);
size_t filtered_rows_size(const CoefficientPatch& patch, const TexelArray& source);

// The most that the patch of any tile takes, in bytes.
size_t largest_patch_bytes(const std::vector<ReferenceTile>& tiles, const TexelArray& source);

// Makes the tile the one to be computed, with its patch in `memory`.
void set_tile(ReferenceJob& job, const ReferenceTile& tile, void* memory);

// Resampling in float64, against which every fetch path, prefilter and float of the engine is measured. Weights are the
// method's float64 weight function, coefficients those of its exact prefilter, positions the engine's own.

// A job whose tile is set (set_tile): these compute its pixels. This fills in its patch, threaded.
void compute_patch_on_cpu(const ReferenceJob& job);

// Computes rows [first, last) of the tile on the calling thread.
void reference_rows(const ReferenceJob& job, int first, int last);

// Enqueues patch and evaluation of the tile on the stream. Throws Error if a launch is refused.
void launch_reference(const ReferenceJob& job, CUstream_st* stream);

}  // namespace texelscope
