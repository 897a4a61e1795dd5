// What the numbers on a pane mean.

#include "app/picture/numbers.h"

#include <algorithm>

#include <gmock/gmock.h>

namespace texelscope::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Numbers : public testing::Test {
protected:
    void SetUp() override {
        state_.scene.panes = {{parse_spec("quintic")}, {parse_spec("bilinear")}};
        Document document;
        document.source = "/photos/house.png";
        document.image = std::make_shared<const Image>(40, 30, 1, SampleType::u8);
        state_.scene.documents = {document};
        state_.scene.current = 0;
        state_.scene.arrangement = Arrangement::columns;
        state_.scene.reference = {Reference::Kind::method, parse_spec("quintic"), {}};
        state_.report.frame.picture = {0, 0, 400, 300};
        state_.report.findings.panes.resize(2);
        for (PaneReport& report : state_.report.findings.panes) {
            report.metrics = Metrics{
                .rmse = 0.1, .max_abs = 0.4, .psnr = 20, .ssim = 0.9, .pixels = 1200, .worst_x = 12, .worst_y = 8};
            report.render_ms = 0.0713;
            report.cost = {16, true, false};
        }
    }
    NumberMeaning line(int pane, const std::string& name) const {
        for (const NumberMeaning& each : numbers_explained(state_, pane))
            if (each.name == name) return each;
        return {};
    }

    AppState state_;
};

TEST_F(Numbers, StartWithTheOnesOfThePane) {
    EXPECT_EQ(numbers_in_short(state_, 1),
              "Pane B shows bilinear. Against quintic B-spline it reaches 20.0 dB: its values differ from that by 25.5 "
              "of 255 (root mean square).");
    EXPECT_THAT(numbers_in_short(state_, 0),
                AllOf(HasSubstr("Pane A shows quintic B-spline. It is the reference"), Not(HasSubstr(" dB"))));
    state_.scene.reference = {};
    EXPECT_THAT(numbers_in_short(state_, 1), AllOf(HasSubstr("arithmetic error of 26 of 255"), Not(HasSubstr(" dB"))));
    state_.report.findings.panes[1].metrics.reset();
    state_.report.findings.no_metrics = "there is too little memory.";
    EXPECT_THAT(numbers_in_short(state_, 1), HasSubstr("no figures: there is too little memory."));
}

TEST_F(Numbers, OfWhatIsShownNameOnlyWhatIsThere) {
    EXPECT_THAT(line(0, "Value under the cursor").words,
                AllOf(HasSubstr("the status bar shows the position in samples, the interpolated value and"),
                      Not(HasSubstr("arrow"))));
}

TEST_F(Numbers, ZoomedOutSayThatTheyRankNothing) {
    EXPECT_THAT(numbers_in_short(state_, 1), Not(HasSubstr("not which is best")));
    state_.scene.documents[0].view.scale = 3;
    EXPECT_THAT(numbers_in_short(state_, 1), HasSubstr("how much alike they are, not which is best"));
}

TEST_F(Numbers, ShowHowDecibelsFollowFromTheError) {
    EXPECT_EQ(line(1, "PSNR").figure, "20.0 dB");
    EXPECT_THAT(line(1, "PSNR").words, HasSubstr("20 log₁₀ (255 / 25.5) = 20.0."));
    state_.ui.value_unit = ValueUnit::fraction;
    EXPECT_THAT(line(1, "PSNR").words, HasSubstr("20 log₁₀ (1 / 0.1) = 20.0."));
    EXPECT_EQ(line(1, "RMSE").figure, "0.100");
    EXPECT_EQ(line(0, "PSNR").figure, "") << "the reference has none";
}

TEST_F(Numbers, ExplainEveryFigureOfThePane) {
    for (const auto& [name, figure] : {std::pair<std::string, std::string>{"Label", "Bilinear · auto"},
                                       {"Reference", "quintic B-spline"},
                                       {"Measured over", "1200 pixels"},
                                       {"SSIM", "0.9000"},
                                       {"RMSE", "25.5 of 255"},
                                       {"Largest error", "102 of 255"},
                                       {"Time", "71.3 µs"},
                                       {"Taps", "16 taps"},
                                       {"Value under the cursor", "–"}}) {
        EXPECT_EQ(line(1, name).figure, figure) << name;
        EXPECT_TRUE(line(1, name).words.ends_with('.')) << name;
    }
    EXPECT_THAT(line(1, "Largest error").words, HasSubstr("at pixel 12, 8"));
    Readout readout;
    readout.position = {1.5, 2.25};
    readout.on_image = true;
    readout.channels = 1;
    readout.stored[0] = 1;
    readout.interpolated[0] = 0.5f;
    state_.report.findings.panes[1].readout = readout;
    EXPECT_EQ(line(1, "Value under the cursor").figure, "[127.50]");
    EXPECT_THAT(line(1, "Value under the cursor").words, AllOf(HasSubstr("1.50, 2.25"), HasSubstr("is [255]")));
}

TEST_F(Numbers, OfTheBackgroundAreNoValues) {
    Readout readout;
    readout.position = {-31, 250};
    readout.channels = 1;
    state_.report.findings.panes[1].readout = readout;
    EXPECT_EQ(line(1, "Value under the cursor").figure, "outside");
    EXPECT_THAT(line(1, "Value under the cursor").words, AllOf(HasSubstr("background"), Not(HasSubstr("stored"))));
    state_.scene.outside = Outside::extend;
    EXPECT_THAT(line(1, "Value under the cursor").words, HasSubstr("-31.00, 250.00"));
}

// The pane has 200×300 pixels, of which 40×30 are on the image: the others are not left out, they are the background.
TEST_F(Numbers, SayWhichPixelsOfTheImageAreLeftOut) {
    Metrics& metrics = *state_.report.findings.panes[1].metrics;
    state_.report.findings.panes[1].outdated = false;
    state_.scene.documents[0].image = std::make_shared<const Image>(40, 30, 1, SampleType::f32);
    metrics.left_out = 200 * 300 - 1200;
    EXPECT_THAT(line(1, "Measured over").words, Not(HasSubstr("Not measured")));
    metrics.pixels -= 100;
    metrics.left_out += 100;
    EXPECT_THAT(line(1, "Measured over").words, HasSubstr("Not measured: 100 pixels whose value, here or in the"));
    EXPECT_THAT(line(1, "Measured over").words, HasSubstr("infinite or not a number"));
    state_.scene.selection = Region{0, 0, 40, 29};
    EXPECT_THAT(line(1, "Measured over").words, HasSubstr("Not measured: 60 pixels")) << "29 rows of 40, less 1100";
    state_.scene.selection.reset();
    state_.scene.documents[0].image = std::make_shared<const Image>(40, 30, 1, SampleType::u8);
    EXPECT_THAT(line(1, "Measured over").words, Not(HasSubstr("Not measured"))) << "integers are finite";
    state_.scene.reference = {Reference::Kind::truth, {}, {}};
    EXPECT_THAT(line(1, "Measured over").words, HasSubstr("above Nyquist"));
}

}  // namespace
}  // namespace texelscope::test
