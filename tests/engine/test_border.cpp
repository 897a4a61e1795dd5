// The value beyond a border, by its definition: the picture is that of an image to which many rows and columns of the value
// have been added.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "gpu/backend/least_squares.h"
#include "gpu/method/custom_method.h"
#include "tests/engine/border_values.h"
#include "tests/support/backends.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class BorderValues : public OnMethod {
protected:
    // The continued image's own rendering, with nothing of a border in it.
    void expect_that_of_continued(const Image& image, const RenderRequest& request, double allowed,
                                  Light light = Light::stored) {
        const Image got = SourceImage(backend_, image, light).render_to_image(request);
        const Image right = SourceImage(backend_, continued(image, request.spec.address), light)
                                .render_to_image(of_continued(request, image));
        EXPECT_LE(between(got, right).error, allowed) << describe_request(image, request) << between(got, right);
    }

    // Interpolation is linear: the picture of an image of one channel minus the value, with zero beyond it, plus the value.
    void expect_that_of_samples_minus(const Image& image, const RenderRequest& request) {
        Image lower(image.width(), image.height(), 1, SampleType::f32);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) lower.row_as<float>(y)[x] = image.value(x, y, 0) - beyond_border[0];
        RenderRequest zero = request;
        zero.spec.address.border = {};
        const Image got = SourceImage(backend_, image).render_to_image(request),
                    of_lower = SourceImage(backend_, lower).render_to_image(zero);
        for (int j = 0; j < request.height; ++j)
            for (int i = 0; i < request.width; ++i)
                ASSERT_NEAR(got.value(i, j, 0), of_lower.value(i, j, 0) + beyond_border[0], 1e-6)
                    << describe_request(image, request);
    }
};

TEST_P(BorderValues, GiveTheFloat64InterpolantOfTheContinuedImage) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "not exact: see the other test";
    struct Case {
        int channels;
        SampleType type;
        Alpha alpha;
    };
    for (const auto& [channels, type, alpha] :
         {Case{1, SampleType::u8, Alpha::none}, Case{2, SampleType::f32, Alpha::none},
          Case{3, SampleType::u16, Alpha::none}, Case{4, SampleType::u8, Alpha::straight}}) {
        const Image image = noise(13, 9, channels, type, uint64_t(channels), alpha);
        SourceImage source(backend_, image);
        for (const AddressPair& address : border_pairs()) {
            MethodSpec plain = spec();
            plain.address = {};
            const reference::Interpolant interpolant(
                continued(image, with_value(spec(), address, channels, turned).spec.address), plain);
            for (const View& view : {turned, upright}) {
                const RenderRequest request = with_value(spec(), address, channels, view);
                const Image out = source.render_to_image(request);
                for (int j = 0; j < request.height; j += 3)
                    for (int i = 0; i < request.width; i += 3) {
                        auto p = reference::position(view, 13, 9, request.width, request.height, i, j);
                        const reference::Value right = interpolant.at({p.x + border_margin, p.y + border_margin});
                        for (int c = 0; c < channels; ++c)
                            ASSERT_NEAR(out.value(i, j, c), right[size_t(c)], value_range * tolerance::exact_path)
                                << describe_request(image, request) << " at " << double(p.x) << ", " << double(p.y);
                    }
            }
        }
    }
}

// Positions are multiples of 1/32, exact in float32. The unit rounds fractions, and a few of a fetch between two taps fall on
// the other side at the larger image's coordinates.
TEST_P(BorderValues, OnThePathHardwareGiveTheContinuedImagesPicture) {
    if (path() != FetchPath::hardware) GTEST_SKIP() << "exact: see the other test";
    const Image image = noise(13, 9, 3, SampleType::f32, 5);
    for (const AddressPair& address : border_pairs()) {
        const RenderRequest request = with_value(spec(), address, 3, {0.59375, 0.21875, 1.0625, 0}, 17, 13);
        const Image got = SourceImage(backend_, image).render_to_image(request);
        const Image right =
            SourceImage(backend_, continued(image, request.spec.address)).render_to_image(of_continued(request, image));
        int apart = 0;
        for (int j = 0; j < 13; ++j)
            for (int i = 0; i < 17; ++i)
                for (int c = 0; c < 3; ++c)
                    apart += !(std::abs(got.value(i, j, c) - right.value(i, j, c)) < 1e-5 * value_range);
        EXPECT_LE(apart, 17 * 13 * 3 / 5) << to_string(request.spec) << between(got, right);
        EXPECT_LE(between(got, right).error, 0.1 * value_range) << to_string(request.spec);
    }
}

