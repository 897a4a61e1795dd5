// What the chips and the Compare panel say about a pane's figures.

#include <cmath>

#include <gmock/gmock.h>

#include "app/picture/pane_figures.h"
#include "app/picture/pane_words.h"
#include "app/state/references.h"

namespace texelscope::test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Tells = Against::Tells;

Document document(const std::string& source, int width, int height) {
    Document document;
    document.source = source;
    document.image = std::make_shared<const Image>(width, height, 1, SampleType::u8);
    document.view.scale = 0.25;
    return document;
}

class PaneFigures : public testing::Test {
protected:
    void SetUp() override {
        for (const char* spec : {"nearest", "bspline", "bspline:path=hardware", "bspline:prefilter=fir7"})
            state_.scene.panes.push_back({parse_spec(spec)});
        state_.scene.documents = {document("/photos/small.png", 40, 30), document("/photos/large.png", 160, 120),
                                  document("/photos/other.png", 40, 30)};
        state_.scene.current = 0;
        state_.scene.arrangement = Arrangement::grid;
        state_.report.frame.picture = {0, 0, 400, 300};
        measure_against({Reference::Kind::method, parse_spec("bspline"), {}});
        state_.report.findings.panes.resize(4);
        for (PaneReport& report : state_.report.findings.panes) {
            report.metrics = Metrics{.rmse = 2e-8, .max_abs = 0.5, .psnr = 31.06, .ssim = 0.98765, .pixels = 30000};
            report.render_ms = 0.0713;
            report.outdated = false;
        }
    }
    void measure_against(const Reference& reference) { state_.scene.reference = reference; }
    std::vector<std::string> lines(int pane) const { return chip_figures(state_, pane, Named::elsewhere); }

    AppState state_;
};

TEST_F(PaneFigures, NameTheReferenceWhereThereIsSpace) {
    EXPECT_THAT(lines(0), ElementsAre("against cubic B-spline: 31.1 dB", "against cubic B-spline: 31.1 dB", "31.1 dB"));
    state_.report.findings.panes[0].outdated = true;
    state_.scene.selection = Region{1, 1, 5, 5};
    EXPECT_EQ(reference_name(state_, 0), "cubic B-spline") << "the difference names it too";
    EXPECT_THAT(lines(0), ElementsAre("… selection · against cubic B-spline: 31.1 dB",
                                      "… against cubic B-spline: 31.1 dB", "… 31.1 dB"));
}

TEST_F(PaneFigures, APaneThatIsTheReferenceSaysSoInsteadOfDecibels) {
    EXPECT_EQ(lines(1).front(), "is the reference");
    EXPECT_EQ(lines(1).back(), "reference");
    EXPECT_EQ(against_of(state_, 2).tells, Tells::difference) << "the texture unit's weights differ";
    EXPECT_EQ(against_of(state_, 3).tells, Tells::difference) << "so does a prefilter that is cut off";
    state_.scene.panes[1].spec = parse_spec("bc:b=0.5");
    measure_against({Reference::Kind::method, parse_spec("bc:b=0.25"), {}});
    EXPECT_EQ(against_of(state_, 1).tells, Tells::difference) << "other parameters";
    // Zoomed out and antialiased, weights come from a table, whatever the path.
    measure_against({Reference::Kind::method, parse_spec("bspline"), {}});
    state_.scene.documents[0].view.scale = 3;
    EXPECT_EQ(against_of(state_, 2).tells, Tells::nothing);
}

TEST_F(PaneFigures, AgainstThemselvesMethodsHaveNeitherDecibelsNorSsim) {
    measure_against({});
    for (int pane = 0; pane < 4; ++pane) {
        EXPECT_THAT(lines(pane),
                    ElementsAre("arithmetic error 5.1e-6 of 255", "arithmetic error 5.1e-6 of 255", "error 5.1e-6"));
        EXPECT_THAT(figures_explained(state_, pane),
                    AllOf(Not(HasSubstr("dB")), Not(HasSubstr("SSIM")), HasSubstr("RMSE 5.10e-06 of 255"),
                          HasSubstr("largest error 127.5 of 255")));
    }
}

TEST_F(PaneFigures, HaveTheUnitThatWasChosen) {
    measure_against({});
    state_.ui.value_unit = ValueUnit::fraction;
    EXPECT_EQ(lines(0)[1], "arithmetic error 2e-8");
    EXPECT_THAT(figures_explained(state_, 0), HasSubstr("largest error 0.500 at"));
    state_.ui.value_unit = ValueUnit::levels;
    state_.scene.documents[0].image = std::make_shared<const Image>(40, 30, 1, SampleType::f32);
    EXPECT_EQ(lines(0)[1], "arithmetic error 2e-8") << "floats have no range";
}

TEST_F(PaneFigures, WithoutAPeakTheErrorIsSaidInsteadOfDecibels) {
    state_.report.findings.panes[0].metrics->psnr = state_.report.findings.panes[0].metrics->ssim = NAN;
    state_.report.findings.no_psnr = "the samples are still being read";
    EXPECT_THAT(lines(0), ElementsAre("against cubic B-spline: RMSE 5.10e-06 of 255",
                                      "against cubic B-spline: RMSE 5.10e-06 of 255", "RMSE 5.10e-06 of 255"));
    EXPECT_THAT(figures_explained(state_, 0), HasSubstr("PSNR – dB\nSSIM –\nRMSE 5.10e-06 of 255"));
    EXPECT_THAT(figures_explained(state_, 0), HasSubstr("the samples are still being read."));
}

