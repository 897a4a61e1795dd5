// From values to RGBA8: composed, rounded, with levels, tones and false colour.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/backend/source_image.h"
#include "gpu/display/display.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// The rgba8 output is the float output, composed over the background, clamped and rounded; and images with alpha are
// interpolated premultiplied.

constexpr double background = 32.0 / 255;

class Display : public OnMethod {
protected:
    // What a pixel shows: grey spread over r, g, b; two or four channels with alpha laid over the background. How the
    // second channel of an image without alpha should look is not specified, so it is not tested.
    static std::array<double, 3> composed(const Image& image, int x, int y) {
        const int channels = image.channels();
        const bool alpha = image.alpha() != Alpha::none;
        const double through = alpha ? (1 - image.value(x, y, channels - 1)) * background : 0;
        std::array<double, 3> colour;
        for (int c = 0; c < 3; ++c) colour[c] = image.value(x, y, channels >= 3 ? c : 0) + through;
        return colour;
    }

    void check(const Image& image, const RenderRequest& request) {
        SourceImage source(backend_, image);
        const Image shown = source.render_to_rgba8(request), floats = source.render_to_image(request);
        ASSERT_EQ(shown.type(), SampleType::u8);
        ASSERT_EQ(shown.channels(), 4);
        for (int y = 0; y < request.height; ++y)
            for (int x = 0; x < request.width; ++x) {
                const uint8_t* pixel = shown.row_as<uint8_t>(y) + 4 * x;
                const auto colour = composed(floats, x, y);
                ASSERT_EQ(pixel[3], 255);
                for (int c = 0; c < 3; ++c) {
                    const double level = std::clamp(colour[c], 0.0, 1.0) * 255;
                    // Exactly the nearest level; within a float's error of the middle either neighbour.
                    ASSERT_LE(std::abs(pixel[c] - level), 0.5 + 255 * 1e-6)
                        << x << ", " << y << " channel " << c << " " << describe_request(image, request);
                }
            }
    }
};

TEST_P(Display, IsTheRoundedFloatOutput) {
    for (const int channels : {1, 3})
        for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
            for (const double rotate : {0.0, 17.0}) {
                RenderRequest request = beyond_borders(spec(), 40, 30, 3);
                request.view = {0.4, 0.7, 0.6, rotate};
                check(noise(40, 30, channels, type, 91), request);
            }
}

// Overshoot is clamped: it does not wrap around in 8 bits.
TEST_P(Display, ClampsOvershoot) {
    RenderRequest request = beyond_borders(spec(), 40, 30, 3);
    request.view = {0.4, 0.7, 0.2, 17};
    check(binary_noise(40, 30, 92), request);
    Image large(8, 8, 3, SampleType::f32);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 24; ++x) large.row_as<float>(y)[x] = x % 2 ? 1e4f : -1e4f;
    check(large, beyond_borders(spec(), 8, 8, 0));
}

TEST_P(Display, LaysAlphaOverTheBackground) {
    for (const int channels : {2, 4})
        for (const SampleType type : {SampleType::u8, SampleType::f32}) {
            RenderRequest request = beyond_borders(spec(), 40, 30, 3);
            request.view = {0.4, 0.7, 0.6, 17};
            check(noise(40, 30, channels, type, 93, Alpha::straight), request);
            request.spec.address = {AddressMode::border, AddressMode::border};  // zero outside, alpha included
            check(noise(40, 30, channels, type, 93, Alpha::straight), request);
        }
}

TEST_P(Display, NaNIsShownAsBlackAndInfinityAsWhite) {
    if (!method().interpolating || method().has_prefilter() || path() == FetchPath::hardware) return;
    Image image(4, 1, 1, SampleType::f32);
    const float values[] = {NAN, INFINITY, -INFINITY, 0.5f};
    std::copy_n(values, 4, image.row_as<float>(0));
    const Image shown = SourceImage(backend_, image).render_to_rgba8(beyond_borders(spec(), 4, 1, 0));
    const int expected[] = {0, 255, 0, 128};
    for (int x = 0; x < 4; ++x) EXPECT_EQ(shown.row_as<uint8_t>(0)[4 * x], expected[x]) << values[x];
}

