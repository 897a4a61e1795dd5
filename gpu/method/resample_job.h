#pragma once
// ResampleJob: everything one rendering needs, as plain data that a kernel takes by value.

#include <cstddef>
#include <iterator>
#include <string_view>

#include "gpu/core/address.h"
#include "gpu/core/colour.h"
#include "gpu/core/image.h"
#include "gpu/core/view.h"
#include "gpu/method/spec.h"

namespace texelscope {

// The code that computes a picture, by name, and why it was chosen.

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
    box,          // means of the samples in an area, both axes at once
    table,        // weights from a table, each pixel separately
    polar,        // weights by the distance in the plane
    own,          // a kernel of one's own: on the GPU compiled, on the CPU interpreted
    mip,          // a level of the pyramid for each pixel
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
                                          "boxes",
                                          "weight table",
                                          "polar",
                                          "own kernel",
                                          "mip levels",
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
inline constexpr ChosenKernel chosen_for_mip_levels{ResampleKernel::mip,
                                                    "each pixel reads a level of the pyramid of its own"};
inline constexpr ChosenKernel chosen_for_references{ResampleKernel::float64, "the picture is a reference in float64"};

// The texels a job reads: samples, or coefficients with a margin on each side. Indices are those of the image: texel
// 0 is the first sample, −margin the first one stored.
struct TexelArray {
    const void* texels = nullptr;  // linear memory of the backend; null if only textures are resident
    size_t row_bytes = 0;
    SampleType type = SampleType::f32;
    int channels = 1;           // 1, 2 or 4; on the CPU also 3
    int width = 0, height = 0;  // of the image, without margin
    int margin_x = 0, margin_y = 0;
    AddressPair address;  // beyond the margin
    // From the first or last sample to the end of the extent, beyond which is outside.
    double beyond_x = 0.5, beyond_y = 0.5;
    // cudaTextureObject_t over the texels with margin; only for the paths lookup and hardware on a GPU.
    unsigned long long point_texture = 0, linear_texture = 0;
    bool normalised = false;       // the texture takes coordinates in [0, 1): needed by wrap and mirror
    bool one_dimensional = false;  // a signal: height 1, only x is interpolated
    int images = 1;                // a batch: so many of this size, only on a GPU
    size_t image_bytes = 0;        // from one image to the next, a multiple of row_bytes
};

struct ResampleOutput {
    void* pixels = nullptr;
    size_t row_bytes = 0;
    int width = 0, height = 0;
    bool rgba8 = false;                   // for the screen, else numbers: floats, or
    bool levels = false;                  // u8, on the CPU: 0 … 255 of 0 … 1, rounded and clamped
    int channels = 1;                     // of the image, 1 … 4
    bool has_alpha = false;               // the last channel, premultiplied
    bool whole_pixels = false;            // floats: every pixel is aligned to its own size
    float background = background_level;  // outside the extent
    bool encode_srgb = false;             // values are linear light and are written sRGB-coded
    size_t image_bytes = 0;               // from one image of a batch to the next, a multiple of row_bytes

    size_t pixel_bytes() const { return rgba8 ? 4 : size_t(channels) * (levels ? 1 : sizeof(float)); }
};

// For a job that is a part of a larger one: where its source and its output lie in those of the larger one. What is
// outside, and how positions are rounded, then comes out as in the whole.
struct Cut {
    bool is_part = false;
    int width = 0, height = 0;  // samples of the whole image
    double x = 0, y = 0;        // whole numbers: texel (0, 0) of the source is sample (x, y) of the extended image
    int i = 0, j = 0;           // pixel (0, 0) of the output is pixel (i, j) of the whole
    double x0 = 0, y0 = 0;      // of the whole's positions; those of the job are counted from texel and pixel (0, 0)
};

struct ResampleJob : Sampling {
    TexelArray source;
    ResampleOutput output;
    Affine positions;     // used if there are no points
    Cut cut;              // if it is a part of a larger job
    PointsView points;    // in memory of the backend; output pixel (i, j) reads point j · output.width + i
    bool simple = false;  // each pixel separately, by the most readable code

    ResampleJob() = default;
    explicit ResampleJob(const Sampling& sampling) : Sampling(sampling) {}

    // `auto` reads linear memory, which has no size limits, by whichever kernel is fastest.
    TS_HD FetchPath path() const { return spec.path == FetchPath::automatic ? FetchPath::global : spec.path; }
};

// One image of a batch.
inline TexelArray image_of(TexelArray array, int number) {
    array.texels = static_cast<const char*>(array.texels) + size_t(number) * array.image_bytes;
    array.images = 1;
    array.image_bytes = 0;
    return array;
}
inline ResampleJob image_of(ResampleJob job, int number) {
    job.source = image_of(job.source, number);
    job.output.pixels = static_cast<char*>(job.output.pixels) + size_t(number) * job.output.image_bytes;
    job.output.image_bytes = 0;
    return job;
}

}  // namespace texelscope
