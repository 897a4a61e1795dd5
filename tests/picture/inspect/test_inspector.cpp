// When the histogram is computed, and of what.

#include "app/picture/inspect/inspector.h"

#include <chrono>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "gpu/tiles/image_tiles.h"
#include "tests/support/backends.h"
#include "tests/support/formula_tiles.h"
#include "tests/support/images.h"
#include "tests/support/patience.h"

namespace texelscope::test {
namespace {

AppState inspected_state(const std::shared_ptr<const Image>& image) {
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
    AppState state = inspected_state(std::make_shared<const Image>(noise(64, 48, 1, SampleType::u8, 439)));
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
    AppState state = inspected_state(std::make_shared<const Image>(noise(64, 48, 1, SampleType::u8, 444)));
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

// Of an image that is not in memory, the same profile of the same part, once its samples have come.
TEST(Inspector, TheProfileOfALargeImageIsThatOfTheImageInMemory) {
    for (const Alpha alpha : {Alpha::none, Alpha::straight}) {
        const auto image = std::make_shared<const Image>(noise(700, 600, 4, SampleType::u8, 445, alpha));
        const auto large = std::make_shared<const Image>(std::make_shared<ImageTiles>(image, 64));
        AppState state = inspected_state(image);
        state.ui.dock = Dock::profile;
        state.scene.panes = {
            {spec_of("bspline:address=mirror")}, {spec_of("lanczos3")}, {spec_of("quintic:address=wrap")}};
        SourceCache resident(make_cpu_backend()), sources(make_cpu_backend());
        sources.show_live([] {});
        using Along = ProfileLine::Along;
        for (const ProfileLine& line :
             {ProfileLine{Along::row, true, {0, 300}, {}}, ProfileLine{Along::column, true, {2, 0}, {}},
              ProfileLine{Along::row, true, {0, 599}, {}}, ProfileLine{Along::line, true, {320, 280}, {380, 310}}}) {
            for (const double x : {0.0, 340.0}) {
                state.scene.profile = line;
                state.scene.documents[0].view.translate_x = x;
                state.scene.documents[0].image = image;
                Inspector().fill(state, resident);
                const ProfileReport expected = state.report.findings.profile;
                state.scene.documents[0].image = large;
                Inspector inspector;
                ProfileReport& got = state.report.findings.profile;
                got = {};
                for (int ms = 0; ms < 20000 && got.curves.empty(); ++ms) {
                    inspector.fill(state, sources);
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
                ASSERT_EQ(got.at, expected.at) << state.report.findings.no_profile;
                ASSERT_EQ(got.curves.size(), 3u);
                ASSERT_EQ(got.stored.size(), expected.stored.size());
                for (size_t k = 0; k < got.stored.size(); ++k) {
                    EXPECT_EQ(got.stored[k].at, expected.stored[k].at);
                    if (alpha == Alpha::straight && expected.stored[k].value[3] < 0.01f) continue;
                    for (size_t c = 0; c < 4; ++c)
                        EXPECT_NEAR(got.stored[k].value[c], expected.stored[k].value[c], 1e-6);
                }
                for (size_t pane = 0; pane < 3; ++pane)
                    for (size_t k = 0; k < got.at.size(); ++k) {
                        const auto &a = got.curves[pane].values[k], &b = expected.curves[pane].values[k];
                        // Divided by alpha, what is nearly transparent would differ by more.
                        const bool divided = alpha == Alpha::straight;
                        for (size_t c = 0; c < 4; ++c)
                            ASSERT_NEAR(a[c] * (divided && c < 3 ? a[3] : 1), b[c] * (divided && c < 3 ? b[3] : 1),
                                        5e-6)
                                << pane << " " << k;
                    }
            }
        }
    }
}

// Its box has 60 million samples, of which those near the line are read.
TEST(Inspector, TheProfileOfALongSlantedLineReadsOnlyWhatIsNearIt) {
    constexpr int64_t side = 9000;
    const auto tiles = std::make_shared<FormulaTiles>(
        int(side), int(side), [](int64_t x, int64_t y) { return float(x % 97) / 97 + float(y % 89); }, 64);
    const auto large = std::make_shared<const Image>(tiles);
    AppState state = inspected_state(large);
    state.ui.dock = Dock::profile;
    state.scene.panes = {{spec_of("nearest")}};
    state.scene.profile = ProfileLine{ProfileLine::Along::line, true, {100.25, 200.5}, {8500.25, 7300.5}};
    state.ui.inspect.profile = {0, 1e9};  // all of it
    SourceCache sources(make_cpu_backend());
    sources.show_live([] {});
    Inspector inspector;
    const ProfileReport& got = state.report.findings.profile;
    for (int ms = 0; ms < 20000 && got.curves.empty(); ++ms) {
        inspector.fill(state, sources);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_EQ(got.curves.size(), 1u) << state.report.findings.no_profile;
    EXPECT_TRUE(got.stored.empty());
    ASSERT_GT(got.at.size(), 1000u);
    int differ = 0;
    for (size_t k = 0; k < got.at.size(); ++k) {
        const Point p = got.point(got.at[k]);
        const int64_t x = std::llround(p.x), y = std::llround(p.y);
        const float expected = float(x % 97) / 97 + float(y % 89);
        differ += std::abs(got.curves[0].values[k][0] - expected) > 1e-5f;  // floats up to 90
    }
    EXPECT_LE(differ, 2) << "but for points halfway between two samples";
    EXPECT_LT(tiles->samples_read, size_t(side * side) + (size_t(20) << 20)) << "the first is for the overview";
}

}  // namespace
}  // namespace texelscope::test
