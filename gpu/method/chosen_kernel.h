#pragma once
// The code that computes a picture, by name, and why it was chosen.

#include <string_view>

namespace texelscope {

enum class ResampleKernel {
    simple,      // any job: each pixel separately; on the CPU the methods' own code
    direct,      // GPU: several pixels per thread, each separately
    march,       // GPU, views without rotation: down a column, sharing sums along rows
    tile,        // GPU: texels of a block in shared memory
    shrink,      // GPU, weights from a table, without rotation
    turned,      // GPU, weights from a table, rotated, by matrix products
    turned_any,  // GPU, weights from a table, rotated, samples of any type
    separable,   // CPU, vector code: one axis after the other
    blocks,      // CPU, vector code: neighbouring pixels of a row
    table,       // weights from a table, each pixel separately
    polar,       // weights by the distance in the plane
    own,         // a CUDA kernel of one's own
    long_taps,   // taps computed beforehand, one axis after the other
    float64      // exact weights, for references
};

constexpr std::string_view name_of(ResampleKernel kernel) {
    switch (kernel) {
        case ResampleKernel::simple: return "simple";
        case ResampleKernel::direct: return "direct";
        case ResampleKernel::march: return "march";
        case ResampleKernel::tile: return "tile";
        case ResampleKernel::shrink: return "shrinking";
        case ResampleKernel::turned: return "rotated matrix product";
        case ResampleKernel::turned_any: return "rotated shrinking";
        case ResampleKernel::separable: return "one axis at a time";
        case ResampleKernel::blocks: return "blocks of pixels";
        case ResampleKernel::table: return "weight table";
        case ResampleKernel::polar: return "polar";
        case ResampleKernel::own: return "own kernel";
        case ResampleKernel::long_taps: return "long taps";
        case ResampleKernel::float64: return "float64";
    }
    return "";
}

struct ChosenKernel {
    ResampleKernel kernel = ResampleKernel::simple;
    std::string_view reason = {};  // a phrase for the reader, in memory that stays; empty: nothing was computed yet
};

inline constexpr ChosenKernel chosen_for_long_taps{ResampleKernel::long_taps,
                                                   "each pixel has taps of its own, computed beforehand"};
inline constexpr ChosenKernel chosen_for_references{ResampleKernel::float64, "the picture is a reference in float64"};

}  // namespace texelscope
