// Linear light and what is outside the image, by every kernel.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "gpu/backend/source_image.h"
#include "gpu/core/image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// Interpolation in linear light: sRGB decoded before, coded after; alpha likewise.

// IEC 61966-2-1 in float64.
double decoded(double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); }
double encoded(double v) {
    if (v < 0) return -encoded(-v);
    return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

class LinearLight : public OnMethod {
protected:
    // The light of the colour channels, as an image that float64 interpolates.
    static Image light_of(const Image& image) {
        const int colours = image.channels() - (image.alpha() == Alpha::none ? 0 : 1);
        Image light(image.width(), image.height(), image.channels(), SampleType::f32, image.alpha());
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                for (int c = 0; c < image.channels(); ++c) {
                    const double v = image.value(x, y, c);
                    set_value(light, x, y, c, c < colours ? decoded(v) : v);
                }
        return light;
    }

    void check(const Image& image) {
        RenderRequest request = beyond_borders(spec(), 25, 19, 0);
        request.view = {1.3, -0.7, 0.43, 20};
        const Image out = SourceImage(backend_, image, Light::linear).render_to_image(request);
        const reference::Interpolant interpolant(light_of(image), request.spec);
        const bool alpha = image.alpha() != Alpha::none;
        const int colours = image.channels() - (alpha ? 1 : 0);
        for (int j = 0; j < 19; j += 2)
            for (int i = 0; i < 25; i += 2) {
                const auto p = reference::position(request.view, image.width(), image.height(), 25, 19, i, j);
                const reference::Value value = interpolant.at(p);
                const double a = alpha ? value[size_t(colours)] : 1.0;
                if (std::abs(a) < 0.05) continue;  // a straight colour that hardly exists
                for (int c = 0; c < image.channels(); ++c) {
                    const double expected =
                        c < colours && a != 0 ? a * encoded(value[size_t(c)] / a) : value[size_t(c)];
                    ASSERT_NEAR(out.value(i, j, c), expected, tolerance::linear_light)
                        << describe_request(image, request) << " channel " << c;
                }
            }
    }
};

TEST_P(LinearLight, IsFloat64sRGBAroundTheInterpolation) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f32})
        for (const int channels : {1, 3, 4}) check(noise(14, 13, channels, type, 3));
}

// Colour is decoded as its straight value, and alpha is not light.
TEST_P(LinearLight, LeavesAlphaAndDecodesStraightColour) {
    for (const int channels : {2, 4}) check(noise(14, 13, channels, SampleType::u8, 4, Alpha::straight));
}

TEST_P(LinearLight, GivesEightBitImagesBackBitForBit) {
    if (!method().interpolating) GTEST_SKIP() << method().id << " does not pass through the samples";
    Image image(256, 4, 3, SampleType::u8);
    Random random(5);
    for (int x = 0; x < 256 * 3; ++x)
        for (int y = 0; y < 4; ++y) image.row_as<uint8_t>(y)[x] = uint8_t(y == 0 ? x / 3 : random.integer(0, 255));
    const Image out = SourceImage(backend_, image, Light::linear).render_to_image(beyond_borders(spec(), 256, 4, 0));
    const Image back = converted(out, SampleType::u8);
    EXPECT_EQ(0, std::memcmp(back.data(), image.data(), image.size_bytes()));
}

// Garbage in colour under transparent pixels, here not even numbers, affects no pixel, however it is read.
TEST_P(LinearLight, AndStoredValuesAlikeIgnoreColourUnderZeroAlpha) {
    for (const SampleType type : {SampleType::u8, SampleType::f16, SampleType::f32}) {
        Image clean = noise(15, 12, 4, type, 6, Alpha::straight), garbage = clean;
        Random random(7);
        const double rubbish[] = {1, 0.5, NAN, INFINITY, -INFINITY, 3e4};
        for (int y = 0; y < 12; ++y)
            for (int x = 0; x < 15; ++x) {
                if (random.chance(0.6)) continue;
                for (Image* image : {&clean, &garbage}) set_value(*image, x, y, 3, 0);
                for (int c = 0; c < 3; ++c) {
                    set_value(clean, x, y, c, 0);
                    set_value(garbage, x, y, c, rubbish[random.integer(0, type == SampleType::u8 ? 1 : 5)]);
                }
            }
        for (const Light light : {Light::stored, Light::linear}) {
            SourceImage of_clean(backend_, clean, light), of_garbage(backend_, garbage, light);
            for (const double scale : {0.7, 3.0, 17.0}) {
                RenderRequest request = beyond_borders(spec(), 15, 12, 4);
                request.view = {0.3, 0.2, scale, 25};
                request.antialias = true;
                ASSERT_EQ(between(of_clean.render_to_image(request), of_garbage.render_to_image(request)).error, 0)
                    << describe_request(clean, request);
            }
        }
    }
}

