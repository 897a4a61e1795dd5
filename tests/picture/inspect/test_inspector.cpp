// When the histogram is computed, and of what.

#include "app/picture/inspect/inspector.h"

#include <gtest/gtest.h>

#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/patience.h"

namespace texelscope::test {
namespace {

AppState state_over(const std::shared_ptr<const Image>& image) {
    AppState state;
    Document document;
    document.source = "@noise";
    document.image = image;
    state.scene.documents = {document};
    state.scene.current = 0;
    state.scene.panes = {{spec_of("bilinear")}};
    state.report.frame.picture = {0, 0, 202, 100};
    state.ui.animate = false;
    return state;
}

TEST(Inspector, TheHistogramWaitsUntilThePictureRests) {
    AppState state = state_over(std::make_shared<const Image>(noise(64, 48, 1, SampleType::u8, 439)));
    SourceCache sources(make_cpu_backend());
    Inspector inspector;
    state.ui.dock = Dock::histogram;
    state.now = 1;
    inspector.fill(state, sources);
    EXPECT_EQ(state.report.findings.histogram.channels, 0);
    EXPECT_NEAR(patience_of(inspector, state), histogram_rest_seconds, 1e-9);
    state.now += histogram_rest_seconds + 0.01;
    inspector.fill(state, sources);
    EXPECT_EQ(state.report.findings.histogram.channels, 1);
    EXPECT_FALSE(state.report.findings.histogram.outdated);
    EXPECT_LT(patience_of(inspector, state), 0);
    state.scene.documents[0].view.translate_x += 1;
    inspector.fill(state, sources);
    EXPECT_TRUE(state.report.findings.histogram.outdated);
}

TEST(Inspector, TheHistogramIsOfTheSelectionUnlessOfAll) {
    AppState state = state_over(std::make_shared<const Image>(noise(64, 48, 1, SampleType::u8, 444)));
    SourceCache sources(make_cpu_backend());
    Inspector inspector;
    state.ui.dock = Dock::histogram;
    const auto pixels = [&] {
        inspector.fill(state, sources);
        state.now += histogram_rest_seconds + 0.01;
        inspector.fill(state, sources);
        return state.report.findings.histogram.pixels;
    };
    const int64_t all = pixels();
    state.scene.selection = Region{10, 10, 30, 20};
    const int64_t selected = pixels();
    EXPECT_TRUE(state.report.findings.histogram.of_selection);
    EXPECT_GT(selected, 0);
    EXPECT_LT(selected, all);
    state.ui.inspect.statistics_of_all = true;
    EXPECT_EQ(pixels(), all);
    EXPECT_FALSE(state.report.findings.histogram.of_selection);
}

}  // namespace
}  // namespace texelscope::test
