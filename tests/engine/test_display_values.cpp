// Values as pixels: the default rendering, and differences, channels, tones and marks to the last bit.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/backend/source_image.h"
#include "gpu/display/display.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

constexpr uint32_t rgb(int r, int g, int b) { return uint32_t(r) | uint32_t(g) << 8 | uint32_t(b) << 16 | 255u << 24; }
constexpr uint32_t grey(int v) { return rgb(v, v, v); }
constexpr uint32_t magenta = rgb(255, 0, 255), yellow = rgb(255, 255, 0), cyan = rgb(0, 255, 255);

int red(uint32_t pixel) { return int(pixel & 255); }
int green(uint32_t pixel) { return int(pixel >> 8 & 255); }
int blue(uint32_t pixel) { return int(pixel >> 16 & 255); }

class Shown : public OnBackend {
protected:
    // One row of pixels.
    std::vector<uint32_t> shown(const std::vector<float>& values, int channels, const DisplaySettings& settings,
                                bool alpha = false) {
        const Plane plane(*backend_, values);
        return displayed(*backend_, job(plane, values.size(), channels, settings, alpha));
    }
    uint32_t one(const std::vector<float>& values, const DisplaySettings& settings, bool alpha = false) {
        return shown(values, int(values.size()), settings, alpha)[0];
    }

    // The difference of two rows.
    std::vector<uint32_t> difference(const std::vector<float>& a, const std::vector<double>& r, int channels,
                                     const DifferenceSettings& settings, const DisplaySettings& display = {},
                                     bool alpha = false) {
        const Plane shown(*backend_, a), against(*backend_, r);
        DisplayJob pixels = job(shown, a.size(), channels, display, alpha);
        pixels.against = against;
        pixels.difference = settings;
        return displayed(*backend_, pixels);
    }

    static DisplayJob job(ValuePlane plane, size_t values, int channels, const DisplaySettings& settings, bool alpha) {
        DisplayJob job;
        job.shown = plane;
        job.width = int(values) / channels;
        job.height = 1;
        job.channels = channels;
        job.has_alpha = alpha;
        job.display = settings;
        return job;
    }
};

// The plain settings have no checkerboard, no marks, and no phases of complex numbers.
TEST_P(Shown, PlainlyAsTheRenderingItself) {
    const DisplaySettings plain{.complex = ComplexView::parts, .backdrop = Backdrop::grey, .mark_nonfinite = false};
    for (int channels = 1; channels <= 4; ++channels)
        for (const Alpha alpha : {Alpha::none, Alpha::straight}) {
            if (alpha == Alpha::straight && channels % 2 == 1) continue;
            Image image = noise(40, 30, channels, SampleType::f32, uint64_t(channels), alpha);
            for (int k = 0; k < 30; ++k) image.row_as<float>(k)[0] = float(k - 10) * 0.3f;
            image.row_as<float>(3)[8] = NAN;
            SourceImage source(backend_, image);
            RenderRequest request = request_of(spec_of("catmull-rom"), 50, 45);
            request.view.rotate = 10;
            request.outside = Outside::background;
            const Image floats = source.render_to_image(request), pixels = source.render_to_rgba8(request);
            const float* values = floats.row_as<float>(0);
            const Plane plane(*backend_, std::vector<float>(values, values + 50 * 45 * channels));
            DisplayJob display = job(plane, 0, channels, plain, alpha != Alpha::none);
            display.width = 50;
            display.height = 45;
            display.placement = {sampling_affine(request.view, 40, 30, 50, 45), 40, 30};
            const std::vector<uint32_t> got = displayed(*backend_, display);
            for (int k = 0; k < 50 * 45; ++k)
                ASSERT_EQ(got[size_t(k)], pixels.row_as<uint32_t>(k / 50)[k % 50])
                    << channels << " channels, pixel " << k;
        }
}

TEST_P(Shown, ExposureAndGamma) {
    EXPECT_EQ(one({0.25f, 0.5f, 0.1f}, {.exposure = 1}), rgb(128, 255, 51));
    EXPECT_EQ(one({0.25f}, {.exposure = -2}), grey(16));
    EXPECT_EQ(one({0.25f}, {.gamma = 2}), grey(128));
    EXPECT_EQ(one({0.125f}, {.exposure = 1, .gamma = 2}), grey(128));  // exposure first
    EXPECT_EQ(one({-0.5f}, {.gamma = 2}), grey(0));
    // Straight ½ at alpha ½ is premultiplied ¼; gamma acts on the ½: 0.7071 · ½ over ½ of the grey 32.
    EXPECT_EQ(one({0.25f, 0.25f, 0.25f, 0.5f}, {.gamma = 2, .backdrop = Backdrop::grey}, true),
              grey(int(std::lround(127.5 * std::sqrt(0.5) + 16))));
    // Straight ½ where alpha is below 0, as beside the edge of an area: it darkens by what it would add.
    EXPECT_EQ(one({-0.05f, -0.05f, -0.05f, -0.1f}, {.gamma = 2, .backdrop = Backdrop::grey}, true),
              grey(int(std::lround(1.1 * 32 - 25.5 * std::sqrt(0.5)))));
}