ON_EVERY_BACKEND_AND_KIND(LinearLight, auto_path());

class LightLevels : public OnBackend {};

// Half the light of white is level 188, where half the stored value is 128.
TEST_P(LightLevels, TheMiddleOfABlackAndWhiteEdgeIsHalfTheLight) {
    Image image(2, 1, 3, SampleType::u8);
    for (int c = 0; c < 3; ++c) image.row_as<uint8_t>(0)[3 + c] = 255;
    RenderRequest request = request_of(spec_of("bilinear"), 1, 1);
    for (const auto& [light, level] : {std::pair{Light::stored, 128}, {Light::linear, 188}}) {
        SourceImage source(backend_, image, light);
        EXPECT_EQ(source.render_to_rgba8(request).row_as<uint8_t>(0)[1], level);
        const double at[] = {0.5, 0};
        const std::vector<float> value = source.sample_to_host({.spec = request.spec}, PointsView::pairs(at, 1));
        EXPECT_NEAR(value[0], light == Light::stored ? 0.5 : encoded(0.5), 1e-6);
        EXPECT_NEAR(source.value_at(request.spec, {0.5, 0})[1], light == Light::stored ? 0.5 : encoded(0.5), 1e-6);
    }
}

// docs/fidelity.md: a checkerboard's mean is 188 in linear light and 128 in stored values.
TEST_P(LightLevels, ACheckerboardFarAwayIsHalfTheLight) {
    Image image(256, 256, 1, SampleType::u8);
    for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x) image.row_as<uint8_t>(y)[x] = (x + y) % 2 ? 255 : 0;
    for (const auto& [light, level] : {std::pair{Light::stored, 128}, {Light::linear, 188}})
        for (const char* spec : {"bilinear:address=wrap", "lanczos3:address=wrap", "bspline:address=wrap"}) {
            SourceImage source(backend_, image, light);
            for (const double scale : {4.0, 16.0, 100.0}) {
                RenderRequest request = request_of(spec_of(spec), 9, 9);
                request.view = {0.2, 0.3, scale, 0};
                request.antialias = true;
                const Image out = source.render_to_rgba8(request);
                for (int x = 0; x < 9; ++x)
                    EXPECT_NEAR(out.row_as<uint8_t>(4)[4 * x], level, 1) << spec << " scale " << scale;
            }
        }
}

// A file that says that it holds linear light is not decoded once more, and its slopes are those of the stored values.
TEST_P(LightLevels, WhatIsLinearByItsFileIsInterpolatedAsItIs) {
    const Image stored = noise(12, 9, 3, SampleType::u8, 3);
    RenderRequest request = beyond_borders(spec_of("catmull-rom"), 14, 11, 3);
    request.view = {0.3, -0.4, 0.8, 20};
    for (const bool without_bounds : {false, true}) {
        Image image = stored;
        ColourProfile profile;
        profile.exponent = 1;
        profile.linear_light = without_bounds;
        image.set_profile(std::make_shared<const ColourProfile>(profile));
        for (const Derivative derivative : {Derivative::none, Derivative::x}) {
            request.derivative = derivative;
            const Image expected = SourceImage(backend_, stored).render_to_image(request);
            EXPECT_EQ(between(SourceImage(backend_, image, Light::linear).render_to_image(request), expected).error, 0);
            const auto shared = std::make_shared<const Image>(image);
            EXPECT_EQ(between(SourceImage(backend_, shared, Light::linear).render_to_image(request), expected).error,
                      0);
        }
    }
    Image gamma = stored;
    ColourProfile profile;
    profile.exponent = 2;
    gamma.set_profile(std::make_shared<const ColourProfile>(profile));
    request.derivative = Derivative::none;
    EXPECT_GT(between(SourceImage(backend_, gamma, Light::linear).render_to_image(request),
                      SourceImage(backend_, stored).render_to_image(request))
                  .error,
              0.01);
}