// Colour under alpha 0 is invisible, so it must not affect any pixel that a tap on it reaches.
TEST_P(Display, ColourUnderZeroAlphaDoesNotBleed) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
        Image clean = noise(20, 20, 4, type, 94, Alpha::straight), garbage = clean;
        Random random(95);
        for (int y = 0; y < 20; ++y)
            for (int x = 0; x < 20; ++x) {
                if (random.chance(0.5)) continue;
                for (Image* image : {&clean, &garbage}) set_value(*image, x, y, 3, 0);
                for (int c = 0; c < 3; ++c) set_value(clean, x, y, c, 0), set_value(garbage, x, y, c, random.unit());
            }
        RenderRequest request = beyond_borders(spec(), 20, 20, 4);
        request.view = {0.3, 0.2, 0.7, 25};
        EXPECT_EQ(between(SourceImage(backend_, clean).render_to_image(request),
                          SourceImage(backend_, garbage).render_to_image(request))
                      .error,
                  0);
    }
}

// An opaque red next to a transparent green: on the way between them alpha fades and the hue stays.
TEST_P(Display, OnlyAlphaFadesTowardsATransparentNeighbour) {
    Image image(2, 1, 4, SampleType::u8, Alpha::straight);
    const uint8_t pixels[] = {255, 0, 0, 255, 0, 255, 0, 0};
    std::copy_n(pixels, 8, image.row_as<uint8_t>(0));
    RenderRequest request = beyond_borders(spec(), 2, 1, 0);
    request.view.scale = 1.0 / 16;
    request.width = 17;
    const Image out = SourceImage(backend_, image).render_to_image(request);
    EXPECT_EQ(out.alpha(), Alpha::premultiplied);
    for (int x = 0; x < 17; ++x) {
        EXPECT_NEAR(out.value(x, 0, 0), out.value(x, 0, 3), tolerance::exact_path);
        EXPECT_NEAR(out.value(x, 0, 1), 0, tolerance::exact_path);
    }
}

// Without alpha the fourth channel is ordinary data.
TEST_P(Display, WithoutAlphaNothingIsMultiplied) {
    Image image(3, 3, 4, SampleType::f32);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) image.row_as<float>(y)[4 * x] = 1;  // red, the fourth channel zero
    const Image out = SourceImage(backend_, image).render_to_image(beyond_borders(spec(), 3, 3, 0));
    EXPECT_EQ(out.alpha(), Alpha::none);
    EXPECT_NEAR(out.value(1, 1, 0), 1, tolerance::exact_path);
}

ON_EVERY_BACKEND_AND_KIND(Display, every_path());

// Levels, tone curves, inverting and false colour against their formulas in float64.

constexpr double half_level = 0.5 + 2e-3;  // of 255: rounding to 8 bits, and float32 before it

double level(uint32_t pixel, int channel) { return double(pixel >> (8 * channel) & 255u); }

class Toned : public OnBackend {
protected:
    std::vector<uint32_t> shown(const std::vector<float>& values, int channels, const DisplaySettings& settings,
                                bool alpha = false) {
        const Plane plane(*backend_, values);
        DisplayJob job;
        job.shown = plane;
        job.width = int(values.size()) / channels;
        job.height = 1;
        job.channels = channels;
        job.has_alpha = alpha;
        job.display = settings;
        return displayed(*backend_, job);
    }
    uint32_t one(const std::vector<float>& values, const DisplaySettings& settings, bool alpha = false) {
        return shown(values, int(values.size()), settings, alpha)[0];
    }
};

double on_screen(double v) { return 255 * std::clamp(v, 0.0, 1.0); }

// Reinhard, Stark, Shirley, Ferwerda 2002, Photographic Tone Reproduction for Digital Images, eq. 3: L / (1 + L), here with
// Rec. 709's luminance; colours keep their proportions.
TEST_P(Toned, ReinhardActsOnTheLuminance) {
    for (double scale = 0.01; scale < 1e4; scale *= 1.7) {
        const double rgb[3] = {0.9 * scale, 0.4 * scale, 0.15 * scale};
        const double luminance = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
        const uint32_t pixel = one({float(rgb[0]), float(rgb[1]), float(rgb[2])}, {.curve = ToneCurve::reinhard});
        for (int c = 0; c < 3; ++c)
            EXPECT_NEAR(level(pixel, c), on_screen(rgb[c] / (1 + luminance)), half_level) << scale << " " << c;
    }
    EXPECT_NEAR(level(one({1.0f}, {.curve = ToneCurve::reinhard}), 0), 127.5, half_level);
    EXPECT_EQ(level(one({INFINITY}, {.curve = ToneCurve::reinhard}), 0), 255);
    EXPECT_EQ(level(one({-0.5f}, {.curve = ToneCurve::reinhard}), 0), 0);
}

