#pragma once
// The code that computes a picture, by name, and why it was chosen.

#include <cstddef>
#include <iterator>
#include <string_view>

namespace texelscope {

enum class ResampleKernel {
    simple,       // any job: each pixel separately; on the CPU the methods' own code
    direct,       // GPU: several pixels per thread, each separately
    march,        // GPU, views without rotation: down a column, sharing sums along rows
    tile,         // GPU: texels of a block in shared memory
    shrink,       // GPU, weights from a table, without rotation
    rotated,      // GPU, weights from a table, rotated, by matrix products
    rotated_any,  // GPU, weights from a table, rotated, samples of any type
    separable,    // CPU, vector code: one axis after the other
    blocks,       // CPU, vector code: neighbouring pixels of a row
    table,        // weights from a table, each pixel separately
    polar,        // weights by the distance in the plane
    own,          // a CUDA kernel of one's own
    long_taps,    // taps computed beforehand, one axis after the other
    float64       // exact weights, for references
};

constexpr std::string_view name_of(ResampleKernel kernel) {
    constexpr std::string_view names[] = {"simple",
                                          "direct",
                                          "march",
                                          "tile",
                                          "shrinking",
                                          "rotated matrix product",
                                          "rotated shrinking",
                                          "one axis at a time",
                                          "blocks of pixels",
                                          "weight table",
                                          "polar",
                                          "own kernel",
                                          "long taps",
                                          "float64"};
    static_assert(std::size(names) == size_t(ResampleKernel::float64) + 1);
    return names[size_t(kernel)];
}

struct ChosenKernel {
    ResampleKernel kernel = ResampleKernel::simple;
    std::string_view reason = {};  // a phrase for the reader, in memory that stays; empty: nothing was computed yet
};

inline constexpr ChosenKernel chosen_for_long_taps{ResampleKernel::long_taps,
                                                   "each pixel has taps of its own, computed beforehand"};
inline constexpr ChosenKernel chosen_for_references{ResampleKernel::float64, "the picture is a reference in float64"};

}  // namespace texelscope
