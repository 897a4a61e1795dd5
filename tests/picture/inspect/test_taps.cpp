// The tap view: what it lists adds up to the pixel, whatever the method, path, address mode and view.

#include "app/picture/inspect/inspector.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

// Rounding of a sum of products in float32: half a unit in the last place for each of its steps, of which a separable
// sum has at most as many as taps along both axes, and a few for the weights.
double float_rounding(const TapReport& report, int channel) {
    std::set<int> columns, rows;
    double size = 0;
    for (const Tap& tap : report.taps) {
        columns.insert(tap.x);
        rows.insert(tap.y);
        size += std::abs(tap.contribution(channel));
    }
    // A fetch adds four texels.
    const double steps = double(columns.size() + rows.size()) + 4 * double(report.fetches.size()) + 8;
    return size * steps * 0x1p-24;
}

// The texture unit rounds a fetch's result to 16 bits, or 11 for half floats.
double format_rounding(const TapReport& report, const Image& image, int channel) {
    const bool floats = image.type() == SampleType::f32 || image.alpha() == Alpha::straight || report.coefficients;
    double error = 0;
    for (const TapFetch& fetch : report.fetches) {
        const double value = std::abs(double(fetch.value[size_t(channel)]));
        const double step = floats                            ? 0
                            : image.type() == SampleType::f16 ? std::max(value * 0x1p-11, 0x1p-25)
                                                              : 0.5 / 65535;
        error += std::abs(fetch.weight) * step;
    }
    return error * (1 + 1e-6);
}

// Vector code and kernels that methods share fit the weight function by polynomials, which agree to 2.5e-7 along each axis;
// no weight is larger than 1.2. The emulated texture unit has the method's own weights.
double fitted_rounding(const TapReport& report, BackendKind kind, int channel) {
    double texels = 0;
    if (report.fetches.empty()) {
        for (const Tap& tap : report.taps)
            if (const double texel = tap.texel[size_t(channel)]; std::isfinite(texel)) texels += std::abs(texel);
    } else if (kind == BackendKind::cuda) {
        for (const TapFetch& fetch : report.fetches) texels += std::abs(double(fetch.value[size_t(channel)]));
    }
    return 2 * 1.2 * 2.5e-7 * texels;
}

// Weights of table entries that a GPU may round differently from the host, of up to 65 taps per axis.
double table_rounding(const TapReport& report, const MethodInfo& method) {
    return report.widened || method.is_wide() ? 2e-6 : 0;
}

void expect_sum(SourceImage& source, const Image& image, const RenderRequest& request, const Image& rendered, int i,
                int j) {
    const TapReport report = taps_at(source, request, i, j).value();
    ASSERT_EQ(report.taps.empty(), report.outside);
    for (int c = 0; c < image.channels(); ++c) {
        const float pixel = rendered.value(i, j, c);
        // What is shown was rendered as one pixel: kernels with weights from a table sum whole pictures in another order.
        EXPECT_NEAR(report.shown[size_t(c)], pixel, table_rounding(report, *request.spec.method));
        if (report.outside) continue;
        const double bound = float_rounding(report, c) + fitted_rounding(report, source.backend().info().kind, c) +
                             format_rounding(report, image, c) + table_rounding(report, *request.spec.method) + 1e-30;
        ASSERT_NEAR(report.sum[size_t(c)], double(pixel), bound)
            << describe_request(image, request) << "\nat " << i << ", " << j << " channel " << c << ", "
            << report.taps.size() << " taps from " << report.taps[0].x << ", " << report.taps[0].y << ", reads "
            << report.position.x << ", " << report.position.y;
    }
}

void expect_sums(const std::shared_ptr<Backend>& backend, const Image& image, const RenderRequest& request,
                 Random& random, int pixels) {
    SourceImage source(backend, image);
    const Image rendered = source.render_to_image(request);
    for (int n = 0; n < pixels; ++n)
        expect_sum(source, image, request, rendered, random.integer(0, request.width - 1),
                   random.integer(0, request.height - 1));
}

Prefilter random_prefilter(const MethodInfo& method, Random& random) { return random.pick(all_prefilters(method)); }

class TapView : public OnMethod {
protected:
    RenderRequest request_over(const Image& image, const AddressPair& address, Random& random) {
        RenderRequest request = request_of(spec(), 33, 27);
        request.spec.address = address;
        request.spec.prefilter = random_prefilter(method(), random);
        request.view = random_view(random, image.width(), image.height());
        return request;
    }
};

TEST_P(TapView, AddsUpToThePixelUnderEveryAddressModeAndView) {
    Random random(411);
    for (const AddressPair& address : all_address_pairs())
        for (int n = 0; n < 2; ++n) {
            const Image image = random_image(random);
            expect_sums(backend_, image, request_over(image, address, random), random, 6);
        }
}