// Krzysztof Narkowicz 2015, ACES Filmic Tone Mapping Curve: x (2.51 x + 0.03) / (x (2.43 x + 0.59) + 0.14).
TEST_P(Toned, AcesIsNarkowiczsFitForEachChannel) {
    const auto fit = [](double x) { return x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14); };
    for (double scale = 1e-3; scale < 1e5; scale *= 1.4) {
        const double rgb[3] = {scale, 0.3 * scale, -scale};
        const uint32_t pixel = one({float(rgb[0]), float(rgb[1]), float(rgb[2])}, {.curve = ToneCurve::aces});
        for (int c = 0; c < 3; ++c)
            EXPECT_NEAR(level(pixel, c), on_screen(fit(std::max(rgb[c], 0.0))), half_level) << scale << " " << c;
    }
    EXPECT_EQ(level(one({INFINITY}, {.mark_nonfinite = false, .curve = ToneCurve::aces}), 0), 255);
}

TEST_P(Toned, LevelsThenExposureThenCurveThenGammaThenInverted) {
    const DisplaySettings s{
        .exposure = 1.5f, .gamma = 2.2f, .black = 0.1f, .white = 0.6f, .curve = ToneCurve::reinhard, .invert = true};
    for (double v = 0; v <= 1; v += 0.03125) {
        const double exposed = (v - double(0.1f)) / (double(0.6f) - double(0.1f)) * std::exp2(1.5);
        const double toned = exposed > 0 ? exposed / (1 + exposed) : 0;
        EXPECT_NEAR(level(one({float(v)}, s), 0), 255 - on_screen(std::pow(toned, 1 / double(2.2f))), half_level) << v;
    }
}

TEST_P(Toned, LevelsSpreadWhatIsBetweenThem) {
    const DisplaySettings s{.black = 100, .white = 300};
    EXPECT_EQ(level(one({50}, s), 0), 0);
    EXPECT_EQ(level(one({100}, s), 0), 0);
    EXPECT_NEAR(level(one({200}, s), 0), 127.5, half_level);
    EXPECT_EQ(level(one({300}, s), 0), 255);
    EXPECT_EQ(level(one({1000}, s), 0), 255);
}

// The settings act on straight colour: a transparent pixel stays what is behind it.
TEST_P(Toned, TransparencyIsNeitherInvertedNorLifted) {
    for (const DisplaySettings& s : {DisplaySettings{.invert = true}, DisplaySettings{.black = -1, .white = 1}})
        EXPECT_EQ(one({0, 0, 0, 0}, s, true), one({0, 0, 0, 0}, {}, true));
    // Straight ¼ at alpha ½ becomes ¾; half of it over half of the grey 32.
    EXPECT_NEAR(level(one({0.125f, 0.125f, 0.125f, 0.5f}, {.backdrop = Backdrop::grey, .invert = true}, true), 0),
                255 * 0.375 + 16, half_level);
}

// Values beyond white or below black are clamped before they go over the backdrop, of grey 32, not after.
TEST_P(Toned, HalfTransparentColourIsClampedBeforeItIsLaidOverTheBackdrop) {
    const float alpha = 128 / 255.0f, half_backdrop = 127 / 255.0f * 32;
    const float white = alpha, dark = 50 / 255.0f * alpha;  // premultiplied
    const DisplaySettings brighter{.exposure = 2, .backdrop = Backdrop::grey},
        steeper{.backdrop = Backdrop::grey, .black = 0.366f, .white = 1.104f};
    EXPECT_NEAR(level(one({white, white, white, alpha}, brighter, true), 0), 128 + half_backdrop, half_level);
    EXPECT_NEAR(level(one({dark, dark, dark, alpha}, steeper, true), 1), half_backdrop, half_level);
    // Grey with alpha, and one channel of a colour.
    EXPECT_NEAR(level(one({white, alpha}, brighter, true), 0), 128 + half_backdrop, half_level);
    DisplaySettings blue = steeper;
    blue.channel = ChannelView::third;
    EXPECT_NEAR(level(one({white, white, dark, alpha}, blue, true), 0), half_backdrop, half_level);
    // Opaque colours do not change.
    EXPECT_EQ(level(one({1, 0.1f, 0.5f, 1}, {.exposure = 1}, true), 0), 255);
}

