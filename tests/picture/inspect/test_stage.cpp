// The stage: parts that add up to the curve, amplitudes as a discrete Fourier transform has them, and their product with
// the response.

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "app/files/test_images/test_images.h"
#include "app/picture/inspect/curves.h"
#include "app/picture/inspect/profile.h"
#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

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
    const auto why = [](const char* source) -> std::string {
        try {
            parse_sample_line(source);
        } catch (const UsageError& error) {
            return error.what();
        }
        return "";
    };
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
