// Values, differences and columns as words, and numbers that are typed.

#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/state/readout_text.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "gpu/core/text.h"
#include "gpu/display/display.h"
#include "gpu/method/spec.h"

namespace texelscope::test {
namespace {

// Values in the unit that was chosen.

TEST(ValueText, IntegersThatAreNumbersHaveAllTheirDigits) {
    for (const ValueUnit unit : all_value_units) {
        const ValueScale scale(unit, SampleType::i64);
        EXPECT_EQ(scale.stored(StoredNumber(int64_t(-9007199254740993))), "-9007199254740993");
        EXPECT_EQ(scale.stored(25400.0), "25400");
        EXPECT_EQ(scale.between(25400.5), "25400.5");
    }
    EXPECT_EQ(ValueScale(ValueUnit::code, SampleType::u64).stored(StoredNumber(UINT64_MAX)), "18446744073709551615");
    const std::vector<StoredNumber> numbers = {int64_t(25400), int64_t(7)};
    EXPECT_EQ(ValueScale(ValueUnit::code, SampleType::u16).stored(numbers), "[25400 7]");
    EXPECT_EQ(ValueScale(ValueUnit::fraction, SampleType::u8).stored(StoredNumber(int64_t(128))), "0.502");
    EXPECT_EQ(ValueScale(ValueUnit::code, SampleType::f64).stored(StoredNumber(0.125)), "0.125");
}

TEST(ValueText, AnEightBitSampleInEachUnit) {
    const double grey = 200 / 255.0, between = 127.5 / 255;
    const auto in = [](ValueUnit unit) { return ValueScale(unit, SampleType::u8); };
    EXPECT_EQ(in(ValueUnit::levels).stored(grey), "200");
    EXPECT_EQ(in(ValueUnit::fraction).stored(grey), "0.784");
    EXPECT_EQ(in(ValueUnit::hex).stored(grey), "C8");
    EXPECT_EQ(in(ValueUnit::code).stored(grey), "200");
    EXPECT_EQ(in(ValueUnit::levels).between(between), "127.50");
    EXPECT_EQ(in(ValueUnit::fraction).between(between), "0.5000");
    EXPECT_EQ(in(ValueUnit::hex).between(1), "FF");
    EXPECT_EQ(in(ValueUnit::code).between(between), "127.50");
}

TEST(ValueText, ASixteenBitSampleInEachUnit) {
    const double sample = 40000 / 65535.0;
    const auto in = [](ValueUnit unit) { return ValueScale(unit, SampleType::u16); };
    EXPECT_EQ(in(ValueUnit::levels).stored(sample), "155.64");
    EXPECT_EQ(in(ValueUnit::fraction).stored(sample), "0.61036");
    EXPECT_EQ(in(ValueUnit::hex).stored(sample), "9C40");
    EXPECT_EQ(in(ValueUnit::code).stored(sample), "40000");
    EXPECT_EQ(in(ValueUnit::code).range(), "0–65535");
}

// Neighbouring integers are told apart, so that what is read can be traced back to the file.
TEST(ValueText, StoredSamplesStayDistinguishable) {
    for (const ValueUnit unit : all_value_units) {
        const ValueScale scale(unit, SampleType::u8);
        for (int code = 0; code < 255; ++code)
            EXPECT_NE(scale.stored(code / 255.0), scale.stored((code + 1) / 255.0)) << name_of(unit) << " " << code;
    }
    const ValueScale code(ValueUnit::code, SampleType::u16), hex(ValueUnit::hex, SampleType::u16),
        fraction(ValueUnit::fraction, SampleType::u16);
    for (int sample = 0; sample < 65535; sample += 7) {
        const double value = sample / 65535.0, next = (sample + 1) / 65535.0;
        EXPECT_EQ(std::atoi(code.stored(value).c_str()), sample);
        EXPECT_EQ(std::strtol(hex.stored(value).c_str(), nullptr, 16), sample);
        EXPECT_NE(fraction.stored(value), fraction.stored(next)) << sample;
    }
}

TEST(ValueText, InterpolatedValuesMayLeaveTheRange) {
    EXPECT_EQ(ValueScale(ValueUnit::levels, SampleType::u8).between(-0.1), "-25.50");
    EXPECT_EQ(ValueScale(ValueUnit::hex, SampleType::u8).between(-2 / 255.0), "-02");
    EXPECT_EQ(ValueScale(ValueUnit::hex, SampleType::u8).between(256 / 255.0), "100");
    EXPECT_EQ(ValueScale(ValueUnit::levels, SampleType::u8).between(-1e-9), "0.00") << "no minus for nothing";
    EXPECT_EQ(ValueScale(ValueUnit::levels, SampleType::u8).between(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(ValueText, FloatsAreWhatTheyAreInEveryUnit) {
    for (const ValueUnit unit : all_value_units)
        for (const SampleType type : {SampleType::f32, SampleType::f16}) {
            const ValueScale scale(unit, type);
            EXPECT_EQ(scale.stored(0.25), "0.25");
            EXPECT_EQ(scale.between(1234.5), "1234.5");
            EXPECT_EQ(scale.stored(3.2e-7), "3.2e-07");
            EXPECT_EQ(scale.error(0.0125), "0.0125");
            EXPECT_EQ(scale.range(), "");
            EXPECT_EQ(scale.factor(), 1);
        }
}

TEST(ValueText, ErrorsSayOfWhat) {
    EXPECT_EQ(ValueScale(ValueUnit::levels, SampleType::u8).error(0.0278), "7.09 of 255");
    EXPECT_EQ(ValueScale(ValueUnit::levels, SampleType::u16).error(0.0278), "7.09 of 255");
    EXPECT_EQ(ValueScale(ValueUnit::fraction, SampleType::u8).error(0.0278), "0.0278");
    EXPECT_EQ(ValueScale(ValueUnit::hex, SampleType::u8).error(0.0278), "7.09 of 255");
    EXPECT_EQ(ValueScale(ValueUnit::code, SampleType::u16).error(0.0278), "1822 of 65535");
}

// 149.4 and 143.1 dB beside each other would rank the rounding of float32.
TEST(Figures, DecibelsEndWhereOnlyRoundingIsLeft) {
    EXPECT_EQ(psnr_text(58.24), "58.2");
    EXPECT_EQ(psnr_text(119.9), "119.9") << "16 bits are told apart";
    EXPECT_EQ(psnr_text(149.4), "> 120");
    EXPECT_EQ(psnr_text(std::numeric_limits<double>::infinity()), "∞");
    EXPECT_EQ(psnr_text(std::numeric_limits<double>::quiet_NaN()), "–");
    EXPECT_EQ(figure_words({Against::Tells::difference, "quintic B-spline"}, 143.1, 7e-8),
              "against quintic B-spline: > 120 dB");
}

TEST(ValueText, ListsTheChannels) {
    const std::array<float, 3> colour = {105 / 255.0f, 95 / 255.0f, 76 / 255.0f};
    EXPECT_EQ(ValueScale(ValueUnit::levels, SampleType::u8).stored(colour), "[105 95 76]");
    EXPECT_EQ(ValueScale(ValueUnit::hex, SampleType::u8).stored(colour), "[69 5F 4C]");
    EXPECT_EQ(ValueScale(ValueUnit::levels, SampleType::u8).between(colour), "[105.00 95.00 76.00]");
}

// Differences as words.

TEST(DifferenceText, IsInTheUnitOfValuesAndNamesItsFormula) {
    const std::array<double, 3> a{0.5, 0.25, 0.1}, r{0.25, 0.5, 0.1};
    const ValueScale levels(ValueUnit::levels, SampleType::u8), fraction(ValueUnit::fraction, SampleType::u8);
    EXPECT_EQ(row_of(DifferenceKind::absolute).formula, "|a − r|");
    EXPECT_EQ(difference_text(DifferenceKind::absolute, a, r, levels), "[63.8 63.8 0]");
    EXPECT_EQ(difference_text(DifferenceKind::signed_, a, r, levels), "[63.8 -63.8 0]");
    EXPECT_EQ(difference_text(DifferenceKind::absolute, a, r, fraction), "[0.25 0.25 0]");
    EXPECT_EQ(difference_text(DifferenceKind::squared, a, r, fraction), "[0.0625 0.0625 0]");
    EXPECT_EQ(difference_text(DifferenceKind::relative, a, r, levels), "[1 0.5 0]") << "of no unit";
}

TEST(DifferenceText, RoundingOfFloat64IsNothing) {
    const std::array<double, 2> a{0.3, 0.5}, r{0.1 + 0.2, 0.5 + 1e-9};
    EXPECT_EQ(difference_text(DifferenceKind::absolute, a, r, {}), "[0 1e-09]");
}

TEST(DifferenceText, OfWhatIsNotMeasuredIsADash) {
    const std::array<double, 1> a{0.5}, r{NAN};
    EXPECT_EQ(difference_text(DifferenceKind::absolute, a, r, {}), "[–]");
}

// Errors as people see them, by the names that they know; similarities are not taken from 1.
TEST(DifferenceText, OfAMapIsItsValue) {
    EXPECT_EQ(map_value_text(DifferenceKind::flip, 0.1324), "FLIP 0.132");
    EXPECT_EQ(map_value_text(DifferenceKind::delta_e, 3.1), "ΔE 3.10");
    EXPECT_EQ(map_value_text(DifferenceKind::ssim, 0.06), "SSIM 0.940");
    EXPECT_EQ(map_value_text(DifferenceKind::gradient, 0.02), "GMS 0.980");
    EXPECT_EQ(map_value_text(DifferenceKind::ssim, NAN), "SSIM –");
    AppState state;
    state.scene.difference.kind = DifferenceKind::flip;
    Readout readout;
    readout.compared.emplace();
    EXPECT_EQ(difference_text(state.scene, readout, {}), "") << "no map is there yet";
    readout.map = 0.25f;
    EXPECT_EQ(difference_text(state.scene, readout, {}), "FLIP 0.250");
}

// Numbers in columns beside each other.

TEST(NumberColumns, AreAsWideAsTheirWidestNumber) {
    NumberColumn column{.decimals = 4};
    for (const double value : {0.5, 177.645, -119.5224}) column.take(value);
    EXPECT_EQ(column.characters(), 9) << "−119.5224, with a minus sign of three bytes";
    EXPECT_EQ(signed_number(-119.5224, 1), "−119.5");
    column.least = 11;
    EXPECT_EQ(column.characters(), 11) << "its heading";
    NumberColumn nothing;
    nothing.take(-std::numeric_limits<double>::infinity());
    EXPECT_EQ(nothing.characters(), 4) << "-inf";
}

TEST(NumberColumns, LoseDecimalsWhereThereIsNoRoom) {
    const auto fitted = [](int characters) {
        std::array<NumberColumn, 3> columns{NumberColumn{.least = 2},
                                            {.decimals = 6, .fewest = 3, .low = 0, .high = 0.35669},
                                            {.decimals = 4, .fewest = 1, .low = -119.5224, .high = 0}};
        fit_decimals(columns, characters);
        EXPECT_TRUE(characters_of(columns) <= characters || characters < 13);
        return std::array{columns[1].decimals, columns[2].decimals};
    };
    EXPECT_EQ(fitted(19), (std::array{6, 4})) << "2 + 8 + 9 characters";
    EXPECT_EQ(fitted(18), (std::array{6, 3}));
    EXPECT_EQ(fitted(16), (std::array{5, 2}));
    EXPECT_EQ(fitted(14), (std::array{4, 1}));
    EXPECT_EQ(fitted(0), (std::array{3, 1})) << "never fewer";
}

// What is typed into a field of numbers: taken, or refused by one sentence that says what would be right.

constexpr NumberRange factor{.name = "factor", .low = 1, .high = 64},
    angle{.name = "angle", .low = -360, .high = 360, .unit = "°", .zero = false},
    turns{.name = "number of turns", .low = 1, .high = 1000, .whole = true};

TEST(TypedNumber, IsTakenWithinItsRange) {
    EXPECT_EQ(typed_number("2.5", factor).value, 2.5);
    EXPECT_EQ(typed_number(" +64 ", factor).value, 64);
    EXPECT_EQ(typed_number("−7.5", angle).value, -7.5);
    EXPECT_EQ(typed_number("36", turns).value, 36);
    EXPECT_EQ(typed_number("36", turns).problem, "");
}

TEST(TypedNumber, OrRefusedByOneSentence) {
    const auto problem = [](const char* text, const NumberRange& range) {
        const TypedNumber typed = typed_number(text, range);
        EXPECT_FALSE(typed.value) << text;
        return typed.problem;
    };
    EXPECT_EQ(problem("abc", factor), "“abc” is no factor; type a number from 1 to 64.");
    EXPECT_EQ(problem("2 3", factor), "“2 3” is no factor; type a number from 1 to 64.");
    EXPECT_EQ(problem("", factor), "“” is no factor; type a number from 1 to 64.");
    EXPECT_EQ(problem("nan", factor), "“nan” is no factor; type a number from 1 to 64.");
    EXPECT_EQ(problem("0", factor), "The factor can be from 1 to 64.");
    EXPECT_EQ(problem("1000", factor), "The factor can be from 1 to 64.");
    EXPECT_EQ(problem("0", angle), "The angle can be from −360° to 360°, but not 0.");
    EXPECT_EQ(problem("2.5", turns), "“2.5” is no number of turns; type a whole number from 1 to 1000.");
    EXPECT_EQ(problem("0", turns), "The number of turns can be from 1 to 1000.");
}

// A pixel's value as the sum of its taps, in words that add up; what is copied.

using testing::EndsWith;
using testing::HasSubstr;

// What is written, computed anew.
double worked_out(std::string text) {
    for (size_t at; (at = text.find("−")) != text.npos;) text.replace(at, std::string("−").size(), "-");
    for (size_t at; (at = text.find("·")) != text.npos;) text.replace(at, std::string("·").size(), "*");
    text = text.substr(0, text.find('='));
    double sum = 0, sign = 1;
    for (const char* at = text.c_str(); *at;) {
        if (*at == ' ' || *at == '+') ++at;
        else if (*at == '-') sign = -1, ++at;
        else {
            char* end = nullptr;
            const double weight = std::strtod(at, &end);
            EXPECT_EQ(*end, '*') << text;
            const bool brackets = end[1] == '(';
            sum += sign * weight * std::strtod(end + 1 + brackets, &end);
            at = end + brackets;
            sign = 1;
        }
    }
    return sum;
}

TapReport report_with(std::initializer_list<std::pair<double, float>> taps) {
    TapReport report;
    for (const auto& [weight, texel] : taps) {
        Tap& tap = report.taps.emplace_back();
        tap.weight = weight;
        tap.texel[0] = texel;
        report.sum[0] += tap.contribution(0);
    }
    return report;
}

TEST(FormulaText, AddsUpToTheValue) {
    const ValueScale levels(ValueUnit::levels, SampleType::u8), floats;
    const TapReport cubic =
        report_with({{-0.0625, 80 / 255.f}, {0.5625, 100 / 255.f}, {0.5625, 20 / 255.f}, {-0.0625, 1}});
    const std::string text = formula_text(cubic, 0, levels);
    EXPECT_EQ(text, "−0.062500·80 + 0.562500·100 + 0.562500·20 − 0.062500·255 = 46.5625");
    EXPECT_NEAR(worked_out(text), cubic.sum[0] * 255, 1e-4);
    const TapReport negative = report_with({{0.25, -0.5f}, {0.75, 2.25f}});
    EXPECT_EQ(formula_text(negative, 0, floats), "0.250000·(−0.500000) + 0.750000·2.250000 = 1.562500");
    EXPECT_NEAR(worked_out(formula_text(negative, 0, floats)), negative.sum[0], 1e-6);
}

TEST(FormulaText, LeavesOutWhatAddsNothingAndWhatIsTooMuch) {
    const ValueScale floats;
    const TapReport report = report_with({{0, NAN}, {0.5, 1}, {0.25, 1}, {0.25, 1}});
    EXPECT_EQ(formula_text(report, 0, floats), "0.500000·1.000000 + 0.250000·1.000000 + 0.250000·1.000000 = 1.000000");
    EXPECT_EQ(formula_text(report, 0, floats, 1), "0.500000·1.000000 + … 2 more = 1.000000");
    EXPECT_EQ(formula_text(TapReport{}, 0, floats), "0 = 0.000000");
}

TEST(FormulaText, SaysWhatALinearSumBecomes) {
    const ValueScale levels(ValueUnit::levels, SampleType::u8);
    TapReport report = report_with({{1, 0.5f}});
    report.linear_light = true;
    report.result[0] = 0.735357f;
    EXPECT_THAT(formula_text(report, 0, levels), EndsWith(" = 127.5000, in sRGB 187.5160"));
}

// What is copied by the mouse, in a menu: what was under it before.
class CopiedLater : public testing::Test {
protected:
    void SetUp() override {
        state_.scene.panes.push_back({default_spec(*find_method("bilinear"))});
        Document& document = state_.scene.documents.emplace_back();
        document.image = std::make_shared<const Image>(4, 4, 1, SampleType::u8);
        state_.scene.current = 0;
        Readout readout;
        readout.position = {1.25, 2.5};
        readout.channels = 1;
        readout.interpolated[0] = 0.5f;
        state_.report.findings.last_readout = LastReadout{0, document.image, state_.scene.spec(), readout};
    }
    AppState state_;
};

TEST_F(CopiedLater, IsTheLastValueOfTheSamePicture) {
    EXPECT_THAT(copied_text(state_), HasSubstr("1.250000, 2.500000: stored [0] interpolated [127.50]"));
    EXPECT_THAT(copied_text(state_), HasSubstr("bilinear"));
    state_.pointer.inside = true;
    EXPECT_EQ(copied_text(state_), "") << "where the mouse is, values are still to come";
    state_.pointer.inside = false;
    state_.scene.spec() = default_spec(*find_method("nearest"));
    EXPECT_EQ(copied_text(state_), "") << "another method has another value";
}

TEST_F(CopiedLater, IsNothingOnceThePictureIsAnother) {
    state_.scene.documents[0].image = std::make_shared<const Image>(4, 4, 1, SampleType::u8);
    EXPECT_EQ(copied_text(state_), "");
}

TEST_F(CopiedLater, TheFormulaIsThatOfTheTapsTab) {
    EXPECT_EQ(copied_formula(state_), "");
    TapReport taps = report_with({{0.5, 0}, {0.5, 1}});
    taps.position = {1.5, 2};
    state_.report.findings.taps = taps;
    EXPECT_THAT(copied_formula(state_),
                testing::StartsWith("1.500000, 2.000000: 0.500000·0 + 0.500000·255 = 127.5000 (bilinear"));
    state_.report.findings.taps->outside = true;
    EXPECT_EQ(copied_formula(state_), "");
}

// Methods in words.

TEST(MethodWords, OnlyNamesOfPersonsAndProductsBeginWithACapitalInASentence) {
    for (const MethodInfo* method : all_methods()) {
        const std::string name = name_in_text(*method);
        if (std::islower(static_cast<unsigned char>(name[0])) || name[0] == '(') continue;
        EXPECT_THAT(name, testing::MatchesRegex("(Catmull|Mitchell|Lagrange|Lanczos|Gaussian|Hamming|EWA|Magic).*"));
    }
}

TEST(MethodWords, NameParametersThatAreNotTheDefault) {
    EXPECT_EQ(words(parse_spec("bicubic")), "Bicubic (Keys)");
    EXPECT_EQ(words(parse_spec("bicubic:a=-0.61")), "Bicubic (Keys) · a = −0.61");
    EXPECT_EQ(words(parse_spec("bc:b=0,c=1,path=global")), "(B, C) cubic · B = 0 · C = 1 · global");
    EXPECT_EQ(words(parse_spec("bc:b=0,c=1,path=global"), false), "(B, C) cubic · B = 0 · C = 1");
}

// Exact prefilter and the fastest path are what every method has unless it is told otherwise.
TEST(MethodWords, NameNoSettingThatIsTheDefault) {
    for (const MethodInfo* method : all_methods()) {
        EXPECT_EQ(words(default_spec(*method)), method->name);
        EXPECT_EQ(full_words(default_spec(*method)).ends_with(" · exact prefilter"), method->has_prefilter())
            << full_words(default_spec(*method));
    }
    EXPECT_EQ(words(parse_spec("bspline:prefilter=none")), "Cubic B-spline · no prefilter");
    EXPECT_EQ(words(parse_spec("bspline:prefilter=fir7,path=hardware")),
              "Cubic B-spline · prefilter of 7 taps · hardware");
    EXPECT_EQ(words(parse_spec("bspline:coefficients=half")), "Cubic B-spline · exact prefilter · 16-bit coefficients");
}

}  // namespace
}  // namespace texelscope::test
