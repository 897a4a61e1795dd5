#include "gpu/core/sample_type.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "gpu/core/half.h"

namespace texelscope {
namespace {

struct Half {
    uint16_t bits;
};

// Calls visit.template operator()<T>() with the C++ type of such a sample in memory.
template <class Visit> auto visit_stored(SampleType type, Visit visit) {
    switch (type) {
        case SampleType::u8: return visit.template operator()<uint8_t>();
        case SampleType::u16: return visit.template operator()<uint16_t>();
        case SampleType::f16: return visit.template operator()<Half>();
        case SampleType::f32: break;
        case SampleType::i8: return visit.template operator()<int8_t>();
        case SampleType::i16: return visit.template operator()<int16_t>();
        case SampleType::i32: return visit.template operator()<int32_t>();
        case SampleType::u32: return visit.template operator()<uint32_t>();
        case SampleType::i64: return visit.template operator()<int64_t>();
        case SampleType::u64: return visit.template operator()<uint64_t>();
        case SampleType::f64: return visit.template operator()<double>();
    }
    return visit.template operator()<float>();
}

template <class T> inline constexpr bool normalised = std::is_same_v<T, uint8_t> || std::is_same_v<T, uint16_t>;

template <class T> T loaded(const std::byte* samples, size_t index) {
    T value;
    std::memcpy(&value, samples + index * sizeof(T), sizeof(T));
    return value;
}

template <class T> float float_of(T value) {
    if constexpr (std::is_same_v<T, Half>) return half_to_float(value.bits);
    else if constexpr (normalised<T>) return float(value) / float(std::numeric_limits<T>::max());
    else return float(value);
}

// The value in a type that loses nothing: numbers that are integers as they are, all others as double.
template <class T> auto exact_of(T value) {
    if constexpr (std::is_integral_v<T> && !normalised<T>) return value;
    else if constexpr (std::is_same_v<T, double>) return value;
    else return double(float_of(value));
}

template <class To> To quantised(float value) {
    constexpr float top = float(std::numeric_limits<To>::max());
    if (!(value > 0)) return 0;  // also NaN
    return value >= 1 ? To(top) : To(value * top + 0.5f);
}

// Rounds to nearest, halves away from zero; the type's limits, as doubles, may lie beyond its range.
template <class To> To rounded(double value) {
    if (std::isnan(value)) return 0;
    const double nearest = std::round(value);
    if (nearest <= double(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (nearest >= double(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return To(nearest);
}

template <class To, class From> To clamped(From value) {
    if (std::cmp_less(value, std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (std::cmp_greater(value, std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return To(value);
}

template <class To, class From> To stored_as(From value) {
    [[maybe_unused]] const auto exact = exact_of(value);
    if constexpr (std::is_same_v<To, From>) return value;
    else if constexpr (normalised<To>) return quantised<To>(float_of(value));
    else if constexpr (std::is_same_v<To, Half>) return Half{float_to_half(float_of(value))};
    else if constexpr (std::is_floating_point_v<To>) return To(exact);
    else if constexpr (std::is_integral_v<decltype(exact)>) return clamped<To>(exact);
    else return rounded<To>(exact);
}

}  // namespace

StoredNumber stored_number(const std::byte* sample, SampleType type) {
    return visit_stored(type, [&]<class T>() -> StoredNumber {
        const T value = loaded<T>(sample, 0);
        if constexpr (std::is_same_v<T, Half>) return half_to_float(value.bits);
        else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, uint64_t>) return value;
        else return int64_t(value);
    });
}

std::string text_of(const StoredNumber& number) {
    return std::visit([](auto value) { return value == value ? fmt::format("{}", value) : "nan"; }, number);
}

void read_floats(const std::byte* samples, size_t count, SampleType type, float* to) {
    visit_stored(type, [&]<class T>() {
        for (size_t i = 0; i < count; ++i) to[i] = float_of(loaded<T>(samples, i));
    });
}

void convert_samples(const std::byte* samples, size_t count, SampleType type, std::byte* to, SampleType to_type) {
    visit_stored(type, [&]<class From>() {
        visit_stored(to_type, [&]<class To>() {
            for (size_t i = 0; i < count; ++i) {
                const To value = stored_as<To>(loaded<From>(samples, i));
                std::memcpy(to + i * sizeof(To), &value, sizeof(To));
            }
        });
    });
}

}  // namespace texelscope
