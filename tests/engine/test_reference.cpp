// The float64 reference of the engine against the tests' own, to float64's rounding; and the engine's float32 against
// it.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/backend/source_image.h"
#include "gpu/core/view.h"
#include "gpu/method/polar_method.h"
#include "gpu/reference/reference.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

using reference::Interpolant;
using reference::Position;
using reference::Value;

// Both sides are float64 sums of up to 95² products of samples in [0, 1] with gains up to 56.
constexpr double rounding = 1e-12;

// The largest difference of values from expected(i, j), all channels.
template <class Expected>
double largest_error(const std::vector<double>& values, int width, int channels, Expected expected) {
    double largest = 0;
    for (size_t k = 0; k < values.size() / size_t(channels); ++k) {
        const Value right = expected(int(k) % width, int(k) / width);
        for (int c = 0; c < channels; ++c) {
            const double got = values[k * size_t(channels) + size_t(c)], wanted = right[size_t(c)];
            if (std::isnan(wanted) && std::isnan(got)) continue;
            const double error = std::abs(got - wanted);
            largest = std::isnan(error) ? INFINITY : std::max(largest, error);
        }
    }
    return largest;
}

Position position_in(const RenderRequest& r, const Image& image, int i, int j) {
    return reference::position(r.view, image.width(), image.height(), r.width, r.height, i, j);
}

// The image in resident form: straight alpha multiplied in float32.
double error_of(const std::shared_ptr<Backend>& backend, const Image& image, const RenderRequest& request) {
    SourceImage source(backend, image);
    const Image resident = premultiplied(image);
    const Interpolant exact(resident, [&] {
        MethodSpec spec = request.spec;
        spec.prefilter = {};
        return spec;
    }());
    return largest_error(reference_values(source, request), request.width, image.channels(),
                         [&](int i, int j) { return exact.at(position_in(request, image, i, j)); });
}

std::vector<MethodSpec> specs_at_the_ends_of_parameters() {
    std::vector<MethodSpec> specs;
    for (const MethodInfo* method : all_methods()) {
        specs.push_back(default_spec(*method));
        for (size_t p = 0; p < method->parameters.size(); ++p)
            for (const double value : {method->parameters[p].minimum, method->parameters[p].maximum}) {
                specs.push_back(default_spec(*method));
                specs.back().parameters.value[p] = value;
            }
    }
    return specs;
}

TEST(WeightPieces, FollowTheWeightFunctionOfEveryMethodTo1e13) {
    Random random(1);
    for (const MethodSpec& spec : specs_at_the_ends_of_parameters()) {
        const std::vector<double> pieces = weight_pieces(*spec.method, spec.parameters);
        const double radius = radius_of(*spec.method);
        const WeightPieces function{pieces.data(), radius, piece_count(radius) / (2 * radius)};
        const reference::Kernel kernel = reference::kernel_of(spec);
        double largest = 0;
        for (int n = 0; n < 20000; ++n) {
            const double x = random.between(-function.radius - 0.5, function.radius + 0.5);
            largest = std::max(largest, std::abs(weight_at(function, x) - kernel.weight(x)));
        }
        EXPECT_LT(largest, 1e-13) << to_string(spec);
    }
}

TEST(WeightPieces, NearestIncludesItsLeftEndAlone) {
    const MethodSpec spec = spec_of("nearest");
    const std::vector<double> pieces = weight_pieces(*spec.method, spec.parameters);
    const WeightPieces box{pieces.data(), 0.5};
    EXPECT_NEAR(weight_at(box, -0.5), 1, 1e-14);
    EXPECT_EQ(weight_at(box, 0.5), 0);
    EXPECT_NEAR(weight_at(box, std::nextafter(0.5, 0)), 1, 1e-14);
    EXPECT_EQ(weight_at(box, std::nextafter(-0.5, -1)), 0);
}

TEST(ExactPrefilter, IsTheInverseOfTheSampledWeightFunction) {
    for (const MethodInfo* method : all_methods()) {
        if (!method->has_prefilter()) continue;
        const ExactPrefilter filter = exact_prefilter(method->poles);
        const reference::Kernel kernel = reference::kernel_of(default_spec(*method));
        const auto response = [&](int k) {
            double b = 0;
            for (int p = 0; p < filter.poles; ++p) b += filter.gain[p] * std::pow(filter.pole[p], std::abs(k));
            return b;
        };
        for (int n = 0; n <= filter.reach - 4; ++n) {  // (b ∗ h)(n) = δ(n)
            double sum = 0;
            for (int k = -3; k <= 3; ++k) sum += kernel.weight(k) * response(n - k);
            EXPECT_NEAR(sum, n == 0 ? 1 : 0, 1e-14) << method->id << " at " << n;
        }
    }
}

