#pragma once
// Interpolation of a block of pixels whose taps may be anywhere. Included once for each set of instructions.
//
// The taps of a row of one pixel are side by side in memory: they are loaded together, and the rows are added with
// their weights; then the columns are.

#include "gpu/method/simd/block_kernels.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/method/simd/samples.h"

namespace texelscope::simd {
namespace {

// How the taps of a row fill vectors: `numbers` of them are loaded, of which taps · C count. Three channels fill four
// lanes.
template <int stored, int taps> struct RowOfTaps {
    static constexpr int C = stored == 3 ? 4 : stored;
    static constexpr int numbers = (taps * C + 3) / 4 * 4;
    static constexpr int width = numbers % 16 == 0 && widest >= 16 ? 16 : numbers % 8 == 0 && widest >= 8 ? 8 : 4;
    static constexpr int parts = numbers / width, quads = numbers / 4;
    static constexpr int loaded = taps * C <= 2 ? taps * C : numbers;  // numbers read from memory
    using L = Lanes<width>;
    using F = typename L::F;
};

// Part `part` of the taps that begin at `row`.
template <class Sample, int C, class Row> typename Row::F part_of(const Sample* row, int part) {
    using L = typename Row::L;
    if constexpr (Row::loaded < 4) return first_of<Row::loaded>(row);
    else if constexpr (C == 3) return L::three(row + part * (Row::width / 4 * 3));
    else return L::from(row + part * Row::width);
}

template <class Sample, int C, int taps, class Row = RowOfTaps<C, taps>>
void add_rows(const Block& b, int pixel, typename Row::F (&sum)[Row::parts]) {
    using L = typename Row::L;
    const char* line = static_cast<const char*>(b.texels) + size_t(b.y[pixel]) * b.row_bytes +
                       size_t(b.x[pixel]) * (C * sizeof(Sample));
    for (int row = 0; row < taps; ++row, line += b.row_bytes) {
        const auto w = L::all(taps == 1 ? 1.0f : b.wy[row][pixel]);
        for (int part = 0; part < Row::parts; ++part) {
            const auto v = part_of<Sample, C, Row>(reinterpret_cast<const Sample*>(line), part);
            sum[part] = row == 0 ? (taps == 1 ? v : w * v) : L::fma(w, v, sum[part]);
        }
    }
}

template <class Row, int q = 0> void split(const typename Row::F (&sum)[Row::parts], F4 (&out)[Row::quads]) {
    constexpr int quads_a_part = Row::width / 4;
    out[q] = quad<q % quads_a_part>(sum[q / quads_a_part]);
    if constexpr (q + 1 < Row::quads) split<Row, q + 1>(sum, out);
}

// The sums of a pixel's columns, four numbers at a time.
template <class Sample, int C, int taps, class Row = RowOfTaps<C, taps>>
void columns_of(const Block& b, int pixel, F4 (&out)[Row::quads]) {
    typename Row::F sum[Row::parts];
    add_rows<Sample, C, taps>(b, pixel, sum);
    split<Row>(sum, out);
}

template <class Sample, int C, int taps> bool gather_colour(const Block& b, float* values) {
    using L = Lanes<4>;
    F4 probe = L::all(0);
    for (int p = 0; p < b.count; ++p) {
        F4 column[taps];
        columns_of<Sample, C, taps>(b, p, column);
        F4 value = column[0];
        if constexpr (taps > 1) {
            value = L::all(b.wx[0][p]) * column[0];
            for (int k = 1; k < taps; ++k) value = L::fma(L::all(b.wx[k][p]), column[k], value);
        }
        value *= L::all(share<Sample>());
        L::store(values + 4 * p, value);
        if constexpr (!is_integer<Sample>()) probe = L::fma(value, L::all(0), probe);
    }
    return all_zero(probe);
}

// One or two channels: four pixels at a time, whose columns are transposed to have a pixel in each lane.
template <class Sample, int C, int taps> bool gather_narrow(const Block& b, float* values) {
    using L = Lanes<4>;
    constexpr int quads = RowOfTaps<C, taps>::quads;
    F4 probe = L::all(0);
    for (int p = 0; p < b.count; p += 4) {
        F4 column[4][quads], value[C];
        for (int n = 0; n < 4; ++n) columns_of<Sample, C, taps>(b, p + n, column[n]);
        for (int q = 0; q < quads; ++q) {
            F4 lane[4] = {column[0][q], column[1][q], column[2][q], column[3][q]};
            transpose(lane);
            for (int n = 0; n < 4; ++n) {
                const int tap = (4 * q + n) / C, c = n % C;
                if (tap >= taps) continue;
                if constexpr (taps == 1) value[c] = lane[n];
                else
                    value[c] =
                        tap == 0 ? L::load(&b.wx[0][p]) * lane[n] : L::fma(L::load(&b.wx[tap][p]), lane[n], value[c]);
            }
        }
        for (int c = 0; c < C; ++c) value[c] *= L::all(share<Sample>());
        store_interleaved(values + C * p, value);
        if constexpr (!is_integer<Sample>())
            for (int c = 0; c < C; ++c) probe = L::fma(value[c], L::all(0), probe);
    }
    return all_zero(probe);
}

template <class Sample> constexpr bool is_float() { return false; }
template <> constexpr bool is_float<float>() { return true; }

template <class Sample, int C, int taps> bool gather_block(const Block& b, float* values) {
    if constexpr (is_float<Sample>() && C == 1 && taps == 1) return gather_nearest(b, values);
    if constexpr (is_float<Sample>() && C == 1 && taps == 2) return gather_bilinear(b, values);
    if constexpr (C >= 3) return gather_colour<Sample, C, taps>(b, values);
    else return gather_narrow<Sample, C, taps>(b, values);
}

}  // namespace
}  // namespace texelscope::simd
