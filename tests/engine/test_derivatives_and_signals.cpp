// First derivatives of the interpolation, per sample along an axis of sample space; one-dimensional signals.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/backend/source_image.h"
#include "gpu/method/polar_method.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// Central differences of the float64 interpolant: exact to 1e-9 if the position is further than `step` from a knot.
double difference(const reference::Interpolant& interpolant, Derivative axis, double x, double y, int channel) {
    constexpr double step = 1e-5;
    const double dx = axis == Derivative::x ? step : 0, dy = axis == Derivative::y ? step : 0;
    return (interpolant.at({x + dx, y + dy})[size_t(channel)] - interpolant.at({x - dx, y - dy})[size_t(channel)]) /
           (2 * step);
}

class Derivatives : public OnMethod {
protected:
    void SetUp() override {
        OnMethod::SetUp();
        if (!IsSkipped() && !method().slope) GTEST_SKIP() << method().id << " has no continuous derivative";
    }
};

constexpr Derivative axes[] = {Derivative::x, Derivative::y};

TEST_P(Derivatives, AreThoseOfTheFloat64InterpolantInEveryAddressPair) {
    Random random(3);
    for (const AddressPair& address : all_address_pairs())
        for (const Derivative axis : axes) {
            const Image image = noise(random.integer(3, 20), random.integer(3, 20), 2, SampleType::f32, 4);
            RenderRequest request = beyond_borders(spec(), 13, 11, 0);
            request.spec.address = address;
            request.derivative = axis;
            request.view = {random.between(-9, 9), random.between(-9, 9), random.between(0.2, 1.7),
                            random.chance(0.5) ? 0 : random.between(0, 360)};
            const Image out = SourceImage(backend_, image).render_to_image(request);
            const reference::Interpolant interpolant(image, request.spec);
            for (int j = 0; j < 11; j += 2)
                for (int i = 0; i < 13; i += 2) {
                    const auto p = reference::position(request.view, image.width(), image.height(), 13, 11, i, j);
                    ASSERT_NEAR(out.value(i, j, 1), difference(interpolant, axis, double(p.x), double(p.y), 1),
                                tolerance::derivative)
                        << describe_request(image, request) << " at " << double(p.x) << ", " << double(p.y);
                }
        }
}

TEST_P(Derivatives, OfASignalAtPointsAreThoseOfTheFloat64Interpolant) {
    const Image image = signal(60, [](int k) { return std::sin(0.7 * k) * std::cos(0.21 * k * k); });
    SourceImage source(backend_, image);
    std::vector<double> xs;
    for (int n = 0; n < 200; ++n) xs.push_back(-4.03 + n * 0.3317);
    const std::vector<float> values = sampled(source, spec(), xs, Derivative::x);
    const reference::Interpolant interpolant(image, spec());
    for (size_t n = 0; n < xs.size(); ++n)
        ASSERT_NEAR(values[n], difference(interpolant, Derivative::x, xs[n], 0, 0), tolerance::derivative) << xs[n];
}

// The derivative of a reproduced polynomial is that polynomial's: 2·a·x of a parabola if the order is 3 or more, the
// slope of a ramp if it is 2.
TEST_P(Derivatives, OfPolynomialsBelowTheOrderAreExact) {
    const int degree = std::min(method().order - 1, 3);
    constexpr int n = 120;
    const Image image = signal(n, [&](int k) { return std::pow((k - 60) / 60.0, degree); });
    SourceImage source(backend_, image);
    std::vector<double> xs;
    for (int k = 0; k < 100; ++k) xs.push_back(45.03 + k * 0.2911);
    const std::vector<float> values = sampled(source, spec(), xs, Derivative::x);
    for (size_t k = 0; k < xs.size(); ++k) {
        const double expected = degree == 0 ? 0 : degree * std::pow((xs[k] - 60) / 60, degree - 1) / 60;
        ASSERT_NEAR(values[k], expected, tolerance::derivative) << xs[k];
    }
}

