// Which spectra the dock shows: of what part, when, and what methods make of the samples' frequencies.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "app/picture/inspect/curves.h"
#include "app/picture/inspect/inspector.h"
#include "app/picture/inspect/spectrum.h"
#include "gpu/core/tile_source.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/patience.h"

namespace texelscope::test {
namespace {

class SpectrumOfPanes : public testing::Test {
protected:
    // A picture of 256×256 pixels, in which 64×64 samples at 400 % are seen whole.
    void show(const std::shared_ptr<const Image>& image, std::initializer_list<const char*> methods, double zoom = 4) {
        Document document;
        document.source = "@noise";
        document.image = image;
        document.view.scale = 1 / zoom;
        state_.scene.documents = {document};
        state_.scene.current = 0;
        state_.scene.panes.clear();
        for (const char* method : methods) state_.scene.panes.push_back({spec_of(method)});
        state_.places.picture = {0, 0, 256, 256};
        state_.ui.animate = false;
        state_.ui.dock = Dock::spectrum;
    }

    // What has been found once nothing is to be done any more.
    const SpectrumReport& found() {
        for (int turns = 0; turns < 10; ++turns) {
            worker_.fill(state_, sources_);
            if (!worker_.poll(state_) && !state_.report.findings.spectrum.outdated) break;
            worker_.wait();
            state_.now += histogram_rest_seconds + 0.01;
        }
        EXPECT_FALSE(state_.report.findings.spectrum.outdated);
        return state_.report.findings.spectrum;
    }

