// Which spectra the dock shows: of what part, when, and what methods make of the samples' frequencies. The stage: the parts of
// a curve, and amplitudes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <initializer_list>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "app/files/test_images/test_images.h"
#include "app/picture/inspect/curves.h"
#include "app/picture/inspect/inspector.h"
#include "app/picture/inspect/profile.h"
#include "app/picture/inspect/spectrum.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/patience.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"
#include "tests/support/tools.h"

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

// The stage: parts that add up to the curve, amplitudes as a discrete Fourier transform has them, and their product with
// the response.

const SampleLine ten{.values = {0, 0, 0.2, 1, 0.6, 0.6, -0.4, 0.1, 0, 0}};

StageReport stage_of(SourceImage& source, const Image& image, const MethodSpec& spec, bool windowed = false) {
    StageReport stage;
    stage.line = profile_along({}, image);
    place_points(stage.line, image, -0.5, image.width() - 0.5, 100);
    add_curve(stage.line, 0, source, spec);
    add_parts(stage, source, spec);
    add_spectrum(stage, image, spec, windowed);
    return stage;
}

// |Σ v(k) e^{−2πi f k}| / n
template <class Values> double amplitude(const Values& values, double frequency, double step = 1) {
    std::complex<double> sum = 0;
    for (size_t k = 0; k < values.size(); ++k)
        sum += double(values[k]) * std::polar(1.0, -2 * std::numbers::pi * frequency * double(k) * step);
    return std::abs(sum) / double(values.size());
}

class Stage : public OnBackend {};

TEST_P(Stage, PartsAddUpToTheInterpolationInFloat64AndToTheCurve) {
    const Image image = samples_of(ten);
    SourceImage source(backend_, image);
    for (const MethodInfo* method : every_method())
        for (const AddressMode mode : {AddressMode::clamp, AddressMode::wrap, AddressMode::mirror}) {
            MethodSpec spec = default_spec(*method);
            spec.address = {mode, mode};
            const StageReport stage = stage_of(source, image, spec);
            ASSERT_FALSE(stage.parts.empty()) << method->id;
            EXPECT_EQ(stage.coefficients, spec.effective_prefilter().kind != Prefilter::Kind::none);
            const reference::Interpolant exact(image, spec);
            for (size_t k = 0; k < stage.line.at.size(); k += 7) {
                const double at = stage.line.at[k];
                const double sum = sum_of_parts(stage, at);
                const bool jumps = method->taps == 1;  // then there are two values, and the curve has the right one
                const double expected = jumps ? sum : exact.at({at, 0})[0];
                EXPECT_NEAR(sum, expected, 4e-6) << method->id << ' ' << name_of(mode) << " at " << at;
                EXPECT_NEAR(sum, double(stage.line.curves[0].values[k][0]), 4e-6) << method->id << " at " << at;
            }
        }
}

TEST_P(Stage, AmplitudesAreThoseOfADiscreteFourierTransformAndRepeat) {
    const Image image = samples_of(ten);
    SourceImage source(backend_, image);
    const StageReport stage = stage_of(source, image, default_spec(parse_method("bilinear")));
    // abs(numpy.fft.fft(v)) / 10
    const double numpy[] = {0.21, 0.193680541, 0.141720138, 0.03588662, 0.084352848, 0.13};
    ASSERT_EQ(stage.amplitudes.x.size(), 21u);
    for (size_t k = 0; k <= 20; ++k) {
        const size_t own = k % 10 <= 5 ? k % 10 : 10 - k % 10;
        EXPECT_DOUBLE_EQ(stage.amplitudes.x[k], double(k) / 10);
        EXPECT_NEAR(stage.amplitudes.y[k], amplitude(ten.values, double(k) / 10), 1e-6);
        EXPECT_NEAR(stage.amplitudes.y[k], numpy[own], 1e-6) << k;
    }
}

