#pragma once
// The CPU backend's vector code: one table of functions for each set of instructions, chosen at run time.
//
// Each table is made in its own source file, compiled for its instructions (baseline.cpp, avx2.cpp, avx512.cpp). All
// that these compile has internal linkage, except the table: if an inline function or a std template were compiled
// there, the linker could pick that copy for the whole program, and older processors would stop at it.

#include <cstddef>
#include <cstdint>

#include "gpu/core/rounding.h"
#include "gpu/method/axis_weights.h"
#include "gpu/weights/poles.h"

namespace texelscope::simd {

// Pixels of a row that are computed together.
inline constexpr int block = 64;

using texelscope::AxisWeights;
inline constexpr int max_taps = AxisWeights::max_taps;

// Numbers to add when a buffer is read or written in whole vectors.
inline constexpr int padding = 64;

// Numbers that a row of a patch can have.
inline constexpr int most_patch_numbers = 320;

// The bits of a fixed-point fraction that are cut off.
inline constexpr uint32_t fixed_cut = 7;

// Texels of a row that Kernels::gather reads from a pixel's first tap on.
constexpr int texels_read(int channels, int taps) {
    return channels == 3 ? taps + 1 : channels == 1 && taps == 6 ? 8 : taps;
}

// Up to `block` pixels whose taps are all stored: texel (x, y) of the memory is the first of taps × taps.
struct alignas(64) Block {
    const void* texels = nullptr;
    size_t row_bytes = 0;
    int count = 0;  // a multiple of 16
    alignas(64) int x[block], y[block];
    float wx[max_taps][block], wy[max_taps][block];
};

// Outputs with non-finite values are computed again elsewhere: here 0 · NaN is NaN.
using Gather = bool (*)(const Block&, float* values);  // are all values finite? Always true for integers.
using Convert = bool (*)(const void* samples, int count, float* values);

// The prefilter along an axis; see PrefilterKernel.
struct LineFilter {
    int poles = 0;  // of a recursion; 0: uses taps
    double pole[most_poles] = {}, gain = 1;
    int half_taps = 0;
    double taps[25] = {};
    int skip = 0;  // results at both ends that are not needed
};

// Number l of line k, filtered along k, in[k][l] → out[k][l], l < lanes, a multiple of 16; `scratch`: lanes · length.
using FilterLines = void (*)(const LineFilter&, const float* const* in, int length, int lanes, double* scratch,
                             float* const* out);

// What becomes of the sums of long taps: a LongPass (gpu/method/long_taps.h) as these functions need it.
struct SumRule {
    bool plain = true;  // nothing, of real ones
    float scale = 1;
    Rounding round = Rounding::none;
    float multiple = 0;
    int value_shift = 0, product_shift = 0, shift = 0;  // of whole numbers
    int64_t add = 0;
    bool clipped = false;
    float low = 0, high = 1;
};

// Weights by the distance in the plane: √(xx·dx² + 2·xy·dx·dy + yy·dy²), at which the table is read, with `nodes` nodes from
// one sample to the next. 0 from `radius` on.
struct RadialWeights {
    const float* table = nullptr;
    int nodes = 0;
    float radius = 1, xx = 1, xy = 0, yy = 1;
};

// A position above a rectangle of samples: its place counted from a sample, from which the rectangle begins at (left, top).
struct PlaceOnSamples {
    float x = 0, y = 0;
    int left = 0, top = 0, columns = 0, rows = 0;
};

// Weighted sums of rows, neighbours of which have most of their rows in common: sum s is weights[s][k]·rows[first[s] + k] over
// k < taps[s], number by number. Neither first[s] nor the end of its rows falls from one sum to the next.
struct SharedSums {
    static constexpr int most = 4;
    const void* const* rows = nullptr;
    int ahead = 0;  // so many rows after the last one will be read soon: they are fetched from memory meanwhile
    int count = 0, numbers = 0;
    int first[most] = {}, taps[most] = {};
    const float* weights[most] = {};
    float* sums[most] = {};

    int end() const { return first[count - 1] + taps[count - 1]; }  // of the rows
};

// What filter_row takes: pixel n reads the texels from slot[n] on, by `stride` weights, only zeros among which follow the first
// used[n].
struct ColumnTaps {
    const int *slot = nullptr, *used = nullptr;
    const float* weights = nullptr;
    int stride = 0, count = 0;
};

struct Kernels {
    const char* name;

    // positions[n] = a·(first + n) + b + c, each operation rounded separately.
    void (*positions)(double a, double b, double c, int first, int count, double* positions);

    // Index of the first tap plus `offset`, and weights, of positions whose index fits an int. count: a multiple of 16.
    void (*weights)(const AxisWeights&, const double* positions, int count, int offset, int* first,
                    float (*weights)[block]);

