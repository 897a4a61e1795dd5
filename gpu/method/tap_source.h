#pragma once
// Sources of taps: the fetch paths. A source is one of
//   a tap source:    column(i), row(i) → Index, position of the tap; is_zero(index) → it is zero and must not be
//                    read; load(column, row) → Pixel; one_dimensional() → only columns are interpolated
//   a filter source: column_at(u), row_at(v) → where a texture coordinate lies, fetch_point(column, row) and
//                    fetch_linear(column, row) → Pixel; one_dimensional(), and fetch_linear(column) for such;
//                    folds: texture coordinates are folded for an address mode that the texture unit lacks

#include <cstdint>
#include <type_traits>

#include "gpu/core/half.h"
#include "gpu/core/pixel.h"
#include "gpu/method/position.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

TS_HD float sample_to_float(uint8_t v) { return float(v) * (1.0f / 255.0f); }
TS_HD float sample_to_float(uint16_t v) { return float(v) * (1.0f / 65535.0f); }
TS_HD float sample_to_float(float v) { return v; }

// binary16 needs its own type: uint16_t means an integer sample.
struct HalfBits {
    uint16_t bits;
};
TS_HD float sample_to_float(HalfBits v) { return half_to_float(v.bits); }

// Three channels are stored side by side, and only the CPU reads them so.
template <class Sample, int C> struct alignas(sizeof(Sample) * (C == 3 ? 1 : C)) Texel { Sample v[C]; };

// Linear memory, address mode in code: where texels are stored.
class LinearTexels {
public:
    using Index = int;
    TS_HD explicit LinearTexels(const TexelArray& array) : array_(array) {}

    TS_HD int column(int i) const {
        return addressed(array_.address.x, i + array_.margin_x, array_.width + 2 * array_.margin_x);
    }
    TS_HD int row(int j) const {
        return addressed(array_.address.y, j + array_.margin_y, array_.height + 2 * array_.margin_y);
    }
    TS_HD static bool is_zero(int stored) { return stored < 0; }
    TS_HD bool one_dimensional() const { return array_.one_dimensional; }

    // Whether taps from (left, top) to (right, bottom) are all stored.
    TS_HD static bool stores(const TexelArray& a, int left, int top, int right, int bottom) {
        return left >= -a.margin_x && right < a.width + a.margin_x && top >= -a.margin_y &&
               bottom < a.height + a.margin_y;
    }

    // Whether the columns first … first + count − 1 are all stored, side by side from column(first) on.
    TS_HD bool stores_columns(int first, int count) const {
        return first >= -array_.margin_x && first + count <= array_.width + array_.margin_x;
    }

protected:
    TS_HD const char* line(int row) const {
        return static_cast<const char*>(array_.texels) + size_t(row) * array_.row_bytes;
    }

    TexelArray array_;
};

// Path `global`, and `lookup` on the CPU.
template <class Sample, int C> class LinearSource : public LinearTexels {
public:
    static constexpr int channels = pixel_channels(C);
    using LinearTexels::LinearTexels;

    TS_HD Pixel<channels> load(int column, int row) const { return texel(line(row), column); }
    TS_HD static Pixel<channels> texel(const char* line, int column) {
        const Texel<Sample, C> stored = reinterpret_cast<const Texel<Sample, C>*>(line)[column];
        Pixel<channels> p;
        TS_UNROLL
        for (int c = 0; c < C; ++c) p.v[c] = sample_to_float(stored.v[c]);
        if constexpr (C == 3) p.v[3] = 0.0f;
        return p;
    }
};

// For taps of an image that are all stored: linear memory without address modes.
template <class Source> class StoredTaps : public Source {
public:
    using Source::Source;
    TS_HD int column(int i) const { return i + this->array_.margin_x; }
    TS_HD int row(int j) const { return j + this->array_.margin_y; }
    TS_HD static constexpr bool is_zero(int) { return false; }
    TS_HD static constexpr bool one_dimensional() { return false; }
};

// Texture-space coordinate of the stored texels, margin included, as float32: the texture unit's input.
// `whole` + `part` is a texture-space coordinate of the image.
TS_HD float texture_coordinate(int whole, float part, int margin, int n, bool normalised) {
    const float x = float(whole + margin) + part;
    return normalised ? x / float(n + 2 * margin) : x;
}

