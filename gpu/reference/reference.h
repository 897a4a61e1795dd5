#pragma once
// The float64 reference and its coefficients.

#include <cstddef>
#include <span>
#include <vector>

#include "gpu/reference/reference_job.h"

struct CUstream_st;  // cudaStream_t without a CUDA header

namespace texelscope {

// The coefficients that a reference rendering needs, and the memory they take.

// Memory that coefficients may take, intermediate ones included.
inline constexpr size_t most_coefficient_bytes = size_t(4) << 30;

// And those of a tile: on a CPU they should stay in its cache; a GPU needs tiles of many pixels to be busy.
inline constexpr size_t tile_bytes_on_cpu = size_t(32) << 20, tile_bytes_on_cuda = size_t(256) << 20;

ExactPrefilter exact_prefilter(std::span<const double> poles);
ExactPrefilter exact_prefilter(const InverseFilter& inverse);

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

// Of a patch, in doubles.
size_t patch_size(const CoefficientPatch& patch, const TexelArray& source);
size_t filtered_rows_size(const CoefficientPatch& patch, const TexelArray& source);

// That the patch of any tile takes, in bytes.
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
