#pragma once
// Sums of boxes (gpu/method/box.h): rows are added up number by number, then the columns of each pixel. Included once for each
// set of instructions.

#include "gpu/method/simd/kernels.h"
#include "gpu/method/simd/samples.h"

namespace texelscope::simd {
namespace {

// A vector of sums, and as many samples.
template <class Sample> struct RowSums;
template <> struct RowSums<uint8_t> {
    using Sum = uint16_t;
    static constexpr int lanes = 2 * widest;
    using Samples = uint8_t __attribute__((vector_size(2 * widest)));
    using Sums = uint16_t __attribute__((vector_size(4 * widest)));
};
template <> struct RowSums<uint16_t> {
    using Sum = uint32_t;
    static constexpr int lanes = widest;
    using Samples = uint16_t __attribute__((vector_size(2 * widest)));
    using Sums = uint32_t __attribute__((vector_size(4 * widest)));
};

template <class Sample, int vectors>
void add_rows_of_box_at(const void* const* rows, int count, int n, typename RowSums<Sample>::Sum* to) {
    using R = RowSums<Sample>;
    typename R::Sums sum[vectors] = {};
    for (int k = 0; k < count; ++k) {
        const Sample* const row = static_cast<const Sample*>(rows[k]) + n;
        for (int v = 0; v < vectors; ++v) {
            typename R::Samples samples;
            __builtin_memcpy(&samples, row + v * R::lanes, sizeof samples);
            sum[v] += __builtin_convertvector(samples, typename R::Sums);
        }
    }
    __builtin_memcpy(to + n, sum, sizeof sum);
}

template <class Sample> void add_rows_of_box(const void* const* rows, int count, int numbers, void* sums) {
    using R = RowSums<Sample>;
    auto* const to = static_cast<typename R::Sum*>(sums);
    int n = 0;
    for (; n + 4 * R::lanes <= numbers; n += 4 * R::lanes) add_rows_of_box_at<Sample, 4>(rows, count, n, to);
    for (; n + R::lanes <= numbers; n += R::lanes) add_rows_of_box_at<Sample, 1>(rows, count, n, to);
    for (; n < numbers; ++n) {
        typename R::Sum sum = 0;
        for (int k = 0; k < count; ++k) sum = typename R::Sum(sum + static_cast<const Sample*>(rows[k])[n]);
        to[n] = sum;
    }
}

template <class Sum> struct ColumnSum { using Type = int32_t; };
template <> struct ColumnSum<float> { using Type = float; };

// The four numbers from `p` on.
inline I4 four_wholes(const uint16_t* p) { return Lanes<4>::wholes(p); }
inline I4 four_wholes(const uint32_t* p) {
    I4 v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}
inline F4 four_wholes(const float* p) { return Lanes<4>::load(p); }
inline F4 as_floats(I4 v) { return Lanes<4>::floats(v); }
inline F4 as_floats(F4 v) { return v; }

// Three or four channels: a texel more than that is read.
template <class Sum, int C> F4 colour_of_box(const Sum* at, int count) {
    auto sum = four_wholes(at);
    for (int k = 1; k < count; ++k) sum += four_wholes(at + size_t(k) * C);
    return as_floats(sum);
}

inline uint64_t four_words(const uint16_t* p) {
    uint64_t words;
    __builtin_memcpy(&words, p, sizeof words);
    return words;
}

// Sums that fit 16 bits, side by side in one number.
template <int C> F4 colour_of_small_box(const uint16_t* at, int count) {
    uint64_t sum = four_words(at);
    for (int k = 1; k < count; ++k) sum += four_words(at + size_t(k) * C);
    return Lanes<4>::of_bits(sum, uint16_t());
}

inline uint32_t grey_of_box(const uint16_t* at, int count) {
    constexpr uint64_t even = 0x0000ffff0000ffff;
    uint64_t pairs = 0;
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        const uint64_t four = four_words(at + k);
        pairs += (four & even) + (four >> 16 & even);
    }
    uint32_t sum = uint32_t(pairs) + uint32_t(pairs >> 32);
    for (; k < count; ++k) sum += at[k];
    return sum;
}

// Four pixels of one channel and as many samples each, which are added in their order. Up to three numbers more are read.
template <class Sum> F4 four_of_box(const Sum* numbers, const int* first, int count) {
    auto sum = decltype(four_wholes(numbers)){};
    for (int k = 0; k < count; k += 4) {
        F4 v[4];
        for (int q = 0; q < 4; ++q) v[q] = (F4)four_wholes(numbers + size_t(first[q]) + size_t(k));
        transpose(v);
        for (int n = 0; n < 4 && k + n < count; ++n) sum += (decltype(sum))v[n];
    }
    return as_floats(sum);
}

// `small`: sums fit 16 bits.
template <class Sum, int C, bool small>
void add_columns_of_box(const void* sums, const int* first, const int* counts, int pixels, float weight,
                        float* values) {
    using Total = typename ColumnSum<Sum>::Type;
    const auto* const numbers = static_cast<const Sum*>(sums);
    for (int i = 0; i < pixels; ++i) {
        const Sum* const at = numbers + size_t(first[i]) * C;
        const int count = counts[i];
        if constexpr (C == 1) {
            constexpr int most = 16;  // more are added in words
            if (i + 4 <= pixels && count <= most && counts[i + 1] == count && counts[i + 2] == count &&
                counts[i + 3] == count) {
                Lanes<4>::store(values + i, four_of_box(numbers, first + i, count) * weight);
                i += 3;
                continue;
            }
        }
        if constexpr (C >= 3) {
            F4 v;
            if constexpr (small) v = colour_of_small_box<C>(at, count);
            else v = colour_of_box<Sum, C>(at, count);
            if constexpr (C == 3) v[3] = 0;
            Lanes<4>::store(values + 4 * size_t(i), v * weight);
        } else if constexpr (C == 1 && sizeof(Sum) == 2) {
            values[i] = float(int32_t(grey_of_box(at, count))) * weight;
        } else {
            Total total[C] = {};
            for (int k = 0; k < count; ++k)
                for (int c = 0; c < C; ++c) total[c] += Total(at[size_t(k) * C + size_t(c)]);
            for (int c = 0; c < C; ++c) values[size_t(i) * C + size_t(c)] = float(total[c]) * weight;
        }
    }
}

// Products and sums are rounded each, in the order of the samples.
template <class Sample, int C>
void weigh_columns_of_box(const void* row, const int* first, const int* counts, const float* weights, int pixels,
                          float* values) {
    const auto* const samples = static_cast<const Sample*>(row);
    for (int i = 0; i < pixels; ++i, weights += 3) {
        const Sample* at = samples + size_t(first[i]) * C;
        const int count = counts[i];
        F4 sum = Lanes<4>::from(at) * weights[0];
        for (int k = 1; k < count - 1; ++k) sum += Lanes<4>::from(at + size_t(k) * C) * weights[1];
        if (count > 1) sum += Lanes<4>::from(at + size_t(count - 1) * C) * weights[2];
        if constexpr (C == 3) sum[3] = 0;
        Lanes<4>::store(values + 4 * size_t(i), sum);
    }
}

}  // namespace
}  // namespace texelscope::simd