TEST_P(TapView, AddsUpWhereThePictureIsZoomedIn) {
    Random random(412);
    for (const AddressPair& address : all_address_pairs()) {
        const Image image = noise(random.integer(2, 20), random.integer(2, 20), 3, SampleType::f32, 413);
        RenderRequest request = request_over(image, address, random);
        request.view.scale = random.between(0.002, 0.3);
        request.view.translate_x = random.between(-12, 12);
        request.view.translate_y = random.between(-12, 12);
        expect_sums(backend_, image, request, random, 8);
    }
}

TEST_P(TapView, AddsUpWhereThePictureIsAntialiased) {
    Random random(414);
    for (const AddressPair& address : all_address_pairs()) {
        const Image image = random_image(random);
        RenderRequest request = request_over(image, address, random);
        request.antialias = true;
        request.view.scale = random.between(1.01, 40);
        expect_sums(backend_, image, request, random, 4);
    }
}

TEST_P(TapView, AddsUpUnderWarps) {
    Random random(415);
    for (const Warp::Kind kind : {Warp::Kind::swirl, Warp::Kind::barrel, Warp::Kind::ripple})
        for (const bool antialias : {false, true}) {
            const Image image = noise(40, 30, 1, SampleType::u8, 416);
            RenderRequest request = request_over(image, random.pick(all_address_pairs()), random);
            request.view.scale = random.between(0.1, 12);
            request.warp = {kind, info_of(kind).standard};
            request.antialias = antialias;
            SourceImage source(backend_, image);
            const Image rendered = source.render_to_image(request);
            // The corners have neighbours only on one side.
            for (const int i : {0, 7, request.width - 1})
                for (const int j : {0, 11, request.height - 1}) expect_sum(source, image, request, rendered, i, j);
        }
}

TEST_P(TapView, AddsUpOverSignals) {
    Random random(417);
    for (const AddressMode mode : all_address_modes) {
        const Image image = signal(19, [&](int) { return random.between(-1, 1); });
        RenderRequest request = request_of(spec(), 40, 3);
        request.spec.address = {mode, mode};
        request.positions = Affine{0.37, 0, -4.2, 0, 0, 0};
        expect_sums(backend_, image, request, random, 20);
    }
}

TEST_P(TapView, ThePixelsOfTheBackgroundHaveNoTaps) {
    const Image image = noise(8, 8, 1, SampleType::u8, 418);
    RenderRequest request = beyond_borders(spec(), 8, 8, 3);
    request.outside = Outside::background;
    SourceImage source(backend_, image);
    EXPECT_TRUE(taps_at(source, request, 1, 6)->outside);
    EXPECT_TRUE(taps_at(source, request, 1, 6)->taps.empty());
    EXPECT_FALSE(taps_at(source, request, 5, 6)->outside);
}

TEST_P(TapView, WeightsAddUpToOneInsideTheImage) {
    Random random(419);
    const Image image = noise(40, 40, 1, SampleType::f32, 420);
    SourceImage source(backend_, image);
    for (int n = 0; n < 20; ++n) {
        RenderRequest request = request_of(spec(), 9, 9);
        request.view = {random.between(-4, 4), random.between(-4, 4), random.between(0.01, 1), random.between(0, 360)};
        const TapReport report = taps_at(source, request, random.integer(0, 8), random.integer(0, 8)).value();
        double sum = 0;
        for (const Tap& tap : report.taps) sum += tap.weight;
        EXPECT_NEAR(sum, 1, 1e-6);
    }
}

ON_EVERY_BACKEND_AND_KIND(TapView, every_path());

class TapList : public OnBackend {
protected:
    // One pixel that reads p, of a 16×16 image.
    TapReport at(const MethodSpec& spec, Point p) {
        const Image image = noise(16, 16, 1, SampleType::f32, 421);
        SourceImage source(backend_, image);
        RenderRequest request = request_of(spec, 1, 1);
        request.positions = Affine{1, 0, p.x, 0, 1, p.y};
        return taps_at(source, request, 0, 0).value();
    }
};

double weight_at(const TapReport& report, int x, int y) {
    for (const Tap& tap : report.taps)
        if (tap.x == x && tap.y == y) return tap.weight;
    return NAN;
}