TEST_P(BorderValues, ActThroughAntialiasingAndThePyramid) {
    const Image image = noise(64, 48, 2, SampleType::u8, 6);
    for (const double scale : {1.9, 3.3})
        for (const double rotate : {0.0, 17.0})
            for (const AddressPair& address : {AddressPair{AddressMode::border, AddressMode::border},
                                               AddressPair{AddressMode::border, AddressMode::wrap},
                                               AddressPair{AddressMode::mirror, AddressMode::border}}) {
                const int width = int(64 / scale), height = int(48 / scale);
                RenderRequest request = with_value(spec(), address, 2, {0.3, 0.2, scale, rotate}, width, height);
                request.antialias = true;
                expect_that_of_continued(image, request, 2 * value_range * tolerance::widened);
            }
}

// A level of the pyramid has the border value beyond its edges, as the image has.
TEST_P(BorderValues, OfALevelAreBeyondIt) {
    const Image image = noise(64, 48, 1, SampleType::f32, 6);
    for (const double rotate : {0.0, 17.0}) {
        RenderRequest request =
            with_value(spec(), {AddressMode::border, AddressMode::wrap}, 1, {0.3, 0.2, 11, rotate}, 9, 8);
        request.antialias = true;
        expect_that_of_samples_minus(image, request);
    }
}

TEST_P(BorderValues, ActUnderAWarpThatWidensTheWeights) {
    const Image image = noise(40, 30, 1, SampleType::f32, 7);
    RenderRequest request = with_value(spec(), {AddressMode::border, AddressMode::border}, 1, {0, 0, 1.5, 0}, 30, 22);
    request.warp = {Warp::Kind::ripple, 1.5};
    const Image out = SourceImage(backend_, image).render_to_image(request);
    MethodSpec plain = request.spec;
    plain.address = {};
    if (path() == FetchPath::hardware) GTEST_SKIP() << "not exact";
    const reference::Interpolant interpolant(continued(image, request.spec.address), plain);
    for (int j = 0; j < request.height; j += 2)
        for (int i = 0; i < request.width; i += 2) {
            const Affine a = positions_of(request, 40, 30);
            const Point p = warped(request.warp, apply(a, i, j), 40, 30);
            ASSERT_NEAR(out.value(i, j, 0), interpolant.at({p.x + border_margin, p.y + border_margin})[0],
                        value_range * tolerance::exact_path);
        }
    request.antialias = true;
    expect_that_of_samples_minus(image, request);
}

TEST_P(BorderValues, HaveTheDerivativesOfTheContinuedImage) {
    if (!method().slope) GTEST_SKIP() << method().id << " has no continuous derivative";
    const Image image = noise(13, 9, 2, SampleType::f32, 8);
    for (const AddressPair& address : border_pairs())
        for (const Derivative axis : {Derivative::x, Derivative::y}) {
            RenderRequest request = with_value(spec(), address, 2, turned);
            request.derivative = axis;
            expect_that_of_continued(image, request, value_range * tolerance::derivative);
        }
}

TEST_P(BorderValues, AreDecodedAndCodedWithTheSamplesInLinearLight) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "not exact";
    const Image image = noise(13, 9, 3, SampleType::u8, 9);
    expect_that_of_continued(image, with_value(spec(), {AddressMode::border, AddressMode::wrap}, 3, turned),
                             value_range * tolerance::linear_light, Light::linear);
}

TEST_P(BorderValues, OnTheScreenAreThoseOfTheFloats) {
    const Image image = noise(13, 9, 4, SampleType::u8, 10, Alpha::straight);
    SourceImage source(backend_, image);
    for (const Outside outside : {Outside::extend, Outside::background}) {
        RenderRequest request = with_value(spec(), {AddressMode::border, AddressMode::mirror}, 4, turned);
        request.outside = outside;
        const Image floats = source.render_to_image(request), screen = source.render_to_rgba8(request);
        RenderRequest zero = request;
        zero.spec.address.border = {};
        const Image of_zero = source.render_to_rgba8(zero);
        int backgrounds = 0;
        for (int j = 0; j < request.height; ++j)
            for (int i = 0; i < request.width; ++i) {
                const auto p = reference::position(turned, 13, 9, request.width, request.height, i, j);
                const bool beyond = p.x < -0.5 || p.x >= 12.5 || p.y < -0.5 || p.y >= 8.5;
                backgrounds += beyond;
                for (int c = 0; c < 3; ++c) {
                    const double level = floats.value(i, j, c) + (1 - double(floats.value(i, j, 3))) * background_level;
                    if (beyond && outside == Outside::background)
                        ASSERT_EQ(screen.value(i, j, c), of_zero.value(i, j, c)) << i << ", " << j;
                    else
                        ASSERT_NEAR(screen.value(i, j, c), std::clamp(level, 0.0, 1.0), 0.51 / 255)
                            << i << ", " << j << " " << c;
                }
            }
        ASSERT_GT(backgrounds, 0);
    }
}

