#pragma once
// The type in which one sample of an image is stored, and the meaning of its number.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace texelscope {

// u8 and u16 stand for value / max, in [0, 1]. All others are numbers, kept as they are.
enum class SampleType { u8, u16, f16, f32, i8, i16, i32, u32, i64, u64, f64 };

inline constexpr std::array all_sample_types = {SampleType::u8,  SampleType::u16, SampleType::f16, SampleType::f32,
                                                SampleType::i8,  SampleType::i16, SampleType::i32, SampleType::u32,
                                                SampleType::i64, SampleType::u64, SampleType::f64};

constexpr std::string_view name_of(SampleType type) {
    constexpr std::string_view names[] = {"u8", "u16", "f16", "f32", "i8", "i16", "i32", "u32", "i64", "u64", "f64"};
    return names[size_t(type)];
}

constexpr int bytes_per_sample(SampleType type) {
    constexpr int bytes[] = {1, 2, 2, 4, 1, 2, 4, 4, 8, 8, 8};
    return bytes[size_t(type)];
}

constexpr bool is_normalised(SampleType type) { return type == SampleType::u8 || type == SampleType::u16; }
constexpr bool is_float(SampleType type) {
    return type == SampleType::f16 || type == SampleType::f32 || type == SampleType::f64;
}
constexpr bool is_integer(SampleType type) { return !is_float(type); }

// Whether float32 holds every value of the type.
constexpr bool fits_float(SampleType type) { return bytes_per_sample(type) <= 2 || type == SampleType::f32; }

// Whether the engine reads samples of the type as they are; it holds all others as f32.
constexpr bool is_texel_type(SampleType type) { return type <= SampleType::f32; }

// One stored number, exactly: an integer as it is, of u8 and u16 too, or a float.
using StoredNumber = std::variant<int64_t, uint64_t, float, double>;
StoredNumber stored_number(const std::byte* sample, SampleType type);

// The number with as many digits as distinguish it from its neighbours: "25400", "-0.1", "nan".
std::string text_of(const StoredNumber& number);

// Reads the values of `count` samples: u8 and u16 in [0, 1], numbers rounded to float.
void read_floats(const std::byte* samples, size_t count, SampleType type, float* to);

// Converts `count` samples to another type. Numbers stay numbers, rounded to nearest and clamped to the range of an
// integer type; for u8 and u16, values are clamped to [0, 1]. NaN becomes 0 in integers.
void convert_samples(const std::byte* samples, size_t count, SampleType type, std::byte* to, SampleType to_type);

}  // namespace texelscope