TEST_P(Derivatives, AlongYOfTheImageIsAlongXOfItsTranspose) {
    const Image image = noise(14, 9, 1, SampleType::f32, 6);
    Image transposed(9, 14, 1, SampleType::f32);
    for (int y = 0; y < 9; ++y)
        for (int x = 0; x < 14; ++x) transposed.row_as<float>(x)[y] = image.value(x, y, 0);
    RenderRequest request = request_of(spec(), 12, 12);
    request.derivative = Derivative::y;
    request.positions = Affine{0.7, 0, -1.2, 0, 0.9, 0.3};
    RenderRequest swapped = request;
    swapped.derivative = Derivative::x;
    swapped.positions = Affine{0.9, 0, 0.3, 0, 0.7, -1.2};
    const Image a = SourceImage(backend_, image).render_to_image(request),
                b = SourceImage(backend_, transposed).render_to_image(swapped);
    for (int j = 0; j < 12; ++j)
        for (int i = 0; i < 12; ++i) ASSERT_NEAR(a.value(i, j, 0), b.value(j, i, 0), tolerance::derivative);
}

// A clamped signal is constant outside, and so is what is far outside of any that does not repeat.
TEST_P(Derivatives, FarOutsideAreZeroWhereTheSignalDoesNotRepeat) {
    SourceImage source(backend_, noise(9, 7, 1, SampleType::f32, 7));
    for (const AddressMode mode : {AddressMode::clamp, AddressMode::border}) {
        SampleRequest request{.spec = spec(), .derivative = Derivative::x};
        request.spec.address = {mode, mode};
        const double x[] = {-200, 300, 1e12, INFINITY, -INFINITY, NAN}, y[] = {3, 3, 3, 3, 3, 3};
        const std::vector<float> values = source.sample_to_host(request, PointsView::arrays(x, y, 6));
        for (int n = 0; n < 5; ++n)
            EXPECT_NEAR(values[size_t(n)], 0, tolerance::derivative) << name_of(mode) << " " << x[n];
        EXPECT_TRUE(std::isnan(values[5]));
    }
}

// The program's affine positions can overflow, here to infinity in a repeating signal: NaN, and nothing is read.
TEST_P(Derivatives, WherePositionsOverflowAreNaNOrZero) {
    SourceImage source(backend_, noise(9, 7, 1, SampleType::f32, 8));
    for (const AddressMode mode : all_address_modes)
        for (const Derivative derivative : {Derivative::none, Derivative::x}) {
            RenderRequest request = request_of(spec(), 12, 2);
            request.derivative = derivative;
            request.spec.address = {mode, mode};
            request.positions = Affine{1.5e308, 0, 0, 0, 1, 0};
            const Image out = SourceImage(backend_, noise(9, 7, 1, SampleType::f32, 8)).render_to_image(request);
            for (const int i : {2, 11}) {
                EXPECT_EQ(std::isnan(out.value(i, 1, 0)), is_periodic(mode)) << name_of(mode) << " pixel " << i;
            }
        }
}

ON_EVERY_BACKEND_AND_METHOD(Derivatives, auto_path());

class DerivativeRefusals : public OnMethod {};

TEST_P(DerivativeRefusals, MethodsWithoutContinuousDerivativeSayWhatToChoose) {
    SourceImage source(backend_, noise(9, 7, 1, SampleType::f32, 9));
    RenderRequest request = request_of(spec(), 4, 4);
    request.derivative = Derivative::x;
    if (method().smoothness >= 1 && !is_polar(method())) {
        EXPECT_NE(method().slope, nullptr) << "a smooth method offers its derivative";
        EXPECT_NO_THROW(source.render_to_image(request));
        return;
    }
    EXPECT_EQ(method().slope, nullptr);
    const double at[] = {1, 2};
    const SampleRequest sample{.spec = spec(), .derivative = Derivative::y};
    for (const std::string& sentence :
         {refusal([&] { source.render_to_image(request); }), refusal([&] { source.prepare(request); }),
          refusal([&] { source.sample_to_host(sample, PointsView::pairs(at, 1)); })}) {
        EXPECT_NE(sentence.find(method().id), std::string::npos) << sentence;
        const char* const why = is_polar(method()) ? "in the plane" : "no continuous derivative";
        EXPECT_NE(sentence.find(why), std::string::npos) << sentence;
    }
}

