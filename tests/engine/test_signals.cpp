// One-dimensional signals: one row whose samples are interpolated, extended and prefiltered only along x, on every
// path: linear memory, tex1Dfetch, tex1D with filtering.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

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
