#pragma once
// Blocks of few taps, a vector of pixels at a time. Included once for each set of instructions.
//
// The texels of all pixels are first copied side by side, by scalar code that nothing waits for: sixteen loads from sixteen
// places cost less so than by a gathering instruction, and the texels then fill vectors.

#include "gpu/method/simd/kernels.h"
#include "gpu/method/simd/samples.h"

namespace texelscope::simd {
namespace {

inline const char* texel_at(const Block& b, int pixel, int bytes) {
    return static_cast<const char*>(b.texels) + size_t(b.y[pixel]) * b.row_bytes + size_t(b.x[pixel]) * size_t(bytes);
}

template <class Number> Number number_at(const char* from) {
    Number number;
    __builtin_memcpy(&number, from, sizeof number);
    return number;
}

// One float channel, one tap. Are all values finite?
bool gather_nearest(const Block& b, float* values) {
    using L = Lanes<widest>;
    for (int p = 0; p < b.count; ++p) values[p] = number_at<float>(texel_at(b, p, sizeof(float)));
    auto probe = L::all(0);
    for (int p = 0; p < b.count; p += widest) probe = L::fma(L::load(values + p), L::all(0), probe);
    return all_zero(probe);
}

// The two texels of a pixel in a row, one in each half.
struct Pairs {
    alignas(64) uint64_t row[2][block];

    template <int bytes> void copy(const Block& b) {
        for (int p = 0; p < b.count; ++p) {
            const char* from = texel_at(b, p, bytes);
            row[0][p] = both<bytes>(number_at<uint64_t>(from));
            row[1][p] = both<bytes>(number_at<uint64_t>(from + b.row_bytes));
        }
    }