TEST_P(BorderValues, ThatAreZeroOrBeyondNoEdgeChangeNoBit) {
    const Image image = noise(23, 17, 3, SampleType::u8, 11);
    const auto backend = std::make_shared<CountingBackend>(backend_);
    SourceImage source(backend, image);
    for (const AddressPair& address : all_address_pairs()) {
        RenderRequest request = with_value(spec(), address, 3, turned);
        if (address.has_border()) request.spec.address.border = {{0, 0, 0}, 3};
        RenderRequest zero = request;
        zero.spec.address.border = {};
        const Image a = source.render_to_image(request), b = source.render_to_image(zero);
        ASSERT_EQ(std::memcmp(a.data(), b.data(), a.size_bytes()), 0) << to_string(request.spec);
    }
    EXPECT_EQ(backend->differences, 0);
}

ON_EVERY_BACKEND_AND_KIND(BorderValues, auto_and_every_path());

TEST(BorderPixel, HasTheNumbersItIsGiven) {
    const auto pixel = [](const BorderValue& border, int channels, bool alpha, bool linear = false) {
        const BorderPixel p = border_pixel(border, channels, alpha, linear);
        return std::vector<float>(p.v, p.v + 4);
    };
    using Floats = std::vector<float>;
    EXPECT_EQ(pixel({{0.5f}, 1}, 1, false), (Floats{0.5f, 0, 0, 0}));
    EXPECT_EQ(pixel({{0.5f}, 1}, 3, false), (Floats{0.5f, 0.5f, 0.5f, 0}));
    EXPECT_EQ(pixel({{0.5f}, 1}, 4, true), (Floats{0.25f, 0.25f, 0.25f, 0.5f}));  // alpha included, premultiplied
    EXPECT_EQ(pixel({{0.5f, 0.25f, 1, 0.5f}, 4}, 4, true), (Floats{0.25f, 0.125f, 0.5f, 0.5f}));
    EXPECT_EQ(pixel({{0.5f, 0.25f, 1}, 3}, 4, true), (Floats{0.5f, 0.25f, 1, 1}));  // opaque
    EXPECT_EQ(pixel({{0.5f, 0.25f, 1}, 3}, 1, false), (Floats{0.5f, 0, 0, 0}));
    EXPECT_EQ(pixel({{0.5f, 0.25f}, 2}, 4, false), (Floats{0.5f, 0.25f, 0.25f, 0.25f}));
    EXPECT_NEAR(pixel({{0.5f}, 1}, 2, true, true)[0], 0.5 * 0.21404114048, 1e-7);
    EXPECT_EQ(pixel({{0.5f}, 1}, 2, true, true)[1], 0.5f);
}

// Values beyond a border in all that an image is asked for beside pictures: references, points, texels, levels, signals.

class BorderOfImages : public OnBackend {};

// What a constant is weighed by differs from 1, and from phase to phase.
TEST_P(BorderOfImages, CountAsOftenAsTheWeightsOfACustomMethodSay) {
    const Image image = noise(13, 9, 2, SampleType::u8, 12);
    for (const std::string text :
         {"radius = 1\nw(x) = 1.2 - abs(x)", "radius = 2\nw(x) = exp(-x^2)", "radius = 2\nw(x) = sinc(x)*sinc(x/2)",
          "radius = 1.5\nw(x) = 1 - abs(x)/3\nprefilter = none", "radius = 2\nw(x) = exp(-x^2)\nnormalise = yes",
          "radius = 1\nw(x) = x < 0 ? 1 + x : 1.5*(1 - x)"})
        for (const bool antialias : {false, true})
            for (const AddressPair& address : border_pairs()) {
                MethodSpec spec = default_spec(custom_method(text));
                RenderRequest request = with_value(spec, address, 2, antialias ? View{0.13, 0.07, 2.37, 0} : turned);
                request.antialias = antialias;
                SourceImage source(backend_, image), larger(backend_, continued(image, request.spec.address));
                const RenderRequest of_larger = of_continued(request, image);
                const Image got = source.render_to_image(request), right = larger.render_to_image(of_larger);
                ASSERT_LE(between(got, right).error, 2 * value_range * tolerance::widened)
                    << text << describe_request(image, request) << between(got, right);
                const auto exact = reference_values(source, request),
                           of_continued = reference_values(larger, of_larger);
                for (size_t k = 0; k < exact.size(); ++k)
                    ASSERT_NEAR(exact[k], of_continued[k], 1e-6)
                        << text << describe_request(image, request) << " value " << k << ", in float32 "
                        << got.row_as<float>(0)[k] << ", " << right.row_as<float>(0)[k];
            }
}