TEST_P(Shown, SingleChannelsAreGrey) {
    const std::vector<float> colour = {0.2f, 0.4f, 0.6f};
    EXPECT_EQ(one(colour, {.channel = ChannelView::first}), grey(51));
    EXPECT_EQ(one(colour, {.channel = ChannelView::second}), grey(102));
    EXPECT_EQ(one(colour, {.channel = ChannelView::third}), grey(153));
    EXPECT_EQ(one(colour, {.channel = ChannelView::alpha}), grey(255));
    EXPECT_EQ(one(colour, {.channel = ChannelView::luma}),
              grey(int(std::lround(255 * (0.2126 * 0.2 + 0.7152 * 0.4 + 0.0722 * 0.6)))));
    EXPECT_EQ(one({0.4f}, {.channel = ChannelView::third}), grey(102));
    EXPECT_EQ(one({0.1f, 0.1f, 0.1f, 0.6f}, {.channel = ChannelView::alpha}, true), grey(153));
}

// A rendering with Outside::background has grey there, or transparency; neither is exposed, compared or checkered.
TEST_P(Shown, TheSurroundingsStayAsTheyAre) {
    const Plane plane(*backend_, std::vector<float>(4 * 5, 0.5f)), other(*backend_, std::vector<float>(4 * 5, 0.25f));
    DisplayJob row = job(plane, 4 * 5, 4, {.exposure = 3, .backdrop = Backdrop::checkerboard}, true);
    row.placement = {Affine{0.5, 0, -1, 0, 1, 0}, 1, 1};  // x = −1, −½, 0, ½, 1
    EXPECT_EQ(displayed(*backend_, row)[0], grey(32));
    EXPECT_NE(displayed(*backend_, row)[1], grey(32));
    EXPECT_EQ(displayed(*backend_, row)[3], grey(32));
    row.against = other;
    row.difference.gain = 1;
    EXPECT_EQ(displayed(*backend_, row), (std::vector<uint32_t>{grey(32), grey(64), grey(64), grey(32), grey(32)}));
    row.placement.positions.y0 = 0.5;
    EXPECT_EQ(displayed(*backend_, row), std::vector<uint32_t>(5, grey(32)));
}

// Squares of eight pixels, 102 and 153.
TEST_P(Shown, TheCheckerboardHasSquaresOfEightPixels) {
    const std::vector<uint32_t> row =
        shown(std::vector<float>(4 * 20, 0.0f), 4, {.backdrop = Backdrop::checkerboard}, true);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(row[size_t(i)], grey(i / 8 % 2 ? 153 : 102)) << i;
    const uint32_t half = one({0.5f, 0, 0, 0.5f}, {.backdrop = Backdrop::checkerboard}, true);
    EXPECT_EQ(half, rgb(179, 51, 51));
    EXPECT_EQ(one({0.5f, 0, 0, 1}, {.backdrop = Backdrop::checkerboard}, true), rgb(128, 0, 0));
}

TEST_P(Shown, MarksOfWhatIsNotFinite) {
    const float inf = INFINITY, nan = NAN;
    const std::vector<float> values = {nan, 0, 0, inf, 0, 0, 0, -inf, 0, 0, inf, nan, 0.2f, 0, 0};
    EXPECT_EQ(shown(values, 3, {}), (std::vector<uint32_t>{magenta, yellow, cyan, magenta, rgb(51, 0, 0)}));
    const DisplaySettings unmarked{.mark_nonfinite = false};
    EXPECT_EQ(one({nan}, unmarked), grey(0));
    EXPECT_EQ(one({inf}, unmarked), grey(255));
}

TEST_P(Shown, MagnitudeIsGreyAndNeverTakesAlphaForAPart) {
    EXPECT_EQ(one({0.3f, -0.4f}, {.complex = ComplexView::magnitude}), grey(128));
    EXPECT_EQ(one({0.3f, -0.4f}, {.exposure = -1, .complex = ComplexView::magnitude}), grey(64));
    EXPECT_EQ(one({0.3f, 0.4f}, {.complex = ComplexView::parts}), rgb(77, 102, 0));
    EXPECT_EQ(one({0.3f, 0.4f}, {.complex = ComplexView::magnitude}, true), one({0.3f, 0.4f}, {}, true))
        << "grey with alpha is not complex";
}