ON_EVERY_BACKEND(LightLevels);

// Outside::background shows the background if a position is outside the samples' extent
// [−0.5, w − 0.5) × [−0.5, h − 0.5), and nothing else there.

class Background : public OnMethod {
protected:
    RenderRequest outside_request(int width, int height, int margin) const {
        RenderRequest request = beyond_borders(spec(), width, height, margin);
        request.outside = Outside::background;
        return request;
    }
    std::array<int, 4> pixel(const Image& image, int x, int y) const {
        const uint8_t* p = image.row_as<uint8_t>(y) + 4 * x;
        return {p[0], p[1], p[2], p[3]};
    }
};

constexpr std::array<int, 4> background_grey = {32, 32, 32, 255};  // #202020

TEST_P(Background, IsGrey32AroundTheImageOnTheScreen) {
    for (int channels = 1; channels <= 4; ++channels)
        for (const AddressMode mode : all_address_modes) {
            const Image image = noise(11, 9, channels, SampleType::u8, 81);
            RenderRequest request = outside_request(11, 9, 5);
            request.spec.address = {mode, mode};
            const Image out = SourceImage(backend_, image).render_to_rgba8(request);
            RenderRequest inside = request;
            inside.outside = Outside::extend;
            const Image extended = SourceImage(backend_, image).render_to_rgba8(inside);
            for (int y = 0; y < out.height(); ++y)
                for (int x = 0; x < out.width(); ++x) {
                    const bool is_inside = x >= 5 && x < 16 && y >= 5 && y < 14;
                    ASSERT_EQ(pixel(out, x, y), is_inside ? pixel(extended, x, y) : background_grey)
                        << x - 5 << ", " << y - 5 << " " << describe_request(image, request);
                }
        }
}

// Positions here are multiples of 1/4, exact in binary: −1/2 belongs to the image, w − 1/2 does not.
TEST_P(Background, StartsAtTheEdgeOfTheExtentLeftEdgeIncludedRightEdgeExcluded) {
    Image image(4, 4, 1, SampleType::u8);
    std::fill_n(reinterpret_cast<uint8_t*>(image.data()), 16, uint8_t(255));
    RenderRequest request = outside_request(4, 4, 0);
    request.view.scale = 0.25;
    request.width = request.height = 25;  // positions 1.5 + (i − 12)/4: −1.5 … 4.5
    SourceImage source(backend_, image);
    for (const int turns : {0, 1, 2, 3}) {  // quarter turns, exact too, take the code for rotated views
        request.view.rotate = 90 * turns;
        const Image out = source.render_to_rgba8(request);
        for (int j = 0; j < 25; ++j)
            for (int i = 0; i < 25; ++i) {
                const auto p = reference::position(request.view, 4, 4, 25, 25, i, j);
                const bool inside = p.x >= -0.5 && p.x < 3.5 && p.y >= -0.5 && p.y < 3.5;
                ASSERT_EQ(pixel(out, i, j) == background_grey, !inside)
                    << double(p.x) << ", " << double(p.y) << ", turns " << turns;
            }
    }
}

TEST_P(Background, FollowsARotatedExtent) {
    const Image image = noise(30, 20, 3, SampleType::f32, 82);
    RenderRequest request = outside_request(30, 20, 10);
    request.view = {3.3, -2.1, 0.7, 37};
    const Image out = SourceImage(backend_, image).render_to_rgba8(request);
    for (int y = 0; y < out.height(); ++y)
        for (int x = 0; x < out.width(); ++x) {
            const auto p = reference::position(request.view, 30, 20, request.width, request.height, x, y);
            const bool inside = p.x >= -0.5 && p.x < 29.5 && p.y >= -0.5 && p.y < 19.5;
            if (!inside) {
                ASSERT_EQ(pixel(out, x, y), background_grey) << x << ", " << y;
            }
        }
}