TEST_P(DerivativeRefusals, NotTogetherWithAntialias) {
    if (!method().slope) GTEST_SKIP();
    SourceImage source(backend_, noise(9, 7, 1, SampleType::f32, 9));
    RenderRequest request = request_of(spec(), 4, 4);
    request.antialias = true;
    request.derivative = Derivative::x;
    EXPECT_THROW(source.render_to_image(request), Error);
}

TEST_P(DerivativeRefusals, ASignalHasNoDerivativeAlongY) {
    if (!method().slope) GTEST_SKIP();
    SourceImage source(backend_, signal(9, [](int k) { return k; }));
    EXPECT_THROW(sampled(source, spec(), {1, 2}, Derivative::y), Error);
    RenderRequest request = request_of(spec(), 4, 1);
    request.derivative = Derivative::y;
    EXPECT_THROW(source.render_to_image(request), Error);
}

ON_EVERY_BACKEND_AND_METHOD(DerivativeRefusals, auto_path());

// Slopes by their formulas: β³′(x) = β²(x + ½) − β²(x − ½), and Keys' cubic differentiated by hand.
double quadratic_bspline(double x) {
    x = std::abs(x);
    return x < 0.5 ? 0.75 - x * x : x < 1.5 ? (1.5 - x) * (1.5 - x) / 2 : 0;
}
double bspline_slope(double x) { return quadratic_bspline(x + 0.5) - quadratic_bspline(x - 0.5); }
double keys_slope(double x) {
    const double a = std::abs(x), sign = x < 0 ? -1 : 1;
    return sign * (a < 1 ? 4.5 * a * a - 5 * a : a < 2 ? -1.5 * a * a + 5 * a - 4 : 0);
}

class SlopeFormulas : public OnBackend {};

TEST_P(SlopeFormulas, AreWhatAnImpulseBecomes) {
    SourceImage source(backend_, signal(31, [](int k) { return k == 15 ? 1.0 : 0.0; }));
    std::vector<double> xs;
    for (int n = 0; n < 700; ++n) xs.push_back(11.5 + n * 0.01003);
    const std::vector<float> bspline = sampled(source, spec_of("bspline:prefilter=none"), xs, Derivative::x);
    const std::vector<float> keys = sampled(source, spec_of("catmull-rom"), xs, Derivative::x);
    for (size_t n = 0; n < xs.size(); ++n) {
        EXPECT_NEAR(bspline[n], bspline_slope(xs[n] - 15), 1e-6) << xs[n];
        EXPECT_NEAR(keys[n], keys_slope(xs[n] - 15), 1e-6) << xs[n];
    }
}

// In linear light the slope is that of the light: it is not a level, so it is not sRGB-coded.
TEST_P(SlopeFormulas, InLinearLightTheDerivativeIsThatOfTheLight) {
    Image image(4, 1, 1, SampleType::f32);
    const float coded[] = {0.0f, 0.25f, 0.5f, 1.0f};
    std::copy_n(coded, 4, image.row_as<float>(0));
    SourceImage source(backend_, image, Light::linear);
    RenderRequest request = request_of(spec_of("catmull-rom"), 1, 1);
    request.derivative = Derivative::x;
    request.positions = Affine{1, 0, 1, 0, 1, 0};  // at sample 1 Catmull–Rom has the slope (s(2) − s(0)) / 2
    EXPECT_NEAR(source.render_to_image(request).value(0, 0, 0), srgb_decoded(0.5) / 2, tolerance::derivative);
}

ON_EVERY_BACKEND(SlopeFormulas);

// One-dimensional signals: one row whose samples are interpolated, extended and prefiltered only along x, on every
// path: linear memory, tex1Dfetch, tex1D with filtering.

Image noise_signal(int samples, int channels, SampleType type, uint64_t seed) {
    Image image = noise(samples, 1, channels, type, seed);
    image.set_one_dimensional(true);
    return image;
}

