#include "app/files/codecs/tiff/tiff_page.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "gpu/core/half.h"

namespace texelscope {
namespace {

using std::byte;

// Readers of samples: whole bytes in this machine's order, as libtiff delivers them; or bits, the highest first.
template <class T> struct Whole {
    const byte* from;
    uint64_t operator()(size_t i) const {
        T value;
        std::memcpy(&value, from + i * sizeof value, sizeof value);
        return value;
    }
};
struct Bits24 {
    const byte* from;
    uint64_t operator()(size_t i) const {
        const byte* const at = from + 3 * i;
        constexpr bool little = std::endian::native == std::endian::little;
        return std::to_integer<uint64_t>(at[little ? 2 : 0]) << 16 | std::to_integer<uint64_t>(at[1]) << 8 |
               std::to_integer<uint64_t>(at[little ? 0 : 2]);
    }
};
struct Bits {
    const byte* from;
    int bits;
    uint64_t operator()(size_t i) const {
        const size_t first = i * size_t(bits);
        const byte* at = from + first / 8;
        int wanted = bits, in_byte = 8 - int(first % 8);
        uint64_t value = 0;
        while (wanted > 0) {
            const int taken = wanted < in_byte ? wanted : in_byte;
            const uint64_t part = std::to_integer<uint64_t>(*at++) >> (in_byte - taken) & ((1u << taken) - 1);
            value = value << taken | part;
            wanted -= taken;
            in_byte = 8;
        }
        return value;
    }
};

template <class Use> void with_reader(const byte* packed, int bits, Use use) {
    switch (bits) {
        case 8: return use(Whole<uint8_t>{packed});
        case 16: return use(Whole<uint16_t>{packed});
        case 24: return use(Bits24{packed});
        case 32: return use(Whole<uint32_t>{packed});
        case 64: return use(Whole<uint64_t>{packed});
        default: return use(Bits{packed, bits});
    }
}

// Adobe's TIFF Technical Note 3: a sign, 7 bits of exponent with bias 63, 16 of fraction.
float float_of_24_bits(uint64_t bits) {
    const auto sign = uint32_t(bits >> 23 & 1) << 31, exponent = uint32_t(bits >> 16 & 127),
               fraction = uint32_t(bits & 0xffff);
    if (exponent == 127) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 7);
    if (exponent == 0) {
        const float value = float(fraction) * 0x1p-78f;  // 2^(1 − 63 − 16)
        return sign ? -value : value;
    }
    return std::bit_cast<float>(sign | (exponent + 64) << 23 | fraction << 7);
}

template <class T> void put(byte* to, size_t i, T value) { std::memcpy(to + i * sizeof value, &value, sizeof value); }

template <class T, class Make> void fill(byte* to, size_t count, size_t step, Make make) {
    for (size_t i = 0; i < count; ++i) put<T>(to, i * step, T(make(i)));
}

// Calls use(T()) with the type of the samples.
template <class Use> void with_type(SampleType type, Use use) {
    switch (type) {
        case SampleType::u8: return use(uint8_t());
        case SampleType::u16:
        case SampleType::f16: return use(uint16_t());
        case SampleType::f32: return use(float());
        case SampleType::f64: return use(double());
        case SampleType::i8: return use(int8_t());
        case SampleType::i16: return use(int16_t());
        case SampleType::i32: return use(int32_t());
        case SampleType::u32: return use(uint32_t());
        case SampleType::i64: return use(int64_t());
        case SampleType::u64: return use(uint64_t());
    }
}

bool keeps_numbers(TiffColours colours) {
    return colours == TiffColours::palette || colours == TiffColours::lab || colours == TiffColours::ycbcr;
}

}  // namespace

TiffUnpacker::TiffUnpacker(const TiffPage& page) : page_(page), type_(page.type) {
    if (keeps_numbers(page.colours) && page.numbers == TiffNumbers::whole)
        type_ = page.bits <= 8 ? SampleType::u8 : SampleType::u16;
    if (page.colours == TiffColours::lab && page.numbers == TiffNumbers::floating) type_ = SampleType::f32;
    plain_ = page.bits == 8 * bytes_per_sample(type_);
    if (plain_ || page.numbers != TiffNumbers::whole || page.bits > 16) return;
    const uint32_t largest = (1u << page.bits) - 1, full = type_ == SampleType::u8 ? 255 : 65535;
    for (uint32_t value = 0; value <= largest; ++value)
        scaled_.push_back(uint16_t(keeps_numbers(page.colours) ? value : (value * full + largest / 2) / largest));
}