// Texture-space coordinate that does without an address mode that the texture unit may lack: in a row that is mirrored
// at its end samples, the coordinate between these that reads the same.
TS_HD float texture_coordinate(AddressMode mode, int whole, float part, int margin, int n, bool normalised) {
    if (mode == AddressMode::reflect101) {
        const float steps = floorf(part - 0.5f);
        const int left = whole + int(steps);  // of the two samples that the coordinate lies between
        if (unsigned(left) >= unsigned(n - 1)) {
            const float t = part - 0.5f - steps;
            const int first = addressed(mode, left, n), second = addressed(mode, left + 1, n);
            whole = first < second ? first : second;
            part = n == 1 ? 0.5f : (first < second ? t : 1 - t) + 0.5f;
        }
    }
    return texture_coordinate(whole, part, margin, n, normalised);
}

// Coordinate of the centre of the sample nearest to whole + part, part in [0, 1): far from 0, float32 has no halves.
TS_HD float nearest_coordinate(AddressMode mode, int whole, float part, int margin, int n, bool normalised) {
    const int nearest = whole + (part >= 0.5f ? 1 : 0);
    return texture_coordinate(mode == AddressMode::reflect101 ? addressed(mode, nearest, n) : nearest, 0.5f, margin, n,
                              normalised);
}

// The mode by which a filter source's coordinates are folded, if they are.
template <class Source> TS_HD constexpr AddressMode folded_mode(AddressMode mode) {
    return Source::folds ? mode : AddressMode::clamp;
}

// Where the texture unit reads along an axis of n stored texels, before any address mode: its fixed-point arithmetic.
struct UnitCoordinate {
    int nearest;   // texel of a point-filtered fetch
    int first;     // the first of the two of a linear-filtered one
    int fraction;  // of the second, in 1/256
};

TS_HD UnitCoordinate unit_coordinate(float x, int n, bool normalised) {
    double texel = double(x);
    if (normalised) {  // truncated to a fixed point whose step depends on the texture's size
        const double steps = n <= 8192 ? 0x1p21 : n <= 65536 ? 0x1p22 : 0x1p23;
        texel = double(floor_to_integer(texel * steps)) * n / steps;
    }
    const long long fixed = floor_to_integer((texel - 0.5) * 256 + 0.5);
    return {int(floor_to_integer(texel)), int(fixed >> 8), int(fixed & 255)};
}

// A linear-filtered fetch returns a value rounded to the precision of the texels' format.
template <class Sample> TS_HD float rounded_by_filter(float v) {
    if constexpr (std::is_integral_v<Sample>) return floorf(v * 65535.0f + 0.5f) / 65535.0f;
    else if constexpr (std::is_same_v<Sample, HalfBits>) return half_to_float(float_to_half(v));
    else return fabsf(v) < 1.17549435e-38f ? 0.0f : v;  // subnormal numbers are flushed
}

// Path `hardware` on the CPU: the texture unit's arithmetic as measured on one. docs/texture-unit.md has the evidence
// for every step of it.
template <class Sample, int C> class EmulatedTextureSource {
public:
    static constexpr int channels = pixel_channels(C);
    static constexpr bool folds = true;
    struct Coordinate {
        int nearest;        // stored texel of a point-filtered fetch
        int first, second;  // and the two of a linear-filtered one; −1: zero
        int fraction;       // of the second, in 1/256
    };

    TS_HD explicit EmulatedTextureSource(const TexelArray& array)
        : texels_(with_address(array, {texture_address(array.address.x), texture_address(array.address.y)})),
          array_(array) {}
    TS_HD bool one_dimensional() const { return array_.one_dimensional; }

    TS_HD Coordinate column_at(float u) const {
        return coordinate(u, array_.width + 2 * array_.margin_x,
                          [&](int i) { return texels_.column(i - array_.margin_x); });
    }
    TS_HD Coordinate row_at(float v) const {
        return coordinate(v, array_.height + 2 * array_.margin_y,
                          [&](int j) { return texels_.row(j - array_.margin_y); });
    }

    TS_HD Pixel<channels> fetch_point(const Coordinate& column, const Coordinate& row) const {
        return texel(column.nearest, row.nearest);
    }

    // The weight of the texel at both fractions is rounded to 1/256, and the other three follow from it.
    TS_HD Pixel<channels> fetch_linear(const Coordinate& column, const Coordinate& row) const {
        const int a = column.fraction, b = row.fraction;
        const int both = (a * b + 128) >> 8;
        Pixel<channels> sum = Pixel<channels>::zero();
        add(sum, 256 - a - b + both, column.first, row.first);
        add(sum, a - both, column.second, row.first);
        add(sum, b - both, column.first, row.second);
        add(sum, both, column.second, row.second);
        for (int c = 0; c < channels; ++c) sum.v[c] = rounded_by_filter<Sample>(sum.v[c]);
        return sum;
    }

    TS_HD Pixel<channels> fetch_linear(const Coordinate& column) const {
        Pixel<channels> sum = Pixel<channels>::zero();
        add(sum, 256 - column.fraction, column.first, 0);
        add(sum, column.fraction, column.second, 0);
        for (int c = 0; c < channels; ++c) sum.v[c] = rounded_by_filter<Sample>(sum.v[c]);
        return sum;
    }

private:
    TS_HD static TexelArray with_address(TexelArray array, const AddressPair& address) {
        array.address = address;
        return array;
    }
    template <class Address> TS_HD Coordinate coordinate(float x, int n, Address stored) const {
        const UnitCoordinate at = unit_coordinate(x, n, array_.normalised);
        return {stored(at.nearest), stored(at.first), stored(at.first + 1), at.fraction};
    }
    TS_HD void add(Pixel<channels>& sum, int weight, int column, int row) const {
        if (weight != 0) sum.add_scaled(float(weight) * (1.0f / 256), texel(column, row));
    }
    TS_HD Pixel<channels> texel(int column, int row) const {
        return column < 0 || row < 0 ? Pixel<channels>::zero() : texels_.load(column, row);
    }

    LinearSource<Sample, C> texels_;
    TexelArray array_;
};