class Float64 : public OnMethod {};

TEST_P(Float64, RotatedZoomedAndAlignedViewsInEveryAddressMode) {
    Random random(uint64_t(method().rank));
    for (const AddressPair& address : all_address_pairs())
        for (const double rotate : {0.0, 90.0, 33.7}) {
            const Image image = noise(random.integer(1, 40), random.integer(1, 40), random.integer(1, 4),
                                      SampleType::u16, uint64_t(random.integer(1, 1 << 20)));
            RenderRequest request = request_of(spec(), 17, 13);
            request.spec.address = address;
            request.view = {random.between(-30, 30), random.between(-30, 30), random.between(0.05, 3), rotate};
            EXPECT_LE(error_of(backend_, image, request), rounding) << describe_request(image, request);
        }
}

TEST_P(Float64, TinyImagesOfEveryType) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (const AddressMode mode : all_address_modes)
            for (const auto& [width, height] : {std::pair{1, 1}, {2, 3}, {1, 7}, {5, 1}}) {
                const Image image = noise(width, height, 2, type, 7, Alpha::straight);
                RenderRequest request = request_of(spec(), 9, 8);
                request.spec.address = {mode, mode};
                request.view = {0.31, -0.27, 0.83, 12};
                EXPECT_LE(error_of(backend_, image, request), rounding) << describe_request(image, request);
            }
}

// Clamp and border: coefficients become constant; wrap and mirror: they repeat. Positions there are off by 2⁻³⁸.
TEST_P(Float64, FarOutside) {
    const Image image = noise(19, 23, 1, SampleType::f32, 8);
    for (const AddressMode mode : all_address_modes)
        for (const double far : {60.0, 700.0, 20000.0}) {
            RenderRequest request = request_of(spec(), 6, 5);
            request.spec.address = {mode, mode};
            request.view = {far, -far, 0.7, mode == AddressMode::wrap ? 0.0 : 20.0};
            EXPECT_LE(error_of(backend_, image, request), far > 1e4 ? 1e-10 : rounding)
                << describe_request(image, request);
        }
}

TEST_P(Float64, WhateverThePrefilterOfTheSpec) {
    const Image image = noise(20, 20, 1, SampleType::u8, 9);
    for (const Prefilter& prefilter : {Prefilter{Prefilter::Kind::none}, fir(7), Prefilter{}}) {
        RenderRequest request = request_of(spec(), 20, 20);
        request.spec.prefilter = prefilter;
        request.view.rotate = 10;
        EXPECT_LE(error_of(backend_, image, request), rounding);
    }
}

TEST_P(Float64, IsExactForSignals) {
    const Image image = signal(50, [](int k) { return 0.5 + 0.4 * std::sin(k * k * 0.01); });
    for (const AddressMode mode : all_address_modes) {
        RenderRequest request = request_of(spec(), 200, 1);
        request.spec.address = {mode, AddressMode::clamp};
        request.view = {1.3, 0, 0.4, 0};
        EXPECT_LE(error_of(backend_, image, request), rounding) << name_of(mode);
    }
}

TEST_P(Float64, WidenedForZoomingOut) {
    if (is_polar(method())) GTEST_SKIP() << "its footprints are ellipses: test_polar_and_perspective.cpp";
    const Image image = noise(60, 45, 3, SampleType::u8, 10);
    for (const AddressMode mode : all_address_modes)
        for (const double rotate : {0.0, 27.0}) {
            RenderRequest request = request_of(spec(), 11, 9);
            request.spec.address = {mode, mode};
            request.antialias = true;
            request.view = {2.2, -1.7, 3.3, rotate};
            SourceImage source(backend_, image);
            const reference::Widened exact(image, request.spec);
            const auto s = reference::stretch_of(source.plan(request).reading.positions);
            const double error = largest_error(reference_values(source, request), 11, 3, [&](int i, int j) {
                return exact.at(position_in(request, image, i, j), s.x, s.y);
            });
            EXPECT_LE(error, rounding) << name_of(mode) << " " << rotate;
        }
}