// The continued image's samples are floats: of integers, they differ by 3e-8.
TEST_P(BorderOfImages, HaveFloat64References) {
    const Image image = noise(13, 9, 3, SampleType::f32, 13);
    for (const char* method : {"nearest", "bilinear", "bspline", "catmull-rom", "lanczos3", "quintic", "ewa-lanczos"})
        for (const AddressPair& address : border_pairs())
            for (const View& view : {turned, upright}) {
                const RenderRequest request = with_value(spec_of(method), address, 3, view);
                SourceImage source(backend_, image);
                const auto got = reference_values(source, request);
                MethodSpec plain = request.spec;
                plain.address = {};
                const reference::Interpolant interpolant(continued(image, request.spec.address), plain);
                for (size_t k = 0; k < got.size(); ++k) {
                    const int pixel = int(k) / 3, i = pixel % request.width, j = pixel / request.width;
                    if (i % 3 != 0 || j % 3 != 0) continue;
                    const auto p = reference::position(view, 13, 9, request.width, request.height, i, j);
                    ASSERT_NEAR(got[k], interpolant.at({p.x + border_margin, p.y + border_margin})[k % 3], 1e-11)
                        << describe_request(image, request);
                }
            }
}

// A level of the pyramid is in float32.
TEST_P(BorderOfImages, HaveFloat64ReferencesOfALevel) {
    const Image image = noise(64, 48, 1, SampleType::u8, 14);
    RenderRequest request =
        with_value(spec_of("catmull-rom"), {AddressMode::border, AddressMode::border}, 1, {0, 0, 11, 0}, 9, 7);
    request.antialias = true;
    SourceImage source(backend_, image);
    const auto exact = reference_values(source, request);
    const Image rendered = source.render_to_image(request);
    for (size_t k = 0; k < exact.size(); ++k)
        ASSERT_NEAR(rendered.value(int(k) % 9, int(k) / 9, 0), exact[k], value_range * tolerance::widened);
}

TEST_P(BorderOfImages, AreReadAtPoints) {
    const Image image = noise(13, 9, 2, SampleType::u8, 15);
    SourceImage source(backend_, image);
    const AddressPair address{AddressMode::border, AddressMode::wrap, value_for(2)};
    constexpr double infinity = INFINITY;
    const double x[] = {-1.25, 4.5, infinity, -1e30, NAN, 3}, y[] = {2.5, -40.25, 3, 2, 1, NAN};
    SampleRequest request{.spec = spec_of("bspline")};
    request.spec.address = address;
    const std::vector<float> got = source.sample_to_host(request, PointsView::arrays(x, y, 6));
    MethodSpec plain = request.spec;
    plain.address = {};
    const reference::Interpolant interpolant(continued(image, address), plain);
    for (size_t k = 0; k < 2; ++k)
        for (size_t c = 0; c < 2; ++c)
            EXPECT_NEAR(got[2 * k + c], interpolant.at({x[k] + border_margin, y[k] + border_margin})[c],
                        value_range * tolerance::exact_path);
    for (size_t k = 2; k < 4; ++k)
        for (size_t c = 0; c < 2; ++c) EXPECT_NEAR(got[2 * k + c], beyond_border[c], 1e-6);
    for (size_t k = 8; k < 12; ++k) EXPECT_TRUE(std::isnan(got[k]));
    request.outside = Outside::nan;
    EXPECT_TRUE(std::isnan(source.sample_to_host(request, PointsView::arrays(x, y, 1))[0]));
    const auto one = source.value_at(request.spec, {-1.25, 2.5});
    for (size_t c = 0; c < 2; ++c) EXPECT_NEAR(one[c], got[c], value_range * tolerance::exact_path);
}