#if defined(__CUDACC__)
template <int C> __device__ Pixel<C> pixel_of(const float4& value) {
    const float all[4] = {value.x, value.y, value.z, value.w};  // absent channels are ignored
    Pixel<C> p;
    TS_UNROLL
    for (int c = 0; c < C; ++c) p.v[c] = all[c];
    return p;
}

// Path `lookup`: point-filtered texture fetches at texel centres, address mode by the texture unit. Signals: tex1Dfetch
// over linear memory, whose only address mode is zero outside.
template <int C, bool signal, bool folding> class LookupSource {
public:
    static constexpr int channels = C;
    static constexpr bool folds = folding;
    TS_HD explicit LookupSource(const TexelArray& array) : array_(array) {}

    using Index = std::conditional_t<signal, int, float>;  // for signals the texel, for images its texture coordinate

    __device__ Index column(int i) const {
        if constexpr (signal)
            return addressed(array_.address.x, i + array_.margin_x, array_.width + 2 * array_.margin_x);
        else
            return nearest_coordinate(folded_mode<LookupSource>(array_.address.x), i, 0, array_.margin_x, array_.width,
                                      array_.normalised);
    }
    __device__ Index row(int j) const {
        if constexpr (signal) return j;
        else
            return nearest_coordinate(folded_mode<LookupSource>(array_.address.y), j, 0, array_.margin_y, array_.height,
                                      array_.normalised);
    }
    __device__ static bool is_zero(Index) { return false; }  // the texture unit returns zero beyond a border
    __device__ static constexpr bool one_dimensional() { return signal; }
    __device__ Pixel<C> load(Index column, Index row) const {
        if constexpr (signal) return pixel_of<C>(tex1Dfetch<float4>(array_.point_texture, column));
        else return pixel_of<C>(tex2D<float4>(array_.point_texture, column, row));
    }

private:
    TexelArray array_;
};

// Path `hardware`: the texture unit filters.
template <int C, bool signal, bool folding> class HardwareSource {
public:
    static constexpr int channels = C;
    static constexpr bool folds = folding;
    TS_HD explicit HardwareSource(const TexelArray& array) : array_(array) {}

    __device__ static constexpr bool one_dimensional() { return signal; }
    __device__ float column_at(float u) const { return u; }
    __device__ float row_at(float v) const { return v; }
    __device__ Pixel<C> fetch_point(float u, float v) const {
        if constexpr (signal) return pixel_of<C>(tex1D<float4>(array_.point_texture, u));
        else return pixel_of<C>(tex2D<float4>(array_.point_texture, u, v));
    }
    __device__ Pixel<C> fetch_linear(float u, float v) const {
        return pixel_of<C>(tex2D<float4>(array_.linear_texture, u, v));
    }
    __device__ Pixel<C> fetch_linear(float u) const { return pixel_of<C>(tex1D<float4>(array_.linear_texture, u)); }

private:
    TexelArray array_;
};
#endif

}  // namespace texelscope