struct Lab {
    double lightness, a, b;
};

// OKLab of an sRGB pixel, from Ottosson's forward matrices.
Lab oklab(uint32_t pixel) {
    const auto linear = [](int v) {
        return v / 255.0 <= 0.04045 ? v / 255.0 / 12.92 : std::pow((v / 255.0 + 0.055) / 1.055, 2.4);
    };
    const double r = linear(red(pixel)), g = linear(green(pixel)), b = linear(blue(pixel));
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

// Hue is the phase itself in OKLab, at one lightness and chroma: no hue is clipped.
TEST_P(Shown, PhaseIsTheHueAtOneLightness) {
    for (int degrees = -175; degrees <= 180; degrees += 5) {
        const double angle = degrees * M_PI / 180, size = 0.001 + 0.01 * (degrees + 180);
        const Lab lab =
            oklab(one({float(size * std::cos(angle)), float(size * std::sin(angle))}, {.complex = ComplexView::phase}));
        EXPECT_NEAR(lab.lightness, 0.72, 0.004) << degrees;
        EXPECT_NEAR(std::hypot(lab.a, lab.b), 0.12, 0.004) << degrees;
        EXPECT_NEAR(std::remainder(std::atan2(lab.b, lab.a) - angle, 2 * M_PI), 0, 0.03) << degrees;
    }
    const Lab zero = oklab(one({0, 0}, {.complex = ComplexView::phase}));
    EXPECT_NEAR(std::hypot(zero.a, zero.b), 0, 0.004) << "zero has no phase";
}

// The lightness is linear in the magnitude between the levels and constant above white; the hue is that of the phase.
TEST_P(Shown, PolarIsTheHueByPhaseAndTheLightnessByMagnitude) {
    for (const double part : {0.25, 0.5, 0.75, 1.0, 3.0})
        for (const double angle : {-3.0, -1.5, 0.0, 0.5, 2.0}) {
            const double size = 100 + 200 * part;
            const Lab lab = oklab(one({float(size * std::cos(angle)), float(size * std::sin(angle))},
                                      {.complex = ComplexView::polar, .black = 100, .white = 300}));
            EXPECT_NEAR(lab.lightness, 0.72 * std::min(part, 1.0), 0.004) << part << " " << angle;
            EXPECT_NEAR(std::hypot(lab.a, lab.b), 0.12 * std::min(part, 1.0), 0.006) << part << " " << angle;
            EXPECT_NEAR(std::remainder(std::atan2(lab.b, lab.a) - angle, 2 * M_PI), 0, 0.06) << part << " " << angle;
        }
    EXPECT_EQ(one({0, 0}, {}), grey(0));
    EXPECT_EQ(one({NAN, 1}, {}), magenta);
}

TEST_P(Shown, DomainColouringRisesWithTheMagnitudeAndStepsAtPowersOfTwo) {
    const auto lightness = [&](double magnitude) {
        return oklab(one({float(magnitude * std::cos(2.0)), float(magnitude * std::sin(2.0))},
                         {.complex = ComplexView::domain}))
            .lightness;
    };
    for (const double power : {0.125, 0.5, 1.0, 2.0, 8.0}) {
        EXPECT_GT(lightness(power * 0.98), lightness(power * 1.02) + 0.05) << "a step at " << power;
        for (double m = 1.05; m < 1.9; m += 0.1)
            EXPECT_GT(lightness(power * (m + 0.1)), lightness(power * m)) << power * m;
        EXPECT_GT(lightness(2.5 * power), lightness(1.25 * power)) << "an octave on";
    }
    const Lab lab = oklab(one({0.0f, -1.1f}, {.complex = ComplexView::domain}));
    EXPECT_NEAR(std::atan2(lab.b, lab.a), -M_PI / 2, 0.05);
}

TEST_P(Shown, EveryKindOfDifferenceByChannels) {
    const std::vector<float> a = {0.5f, 0.25f, 0.75f};
    const std::vector<double> r = {0.5, 0.3125, 0.625};  // d = 0, −1/16, 1/8
    const auto pixel = [&](DifferenceKind kind, float gain) {
        return difference(a, r, 3, {kind, gain, ColourMap::channels})[0];
    };
    EXPECT_EQ(pixel(DifferenceKind::absolute, 4), rgb(0, 64, 128));
    EXPECT_EQ(pixel(DifferenceKind::signed_, 4), rgb(128, 96, 191));
    EXPECT_EQ(pixel(DifferenceKind::squared, 64), rgb(0, 64, 255));
    EXPECT_EQ(pixel(DifferenceKind::relative, 2), rgb(0, 102, 102));  // 0.2 · 2
    EXPECT_EQ(pixel(DifferenceKind::absolute, 1 << 24), rgb(0, 255, 255));
    EXPECT_EQ(difference({0.001f}, {0.0}, 1, {DifferenceKind::relative, 1, ColourMap::channels})[0],
              grey(65));  // over 1/255
}

TEST_P(Shown, DifferencesOfTwoChannelsAreRedAndGreenOverNoDifference) {
    EXPECT_EQ(difference({0.5f, 0.25f}, {0.0, 0.5}, 2, {DifferenceKind::absolute, 1, ColourMap::channels})[0],
              rgb(128, 64, 0));
    EXPECT_EQ(difference({0.5f, 0.25f}, {0.0, 0.5}, 2, {DifferenceKind::signed_, 1, ColourMap::channels})[0],
              rgb(191, 96, 128));
}

// round(255 · clamp(gain · d)) of the channel that differs most, into the table.
TEST_P(Shown, ColourMapsTakeTheChannelThatDiffersMost) {
    for (const ColourMap map : all_colour_maps) {
        if (map == ColourMap::channels) continue;
        const auto& table = colour_table(map);
        const auto pixel = [&](DifferenceKind kind, float gain) {
            return difference({0.5f, 0.25f, 0.75f}, {0.5, 0.375, 0.8125}, 3, {kind, gain, map})[0];  // 0, −1/8, −1/16
        };
        EXPECT_EQ(pixel(DifferenceKind::absolute, 2), table[64]);
        EXPECT_EQ(pixel(DifferenceKind::signed_, 2), table[96]);  // ½ − ⅛
        EXPECT_EQ(pixel(DifferenceKind::signed_, 1 << 20), table[0]);
        EXPECT_EQ(pixel(DifferenceKind::squared, 32), table[128]);
        EXPECT_EQ(pixel(DifferenceKind::relative, 0.75f), table[64]);  // (1/8) / 0.375
    }
}

TEST_P(Shown, AlphaCountsForTheMapAndNotForChannels) {
    const std::vector<float> a = {0.25f, 0.25f, 0.25f, 1.0f};
    const std::vector<double> r = {0.25, 0.25, 0.25, 0.5};
    EXPECT_EQ(difference(a, r, 4, {DifferenceKind::absolute, 1, ColourMap::channels}, {}, true)[0], grey(0));
    EXPECT_EQ(difference(a, r, 4, {DifferenceKind::absolute, 1, ColourMap::ember}, {}, true)[0],
              colour_table(ColourMap::ember)[128]);
    EXPECT_EQ(difference({0.5f, 1}, {0.25, 1}, 2, {DifferenceKind::absolute, 1, ColourMap::channels}, {}, true)[0],
              grey(64));
}

TEST_P(Shown, DifferenceOfASingleChannel) {
    const std::vector<float> a = {0.5f, 0.25f, 0.75f, 1.0f};
    const std::vector<double> r = {0.5, 0.5, 0.5, 0.5};
    const DifferenceSettings settings{DifferenceKind::absolute, 1, ColourMap::channels};
    EXPECT_EQ(difference(a, r, 4, settings, {.channel = ChannelView::second}, true)[0], grey(64));
    EXPECT_EQ(difference(a, r, 4, settings, {.channel = ChannelView::alpha}, true)[0], grey(128));
    EXPECT_EQ(difference(a, r, 4, settings, {.channel = ChannelView::luma}, true)[0],
              grey(int(std::lround(255 * std::abs(0.7152 * -0.25 + 0.0722 * 0.25)))));
}

TEST_P(Shown, DifferencesThatAreNotFiniteAreMarked) {
    const float inf = INFINITY, nan = NAN;
    const std::vector<uint32_t> row =
        difference({nan, inf, 0, -inf}, {0, 0, double(inf), 0}, 1, {DifferenceKind::signed_, 8, ColourMap::balance});
    EXPECT_EQ(row, (std::vector<uint32_t>{magenta, yellow, cyan, cyan}));
}

TEST_P(Shown, EitherSideMayBeDoubles) {
    const std::vector<float> floats = {0.5f, 0.25f};
    const std::vector<double> doubles = {0.5, 0.25};
    const Plane a(*backend_, floats), b(*backend_, doubles);
    DisplayJob first = job(a, 2, 1, {}, false), second = job(b, 2, 1, {}, false);
    EXPECT_EQ(displayed(*backend_, first), displayed(*backend_, second));
    first.against = b, second.against = a;
    EXPECT_EQ(displayed(*backend_, first), (std::vector<uint32_t>{grey(0), grey(0)}));
    EXPECT_EQ(displayed(*backend_, second), (std::vector<uint32_t>{grey(0), grey(0)}));
}

ON_EVERY_BACKEND(Shown);

}  // namespace
}  // namespace texelscope::test