TEST_P(Float64, WarpedViews) {
    const Image image = noise(40, 30, 1, SampleType::f32, 11);
    RenderRequest request = request_of(spec(), 25, 20);
    request.warp = {Warp::Kind::swirl, 90};
    request.spec.address = {AddressMode::mirror, AddressMode::clamp};
    request.view = {1.1, 0.7, 0.9, 5};
    SourceImage source(backend_, image);
    const Interpolant exact(image, request.spec);
    const Affine a = sampling_affine(request.view, 40, 30, 25, 20);
    const double error = largest_error(reference_values(source, request), 25, 1, [&](int i, int j) {
        const Point p = warped(request.warp, apply(a, i, j), 40, 30);
        return exact.at({p.x, p.y});
    });
    EXPECT_LE(error, rounding);
}

// Float32 on every exact path, to the tolerance that the page of methods states.
TEST_P(Float64, IsWhatTheEngineAgreesWith) {
    Random random(12 + uint64_t(method().rank));
    for (int n = 0; n < 12; ++n) {
        const Image image = random_image(random);
        RenderRequest request = request_of(spec(), 30, 20);
        request.spec.address = random.pick(all_address_pairs());
        request.view = {random.between(-20, 20), random.between(-20, 20), random.between(0.1, 3),
                        random.between(0, 360)};
        SourceImage source(backend_, image);
        const Image rendered = source.render_to_image(request);
        const std::vector<double> exact = reference_values(source, request);
        int off = 0;
        for (size_t k = 0; k < exact.size(); ++k) {
            const int pixel = int(k) / image.channels();
            const double got = rendered.value(pixel % 30, pixel / 30, int(k) % image.channels());
            off += std::abs(got - exact[k]) > exact_tolerance(request.spec);
        }
        EXPECT_EQ(off, 0) << describe_request(image, request);
    }
}

ON_EVERY_BACKEND_AND_KIND(Float64, auto_path());

class Float64Settings : public OnBackend {};

TEST_P(Float64Settings, NearestReadsTheSampleAtFloorOfXPlusAHalf) {
    Image image(8, 1, 1, SampleType::f32);
    for (int x = 0; x < 8; ++x) set_value(image, x, 0, 0, x);
    SourceImage source(backend_, image);
    RenderRequest request = request_of(spec_of("nearest"), 33, 1);
    request.positions = Affine{0.25, 0, -0.5, 0, 1, 0};
    const std::vector<double> values = reference_values(source, request);
    for (int i = 0; i < 33; ++i) {
        const double x = 0.25 * i - 0.5;
        EXPECT_EQ(values[size_t(i)], std::min(std::floor(x + 0.5), 7.0)) << x;
    }
}

TEST_P(Float64Settings, OutsideIsBackgroundTransparentOrNaN) {
    const Image grey = noise(4, 4, 1, SampleType::u8, 13), alpha = noise(4, 4, 4, SampleType::u8, 13, Alpha::straight);
    for (const std::string_view method : {"bilinear", "bspline"})
        for (const double rotate : {0.0, 1e-9}) {
            RenderRequest request = request_of(spec_of(method), 10, 10);
            request.view.rotate = rotate;
            request.outside = Outside::background;
            SourceImage greys(backend_, grey), alphas(backend_, alpha);
            EXPECT_EQ(reference_values(greys, request)[0], double(background_level));
            EXPECT_EQ(reference_values(alphas, request)[3], 0);
            EXPECT_NE(reference_values(greys, request)[5 * 10 + 5], double(background_level));
            request.outside = Outside::nan;
            EXPECT_TRUE(std::isnan(reference_values(greys, request)[0]));
            EXPECT_FALSE(std::isnan(reference_values(greys, request)[4 * 10 + 4]));
        }
}

// From scale 8 on the level of the pyramid is the engine's, which is float32; what it computes from it is as exact as
// below.
TEST_P(Float64Settings, ReadsTheLevelOfThePyramidThatTheEngineReads) {
    const Image image = noise(300, 200, 1, SampleType::u8, 14);
    SourceImage source(backend_, image);
    for (const std::string_view method : {"bilinear", "bspline", "lanczos3"})
        for (const double scale : {9.0, 40.0, 1000.0})
            for (const Warp::Kind warp : {Warp::Kind::none, Warp::Kind::barrel}) {
                RenderRequest request = request_of(spec_of(method), 20, 14);
                request.antialias = true;
                request.view = {3, 2, scale, 0};
                request.warp = {warp, 0.3};
                const Image rendered = source.render_to_image(request);
                const double error = largest_error(reference_values(source, request), 20, 1,
                                                   [&](int i, int j) { return Value{rendered.value(i, j, 0)}; });
                EXPECT_LE(error, tolerance::widened) << method << " " << scale << " " << name_of(warp);
            }
}