    // The texels of `widest` pixels in column `column` of the two, as 32 bits each.
    template <int column, class I> static I of(const uint64_t* pairs) {
        I low, high, result;
        __builtin_memcpy(&low, pairs, sizeof low);
        __builtin_memcpy(&high, pairs + widest / 2, sizeof high);
        if constexpr (widest == 4)
            result = __builtin_shufflevector(low, high, column, column + 2, column + 4, column + 6);
        else if constexpr (widest == 8)
            result = __builtin_shufflevector(low, high, column, column + 2, column + 4, column + 6, column + 8,
                                             column + 10, column + 12, column + 14);
        else
            result =
                __builtin_shufflevector(low, high, column, column + 2, column + 4, column + 6, column + 8, column + 10,
                                        column + 12, column + 14, column + 16, column + 18, column + 20, column + 22,
                                        column + 24, column + 26, column + 28, column + 30);
        return result;
    }

private:
    template <int bytes> static uint64_t both(uint64_t texels) {
        if constexpr (bytes == 3) return (texels & 0xffffff) | texels >> 24 << 32;
        else return texels;
    }
};

// Rows are added before columns, as for more taps.
template <class F> F blended(const F (&texel)[2][2], const F (&wx)[2], const F (&wy)[2]) {
    using L = Lanes<sizeof(F) / sizeof(float)>;
    const F left = L::fma(wy[1], texel[1][0], wy[0] * texel[0][0]);
    const F right = L::fma(wy[1], texel[1][1], wy[0] * texel[0][1]);
    return L::fma(wx[1], right, wx[0] * left);
}

// One float channel, two taps.
bool gather_bilinear(const Block& b, float* values) {
    using L = Lanes<widest>;
    using F = L::F;
    Pairs pairs;
    pairs.copy<sizeof(float)>(b);
    auto probe = L::all(0);
    for (int p = 0; p < b.count; p += widest) {
        F texel[2][2];
        for (int row = 0; row < 2; ++row) {
            texel[row][0] = (F)Pairs::of<0, L::I>(pairs.row[row] + p);
            texel[row][1] = (F)Pairs::of<1, L::I>(pairs.row[row] + p);
        }
        const F wx[2] = {L::load(b.wx[0] + p), L::load(b.wx[1] + p)},
                wy[2] = {L::load(b.wy[0] + p), L::load(b.wy[1] + p)};
        const F value = blended(texel, wx, wy);
        L::store(values + p, value);
        probe = L::fma(value, L::all(0), probe);
    }
    return all_zero(probe);
}

template <int channels> void screen_nearest(const Block& b, uint32_t* pixels) {
    for (int p = 0; p < b.count; ++p) pixels[p] = number_at<uint32_t>(texel_at(b, p, channels)) | 0xff000000u;
}

template <int channels> void screen_bilinear(const Block& b, uint32_t* pixels) {
    using L = Lanes<widest>;
    using F = L::F;
    using I = L::I;
    Pairs pairs;
    pairs.copy<channels>(b);
    for (int p = 0; p < b.count; p += widest) {
        const F wx[2] = {L::load(b.wx[0] + p), L::load(b.wx[1] + p)},
                wy[2] = {L::load(b.wy[0] + p), L::load(b.wy[1] + p)};
        I of[2][2];
        for (int row = 0; row < 2; ++row) {
            of[row][0] = Pairs::of<0, I>(pairs.row[row] + p);
            of[row][1] = Pairs::of<1, I>(pairs.row[row] + p);
        }
        I pixel = I{} + int32_t(0xff000000);
        for (int c = 0; c < 3; ++c) {
            F texel[2][2];
            for (int row = 0; row < 2; ++row)
                for (int column = 0; column < 2; ++column)
                    texel[row][column] = L::floats(of[row][column] >> (8 * c) & 255);
            pixel |= L::ints(level(blended(texel, wx, wy) * L::all(share<uint8_t>()))) << (8 * c);
        }
        L::store(reinterpret_cast<int*>(pixels) + p, pixel);
    }
}

}  // namespace

// Interpolation of a block of pixels whose taps may be anywhere. Included once for each set of instructions.
//
// The taps of a row of one pixel are side by side in memory: they are loaded together, and the rows are added with
// their weights; then the columns are.

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

// The end of a loop that the compiler shall not unroll where registers are few: V8 would begin with all loads of all turns.
inline int rolled(int end) {
    if constexpr (widest == 4) __asm__("" : "+r"(end));
    return end;
}

// Rows of taps that are added at a time, as registers suffice.
constexpr int rows_together(int taps, int parts) {
    constexpr int registers = 14;
    int rows = taps;
    while (rows > 1 && (taps % rows > 0 || rows * (parts + 1) + parts > registers)) --rows;
    return widest == 4 ? rows : taps;
}

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
    constexpr int loaded = widest == 4 && C != 3 && Row::parts % 2 == 0 ? 2 : 1;  // parts at a time
    const auto add_row = [&](int row) {
        const auto* samples = reinterpret_cast<const Sample*>(line);
        const auto w = L::all(taps == 1 ? 1.0f : b.wy[row][pixel]);
        for (int part = 0; part < Row::parts; part += loaded) {
            typename Row::F v[loaded];
            if constexpr (loaded == 2) L::two_from(samples + part * Row::width, v);
            else v[0] = part_of<Sample, C, Row>(samples, part);
            for (int n = 0; n < loaded; ++n)
                sum[part + n] = row == 0 ? (taps == 1 ? v[n] : w * v[n]) : L::fma(w, v[n], sum[part + n]);
        }
        line += b.row_bytes;
    };
    constexpr int together = rows_together(taps, Row::parts);
    for (int row = 0; row < together; ++row) add_row(row);
    if constexpr (together < taps)
        for (int first = together, rows = rolled(taps); first < rows; first += together)
            for (int row = first; row < first + together; ++row) add_row(row);
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
    using Row = RowOfTaps<C, taps>;
    constexpr int quads = Row::quads;
    constexpr bool row_by_row = rows_together(taps, Row::parts) < taps;  // which is a loop of its own
    F4 probe = L::all(0);
    for (int p = 0; p < b.count; p += 4) {
        F4 column[4][quads], value[C];
        for (int n = 0, end = row_by_row ? 4 : rolled(4); n < end; ++n)
            columns_of<Sample, C, taps>(b, p + n, column[n]);
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

// Pixels one by one, each from a rectangle of texels.

template <class Sample, bool three> void numbers(const void* texels, int count, float* values) {
    using L = Lanes<widest>;
    const auto* samples = static_cast<const Sample*>(texels);
    const auto move = [&](int n) {
        if constexpr (three) L::store(values + n, L::three(samples + n / 4 * 3));
        else L::store(values + n, L::from(samples + n));
    };
    for (int n = 0; n + widest <= count; n += widest) move(n);
    if (count % widest != 0) move(count - widest);
}

void mix(const float* a, const float* b, float part, int count, float* values) {
    using L = Lanes<widest>;
    for (int n = 0; n < count; n += widest) {
        const auto first = L::load(a + n);
        L::store(values + n, L::fma(L::all(part), L::load(b + n) - first, first));
    }
}

// Weights from number n of a row on, each as often as there are channels.
template <int C> Lanes<widest>::F weights_of_numbers(const float* w, int n) {
    if constexpr (C >= 3) return Lanes<widest>::spread(w + n / 4);
    else if constexpr (C == 1) return Lanes<widest>::load(w + n);
    Lanes<widest>::F each;
    for (int k = 0; k < widest; ++k) each[k] = w[(n + k) / C];
    return each;
}

template <class Sample, int C>
bool patch(const void* texels, size_t row_bytes, const float* wx, int stride, const float* wy, int high, float unit,
           float* sums) {
    using L = Lanes<widest>;
    typename L::F weights[most_patch_numbers / widest];
    for (int n = 0; n < stride; n += widest) weights[n / widest] = weights_of_numbers<C>(wx, n);
    const char* line = static_cast<const char*>(texels);
    auto sum = L::all(0);
    for (int row = 0; row < high; ++row, line += row_bytes) {
        auto along = L::all(0);
        for (int n = 0; n < stride; n += widest) {
            const auto* samples = reinterpret_cast<const Sample*>(line);
            if constexpr (C == 3) along = L::fma(weights[n / widest], L::three(samples + n / 4 * 3), along);
            else along = L::fma(weights[n / widest], L::from(samples + n), along);
        }
        sum = L::fma(L::all(wy[row]), along, sum);
    }
    const F4 four = folded(sum) * unit;
    bool finite = true;
    for (int c = 0; c < (C == 3 ? 4 : C); ++c) {
        sums[c] = four[c];
        if constexpr (C <= 2)
            for (int lane = c + C; lane < 4; lane += C) sums[c] += four[lane];
        finite &= sums[c] * 0 == 0;
    }
    return finite;
}

}  // namespace
}  // namespace texelscope::simd
