#pragma once
// Rows of floats: converted, filtered along themselves, and added. Included once for each set of instructions.

#include "gpu/method/simd/kernels.h"
#include "gpu/method/simd/samples.h"

namespace texelscope::simd {
namespace {

template <class Sample> bool convert(const void* from, int count, float* values) {
    using L = Lanes<widest>;
    const auto* samples = static_cast<const Sample*>(from);
    auto probe = L::all(0);
    int n = 0;
    for (; n + widest <= count; n += widest) {
        const auto v = L::from(samples + n) * L::all(share<Sample>());
        L::store(values + n, v);
        if constexpr (!is_integer<Sample>()) probe = L::fma(v, L::all(0), probe);
    }
    bool finite = all_zero(probe);
    for (; n + 4 <= count; n += 4) {
        const auto v = Lanes<4>::from(samples + n) * share<Sample>();
        Lanes<4>::store(values + n, v);
        finite &= all_zero(v * 0.0f);
    }
    for (; n < count; ++n) {
        values[n] = first_of<1>(samples + n)[0] * share<Sample>();
        finite &= values[n] * 0 == 0;
    }
    return finite;
}

template <class Sample> bool convert_three(const void* from, int count, float* values) {
    using L = Lanes<widest>;
    constexpr int texels = widest / 4;
    const auto* samples = static_cast<const Sample*>(from);
    auto probe = L::all(0);
    int n = 0;
    for (; n + texels < count; n += texels) {
        const auto v = L::three(samples + 3 * size_t(n)) * L::all(share<Sample>());
        L::store(values + 4 * size_t(n), v);
        if constexpr (!is_integer<Sample>()) probe = L::fma(v, L::all(0), probe);
    }
    bool finite = all_zero(probe);
    for (; n < count; ++n) {
        const Sample* texel = samples + 3 * size_t(n);
        const F4 two = first_of<2>(texel), third = first_of<1>(texel + 2);
        const F4 v = F4{two[0], two[1], third[0], 0} * share<Sample>();
        Lanes<4>::store(values + 4 * size_t(n), v);
        finite &= all_zero(v * 0.0f);
    }
    return finite;
}

// Σ w[k]·texel[k], one quad per tap of four channels, else the sums of a transposition. Long sums use long vectors.
template <int C> F4 filtered_pixel(const float* texels, const float* w, int stride) {
    if (stride >= 16) {
        using L = Lanes<widest>;
        auto sum = L::all(0);
        if constexpr (C == 4)
            for (int k = 0; k < stride; k += widest / 4) sum = L::fma(L::spread(w + k), L::load(texels + 4 * k), sum);
        else
            for (int k = 0; k < stride; k += widest) sum = L::fma(L::load(w + k), L::load(texels + k), sum);
        return folded(sum);
    }
    using L = Lanes<4>;
    F4 sum = L::all(0);
    for (int k = 0; k < stride; k += 4) {
        if constexpr (C == 4) {
            for (int n = 0; n < 4; ++n) sum = L::fma(L::all(w[k + n]), L::load(texels + 4 * (k + n)), sum);
        } else {
            sum = L::fma(L::load(w + k), L::load(texels + k), sum);
        }
    }
    return sum;
}

// `fixed`: the stride if it is known at compile time, else 0.
template <int C, int fixed>
void filter_pixels(const float* line, const int* slot, const float* w, int any_stride, int count, float* sums) {
    using L = Lanes<4>;
    const int stride = fixed > 0 ? fixed : any_stride;
    const auto pixel = [&](int n) {
        return filtered_pixel<C>(line + size_t(slot[n]) * C, w + size_t(n) * size_t(stride), stride);
    };
    if constexpr (C == 4) {
        for (int n = 0; n < count; ++n) L::store(sums + 4 * n, pixel(n));
    } else {
        for (int n = 0; n < count; n += 4) {
            F4 sum[4] = {pixel(n), pixel(n + 1), pixel(n + 2), pixel(n + 3)};
            transpose(sum);
            if constexpr (C == 1) L::store(sums + n, (sum[0] + sum[1]) + (sum[2] + sum[3]));
            else store_interleaved(sums + 2 * n, {sum[0] + sum[2], sum[1] + sum[3]});
        }
    }
}

template <int C>
void filter_row(const float* line, const int* slot, const float* w, int stride, int count, float* sums) {
    switch (stride) {
        case 4: return filter_pixels<C, 4>(line, slot, w, stride, count, sums);
        case 8: return filter_pixels<C, 8>(line, slot, w, stride, count, sums);
        default: return filter_pixels<C, 0>(line, slot, w, stride, count, sums);
    }
}

template <int vectors, class Sample>
void add_rows_at(const void* const* rows, const float* w, int taps, int n, float* sums) {
    using L = Lanes<widest>;
    typename L::F sum[vectors];
    for (int v = 0; v < vectors; ++v) sum[v] = L::all(0);
    for (int k = 0; k < taps; ++k) {
        const Sample* row = static_cast<const Sample*>(rows[k]) + n;
        for (int v = 0; v < vectors; ++v) sum[v] = L::fma(L::all(w[k]), L::from(row + v * widest), sum[v]);
    }
    for (int v = 0; v < vectors; ++v) L::store(sums + n + v * widest, sum[v] * share<Sample>());
}

// As many numbers of all rows at a time as registers hold. The last ones are rounded like all others: what a number is does
// not depend on how many there are.
template <class Sample> void sum_rows(const void* const* rows, const float* w, int taps, int count, float* sums) {
    constexpr int numbers = widest >= 8 ? 64 : 32;
    int n = 0;
    for (; n + numbers <= count; n += numbers) add_rows_at<numbers / widest, Sample>(rows, w, taps, n, sums);
    for (; n + widest <= count; n += widest) add_rows_at<1, Sample>(rows, w, taps, n, sums);
    for (; n < count; ++n) {
        F4 sum = Lanes<4>::all(0);
        for (int k = 0; k < taps; ++k)
            sum = Lanes<4>::fma(Lanes<4>::all(w[k]), first_of<1>(static_cast<const Sample*>(rows[k]) + n), sum);
        sums[n] = sum[0] * share<Sample>();
    }
}

template <class Sample, int C>
bool patch(const void* texels, size_t row_bytes, const float* wx, int stride, const float* wy, int high, float* sums) {
    using L = Lanes<widest>;
    const char* line = static_cast<const char*>(texels);
    auto sum = L::all(0);
    for (int row = 0; row < high; ++row, line += row_bytes) {
        auto along = L::all(0);
        for (int n = 0; n < stride; n += widest) {
            const auto* samples = reinterpret_cast<const Sample*>(line);
            if constexpr (C == 3) along = L::fma(L::load(wx + n), L::three(samples + n / 4 * 3), along);
            else along = L::fma(L::load(wx + n), L::from(samples + n), along);
        }
        sum = L::fma(L::all(wy[row]), along, sum);
    }
    const F4 four = folded(sum) * share<Sample>();
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
