#pragma once
// Values of a picture as words, in the unit that the user has chosen.

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "gpu/core/image.h"
#include "gpu/display/display_settings.h"

namespace texelscope {

// How normalised integers are written. Numbers are written as they are, whatever is chosen.
enum class ValueUnit {
    levels,    // 0 … 255, for 16 bits with decimals
    fraction,  // 0 … 1
    hex,       // the stored integer in hexadecimal
    code       // the stored integer
};
inline constexpr std::array all_value_units = {ValueUnit::levels, ValueUnit::fraction, ValueUnit::hex, ValueUnit::code};
constexpr std::string_view name_of(ValueUnit unit) {
    constexpr std::string_view names[] = {"0-255", "0-1", "hex", "code"};
    return names[size_t(unit)];
}
std::string_view title_of(ValueUnit unit);    // "0–255", "0–1", "hexadecimal", "code value"
std::string_view meaning_of(ValueUnit unit);  // a sentence

// Writes the values of one image: normalised integers are given as 0 … 1.
class ValueScale {
public:
    ValueScale() = default;  // 0 … 1, as floats are written
    ValueScale(ValueUnit unit, SampleType type);

    // What a value is multiplied by, also for errors and axes of plots: 255, 65535 or 1. In hexadecimal that of the code.
    double factor() const { return factor_; }
    std::string range() const;     // of the integers in that unit: "0–255"; empty for floats
    std::string of_whole() const;  // after a figure: " of 255"; empty for 0 … 1 and floats

    std::string stored(double value) const;  // of a sample: "128", "0.502", "80"
    std::string stored(
        const StoredNumber& number) const;    // of a number in the file, with all of the digits of an integer
    std::string between(double value) const;  // of an interpolated value: "127.84", "0.5013"; in hexadecimal rounded
    std::string error(double error) const;    // three digits: "1.93 of 255", "0.00757"; in hexadecimal, of code values
    int fine_decimals() const;                // for parts of values: 4, or 6 for 0 … 1

    // Of all channels: "[105.10 98.90 76.80]".
    std::string stored(std::span<const float> values) const { return list(values, true); }
    std::string stored(std::span<const StoredNumber> numbers) const;
    std::string between(std::span<const float> values) const { return list(values, false); }
    int characters() const;  // that one value usually takes at most

private:
    std::string number(double value, bool stored) const;
    std::string list(std::span<const float> values, bool stored) const;

    double factor_ = 1;
    int digits_ = 0;  // in hexadecimal; 0: decimal
    int stored_decimals_ = 0, decimals_ = 0;
    bool as_is_ = true;      // the samples are numbers
    bool integers_ = false;  // the numbers are integers
    double most_ = 1;        // the largest integer of a normalised type
};

// Differences of values as words.

// "|a − r|".
std::string_view difference_formula(DifferenceKind kind);

// What a difference of values in 0 … 1 is multiplied by.
double difference_unit(DifferenceKind kind, const ValueScale& scale);

// Of all channels, in three digits: "[3.2 0.15 12]"; "–" for NaN.
std::string difference_text(DifferenceKind kind, std::span<const double> values, std::span<const double> reference,
                            const ValueScale& scale);

}  // namespace texelscope
