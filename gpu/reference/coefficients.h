#pragma once
// The coefficients that a reference rendering needs, and the memory they take.

#include <cstddef>
#include <span>
#include <vector>

#include "gpu/reference/reference_job.h"

namespace texelscope {

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

}  // namespace texelscope