// The line that repeats, interpolated at 64 points per sample: its transform is the product, at every frequency.
TEST_P(Stage, TheProductIsTheSpectrumOfTheInterpolatedLine) {
    const Image image = samples_of(ten);
    SourceImage source(backend_, image);
    for (const char* id : {"bilinear", "catmull-rom", "bspline", "quintic"}) {
        MethodSpec spec = default_spec(parse_method(id));
        spec.address = {AddressMode::wrap, AddressMode::wrap};
        const StageReport stage = stage_of(source, image, spec);
        const reference::Interpolant exact(image, spec);
        constexpr int fine = 64;
        std::vector<double> values;
        for (int k = 0; k < 10 * fine; ++k) values.push_back(exact.at({(long double)(k) / fine, 0})[0]);
        for (size_t k = 0; k <= 20; ++k)
            EXPECT_NEAR(stage.gains[k] * stage.amplitudes.y[k], amplitude(values, stage.amplitudes.x[k], 1.0 / fine),
                        2e-4)
                << id << " at " << stage.amplitudes.x[k];
    }
}

TEST_P(Stage, AWaveIsAtItsFrequencyAndItsCopiesAboutTheRate) {
    const auto line = *parse_sample_line("@signal:0..7.875@8:cos(2*pi*3*x)");  // 8 units of 3 cycles
    const Image image = samples_of(line);
    ASSERT_EQ(image.width(), 64);
    SourceImage source(backend_, image);
    StageReport stage = stage_of(source, image, default_spec(parse_method("lanczos3")));
    stage.rate = line.rate;
    for (size_t k = 0; k < stage.amplitudes.x.size(); ++k) {
        const double f = stage.amplitudes.x[k] * line.rate;
        const bool there = f == 3 || f == 5 || f == 11 || f == 13;
        EXPECT_NEAR(stage.amplitudes.y[k], there ? 0.5 : 0, 1e-6) << f;
    }
    const Plot plot = amplitude_plot(stage);
    EXPECT_EQ(plot.guides[0].at, 4);  // Nyquist
    EXPECT_EQ(plot.guides[1].at, 8);
    EXPECT_EQ(plot.x.maximum, 16);
}

ON_EVERY_BACKEND(Stage);

TEST(SampleLines, AreTypedOrSampledFromAFormula) {
    const auto typed = *parse_sample_line("@samples:0, 1,-0.5,1e-2");
    EXPECT_EQ(typed.values, (std::vector<double>{0, 1, -0.5, double(0.01f)}));
    EXPECT_EQ(typed.source(), "@samples:0,1,-0.5,0.01");
    const auto placed = *parse_sample_line("@samples:-1@4:2,3");
    EXPECT_EQ(placed.at(1), -0.75);
    EXPECT_EQ(placed.source(), "@samples:-1@4:2,3");
    const auto wave = *parse_sample_line("@signal:0..1@4:sin(2*pi*x)");
    ASSERT_EQ(wave.values.size(), 5u);
    for (size_t k = 0; k < 5; ++k) EXPECT_NEAR(wave.values[k], std::sin(std::numbers::pi / 2 * double(k)), 1e-7);
    EXPECT_EQ(wave.source(), "@signal:0..1@4:sin(2*pi*x)");
    EXPECT_FALSE(parse_sample_line("@step:8"));
    EXPECT_TRUE(make_test_image("@samples:1,2,3").one_dimensional());
}

TEST(SampleLines, SayWhatIsWrong) {
    const auto why = [](const char* source) { return refusal<UsageError>([&] { parse_sample_line(source); }); };
    EXPECT_NE(why("@samples:").find("is not a number"), std::string::npos);
    EXPECT_NE(why("@samples:1,,2").find("is not a number"), std::string::npos);
    EXPECT_NE(why("@samples:1@0:2").find("FROM@RATE"), std::string::npos);
    EXPECT_NE(why("@signal:cos(x)").find("FROM..TO@RATE"), std::string::npos);
    EXPECT_NE(why("@signal:0..4@8:cos(").find("character"), std::string::npos);
    EXPECT_NE(why("@signal:0..4@8:system(x)").find("character"), std::string::npos);
    EXPECT_NE(why("@signal:0..4@8:1/x").find("no value at x = 0"), std::string::npos);
    EXPECT_NE(why("@signal:0..4000@8:x").find("up to 1024"), std::string::npos);
    EXPECT_NE(why("@signal:4..0@8:x").find("FROM..TO"), std::string::npos);
}

}  // namespace
}  // namespace texelscope::test