void TiffUnpacker::row(const byte* packed, size_t count, byte* to, size_t step) const {
    if (plain_ && step == 1) {
        std::memcpy(to, packed, count * size_t(bytes_per_sample(type_)));
        return;
    }
    const bool is_signed = page_.numbers == TiffNumbers::signed_whole;
    const int unused = 64 - page_.bits;
    with_reader(packed, page_.bits, [&](auto read) {
        if (page_.numbers == TiffNumbers::floating && page_.bits == 24)
            return fill<float>(to, count, step, [&](size_t i) { return float_of_24_bits(read(i)); });
        with_type(type_, [&]<class T>(T) {
            if (!scaled_.empty()) return fill<T>(to, count, step, [&](size_t i) { return T(scaled_[read(i)]); });
            if constexpr (std::is_integral_v<T>) {
                if (is_signed)
                    return fill<T>(to, count, step, [&](size_t i) { return T(int64_t(read(i) << unused) >> unused); });
                fill<T>(to, count, step, [&](size_t i) { return T(read(i)); });
            } else if constexpr (sizeof(T) == 4) {
                fill<T>(to, count, step, [&](size_t i) { return std::bit_cast<T>(uint32_t(read(i))); });
            } else {
                fill<T>(to, count, step, [&](size_t i) { return std::bit_cast<T>(read(i)); });
            }
        });
    });
}

void TiffUnpacker::invert(byte* samples, size_t pixels) const {
    const auto step = size_t(page_.samples);
    const auto change = [&]<class T>(T, auto inverse) {
        for (size_t i = 0; i < pixels; ++i) {
            T value;
            std::memcpy(&value, samples + i * step * sizeof value, sizeof value);
            put<T>(samples, i * step, T(inverse(value)));
        }
    };
    if (type_ == SampleType::f16)
        return change(uint16_t(), [](uint16_t v) { return float_to_half(1 - half_to_float(v)); });
    with_type(type_, [&]<class T>(T) {
        if constexpr (std::is_floating_point_v<T>) change(T(), [](T v) { return 1 - v; });
        else {
            const uint64_t largest = is_normalised(type_) ? uint64_t(T(~T(0))) : ~uint64_t(0) >> (64 - page_.bits);
            change(T(), [largest](T v) { return T(largest - uint64_t(v)); });
        }
    });
}

namespace {

// Rescales an integer of `bits` bits to a delivered type.
uint32_t rescaled(uint32_t value, int bits, SampleType type) {
    const uint32_t largest = (1u << bits) - 1, full = type == SampleType::u8 ? 255 : 65535;
    return (value * full + largest / 2) / largest;
}

}  // namespace

TiffColourMaker::TiffColourMaker(const TiffPage& page, const ColourProfile* profile) : page_(page) {
    if (page.colours == TiffColours::inks)
        inks_ = std::make_unique<const Inks>(profile, false, page.type == SampleType::u16);
    if (page.colours == TiffColours::lab) lab_ = std::make_unique<const LabToSrgb>();
}

void TiffColourMaker::row(const std::byte* samples, int pixels, std::byte* to) const {
    switch (page_.colours) {
        case TiffColours::palette:
            if (page_.bits <= 8) return palette(reinterpret_cast<const uint8_t*>(samples), pixels, to);
            return palette(reinterpret_cast<const uint16_t*>(samples), pixels, to);
        case TiffColours::inks: return inks(samples, pixels, to);
        case TiffColours::lab: return lab(samples, pixels, reinterpret_cast<uint16_t*>(to));
        case TiffColours::ycbcr:
            return ycbcr(reinterpret_cast<const uint8_t*>(samples), pixels, reinterpret_cast<uint8_t*>(to));
        case TiffColours::xyz:
            return xyz(reinterpret_cast<const float*>(samples), pixels, reinterpret_cast<float*>(to));
        case TiffColours::as_stored: return;
    }
}

void TiffColourMaker::spread(const std::byte* blocks, int row, int width, std::byte* to) const {
    const auto [across, down] = page_.subsampling;
    const size_t luma = size_t(across) * size_t(down), block = luma + 2;
    for (int x = 0; x < width; ++x) {
        const std::byte* const at = blocks + size_t(x / across) * block;
        *to++ = at[row * across + x % across];
        *to++ = at[luma];
        *to++ = at[luma + 1];
    }
}

// Indices beyond the map are black.
template <class T> void TiffColourMaker::palette(const T* from, int pixels, std::byte* to) const {
    const size_t entries = page_.map.size() / 3;
    const auto fill = [&]<class To>(To* samples) {
        for (int i = 0; i < pixels; ++i) {
            for (size_t c = 0; c < 3; ++c) *samples++ = *from < entries ? To(page_.map[c * entries + *from]) : To(0);
            ++from;
            for (int extra = 1; extra < page_.samples; ++extra)
                *samples++ = To(rescaled(*from++, page_.bits, page_.type));
        }
    };
    if (page_.type == SampleType::u8) fill(reinterpret_cast<uint8_t*>(to));
    else fill(reinterpret_cast<uint16_t*>(to));
}