TEST_P(Toned, FalseColourIsOfASingleChannel) {
    const auto& table = colour_table(ColourMap::lagoon);
    const DisplaySettings map{.backdrop = Backdrop::grey, .map = ColourMap::lagoon};
    for (int i = 0; i < 256; ++i) EXPECT_EQ(one({float(i) / 255}, map), table[size_t(i)]) << i;
    EXPECT_EQ(one({-3.0f}, map), table[0]);
    EXPECT_EQ(one({NAN}, map), nan_mark) << "not the lowest value's colour";
    EXPECT_EQ(one({0.25f, 0.5f, 0.75f}, map), one({0.25f, 0.5f, 0.75f}, {})) << "three channels are colours";
    DisplaySettings second = map;
    second.channel = ChannelView::second;
    EXPECT_EQ(one({0.25f, 0.2f, 0.75f}, second), table[51]);
    second.invert = true;
    EXPECT_EQ(one({0.25f, 0.2f, 0.75f}, second), table[204]);
    DisplaySettings magnitude = map;
    magnitude.complex = ComplexView::magnitude;
    EXPECT_EQ(one({0.12f, 0.16f}, magnitude), table[51]);
    // At alpha ½: half the colour over half of the grey 32.
    EXPECT_NEAR(level(one({0.1f, 0.5f}, map, true), 1), level(table[51], 1) / 2 + 16, half_level + 0.5);
}

// A single channel is toned as if it were the picture, so that a legend can name its values.
TEST_P(Toned, ASingleChannelIsTonedAlone) {
    const DisplaySettings s{.channel = ChannelView::first, .curve = ToneCurve::reinhard};
    EXPECT_EQ(one({0.5f, 7, 9}, s), one({0.5f}, {.curve = ToneCurve::reinhard}));
}

// IEC 61966-2-1. Exposure and tone curve act on light, beyond 1 as well; gamma and inverting on the screen's values.
TEST_P(Toned, LinearLightGetsTheScreensCurveAfterTheToneCurve) {
    const auto in_srgb = [](double light) {
        const double v = std::clamp(light, 0.0, 1.0);
        return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
    };
    constexpr int n = ColourConversion::curve_size;
    std::vector<float> curves;
    for (int c = 0; c < 3; ++c)
        for (int i = 0; i < n; ++i) curves.push_back(float(in_srgb(std::pow(i / double(n - 1), 2))));
    const std::shared_ptr<void> memory = backend_->allocate(curves.size() * sizeof(float));
    backend_->write(memory.get(), curves.data(), curves.size() * sizeof(float));
    const auto pixel = [&](double light, const DisplaySettings& settings) {
        const std::vector<float> values(3, float(light));
        const Plane plane(*backend_, values);
        DisplayJob job;
        job.shown = plane;
        job.width = job.height = 1;
        job.channels = 3;
        job.display = settings;
        job.conversion.kind = ColourConversion::Kind::light;
        job.conversion.values = static_cast<const float*>(memory.get());
        return level(displayed(*backend_, job)[0], 1);
    };
    EXPECT_EQ(pixel(0.5, {}), 188);
    const DisplaySettings s{.exposure = -2, .gamma = 1.5f, .curve = ToneCurve::reinhard, .invert = true};
    for (double light = 1.0 / 64; light < 100; light *= 1.5) {
        EXPECT_NEAR(pixel(light, {}), 255 * in_srgb(light), half_level) << light;
        EXPECT_NEAR(pixel(light, {.exposure = -3}), 255 * in_srgb(light / 8), half_level) << light;
        const double toned = light / 4 / (1 + light / 4);
        EXPECT_NEAR(pixel(light, s), 255 * (1 - std::pow(in_srgb(toned), 1 / 1.5)), half_level) << light;
    }
    EXPECT_EQ(pixel(-1, {}), 0);
}

ON_EVERY_BACKEND(Toned);

}  // namespace
}  // namespace texelscope::test