// The float64 signal: an image of one row, extended by clamp along y, which then changes nothing on that row.
reference::Interpolant line_of(const Image& image, MethodSpec spec) {
    spec.address.y = AddressMode::clamp;
    return {image, spec};
}

class Signals : public OnMethod {
protected:
    SampleRequest request(AddressMode mode, AddressMode of_y = AddressMode::clamp) const {
        SampleRequest request{.spec = spec()};
        request.spec.address = {mode, of_y};
        return request;
    }
    double allowed(const Image& image, const MethodSpec& spec) const {
        if (path() != FetchPath::hardware) return tolerance::exact_path;
        MethodSpec along_x = spec;
        along_x.address.y = AddressMode::clamp;
        return hardware_bound(image, along_x);
    }
};

// y has no effect: neither its address mode, nor a coordinate, even if NaN.
TEST_P(Signals, AreInterpolatedAlongXAloneInEveryAddressMode) {
    int n_case = 0;
    for (const int samples : {1, 2, 5, 30})
        for (const AddressMode mode : all_address_modes) {
            const AddressMode of_y = all_address_modes[size_t(++n_case) % all_address_modes.size()];
            const int channels = n_case % 3 == 0 ? 4 : n_case % 3;
            const Image image = noise_signal(samples, channels, samples % 2 ? SampleType::f32 : SampleType::u8, 3);
            SourceImage source(backend_, image);
            const SampleRequest sampled = request(mode, of_y);
            std::vector<double> xs, ys;
            for (int n = 0; n < 21; ++n) {
                xs.push_back(-9.137 + n * (samples + 18) / 20.0);
                ys.push_back(n % 3 == 0 ? NAN : n * 7.0);
            }
            const std::vector<float> values =
                source.sample_to_host(sampled, PointsView::arrays(xs.data(), ys.data(), xs.size()));
            const double tolerance = allowed(image, sampled.spec);
            const reference::Interpolant expected = line_of(image, sampled.spec);
            for (size_t n = 0; n < xs.size(); ++n)
                for (int c = 0; c < channels; ++c)
                    ASSERT_NEAR(values[n * size_t(channels) + size_t(c)], expected.at({xs[n], 0})[size_t(c)], tolerance)
                        << to_string(sampled.spec) << " of " << samples << " samples at " << xs[n];
        }
}

TEST_P(Signals, PassThroughTheirSamples) {
    if (!method().interpolating) GTEST_SKIP() << method().id << " does not pass through the samples";
    const Image image = noise_signal(35, 2, SampleType::f32, 4);
    SourceImage source(backend_, image);
    for (const AddressMode mode : all_address_modes) {
        std::vector<double> xs;
        for (int k = 0; k < 35; ++k) xs.push_back(k);
        const SampleRequest at_knots = request(mode);
        const std::vector<float> values =
            source.sample_to_host(at_knots, PointsView{xs.data(), nullptr, xs.size(), 1, true});
        const double tolerance = method().has_prefilter() && path() == FetchPath::hardware
                                     ? allowed(image, at_knots.spec)
                                     : exact_tolerance(at_knots.spec);
        for (int k = 0; k < 35; ++k)
            for (int c = 0; c < 2; ++c)
                ASSERT_NEAR(values[size_t(2 * k + c)], image.value(k, 0, c), tolerance) << name_of(mode) << " " << k;
    }
}