void TiffColourMaker::inks(const std::byte* from, int pixels, std::byte* to) const {
    const auto convert = [&]<class T>(const T* samples, T* colours) {
        const auto stored = size_t(page_.samples), made = stored - 1;
        std::vector<T> four(size_t(pixels) * 4), three(size_t(pixels) * 3);
        for (size_t i = 0; i < size_t(pixels); ++i) std::copy_n(samples + i * stored, 4, four.data() + i * 4);
        inks_->to_srgb(four.data(), three.data(), pixels);
        for (size_t i = 0; i < size_t(pixels); ++i) {
            std::copy_n(three.data() + i * 3, 3, colours + i * made);
            std::copy_n(samples + i * stored + 4, stored - 4, colours + i * made + 3);
        }
    };
    if (page_.type == SampleType::u8) convert(reinterpret_cast<const uint8_t*>(from), reinterpret_cast<uint8_t*>(to));
    else convert(reinterpret_cast<const uint16_t*>(from), reinterpret_cast<uint16_t*>(to));
}

// CIELab as section 23 of the specification, ICC's as version 2 of its profile format codes it; floats are not coded.
void TiffColourMaker::lab(const std::byte* from, int pixels, uint16_t* to) const {
    const auto stored = size_t(page_.samples), colours = size_t(page_.stored_colours);
    const bool floats = page_.numbers == TiffNumbers::floating, eight = page_.bits == 8, icc = page_.icc_lab;
    const float full = eight ? 255 : icc ? 65280 : 65535, unit = eight ? 1 : 256;
    const int zero = eight ? 128 : 32768;
    const auto number = [&](size_t i) {
        return int(eight ? std::to_integer<uint8_t>(from[i]) : reinterpret_cast<const uint16_t*>(from)[i]);
    };
    // CIELab's a and b are signed, ICC's begin at −128.
    const auto chroma = [&](int value) {
        return float(icc || value >= zero ? value - (icc ? zero : 2 * zero) : value);
    };
    const auto real = [&](size_t i, bool lightness) {
        if (floats) {
            const float value = reinterpret_cast<const float*>(from)[i];
            return std::isfinite(value) ? value : 0.0f;
        }
        return lightness ? float(number(i)) * 100 / full : chroma(number(i)) / unit;
    };
    const auto extra = [&](size_t i) {
        if (!floats) return uint16_t(rescaled(uint32_t(number(i)), page_.bits, SampleType::u16));
        const float value = reinterpret_cast<const float*>(from)[i];
        return uint16_t(value > 0 ? std::lround(std::min(value, 1.0f) * 65535) : 0);
    };
    std::vector<float> lab(size_t(pixels) * 3);
    for (size_t i = 0; i < size_t(pixels); ++i)
        for (size_t c = 0; c < colours; ++c) lab[3 * i + c] = real(i * stored + c, c == 0);
    std::vector<uint16_t> rgb(size_t(pixels) * 3);
    lab_->convert(lab.data(), rgb.data(), pixels);
    for (size_t i = 0; i < size_t(pixels); ++i) {
        to = std::copy_n(rgb.data() + 3 * i, colours, to);
        for (size_t c = colours; c < stored; ++c) *to++ = extra(i * stored + c);
    }
}

// YCbCr to RGB: section 20 defines ReferenceBlackWhite, section 21 the coefficients.
void TiffColourMaker::ycbcr(const uint8_t* from, int pixels, uint8_t* to) const {
    const auto [red, green, blue] = page_.luma;
    const auto& [y0, y1, cb0, cb1, cr0, cr1] = page_.reference;
    const auto coded = [](uint8_t value, float black, float white, float range) {
        return white == black ? 0 : (float(value) - black) * range / (white - black);
    };
    const auto rounded = [](float value) { return uint8_t(std::lround(std::clamp(value, 0.0f, 255.0f))); };
    for (int i = 0; i < pixels; ++i) {
        const float y = coded(from[0], y0, y1, 255), cb = coded(from[1], cb0, cb1, 127),
                    cr = coded(from[2], cr0, cr1, 127);
        const float r = cr * (2 - 2 * red) + y, b = cb * (2 - 2 * blue) + y, g = (y - blue * b - red * r) / green;
        from += 3;
        for (const float value : {r, g, b}) *to++ = rounded(value);
        for (int extra = 3; extra < page_.samples; ++extra) *to++ = *from++;
    }
}

// CIE XYZ to the primaries and white of IEC 61966-2-1 and ITU-R BT.709.
void TiffColourMaker::xyz(const float* from, int pixels, float* to) const {
    constexpr double matrix[3][3] = {{3.240969941904523, -1.537383177570094, -0.498610760293003},
                                     {-0.969243636280880, 1.875967501507721, 0.041555057407176},
                                     {0.055630079696994, -0.203976958888977, 1.056971514242879}};
    for (int i = 0; i < pixels; ++i, from += 3)
        for (const auto& row : matrix)
            *to++ = float(row[0] * double(from[0]) + row[1] * double(from[1]) + row[2] * double(from[2]));
}

}  // namespace texelscope
