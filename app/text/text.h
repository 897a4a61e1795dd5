#pragma once
// Values as words and words as values: figures in the unit that the user has chosen, typed arguments, columns of text.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/ranges.h>

#include "gpu/backend/backend.h"
#include "gpu/core/image.h"
#include "gpu/core/names.h"
#include "gpu/core/view.h"

namespace texelscope {

// Values of a picture as words, in the unit that the user has chosen.

enum class DifferenceKind;
struct DifferenceSettings;
struct MapFigures;

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
     "The stored integers, also called code values: up to 255 with 8 bits, up to 65535 with 16 bits. Floats and other "
     "numbers are written as they are.",
     "stored"}};
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

    // The values of all channels: "[105.10 98.90 76.80]".
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

// The differences of all channels, in three digits: "[3.2 0.15 12]"; "–" for NaN.
std::string difference_text(DifferenceKind kind, std::span<const double> values, std::span<const double> reference,
                            const ValueScale& scale);

// Negative numbers as they are shown: with a minus sign, not a hyphen.
inline std::string with_minus(std::string number) {
    if (number.starts_with('-')) number.replace(0, 1, "−");
    return number;
}

// Figures as words: for sheets, tables and the viewer.

// "RMSE" "0.0012" "", "PSNR" "58.2" "dB", "" "71" "µs".
struct Figure {
    std::string name, value, unit;
    bool is_cost = false;  // else an error
};

// What a pane is measured against, and so what its figures can tell.
struct Against {
    enum class Tells {
        difference,  // from another method or image: PSNR and SSIM say how large it is
        arithmetic,  // from its own method, exact: only what path, prefilter and float32 lose
        nothing      // it is the reference itself
    };
    Tells tells = Tells::difference;
    std::string name;  // of the reference, within a sentence: "cubic B-spline", "the original"
    // Both are widened, since the picture is shown smaller than it is: the reference has no more right than others, so
    // the figures tell how alike the two are and rank nothing.
    bool likeness = false;
};
inline constexpr const char* likeness_explained =
    "The picture is shown smaller than it is, and each method is widened against aliasing: figures say how much alike "
    "they are, not which is best. That is measured by Compare ▸ Which is best ▸ Reduce.";

// "against cubic B-spline", "likeness to cubic B-spline".
std::string against_words(const Against& against);

// "against cubic B-spline: 31.1 dB", "arithmetic error 2e-8", "is the reference". The RMSE of values in 0 … 1, or floats.
// With two `decimals` of PSNR: "31.08 dB".
std::string figure_words(const Against& against, double psnr, double rmse, const ValueScale& scale = {},
                         int decimals = 1);

// What a map of errors is called where its colours are explained: "FLIP, 67 pixels per degree", "1 − SSIM".
std::string map_words(const DifferenceSettings& difference);
// Its value at a pixel by the name that people know, similarities as such: "FLIP 0.132", "ΔE 3.10", "SSIM 0.940".
std::string map_value_text(DifferenceKind kind, double value);
// Its figures, each named by how it is pooled: "FLIP mean" "0.0312", "weighted median"; "GMSD" is a deviation.
std::vector<Figure> map_figures(DifferenceKind kind, const MapFigures& figures);
std::string map_number_text(DifferenceKind kind, double value);  // four decimals, of ΔE2000 two; "–" for NaN

Figure time_figure(double milliseconds);     // three digits in a suitable unit
std::string time_text(double milliseconds);  // "71.3 µs", "12 ms": three digits in a suitable unit
// "58.2", "∞". From 120 dB on, only the rounding of float32 is left, which ranks nothing: "> 120".
std::string psnr_text(double decibels, int decimals = 1);
std::string fine_psnr_text(double decibels);  // two decimals, where methods are closer than a tenth; "–" for NaN
bool only_rounding(double decibels);
std::string ssim_text(double ssim);         // four decimals: "0.9912"; "–" if there is none
std::string error_text(double error);       // three digits: "0.00120"
std::string arithmetic_text(double error);  // two digits, from 100 on all: "0.0012", "2e-8"

// The argument of an option as a value. Each function throws UsageError that names the option, the argument, and what
// would be right.