    // First taps and weights of positions (base + steps[n]) · 2⁻³². The last bits of the fraction are cut off: a
    // position that was meant to be a whole number, and got a bias below them, is one.
    void (*fixed_weights)(const AxisWeights&, int64_t base, const int64_t* steps, int count, int offset, int* first,
                          float (*weights)[block]);

    // Interpolated values of a block, by sample type (u8, u16, f16, f32), channels (1 … 4), taps (1, 2, 4, 6, 8). Three
    // channels become four, the last of which is zero. See texels_read().
    Gather gather[4][4][5];

    // Opaque RGBA8 of a block of u8 texels of three or four channels, of which three are shown; of one tap, or two.
    void (*screen[2][2])(const Block&, uint32_t* pixels);

    // Samples to floats, by sample type: integers to [0, 1].
    Convert convert[4];

    // Samples to floats, of `count` texels of three channels, which become four floats, the last of which is zero.
    Convert convert_three[4];

    // Pixel n from the texels at line + slot[n]·channels, by channels: `stride` weights per pixel, see stride_of(), or
    // for four channels a multiple of 4; for two channels each weight twice. `sums` and `line` have padding; count: a
    // multiple of 4.
    void (*filter_row[3])(const float* line, const int* slot, const float* weights, int stride, int count, float* sums);

    // As filter_row, of one channel by two weights a pixel; nothing else is read. Are all sums finite?
    bool (*filter_pairs)(const float* line, const int* slot, const float* weights, int count, float* sums);

    // Σ weights[k]·(number n of row k) over k, by sample type: integers to [0, 1].
    void (*sum_rows[4])(const void* const* rows, const float* weights, int taps, int count, float* sums);

    // Several such sums at once, bit for bit as alone. Are all finite?
    bool (*sum_shared_rows[4])(const SharedSums& sums);

    // As filter_row, of up to SharedSums::most lines, by channels (1 … 4): three are side by side in the lines, and become four, the
    // last of which is zero. What a pixel is does not depend on how many lines there are.
    void (*filter_lines[4])(const ColumnTaps&, const float* const* lines, int count_of_lines, float* const* sums);

    // Levels 0 … 255 of numbers 0 … 1, rounded to the nearest; and of texels of three channels, which are four floats.
    void (*levels)(const float* values, int count, uint8_t* levels);
    void (*levels_of_three)(const float* values, int texels, uint8_t* levels);

    // Σ weights[k]·(number n of row k) in float64; rows may begin anywhere.
    void (*sum_doubles)(const double* const* rows, const double* weights, int taps, int count, double* sums);

    // The weights h((t − before − k) / stretch) of k = 0 … count − 1, and their sum, from a table as in tabulated.h; or
    // h′, whose sign is the distance's. `weights` is written, with zeros, up to a multiple of 16.
    float (*table_weights)(const float* table, int nodes, float radius, float stretch, bool derivative, float t,
                           int before, int count, float* weights);

    // Writes for pixel n, at t[n], the weights of the samples from `before` on of a row that lies dy away, each as often as `repeats`
    // says, `stride` in all; and their sums, which are added to `sums`. stride: a multiple of 8 · repeats; repeats: 1 or 2.
    void (*radial_weights)(const RadialWeights&, const float* t, float dy, int before, int count, int stride,
                           int repeats, float* weights, float* sums);

    // The sum of a rectangle's samples by such weights, and as the result that of the weights, by sample type and channels (1,
    // 3, 4). Texels to the next multiple of 8 in each row are read, and one more if there are three channels.
    float (*radial_patch[4][3])(const RadialWeights&, const PlaceOnSamples&, const void* texels, size_t row_bytes,
                                float* sums);

    // a + part · (b − a); count: a multiple of 16.
    void (*mix)(const float* a, const float* b, float part, int count, float* values);

    // unit · Σ wx[column]·wy[row]·texel, by sample type and channels (1 … 4). A row has `stride` numbers from `texels` on, a
    // multiple of 16 and at most most_patch_numbers; wx has a weight for each texel of it, zeros at the end. Texels of three
    // channels count as four numbers, and a texel more than that is read. False if a sum is not finite.
    bool (*patch[4][4])(const void* texels, size_t row_bytes, const float* wx, int stride, const float* wy, int high,
                        float unit, float* sums);

    // The numbers of texels as floats, by sample type: `count`, a multiple of 4 and at least 16; or, [1], of three channels, which
    // become four, the last of which is zero, and a texel more is read.
    void (*numbers[4][2])(const void* texels, int count, float* values);

    // The recursion, and the convolution; both read a line's 16 lanes completely before writing them, so in may be out.
    FilterLines recurse, convolve;

