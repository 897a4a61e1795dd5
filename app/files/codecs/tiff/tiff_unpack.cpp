#include "app/files/codecs/tiff/tiff_unpack.h"

#include <bit>
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

}  // namespace texelscope
