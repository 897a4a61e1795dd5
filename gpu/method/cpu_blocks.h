#pragma once
// Views of any kind on the CPU: blocks of neighbouring pixels of a row, whose taps are gathered one pixel at a time.

#include <array>
#include <cstddef>
#include <vector>

#include "gpu/method/cpu_vector.h"
#include "gpu/method/output.h"

namespace texelscope {

class BlockWriter final : public RowWriter {
public:
    BlockWriter(const ResampleJob& job, const MethodInfo& method, const AxisWeights& weights,
                const simd::Kernels& kernels);
    void write_rows(int first, int last) const override;

private:
    static constexpr int block = simd::block;
    struct Work;    // per thread
    struct Range {  // of positions
        double from, to;
    };
    struct Axis {        // of positions in fixed point
        double a, b, c;  // of pixel i in row j: a·i + b·j + c
        int64_t steps[simd::block];
        Range fast, clamped;  // whose taps are all stored, and that are inside; of those that read what others read
        int64_t at(int first, int row) const;
    };

    Axis axis_of(double a, double b, double c, const Range& stored, int samples, const ImageSpan& image) const;
    bool find_taps_inside(Work& work, int first, int row) const;
    void prefetch(int64_t x, int64_t y, int count) const;
    void prefetch_output(int first, int count, int row) const;
    bool find_any_taps(Work& work, int first, int row) const;
    void clamp_positions(Work& work) const;
    Range stored_range(int margin, int stored, int reach) const;
    void write_to_screen(Work& work, int first, int row) const;
    bool find_positions(Work& work, int first, int row) const;
    void write_block(Work& work, int first, int count, int row) const;
    void mark_places(Work& work, int first, int row) const;
    void find_taps(Work& work) const;
    void reduce_positions(Work& work) const;
    bool fold(Work& work, int pixel) const;
    bool fold_all(Work& work) const;
    void evaluate_anywhere(Work& work) const;
    bool evaluate_patches(Work& work, const int* pixels, int count) const;
    void copy_patch(Work& work, int pixel, std::byte* to) const;
    void repair(Work& work, float* values) const;
    char* output_at(int first, int row) const;

    const ResampleJob& job_;
    const MethodInfo& method_;
    const AxisWeights& weights_;
    const simd::Kernels& kernels_;
    simd::Gather gather_;
    void (*screen_)(const simd::Block&, uint32_t* pixels);  // null: by way of floats
    int stored_width_, stored_height_, reach_;              // texels, with margin; texels read along a row
    int prefetch_step_;                                     // pixels; 0: none
    Range inside_x_, inside_y_;                             // whose taps are all stored
    bool takes_values_;                                     // the output, as they are interpolated
    bool fixed_, clamps_;  // all positions fit fixed point; may be clamped instead of taps
    Axis x_, y_;
};

// What BlockWriter computes for a block of pixels, and the numbers that its files share.

// Pixels of whole vectors.
inline int rounded_up(int count) { return (count + 15) / 16 * 16; }

inline size_t texel_bytes(const TexelArray& a) { return size_t(a.channels) * size_t(bytes_per_sample(a.type)); }

struct BlockWriter::Work {
    int count = 0, padded = 0;  // pixels, and rounded up to whole vectors
    bool elsewhere = false;     // are any positions not inside?
    bool finite = true;         // are all values?
    std::array<double, block> x, y;
    std::array<PixelPlace, block> place;
    int beyond[block], pixels_beyond = 0, pixel_inside = -1;  // neither stored nor folded; one of those that are
    simd::Block taps, patches;
    alignas(64) float values[block * 4 + simd::padding];
    alignas(64) float patch_values[block * 4 + simd::padding];
    std::vector<std::byte> patch_texels;
};

}  // namespace texelscope
