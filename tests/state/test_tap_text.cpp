// A pixel's value as the sum of its taps, in words that add up; what is copied.

#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "app/state/readout_text.h"
#include "gpu/core/text.h"

namespace texelscope::test {
namespace {

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

}  // namespace
}  // namespace texelscope::test