// A finite number.
double parse_real(std::string_view option, std::string_view text);
double parse_positive(std::string_view option, std::string_view text);

// How many times larger: from 1/max_image_side, one pixel of the longest image, to max_image_side.
double parse_factor(std::string_view option, std::string_view text);

// "2.5", for both axes, or "2.5,3".
Point parse_pair(std::string_view option, std::string_view text);
Point parse_factors(std::string_view option, std::string_view text);  // each as parse_factor does

// "640x480", sides from 1 to max_image_side.
Extent parse_size(std::string_view option, std::string_view text);

// "on" or "off".
bool parse_on_off(std::string_view option, std::string_view text);

// The names of the choices (name_of).
template <class Choice> std::vector<std::string_view> names_of(std::span<const Choice> choices) {
    std::vector<std::string_view> names;
    for (const Choice choice : choices) names.push_back(name_of(choice));
    return names;
}

// "grey|ember|lagoon", for help texts.
template <class Choice> std::string alternatives(std::span<const Choice> choices = all_values<Choice>) {
    return fmt::format("{}", fmt::join(names_of(choices), "|"));
}

// The one of `choices` with this name (name_of).
template <class Choice>
Choice parse_choice(std::string_view option, std::string_view text,
                    std::span<const Choice> choices = all_values<Choice>);

// "swirl", with its default strength, or "swirl:90".
Warp parse_homography(std::string_view option, std::string_view text);  // "1,0,0,0,1,0,0,0.002,1"
std::string homography_text(const Warp& warp);
Warp parse_warp(std::string_view option, std::string_view text);

// "swirl (degrees, -720 to 720, default 180), …", for help texts.
std::string warp_help();

// "u8, u16 or f32".
std::string either(std::span<const std::string_view> words);

[[noreturn]] void throw_unknown_choice(std::string_view option, std::string_view text,
                                       std::span<const std::string_view> words);

template <class Choice>
Choice parse_choice(std::string_view option, std::string_view text, std::span<const Choice> choices) {
    for (const Choice choice : choices)
        if (name_of(choice) == text) return choice;
    throw_unknown_choice(option, text, names_of(choices));
}

// Numbers as they are typed into fields.

// A finite number and nothing else, with a plus or minus sign of either kind.
std::optional<double> number_in(std::string_view text);

// What a field takes.
struct NumberRange {
    std::string_view name;  // within a sentence: "factor"
    double low = 0, high = 0;
    std::string_view unit = {};  // after each number, with its space: "°", " samples"
    bool whole = false;          // no fractions
    bool zero = true;            // 0 is taken, if it is in the range
};

// The number, or a sentence that says what would be one.
struct TypedNumber {
    std::optional<double> value;
    std::string problem;
};
TypedNumber typed_number(std::string_view text, const NumberRange& range);

// Columns of text in a terminal.

// Columns that a UTF-8 text takes in a terminal, one per character; and the text padded with blanks to that many.
size_t columns_of(std::string_view text);
std::string padded(std::string_view text, size_t columns);

using TextRow = std::vector<std::string>;

// Rows with equally many cells, columns two blanks apart; all but the first `left` right-aligned.
std::string aligned(const std::vector<TextRow>& rows, size_t left);

// Columns of numbers beside each other: how wide they are, and as many decimals as there is room for.

// "−0.5", "0.5"; "nan" and "inf" for what is not finite.
std::string signed_number(double value, int decimals);

struct NumberColumn {
    int least = 1;                 // characters that it takes in any case: its heading, or text in it
    int decimals = 0, fewest = 0;  // of its numbers, and how few will do
    double low = 0, high = 0;      // of its numbers

    void take(double value);
    int characters() const;
};

int characters_of(std::span<const NumberColumn> columns);

// Takes decimals away from the widest, until all columns together have at most so many characters or none can lose
// any more.
void fit_decimals(std::span<NumberColumn> columns, int characters);

// Words between tags, or as the value of an attribute, of XML and HTML.
std::string escaped(std::string_view text);

// Finding what has been typed.

// Ignores the case of ASCII letters. Every text contains an empty needle.
bool contains_ignoring_case(std::string_view text, std::string_view needle);

// With a capital first letter, if that is one of a to z.
std::string capitalised(std::string text);

}  // namespace texelscope