    // 16 / C rows of texels to lines of 16 and back, by channels: number c of texel k of row r is lane r·C + c of line
    // k.
    void (*to_lanes[3])(const float* const* rows, int count, float* lanes);
    void (*from_lanes[3])(const float* lanes, int count, float* const* rows);

    // Opaque RGBA8 of one (grey) or four channels; with alpha, over a grey of this level. count: a multiple of 16.
    void (*grey)(const float* values, int count, uint32_t* pixels);
    void (*colour)(const float* values, int count, bool alpha, float background, uint32_t* pixels);

    // Σ weights[k]·(number n of row k), finished, by arithmetic: real, whole numbers below 2^31, and such below 2^51. Rows
    // and sums have padding.
    void (*long_rows[3])(const SumRule&, const float* const* rows, const float* weights, int taps, int count,
                         float* sums);

    // Such sums of a line's 16 lanes (to_lanes), of which pixel n reads those from slot[n] on, by `taps` weights.
    void (*long_lanes[3])(const SumRule&, const float* line, const int* slot, const float* weights, int taps, int count,
                          float* sums);

    // Pixels of up to four rows by taps of whole numbers, by sample type (u8, u16) and channels (1 … 4): pixel n reads the
    // numbers from first[n] of a row on, by `stride` weights, see whole_stride_of(); for two channels each weight twice.
    // Sums below 2^31, finished; three channels become four. All have padding; count: a multiple of 4.
    void (*whole_dots[2][4])(const SumRule&, const void* const* rows, int row_count, const int* first,
                             const int32_t* weights, int stride, int count, float* const* sums);

    // The same of two texels side by side, the first of which is at the number first[n] of a row of u8, in 16 bits: low and high
    // half of a weight are those of the two. Sums are shifted by `shift`, and below 2^15 then. With padding; count: a multiple of 8.
    void (*pair_columns[4])(const uint8_t* row, const int* first, const uint32_t* weights, int shift, int count,
                            int16_t* sums);

    // Levels of two such rows: products by weights below 2^15, each shifted by 16, are added up as `rule` says.
    void (*pair_rows)(const SumRule& rule, const int16_t* const* rows, const int16_t* weights, int count,
                      uint8_t* levels);

    // Sums of boxes (gpu/method/box.h). Of rows of u8, in 16 bits, or of u16, in 32 bits, number by number.
    void (*add_rows[2])(const void* const* rows, int count, int numbers, void* sums);

    // The sums of counts[n] texels of such sums, or of floats, from texel first[n] on, times a weight, by what they are (of 16
    // bits, of 32 bits, floats, of 16 bits whose results fit these) and channels (1 … 4): below 2^31. Three channels become
    // four, the last of which is zero, and a texel more is read.
    void (*add_columns[4][4])(const void* sums, const int* first, const int* counts, int pixels, float weight,
                              float* values);

    // Weighs columns of texels of u8 or u16, as numbers, of three or four channels, whose first one, those between and last one have
    // weights of their own: three for each pixel.
    void (*weigh_columns[2][2])(const void* row, const int* first, const int* counts, const float* weights, int pixels,
                                float* values);

    // Numbers times `unit`, perhaps to the nearest whole one, less a number; and numbers plus one, by `unit`; `whole`: they
    // are whole numbers from 0 to 65535. With padding.
    void (*to_levels)(float* values, int count, float unit, bool whole, float less);
    void (*from_levels)(float* values, int count, float more, float unit, bool whole);

    // 16 / C rows of texels filtered along themselves by the recursion, by channels; `out` gets those steps that are not skipped,
    // and may be the rows. `scratch`: 16 · length.
    void (*recurse_rows[3])(const LineFilter&, const float* const* rows, int length, double* scratch,
                            float* const* out);

    // ΔE2000 of `count` pairs of colours, red, green and blue of the first ones, then of the others, each 0 … 1, as stored or
    // linear, to 1e-9. All have padding; what lies in it may be any number.
    void (*colour_differences)(const double* const* colours, bool linear, int count, float* differences);

    // The largest |v|, or NaN if there is one.
    float (*largest_size)(const float* values, int count);
};

// This many weights, padded with zeros, pass through filter_row in whole vectors.
constexpr int stride_of(int weights) { return weights <= 8 ? (weights + 3) / 4 * 4 : (weights + 15) / 16 * 16; }

// The stride of weights for whole_dots: of texels of three or four channels, two taps fill a vector.
constexpr int whole_stride_of(int channels, int weights) {
    if (channels >= 3) return (weights + 1) / 2 * 2;
    return weights <= 4 ? 4 : (weights + 7) / 8 * 8;
}

enum class Instructions { baseline, avx2, avx512 };

// The instructions that this processor and its operating system support.
Instructions best_instructions();

// Throws Error for instructions that this processor or this build does not support.
const Kernels& kernels(Instructions instructions);

}  // namespace texelscope::simd