TEST_P(BorderOfImages, AreAmongTheTexels) {
    const Image image = noise(13, 9, 2, SampleType::f32, 16);
    SourceImage source(backend_, image);
    for (const char* method : {"bilinear", "bspline"}) {
        const RenderRequest request =
            with_value(spec_of(method), {AddressMode::border, AddressMode::mirror}, 2, turned);
        const std::vector<float> texels = source.texels(request, -9, -5, 31, 19);
        MethodSpec plain = request.spec;
        plain.address = {};
        const reference::Interpolant interpolant(continued(image, request.spec.address), plain);
        for (int k = 0; k < int(texels.size()); ++k)
            ASSERT_NEAR(
                texels[size_t(k)],
                interpolant.coefficient(k / 2 % 31 - 9 + border_margin, k / 2 / 31 - 5 + border_margin)[size_t(k % 2)],
                value_range * tolerance::exact_path)
                << method << " " << k;
    }
}

TEST_P(BorderOfImages, AreShrunkByLeastSquares) {
    const Image image = noise(40, 30, 2, SampleType::u8, 17);
    SourceImage source(backend_, image);
    for (const char* method : {"bilinear", "bspline"}) {
        MethodSpec spec = spec_of(method);
        spec.address = {AddressMode::border, AddressMode::border, value_for(2)};
        const RenderRequest request = resize_request(source.samples(), spec, 13, 9);
        SourceImage larger(backend_, continued(image, spec.address));
        const Image got = least_squares_image(source, request),
                    right = least_squares_image(larger, of_continued(request, image));
        EXPECT_LE(between(got, right).error, value_range * 2e-5) << between(got, right);
    }
}

// A signal has no edges along y.
TEST_P(BorderOfImages, OfASignalAreBeyondItsEnds) {
    const Image row = signal(21, [](int k) { return std::sin(0.8 * k); });
    SourceImage source(backend_, row);
    MethodSpec spec = spec_of("bspline");
    spec.address = {AddressMode::border, AddressMode::clamp, {{0.7f}, 1}};
    MethodSpec plain = spec;
    plain.address = {};
    const std::vector<double> xs = {-3.5, -0.4, 0.3, 20.2, 22.6};
    const std::vector<float> got = sampled(source, spec, xs);
    Image longer(21 + 2 * border_margin, 1, 1, SampleType::f32);
    for (int k = 0; k < longer.width(); ++k)
        longer.row_as<float>(0)[k] =
            k < border_margin || k >= 21 + border_margin ? 0.7f : row.value(k - border_margin, 0, 0);
    longer.set_one_dimensional(true);
    const reference::Interpolant interpolant(longer, plain);
    for (size_t k = 0; k < xs.size(); ++k)
        EXPECT_NEAR(got[k], interpolant.at({xs[k] + border_margin, 0})[0], tolerance::exact_path) << xs[k];
    spec.address = {AddressMode::clamp, AddressMode::border, {{0.7f}, 1}};
    EXPECT_EQ(sampled(source, spec, xs), sampled(source, plain, xs));
}

TEST_P(BorderOfImages, AreKeptApartAndMadeOnce) {
    const auto backend = std::make_shared<CountingBackend>(backend_);
    const Image image = noise(33, 27, 3, SampleType::u8, 18);
    SourceImage source(backend, image);
    RenderRequest request =
        with_value(spec_of("bspline"), {AddressMode::border, AddressMode::border}, 3, {-20, 0, 1.5, 0});
    EXPECT_GT(source.unprepared(source.plan(request)), 0);
    EXPECT_TRUE(source.prepare(request));
    EXPECT_EQ(source.unprepared(source.plan(request)), 0);
    const Image first = source.render_to_image(request);
    EXPECT_EQ(backend->differences, 1);
    RenderRequest other = request;
    other.spec.address.border.value[0] = 0.25f;
    EXPECT_FALSE(read_the_same(source.plan(request), source.plan(other)));
    EXPECT_GT(between(source.render_to_image(other), first).error, 0.1);
    EXPECT_EQ(between(source.render_to_image(request), first).error, 0);
    EXPECT_EQ(backend->differences, 2);
    EXPECT_EQ(backend->prefilters, 2);
    request.spec = spec_of("bilinear:address=border/clamp");  // the same image minus the value
    request.spec.address.border = other.spec.address.border;
    source.render_to_image(request);
    EXPECT_EQ(backend->differences, 2);
}

ON_EVERY_BACKEND(BorderOfImages);

}  // namespace
}  // namespace texelscope::test
