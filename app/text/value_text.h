#pragma once
// Values of a picture as words, in the unit that the user has chosen.

#include <span>
#include <string>
#include <string_view>

#include "gpu/core/image.h"
#include "gpu/core/names.h"

namespace texelscope {

enum class DifferenceKind;

// How normalised integers are written. Numbers are written as they are, whatever is chosen.
enum class ValueUnit {
    levels,    // 0 … 255, for 16 bits with decimals
    fraction,  // 0 … 1
    hex,       // the stored integer in hexadecimal
    code       // the stored integer
};
inline constexpr NamedValue<ValueUnit> value_units[] = {
    {ValueUnit::levels, "0-255",
     "Values from 0 to 255, also those of images with 16 bits. Floats and other numbers are written as they are.",
     "0–255"},
    {ValueUnit::fraction, "0-1",
     "Values from 0 to 1: 1 is the largest integer of the image's type. Floats and other numbers are written as they are.",
     "0–1"},
    {ValueUnit::hex, "hex",
     "The stored integers in hexadecimal, interpolated values rounded to integers; errors are in decimal code values. "
     "Floats and other numbers are written as they are."},
    {ValueUnit::code, "code",
     "The stored integers: up to 255 with 8 bits, up to 65535 with 16 bits. Floats and other numbers are written as they "
     "are."}};
constexpr auto& names_table(ValueUnit) { return value_units; }
inline constexpr auto all_value_units = all_values<ValueUnit>;

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

// What a difference of values in 0 … 1 is multiplied by.
double difference_unit(DifferenceKind kind, const ValueScale& scale);

// Of all channels, in three digits: "[3.2 0.15 12]"; "–" for NaN.
std::string difference_text(DifferenceKind kind, std::span<const double> values, std::span<const double> reference,
                            const ValueScale& scale);

}  // namespace texelscope