TEST_P(Float64Settings, IsCodedToSrgbWhereTheSourceIsLinearLight) {
    const Image image = noise(20, 20, 4, SampleType::u8, 15, Alpha::straight);
    SourceImage source(backend_, image, Light::linear);
    RenderRequest request = request_of(spec_of("bilinear"), 15, 15);
    request.view.rotate = 30;
    const Image rendered = source.render_to_image(request);
    const double error = largest_error(reference_values(source, request), 15, 4, [&](int i, int j) {
        return Value{rendered.value(i, j, 0), rendered.value(i, j, 1), rendered.value(i, j, 2),
                     rendered.value(i, j, 3)};
    });
    EXPECT_LE(error, tolerance::linear_light);
}

// A NaN appears exactly where the engine has it.
TEST_P(Float64Settings, HolesAreWhereTheEngineHasThem) {
    Image image = noise(20, 15, 1, SampleType::f32, 16);
    image.row_as<float>(7)[9] = NAN;
    image.row_as<float>(0)[0] = INFINITY;
    SourceImage source(backend_, image);
    for (const std::string_view method : {"bilinear", "bspline", "quintic"}) {
        RenderRequest request = request_of(spec_of(method), 40, 30);
        request.view = {0.1, 0.2, 0.5, 3};
        const Image rendered = source.render_to_image(request);
        const std::vector<double> values = reference_values(source, request);
        int holes = 0;
        for (int k = 0; k < 40 * 30; ++k) {
            ASSERT_EQ(std::isfinite(values[size_t(k)]), std::isfinite(rendered.value(k % 40, k / 40, 0)))
                << method << " " << k;
            holes += !std::isfinite(values[size_t(k)]);
        }
        EXPECT_GT(holes, 4);
    }
}

TEST_P(Float64Settings, ADerivativeIsRefused) {
    SourceImage source(backend_, noise(5, 5, 1, SampleType::u8, 17));
    RenderRequest request = request_of(spec_of("bspline"), 5, 5);
    request.derivative = Derivative::x;
    EXPECT_THROW(reference_values(source, request), Error);
}

TEST_P(Float64Settings, TexelsAreSamplesOrCoefficientsBeyondTheEdgesToo) {
    const Image image = noise(12, 9, 3, SampleType::u8, 18);
    SourceImage source(backend_, image);
    for (const std::string_view text : {"bilinear", "bspline", "bspline:prefilter=fir7", "bspline:prefilter=none"})
        for (const AddressPair& address : all_address_pairs()) {
            RenderRequest request = request_of(spec_of(text), 5, 5);
            request.spec.address = address;
            const Interpolant exact(image, request.spec);
            const std::vector<float> texels = source.texels(request, -4, -3, 20, 15);
            ASSERT_EQ(texels.size(), size_t(20 * 15 * 3));
            double largest = 0;
            for (int k = 0; k < 20 * 15; ++k) {
                const Value right = exact.coefficient(k % 20 - 4, k / 20 - 3);
                for (int c = 0; c < 3; ++c)
                    largest = std::max(largest, std::abs(texels[size_t(3 * k + c)] - right[size_t(c)]));
            }
            EXPECT_LE(largest, tolerance::exact_path) << text << " " << to_string(address);
        }
}

TEST_P(Float64Settings, EachTimerHasATimeOfItsOwn) {
    SourceImage source(backend_, noise(64, 64, 1, SampleType::u8, 19));
    const RenderRequest request = request_of(spec_of("bilinear"), 32, 32);
    const auto fresh = GetParam() == BackendKind::cpu ? make_cpu_backend() : make_backend(BackendChoice::cuda);
    const std::shared_ptr<void> pixels = fresh->allocate(32 * 32 * 4);
    SourceImage other(fresh, noise(64, 64, 1, SampleType::u8, 19));
    other.render(request, {pixels.get(), 32 * 4, RenderTarget::Format::rgba8, 5});
    fresh->synchronize();
    EXPECT_TRUE(fresh->last_render_ms(5));
    EXPECT_FALSE(fresh->last_render_ms(0));
    other.render(request, {pixels.get(), 32 * 4, RenderTarget::Format::rgba8, no_timer});
    EXPECT_FALSE(fresh->last_render_ms(0));
    EXPECT_THROW(other.render(request, {pixels.get(), 32 * 4, RenderTarget::Format::rgba8, timer_count}), Error);
}

ON_EVERY_BACKEND(Float64Settings);

}  // namespace
}  // namespace texelscope::test