// Keys 1981: −1/16, 9/16, 9/16, −1/16 half-way between samples.
TEST_P(TapList, CatmullRomHalfWay) {
    const TapReport report = at(spec_of("catmull-rom:path=global"), {5.5, 7});
    EXPECT_NEAR(weight_at(report, 4, 7), -1.0 / 16, 1e-7);
    EXPECT_NEAR(weight_at(report, 5, 7), 9.0 / 16, 1e-7);
    EXPECT_NEAR(weight_at(report, 6, 7), 9.0 / 16, 1e-7);
    EXPECT_NEAR(weight_at(report, 7, 7), -1.0 / 16, 1e-7);
    EXPECT_EQ(report.taps.size(), 16u);
    EXPECT_FALSE(report.coefficients);
}

// 0.3 is 76.8 / 256: the unit takes 77. 0.6 is 153.6 / 256: 154. Both: 77 · 154 / 256 = 46.3, which it rounds to 46.
TEST_P(TapList, TheHardwareTakesFractionsOfEightBits) {
    const TapReport report = at(spec_of("bilinear:path=hardware"), {5.3, 7.6});
    ASSERT_EQ(report.fetches.size(), 1u);
    const TapFetch& fetch = report.fetches[0];
    EXPECT_EQ(fetch.column, 5);
    EXPECT_EQ(fetch.row, 7);
    EXPECT_EQ(fetch.fraction_x, 77);
    EXPECT_EQ(fetch.fraction_y, 154);
    EXPECT_NEAR(fetch.at.x, 5.3, 1e-6);
    EXPECT_NEAR(fetch.at.y, 7.6, 1e-6);
    EXPECT_EQ(weight_at(report, 6, 8), 46.0 / 256);
    EXPECT_EQ(weight_at(report, 6, 7), (77 - 46) / 256.0);
    EXPECT_EQ(weight_at(report, 5, 8), (154 - 46) / 256.0);
    EXPECT_EQ(weight_at(report, 5, 7), (256 - 77 - 154 + 46) / 256.0);
}

// Sigg & Hadwiger 2005: the cubic B-spline's 16 taps as 4 fetches, each of its own 2×2 texels.
TEST_P(TapList, TheCubicBSplineTakesFourFetchesOfFourTexelsEach) {
    const TapReport report = at(spec_of("bspline:path=hardware"), {5.3, 7.6});
    ASSERT_EQ(report.fetches.size(), 4u);
    EXPECT_EQ(report.taps.size(), 16u);
    EXPECT_TRUE(report.coefficients);
    std::set<std::pair<int, int>> groups;
    for (const TapFetch& fetch : report.fetches) groups.insert({fetch.column, fetch.row});
    EXPECT_EQ(groups, (std::set<std::pair<int, int>>{{4, 6}, {6, 6}, {4, 8}, {6, 8}}));
}

TEST_P(TapList, AtASampleOnlyThatSampleCountsInAnInterpolator) {
    for (const char* spec : {"catmull-rom:path=global", "bilinear:path=hardware", "lanczos3:path=global"}) {
        const TapReport report = at(spec_of(spec), {5, 7});
        for (const Tap& tap : report.taps) EXPECT_EQ(tap.weight, tap.x == 5 && tap.y == 7 ? 1 : 0) << spec;
    }
}

// 8 samples per pixel: three levels down along both axes there is one sample per pixel.
TEST_P(TapList, TellsHowOftenTheImageWasHalved) {
    const Image image = noise(64, 48, 1, SampleType::u8, 422);
    SourceImage source(backend_, image);
    RenderRequest request = request_of(spec_of("bilinear"), 4, 4);
    request.antialias = true;
    request.view.scale = 8;
    const TapReport report = taps_at(source, request, 2, 2).value();
    EXPECT_TRUE(report.widened);
    EXPECT_EQ(report.level_x, 1);
    EXPECT_EQ(report.level_y, 1);
    EXPECT_EQ(report.width, 32);
    EXPECT_EQ(report.height, 24);
}

// The sum is linear light, the pixel sRGB-coded: IEC 61966-2-1.
TEST_P(TapList, LinearLightIsCodedAfterTheSum) {
    const Image image = noise(16, 16, 3, SampleType::u8, 423);
    SourceImage source(backend_, image, Light::linear);
    RenderRequest request = request_of(spec_of("catmull-rom"), 20, 20);
    request.view.scale = 0.3;
    for (const int i : {3, 10, 17}) {
        const TapReport report = taps_at(source, request, i, 9).value();
        ASSERT_TRUE(report.linear_light);
        for (size_t c = 0; c < 3; ++c) {
            const double v = report.sum[c];
            const double coded = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
            EXPECT_NEAR(double(report.result[c]), coded, 2e-6);
            EXPECT_NEAR(double(report.shown[c]), coded, 12.92 * 1e-6);
        }
    }
}

ON_EVERY_BACKEND(TapList);

}  // namespace
}  // namespace texelscope::test