// The values inside do not depend on what is outside: the image is still extended under the taps.
TEST_P(Background, LeavesTheInsideAsItIs) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "not exact";
    const Image image = noise(13, 8, 2, SampleType::u16, 83);
    for (const AddressPair& address : all_address_pairs()) {
        RenderRequest request = outside_request(13, 8, 3);
        request.spec.address = address;
        request.view = {0.2, 0.3, 0.8, address.x == address.y ? 0.0 : -12.0};
        RenderRequest extend = request;
        extend.outside = Outside::extend;
        SourceImage source(backend_, image);
        const Image out = source.render_to_image(request), extended = source.render_to_image(extend);
        for (int y = 0; y < out.height(); ++y)
            for (int x = 0; x < out.width(); ++x) {
                const auto p = reference::position(request.view, 13, 8, request.width, request.height, x, y);
                if (p.x < -0.5 || p.x >= 12.5 || p.y < -0.5 || p.y >= 7.5) continue;
                for (int c = 0; c < 2; ++c) ASSERT_EQ(out.value(x, y, c), extended.value(x, y, c));
            }
    }
}

ON_EVERY_BACKEND_AND_KIND(Background, every_path());

// What is outside the image and linear light are the same by whichever kernel `auto` chooses as by the simple one, for
// views of every kind.

class FastOutputs : public OnBackend {
protected:
    static void expect_same(SourceImage& source, RenderRequest request, const std::string& what) {
        const Image fast = source.render_to_image(request);
        request.simple = true;
        const Image simple = source.render_to_image(request);
        int not_finite = 0;
        double largest = 0;
        for (int y = 0; y < fast.height(); ++y)
            for (int x = 0; x < fast.width(); ++x)
                for (int c = 0; c < fast.channels(); ++c) {
                    const float a = fast.value(x, y, c), b = simple.value(x, y, c);
                    ASSERT_EQ(std::isnan(a), std::isnan(b))
                        << what << " at " << x << ", " << y << ": " << a << ", " << b;
                    if (std::isnan(a)) ++not_finite;
                    else largest = std::max(largest, std::abs(double(a) - double(b)));
                }
        EXPECT_LE(largest, tolerance::exact_path) << what;
        EXPECT_EQ(not_finite > 0, request.outside == Outside::nan) << what;
    }

    void expect_same_views(SourceImage& source, Outside outside, const std::string& what) {
        for (const char* method : {"nearest", "bilinear", "catmull-rom", "bspline", "lanczos3"})
            for (const FetchPath path : {FetchPath::automatic, FetchPath::global})
                for (const double angle : {0.0, 10.0, 180.0, 217.3}) {
                    RenderRequest request;
                    request.spec = default_spec(parse_method(method));
                    request.spec.path = path;
                    request.width = 170;
                    request.height = 130;
                    request.view = {3.1, -2.7, 0.6, angle};  // wider than the image
                    request.outside = outside;
                    expect_same(source, request, fmt::format("{}, {}, {} degrees", what, method, angle));
                }
    }
};

TEST_P(FastOutputs, NanOutsideIsThatOfTheSimpleKernel) {
    for (const int channels : {1, 3, 4}) {
        const Image image = noise(71, 53, channels, SampleType::f32, 21);
        SourceImage source(backend_, image);
        expect_same_views(source, Outside::nan, fmt::format("{} channels", channels));
    }
}

TEST_P(FastOutputs, LinearLightIsThatOfTheSimpleKernel) {
    for (const int channels : {1, 3, 4}) {
        const Image image = noise(71, 53, channels, SampleType::u8, 22, channels == 4 ? Alpha::straight : Alpha::none);
        SourceImage source(backend_, image, Light::linear);
        expect_same_views(source, Outside::background, fmt::format("{} channels in linear light", channels));
    }
}

// Whole positions on the last samples are inside, one step beyond is not.
TEST_P(FastOutputs, NanOutsideBeginsRightBeyondTheLastSample) {
    const Image image = noise(16, 12, 1, SampleType::f32, 23);
    SourceImage source(backend_, image);
    RenderRequest request;
    request.spec = default_spec(parse_method("catmull-rom"));
    request.width = 80;
    request.height = 64;
    request.positions = Affine{0.25, 0, -2, 0, 0.25, -2};
    request.outside = Outside::nan;
    const Image result = source.render_to_image(request);
    for (int y = 0; y < request.height; ++y)
        for (int x = 0; x < request.width; ++x) {
            const double px = -2 + 0.25 * x, py = -2 + 0.25 * y;
            const bool inside = px >= 0 && px <= 15 && py >= 0 && py <= 11;
            ASSERT_EQ(!std::isnan(result.value(x, y, 0)), inside) << px << ", " << py;
        }
}

ON_EVERY_BACKEND(FastOutputs);

}  // namespace
}  // namespace texelscope::test