// Rendered as a picture, every row of it is the same signal, under a rotated view as well.
TEST_P(Signals, RenderedAreTheSameInEveryRow) {
    const Image image = noise_signal(30, 1, SampleType::f32, 5);
    SourceImage source(backend_, image);
    const reference::Interpolant expected = line_of(image, spec());
    const double tolerance = allowed(image, spec());
    for (const Outside outside : {Outside::extend, Outside::nan}) {
        RenderRequest render = request_of(spec(), 41, 5);
        render.outside = outside;
        render.positions = Affine{0.83, 0, -1.7, 0, 1, -2};
        const Image out = source.render_to_image(render);
        for (int i = 0; i < 41; ++i) {
            const double x = 0.83 * i - 1.7, value = expected.at({x, 0})[0];
            for (int j = 0; j < 5; ++j) {
                if (outside == Outside::nan && (x < 0 || x > 29))
                    ASSERT_TRUE(std::isnan(out.value(i, j, 0))) << x << " row " << j;
                else ASSERT_NEAR(out.value(i, j, 0), value, tolerance) << x << " row " << j;
            }
        }
        render.positions = Affine{0.83, 0.31, -1.7, 0.2, 1, -2};
        const Image turned = source.render_to_image(render);
        for (int j = 0; j < 5; ++j)
            for (int i = 0; i < 41; ++i) {
                const double x = 0.83 * i + 0.31 * j - 1.7;
                if (outside == Outside::nan && (x < 0 || x > 29)) ASSERT_TRUE(std::isnan(turned.value(i, j, 0))) << x;
                else ASSERT_NEAR(turned.value(i, j, 0), expected.at({x, 0})[0], tolerance) << x;
            }
    }
}

// Longer than any one-dimensional texture that is filtered (131 072 on present GPUs): the exact paths continue, or say
// what to choose instead.
TEST_P(Signals, OfAnyLengthAreRead) {
    if (path() == FetchPath::hardware && backend_->info().kind == BackendKind::cpu)
        GTEST_SKIP() << "float32 coordinates end before";
    constexpr int samples = 1 << 20;
    const Image image = noise_signal(samples, 1, SampleType::f32, 6);
    SourceImage source(backend_, image);
    const std::vector<double> xs = {0.25, 99999.62, 131072.4, 524288.7, samples - 2.3};
    try {
        const std::vector<float> values =
            source.sample_to_host(request(AddressMode::clamp), PointsView{xs.data(), nullptr, xs.size(), 1, true});
        if (path() == FetchPath::hardware) return;
        const reference::Interpolant interpolant(image, spec());
        for (size_t n = 0; n < xs.size(); ++n)
            ASSERT_NEAR(values[n], interpolant.at({xs[n], 0})[0], tolerance::exact_path) << xs[n];
    } catch (const Error& error) {
        EXPECT_TRUE(path() == FetchPath::hardware || path() == FetchPath::lookup) << error.what();
        EXPECT_NE(std::string(error.what()).find("choose path global"), std::string::npos) << error.what();
    }
}

ON_EVERY_BACKEND_AND_KIND(Signals, every_path());

class SignalMemory : public OnBackend {};

// A row of an image is not a signal: border's zeros above and below count there.
TEST_P(SignalMemory, AnImageOfOneRowIsExtendedAlongYAsWell) {
    const Image row = noise(20, 1, 1, SampleType::f32, 7);
    Image line = row;
    line.set_one_dimensional(true);
    RenderRequest request = request_of(spec_of("bspline:address=border,prefilter=none"), 20, 1);
    const Image of_row = SourceImage(backend_, row).render_to_image(request),
                of_line = SourceImage(backend_, line).render_to_image(request);
    for (int x = 0; x < 20; ++x)
        EXPECT_NEAR(of_row.value(x, 0, 0), of_line.value(x, 0, 0) * 2 / 3, tolerance::exact_path) << x;
}

TEST_P(SignalMemory, OnlyOneRowCanBeASignal) {
    Image image = noise(5, 2, 1, SampleType::u8, 8);
    image.set_one_dimensional(true);
    EXPECT_FALSE(image.one_dimensional());
    EXPECT_FALSE(SourceImage(backend_, image).samples().one_dimensional());
    Image row = noise(5, 1, 3, SampleType::u8, 8);
    row.set_one_dimensional(true);
    EXPECT_TRUE(SourceImage(backend_, row).samples().one_dimensional());
    EXPECT_TRUE(converted(row, SampleType::f32).one_dimensional());
    EXPECT_TRUE(linear_light(row).one_dimensional());
}

ON_EVERY_BACKEND(SignalMemory);

}  // namespace
}  // namespace texelscope::test