TEST_F(PaneFigures, ALargerImageIsTheOriginal) {
    measure_against({Reference::Kind::image, {}, "/photos/large.png"});
    EXPECT_EQ(lines(0)[0], "against the original: 31.1 dB");
    EXPECT_THAT(figures_explained(state_, 0),
                HasSubstr("Against the original, large.png, over the same field, read by the cubic B-spline"));
    measure_against({Reference::Kind::image, {}, "/photos/other.png"});
    EXPECT_EQ(lines(0)[0], "against other.png: 31.1 dB");
    measure_against({Reference::Kind::image, {}, "/photos/small.png"});
    EXPECT_EQ(against_of(state_, 1).tells, Tells::nothing);
    EXPECT_EQ(against_of(state_, 2).tells, Tells::arithmetic);
}

TEST_F(PaneFigures, AreExplained) {
    const std::string text = figures_explained(state_, 0);
    for (const char* part : {"Nearest neighbour", "Against cubic B-spline, exact, in float64",
                             "all of the image that this pane shows", "30000 pixels", "PSNR 31.1 dB", "SSIM 0.9877",
                             "RMSE 5.10e-06 of 255", "largest error 127.5 of 255", "71.3 µs"})
        EXPECT_THAT(text, HasSubstr(part));
    state_.scene.selection = Region{1, 1, 5, 5};
    EXPECT_THAT(figures_explained(state_, 0), HasSubstr("the selected region: 30000 pixels"));
    EXPECT_THAT(figures_explained(state_, 1), AllOf(HasSubstr("This pane is the reference"), Not(HasSubstr("dB"))));
}

TEST_F(PaneFigures, AreMissingUntilSomethingIsKnown) {
    state_.report.findings.panes[0].metrics.reset();
    EXPECT_TRUE(lines(0).empty());
    state_.report.findings.panes.clear();
    EXPECT_TRUE(lines(0).empty());
}

// The same whatever methods are added, so that figures of different versions and pictures can be compared.
TEST(DefaultReference, IsTheQuinticBSpline) {
    const Reference reference = default_reference();
    EXPECT_EQ(reference.kind, Reference::Kind::method);
    EXPECT_EQ(reference.spec.method->id, "quintic");
    EXPECT_TRUE(reference.spec.method->interpolating);
}

// A verdict on the whole image may be known: the figures of a part of it differ.
TEST_F(PaneFigures, AgainstAnOriginalTheySayThatTheyAreOfTheVisiblePart) {
    measure_against({Reference::Kind::image, {}, "/photos/large.png"});
    EXPECT_EQ(lines(0).front(), "against the original: 31.1 dB");
    EXPECT_EQ(comparison_words(state_, false, true).front(), "dB against the original");
    state_.scene.documents[0].view.scale = 0.1;
    EXPECT_EQ(lines(0).front(), "visible part · against the original: 31.1 dB");
    EXPECT_EQ(lines(0).back(), "31.1 dB") << "where there is no space for it";
    EXPECT_EQ(comparison_words(state_, false, true).front(), "dB of the visible part against the original");
    state_.scene.selection = Region{1, 1, 5, 5};
    EXPECT_EQ(lines(0).front(), "selection · against the original: 31.1 dB");
    state_.scene.selection.reset();
    measure_against({Reference::Kind::method, parse_spec("bspline"), {}});
    EXPECT_EQ(lines(0).front(), "against cubic B-spline: 31.1 dB");
}

// Zoomed out, the reference is widened as well: it is no truth that decibels against it could rank by.
TEST_F(PaneFigures, ZoomedOutTheyTellLikenessNotQuality) {
    EXPECT_EQ(comparison_words(state_, false, true).front(), "dB against cubic B-spline");
    state_.scene.documents[0].view.scale = 3;
    EXPECT_EQ(lines(0).front(), "likeness to cubic B-spline: 31.1 dB");
    EXPECT_THAT(comparison_words(state_, false, true),
                ElementsAre("dB against cubic B-spline: likeness, not quality", "likeness to cubic B-spline"));
    EXPECT_THAT(comparison_words(state_, true, true),
                ElementsAre("absolute difference and dB against cubic B-spline: likeness, not quality",
                            "difference, likeness to cubic B-spline", "against cubic B-spline"))
        << "however short, it does not call the colours of differences likeness";
    state_.scene.panes[0].difference = true;
    EXPECT_EQ(comparison_words(state_, true, false).front(), "absolute difference against cubic B-spline");
    EXPECT_THAT(figures_explained(state_, 0), HasSubstr("not which is best"));
    state_.scene.antialias = false;
    EXPECT_EQ(lines(0).front(), "against cubic B-spline: 31.1 dB");
    state_.scene.antialias = true;
    measure_against({Reference::Kind::image, {}, "/photos/large.png"});
    EXPECT_EQ(lines(0).front(), "against the original: 31.1 dB") << "the original is a truth at any zoom";
}

}  // namespace
}  // namespace texelscope::test
