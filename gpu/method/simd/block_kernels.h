#pragma once
// Blocks of few taps, a vector of pixels at a time. Included once for each set of instructions.
//
// The texels of all pixels are first copied side by side, by scalar code that nothing waits for: sixteen loads from sixteen
// places cost less so than by a gathering instruction, and the texels then fill vectors.

#include "gpu/method/simd/output_kernels.h"

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
}  // namespace texelscope::simd