    AppState state_;
    SourceCache sources_{make_cpu_backend()};
    SpectrumWorker worker_;
};

std::shared_ptr<const Image> noisy(int width, int height, uint64_t seed) {
    return std::make_shared<const Image>(noise(width, height, 1, SampleType::f32, seed));
}

// Of a periodic picture the pixels hold the samples' spectrum, with its copies, times the squared response.
TEST_F(SpectrumOfPanes, AMethodMultipliesByItsResponse) {
    for (const char* method : {"bilinear:address=wrap", "catmull-rom:address=wrap", "bspline:address=wrap",
                               "bspline:address=wrap,prefilter=none", "lanczos3:address=wrap"}) {
        show(noisy(64, 64, 31), {method});
        state_.ui.inspect.spectrum_windowed = false;
        const SpectrumReport& report = found();
        ASSERT_EQ(report.of.size(), 2u) << method;
        const Spectrum &samples = *report.of[0].spectrum, &pixels = *report.of[1].spectrum;
        ASSERT_EQ(samples.width, 64);
        ASSERT_EQ(pixels.width, 256);
        EXPECT_EQ(pixels.nyquist(), 2);
        const MethodCurves curves(state_.scene.panes[0].spec);
        const double top = samples.largest();
        for (int row = 64; row < 192; row += 3)
            for (int column = 64; column < 192; column += 5) {
                const double x = pixels.x(column), y = pixels.y(row);
                const double gain = curves.cardinal_spectrum(x) * curves.cardinal_spectrum(y);
                // Pixels are samples too: what is beyond their Nyquist frequency is folded back.
                EXPECT_NEAR(pixels.at(column, row) / top, power_at(samples, x, y, true) / top * gain * gain, 0.01)
                    << method << " at " << x << ", " << y;
            }
        EXPECT_NEAR(power_at(pixels, 0, 0, false), power_at(samples, 0, 0, true), 1e-5) << "the mean stays";
    }
}

TEST_F(SpectrumOfPanes, TheResponsesAreThoseOfMethodAndPrefilter) {
    show(noisy(64, 64, 32), {"bspline", "catmull-rom"});
    state_.scene.arrangement = Arrangement::columns;
    const SpectrumReport& report = found();
    ASSERT_EQ(report.of.size(), 3u);
    const SpectrumReport::Response& bspline = *report.of[1].response;
    const MethodCurves curves(state_.scene.panes[0].spec);
    ASSERT_EQ(bspline.method.x.size(), bspline.prefilter.x.size());
    for (size_t k = 0; k < bspline.method.x.size(); k += 7) {
        const double f = bspline.method.x[k];
        // The cubic B-spline's samples 1/6, 4/6, 1/6, which the prefilter undoes.
        EXPECT_NEAR(bspline.prefilter.y[k], -decibels((2 + std::cos(2 * std::numbers::pi * f)) / 3), 1e-6);
        if (std::abs(curves.spectrum(f)) < 1e-6) continue;
        EXPECT_NEAR(bspline.method.y[k], decibels(curves.spectrum(f)) + bspline.prefilter.y[k], 1e-6) << f;
    }
    EXPECT_TRUE(report.of[2].response->prefilter.x.empty());
    const Plot plot = radial_plot(report, 0, 1);
    std::vector<std::string> names;
    for (const Series& series : plot.series) names.push_back(series.name);
    EXPECT_EQ(names, (std::vector<std::string>{"samples", "A", "B", "response A", "prefilter A", "response B"}));
}

TEST_F(SpectrumOfPanes, AreOfTheSelectionOrOfWhatIsInView) {
    show(noisy(500, 400, 33), {"bilinear"});
    const SpectrumReport& report = found();
    EXPECT_FALSE(report.of_selection);
    EXPECT_EQ(report.asked, (Extent{64, 64}));
    EXPECT_EQ(report.part.x0, 218);
    EXPECT_EQ(report.of[1].spectrum->width, 256);
    state_.scene.selection = Region{230, 180, 247.5, 190};
    found();
    EXPECT_TRUE(report.of_selection);
    EXPECT_EQ(report.asked, (Extent{18, 11}));
    EXPECT_EQ(report.of[0].spectrum->height, 11) << "exactly what is selected";
    EXPECT_EQ(report.of[1].spectrum->width, 72) << "its pixels";
    state_.ui.inspect.statistics_of_all = true;
    EXPECT_EQ(found().asked, (Extent{64, 64}));
    state_.ui.inspect.statistics_of_all = false;
    state_.scene.selection = Region{230.2, 180.2, 230.7, 180.7};
    EXPECT_TRUE(found().of.empty());
    EXPECT_EQ(state_.report.findings.no_spectrum, "The selected region holds no sample.");
}

TEST_F(SpectrumOfPanes, AreOfNoMoreThanIsTransformedQuickly) {
    show(noisy(3000, 2000, 34), {"bilinear"}, 0.1);
    const SpectrumReport& report = found();
    EXPECT_EQ(report.asked, (Extent{2560, 2000}));
    EXPECT_EQ(report.of[0].spectrum->width, 1024);
    EXPECT_EQ(report.of[0].spectrum->height, 1024);
    EXPECT_EQ(report.part.x0 + report.part.x1, 2999) << "the middle";
    EXPECT_NEAR(report.of[1].spectrum->nyquist(), 0.05, 1e-12);
    EXPECT_NEAR(report.of[1].spectrum->width, 102.4, 3) << "the same part";
}

// The spectra of a picture and of a pane, both of the largest size that is transformed: while the view moves, two cores find
// them ten times a second.
// Their time counts, which a busy machine does not lengthen much, and the least of it.
TEST_F(SpectrumOfPanes, FollowTheView) {
    show(std::make_shared<const Image>(noise(1536, 1536, 3, SampleType::u8, 35)), {"bspline"}, 1);
    state_.places.picture = {0, 0, 1024, 1024};
    found();
    double least = INFINITY;  // milliseconds, of all threads
    for (int i = 1; i <= 8; ++i) {
        state_.scene.documents[0].view.translate_x = i;
        const std::clock_t start = std::clock();
        const SpectrumReport& report = found();
        least = std::min(least, 1000.0 * double(std::clock() - start) / CLOCKS_PER_SEC);
        ASSERT_EQ(report.of[0].spectrum->width, 1024);
        ASSERT_EQ(report.of[1].spectrum->height, 1024);
    }
    RecordProperty("processor_ms", std::to_string(least));
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_LT(least, 2 * 100);
#endif
}

// The square of the samples' frequencies turns with the view; so does a wave.
TEST_F(SpectrumOfPanes, RotateWithTheView) {
    Image image(300, 300, 1, SampleType::f32);
    for (int y = 0; y < 300; ++y)
        for (int x = 0; x < 300; ++x) image.row_as<float>(y)[x] = float(std::cos(2 * std::numbers::pi * 0.2 * x));
    show(std::make_shared<const Image>(std::move(image)), {"catmull-rom"}, 2);
    state_.scene.documents[0].view.rotate = 30;
    const SpectrumReport& report = found();
    const Spectrum &samples = *report.of[0].spectrum, &pixels = *report.of[1].spectrum;
    EXPECT_NEAR(std::abs(samples.x(samples.strongest.first)), 0.2, 1.0 / samples.width);
    EXPECT_NEAR(samples.y(samples.strongest.second), 0, 1e-9);
    // R(30°)ᵀ (0.2, 0) = (0.2 cos 30°, −0.2 sin 30°)
    const double x = pixels.x(pixels.strongest.first), y = pixels.y(pixels.strongest.second), sign = x > 0 ? 1 : -1;
    EXPECT_NEAR(sign * x, 0.1732, 2.0 / pixels.width);
    EXPECT_NEAR(sign * y, -0.1, 2.0 / pixels.height);
    const Point corner = report.of[1].nyquist[1];  // of (½, −½)
    EXPECT_NEAR(corner.x, 0.5 * std::cos(std::numbers::pi / 6) - 0.5 * std::sin(std::numbers::pi / 6), 1e-9);
    EXPECT_NEAR(corner.y, -0.5 * std::sin(std::numbers::pi / 6) - 0.5 * std::cos(std::numbers::pi / 6), 1e-9);
}

// The newest view is transformed once what is being transformed is there; until then the last result stays.
TEST_F(SpectrumOfPanes, FollowTheViewWhileItMoves) {
    show(noisy(500, 400, 35), {"bilinear"});
    const SpectrumReport& report = found();
    const auto first = report.of[0].spectrum;
    EXPECT_LT(patience_of(worker_, state_), 0) << "nothing to do";
    state_.scene.documents[0].view.translate_x += 1;
    worker_.fill(state_, sources_);
    EXPECT_TRUE(report.outdated);
    EXPECT_EQ(report.of[0].spectrum, first);
    EXPECT_GE(patience_of(worker_, state_), 0);
    state_.scene.documents[0].view.translate_x += 1;  // while it works
    worker_.wait();
    EXPECT_TRUE(worker_.fill(state_, sources_));
    EXPECT_EQ(report.part.x0, 219) << "that of the view between";
    EXPECT_TRUE(report.outdated);
    EXPECT_EQ(found().part.x0, 220);
    state_.ui.dock = Dock::none;
    EXPECT_TRUE(worker_.fill(state_, sources_));
    EXPECT_TRUE(report.of.empty());
}

TEST_F(SpectrumOfPanes, OfAnImageThatIsReadByRegionsIsTheSame) {
    const auto image = noisy(500, 400, 36);
    show(image, {"nearest"});
    const std::vector<float> expected = found().of[0].spectrum->power;
    show(std::make_shared<const Image>(std::make_shared<ImageTiles>(image, 64)), {"nearest"});
    const SpectrumReport& report = found();
    EXPECT_EQ(report.of[0].spectrum->power, expected);
    ASSERT_TRUE(report.of[1].spectrum);
}

TEST_F(SpectrumOfPanes, OfASignalIsARow) {
    show(std::make_shared<const Image>(signal(64, [](int k) { return std::cos(2 * std::numbers::pi * k / 8); })),
         {"bspline"});
    const SpectrumReport& report = found();
    EXPECT_EQ(report.of[0].spectrum->height, 1);
    EXPECT_NEAR(std::abs(report.of[0].spectrum->x(report.of[0].spectrum->strongest.first)), 0.125, 1e-9);
    ASSERT_TRUE(report.of[1].spectrum) << report.of[1].why_not;
    EXPECT_EQ(report.of[1].spectrum->height, 1);
    const Spectrum& pixels = *report.of[1].spectrum;
    EXPECT_NEAR(std::abs(pixels.x(pixels.strongest.first)), 0.125, 1.5 / (pixels.width * pixels.pitch));
}

TEST_F(SpectrumOfPanes, WhatIsWidenedHasNoResponse) {
    show(noisy(500, 400, 37), {"bilinear"}, 0.5);
    state_.scene.antialias = true;
    const SpectrumReport& report = found();
    EXPECT_TRUE(report.of[1].widened);
    EXPECT_FALSE(report.of[1].response);
}

}  // namespace
}  // namespace texelscope::test
