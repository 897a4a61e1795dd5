// Zooming out with a widened weight function.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gpu/backend/job.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/errors.h"
#include "gpu/method/mip.h"
#include "gpu/method/polar_method.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// Zooming out: the weight function widens with the scale along each axis of sample space, to remove what the output
// cannot hold. Below scale 8, where it is applied directly, against float64; test_pyramid covers the rest.

class Antialias : public OnMethod {
protected:
    // Renders and compares some pixels.
    void check(const Image& image, const RenderRequest& request) {
        const Affine a = positions_of(request, image.width(), image.height());
        const reference::Stretch s = reference::stretch_of(a);
        const reference::Widened widened(image, request.spec);
        const Image out = SourceImage(backend_, image).render_to_image(request);
        for (int n = 0; n < 12; ++n) {
            const int i = n * 7 % request.width, j = n * 5 % request.height;
            const Point p = apply(a, i, j);
            const reference::Value expected = widened.at({p.x, p.y}, s.x, s.y);
            for (int c = 0; c < image.channels(); ++c)
                ASSERT_NEAR(out.value(i, j, c), expected[size_t(c)], tolerance::widened)
                    << describe_request(image, request) << " stretched by " << s.x << ", " << s.y << " at " << p.x
                    << ", " << p.y;
        }
    }
};

TEST_P(Antialias, IsTheWidenedWeightFunctionInEveryAddressPair) {
    if (is_polar(method())) GTEST_SKIP() << "its footprints are ellipses: test_polar_and_perspective.cpp";
    Random random(3);
    for (const AddressPair& address : all_address_pairs())
        for (const bool rotated : {false, true}) {
            const Image image =
                noise(random.integer(1, 40), random.integer(1, 40), random.integer(1, 4), SampleType::f32, 4);
            RenderRequest request = beyond_borders(spec(), 11, 9, 0);
            request.antialias = true;
            request.spec.address = address;
            request.view = {random.between(-9, 9), random.between(-9, 9), random.between(1.01, 7.99),
                            rotated ? random.between(0, 360) : 0.0};
            check(image, request);
        }
}

TEST_P(Antialias, WidensEachAxisByItsOwnStretch) {
    if (is_polar(method())) GTEST_SKIP() << "its footprints are ellipses: test_polar_and_perspective.cpp";
    Random random(5);
    const Image image = noise(33, 29, 1, SampleType::u8, 6);
    for (const Affine& positions :
         {Affine{3.137, 0, 1.31, 0, 0.713, 2.17}, Affine{0.513, 0, 1.31, 0, 5.291, 2.17},
          Affine{1.213, 3.771, 0.17, 0.391, -0.613, 9.33}, Affine{-4.117, 0, 30.71, 0, 6.131, -3.37}}) {
        RenderRequest request = request_of(spec(), 9, 8);
        request.antialias = true;
        request.positions = positions;
        check(image, request);
    }
}

TEST_P(Antialias, OfPrefilteredMethodsWidensOverTheCoefficientsOfAnyPrefilter) {
    const Image image = noise(25, 31, 1, SampleType::f32, 7);
    for (const Prefilter& prefilter : {Prefilter{Prefilter::Kind::none}, fir(7), fir(15)}) {
        if (!method().has_prefilter()) GTEST_SKIP() << method().id << " has no prefilter";
        RenderRequest request = beyond_borders(spec(), 11, 9, 0);
        request.antialias = true;
        request.spec.prefilter = prefilter;
        request.view = {1.3, -2.2, 2.71, 33};
        check(image, request);
    }
}

// Axis-aligned views use other code than all others: the same picture.
TEST_P(Antialias, IsTheSamePictureWhicheverWayItIsComputed) {
    const Image image = noise(60, 50, 3, SampleType::u8, 8);
    SourceImage source(backend_, image);
    RenderRequest request = request_of(spec(), 13, 12);
    request.antialias = true;
    request.positions = Affine{4.217, 0, 1.173, 0, 3.391, 2.617};
    const Image straight = source.render_to_image(request);
    request.positions->xy = 1e-13;  // no longer axis-aligned, but unchanged otherwise
    EXPECT_LE(between(straight, source.render_to_image(request)).error, tolerance::exact_path);
}

TEST_P(Antialias, HasNoEffectWhereNothingIsZoomedOut) {
    const Image image = noise(31, 22, 2, SampleType::u8, 9);
    SourceImage source(backend_, image);
    for (const double scale : {1.0, 0.999, 0.5, 0.013})
        for (int degrees = 0; degrees < 360; degrees += 7) {
            RenderRequest request = beyond_borders(spec(), 17, 14, 0);
            request.view = {0.31, 0.27, scale, double(degrees)};
            const Image plain = source.render_to_image(request);
            request.antialias = true;
            ASSERT_EQ(between(plain, source.render_to_image(request)).error, 0) << describe_request(image, request);
        }
}

ON_EVERY_BACKEND_AND_METHOD(Antialias, auto_path());

class AntialiasPaths : public OnMethod {};

// The widened weights come from a table, whatever the fetch path: there is one picture.
TEST_P(AntialiasPaths, ShowOnePictureZoomedOutAndTheirOwnElsewhere) {
    const Image image = noise(31, 22, 1, SampleType::u8, 10);
    SourceImage source(backend_, image);
    RenderRequest request = beyond_borders(spec(), 17, 14, 0);
    request.antialias = true;
    request.view = {0.31, 0.27, 2.3, 20};
    RenderRequest automatic = request;
    automatic.spec.path = FetchPath::automatic;
    EXPECT_EQ(between(source.render_to_image(request), source.render_to_image(automatic)).error, 0);
    request.view = {0.31, 0.27, 1, 20};
    RenderRequest plain = request;
    plain.antialias = false;
    EXPECT_EQ(between(source.render_to_image(request), source.render_to_image(plain)).error, 0);
}

ON_EVERY_BACKEND_AND_KIND(AntialiasPaths, every_path());

// Zoomed out, a zone plate shows what passes beyond the output's Nyquist frequency: moiré. With antialias it is limited
// to what the widened weight function's frequency response lets pass; without, clearly more.

constexpr double widened_scales[] = {2, 3, 4, 6, 8, 11, 16, 64};

// Largest gain over the phases that a position can have among the samples, for frequencies about f cycles per sample.
double largest_gain(const reference::Widened& widened, double f, double spread, double scale) {
    double largest = 0;
    for (const double df : {-spread, 0.0, spread})
        for (const double phase : {0.0, 0.25, 0.5})
            largest = std::max(largest, widened.gain(std::abs(f + df), phase, scale));
    return largest;
}

class ZonePlate : public OnMethod {
protected:
    // The pyramid's levels are samples, so the method has no prefilter there.
    reference::Widened theory(double scale) const {
        MethodSpec spec_there = spec();
        if (scale >= 8) spec_there.prefilter = {Prefilter::Kind::none};
        return {Image(1, 1, 1, SampleType::f32), spec_there};
    }
    // From scale 8 on the same function is sampled on a level of the pyramid. Each level before it lets through what
    // Lanczos 3 does, folded at its Nyquist frequency; 1 % for its stop band.
    static double allowed_gain(const reference::Widened& widened, double f, double spread, double scale) {
        static const reference::Widened halving(Image(1, 1, 1, SampleType::f32), spec_of("lanczos3"));
        const double direct = largest_gain(widened, f, spread, scale);
        if (scale < 8) return direct;
        double through = 1;
        for (; scale >= 8; scale /= 2, spread *= 2) {
            through *= halving.gain(f, 0.5, 2);
            f = std::abs(2 * f - std::round(2 * f));
        }
        return std::max(direct, through * largest_gain(widened, f, spread, scale)) * (1 + tolerance::pyramid_gain) +
               0.01;
    }
};

// A chirp from 0 to ½ cycles per sample, so long that around each pixel it is a sinusoid: the bound is local there.
TEST_P(ZonePlate, AlongALineShowsNoMoireBeyondTheFrequencyResponse) {
    constexpr int samples = 1 << 16;
    SourceImage source(backend_, signal(samples, [](double x) {
                           return 0.5 + 0.5 * std::cos(std::numbers::pi * x * x / (2.0 * samples));
                       }));
    for (const double scale : widened_scales) {
        const reference::Widened widened = theory(scale);
        RenderRequest request = request_of(spec(), int(samples / scale), 1);
        request.antialias = true;
        request.positions = Affine{scale, 0, scale / 2 - 0.5, 0, 1, 0};
        const Image out = source.render_to_image(request);
        request.antialias = false;
        const Image plain = source.render_to_image(request);
        double power = 0, plain_power = 0;
        const int step = std::max(1, request.width / 100), edge = int(std::ceil(method().taps / 2.0)) + 1;
        for (int i = 0; i < request.width - edge; i += step) {
            const double x = scale * i + scale / 2 - 0.5, f = x / (2.0 * samples);
            if (f * scale <= 0.5) continue;
            const double spread = method().taps / 2.0 * scale / (2.0 * samples);  // of the frequency, under the support
            const double gain = allowed_gain(widened, f, spread, scale);
            const double residual = std::abs(out.value(i, 0, 0) - 0.5);
            if (!is_polar(method())) {  // the response is that of weights along the axes
                ASSERT_LE(residual, 0.5 * gain + 0.004) << "scale " << scale << ", " << f * scale << " cycles a pixel";
            }
            power += residual * residual;
            plain_power += std::pow(plain.value(i, 0, 0) - 0.5, 2);
        }
        EXPECT_GT(plain_power, 1.5 * power) << "scale " << scale << " without antialias";
    }
}

// The zone plate itself, centred: mean square of what is left where either frequency is beyond Nyquist's.
TEST_P(ZonePlate, ShowsNoMoireBeyondTheFrequencyResponse) {
    constexpr int size = 512;
    constexpr double other_frequencies =
        3e-4;  // under a wide support the plate has no single frequency: 4 levels of 255
    constexpr double centre = (size - 1) / 2.0;
    Image image(size, size, 1, SampleType::f32);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            const double squared = (x - centre) * (x - centre) + (y - centre) * (y - centre);
            image.row_as<float>(y)[x] = float(0.5 + 0.5 * std::cos(std::numbers::pi * squared / size));
        }
    SourceImage source(backend_, image);
    for (const double scale : widened_scales) {
        const reference::Widened widened = theory(scale);
        const int pixels = int(size / scale);
        RenderRequest request = request_of(spec(), pixels, pixels);
        request.spec.address = {AddressMode::mirror, AddressMode::mirror};
        request.view.scale = scale;
        request.antialias = true;
        const Image out = source.render_to_image(request);
        request.antialias = false;
        const Image plain = source.render_to_image(request);
        std::vector<double> gain;
        for (int i = 0; i < pixels; ++i)
            gain.push_back(allowed_gain(widened, std::abs(scale * (i - (pixels - 1) / 2.0)) / size, 0, scale));
        double power = 0, plain_power = 0, allowed_power = 0;
        int count = 0;
        for (int j = 0; j < pixels; ++j)
            for (int i = 0; i < pixels; ++i) {
                const double fx = std::abs(i - (pixels - 1) / 2.0) * scale * scale / size,
                             fy = std::abs(j - (pixels - 1) / 2.0) * scale * scale / size;
                if (std::max(fx, fy) <= 0.5) continue;
                const double allowed = gain[size_t(i)] * gain[size_t(j)];
                power += std::pow(out.value(i, j, 0) - 0.5, 2);
                plain_power += std::pow(plain.value(i, j, 0) - 0.5, 2);
                allowed_power += allowed * allowed / 8;
                ++count;
            }
        if (!is_polar(method())) {
            EXPECT_LE(power / count, 1.1 * allowed_power / count + other_frequencies) << "scale " << scale;
        }
        EXPECT_GT(plain_power, 1.5 * power) << "scale " << scale << " without antialias";
    }
}

ON_EVERY_BACKEND_AND_KIND(ZonePlate, auto_path());

// What is kept for a method with its parameters, and for how long.

// A spec whose first parameter has this value.
MethodSpec mitchell(double b) {
    MethodSpec spec = default_spec(*find_method("mitchell"));
    spec.parameters.value[0] = b;
    return spec;
}

TEST(MethodCache, AValueIsMadeOnce) {
    MethodCache<double> cache(6);
    int made = 0;
    for (int round = 0; round < 3; ++round)
        for (const double b : {0.1, 0.2})
            for (const WeightForm form : {WeightForm::own, WeightForm::widened, WeightForm::derivative}) {
                const double value = b + int(form);
                EXPECT_EQ(cache.get(mitchell(b), form, [&] { return ++made, value; }), value);
            }
    EXPECT_EQ(made, 6);
    EXPECT_EQ(cache.get(default_spec(*find_method("bspline")), WeightForm::own, [] { return 7.0; }), 7);
}

// A job points to the tables of two axes, however many others were requested before.
TEST(MethodCache, TheLeastRecentlyUsedGoesFirst) {
    MethodCache<double> cache(3);
    const auto get = [&](double b, bool& made) -> const double& {
        made = false;
        return cache.get(mitchell(b), WeightForm::own, [&] { return made = true, b; });
    };
    bool made = false;
    const double& first = get(0.1, made);
    get(0.2, made);
    get(0.3, made);
    get(0.1, made);
    EXPECT_FALSE(made);
    get(0.4, made);  // instead of 0.2
    EXPECT_TRUE(made);
    EXPECT_EQ(&get(0.1, made), &first);
    EXPECT_FALSE(made);
    get(0.3, made);
    EXPECT_FALSE(made);
    get(0.2, made);
    EXPECT_TRUE(made);
}

TEST(MethodCache, WhatCouldNotBeMadeIsMadeTheNextTime) {
    MethodCache<double> cache(2);
    const auto get = [&](auto make) { return cache.get(mitchell(0.1), WeightForm::own, make); };
    EXPECT_THROW(get([]() -> double { throw OutOfMemory("none"); }), OutOfMemory);
    EXPECT_EQ(get([] { return 5.0; }), 5);
}

// What the texture unit of an NVIDIA H200 does (bench/texture_unit.cu: levels.csv, probes.csv): its levels have 8 bits
// of fraction and estimate the logarithm, its points were found to a 64th.
TEST(MipFootprints, AreThoseOfATextureUnit) {
    struct Level {
        Mip mip;
        double longer, shorter, level;
    };
    for (const Level& of : {Level{Mip::x8, 9, 1, 0},
                            {Mip::x8, 10, 1, 0.1484375},
                            {Mip::x8, 12, 1, 0.671875},
                            {Mip::x8, 14, 1, 1},
                            {Mip::x8, 3, 2, 1},
                            {Mip::x8, 22, 2, 1.421875},
                            {Mip::x16, 1.5, 1.5, 0.671875},
                            {Mip::x2, 1.5, 1.5, 0.6328125},
                            {Mip::x2, 3.125, 1.5, 0.71875},
                            {Mip::x2, 5.25, 1.5, 1.34375},
                            {Mip::x2, 2.375, 0.5, 0.12890625},
                            {Mip::x4, 38.375, 0.5, 3.09375},
                            {Mip::linear, 16.125, 0.5, 4.015625}})
        for (const bool along_x : {true, false}) {
            const Steps steps = along_x ? Steps{of.longer, 0, 0, of.shorter} : Steps{of.shorter, 0, 0, of.longer};
            EXPECT_NEAR(mip_footprint(steps, of.mip).level, of.level, 0.013)
                << name_of(of.mip) << ' ' << of.longer << " × " << of.shorter;
        }
    struct Points {
        Mip mip;
        double longer, shorter;
        std::vector<std::pair<double, double>> places;  // right of the middle, and weights
    };
    for (const Points& of : {Points{Mip::x16, 1.25, 1, {{0.203, 0.5}}},
                             {Mip::x16, 1.5, 1, {{0.336, 0.5}}},
                             {Mip::x16, 2, 1, {{0.5, 0.5}}},
                             {Mip::x16, 3, 1, {{0.5, 0.33}, {1.5, 0.165}}},
                             {Mip::x16, 5, 1, {{0.5, 0.2}, {1.5, 0.2}, {2.5, 0.1}}},
                             {Mip::x4, 5, 1, {{0.569, 0.25}, {1.711, 0.25}}},
                             {Mip::x4, 6, 1, {{0.787, 0.25}, {2.364, 0.25}}}}) {
        const MipFootprint f = mip_footprint({of.longer, 0, 0, of.shorter}, of.mip);
        ASSERT_EQ(f.probes, 2 * int(of.places.size())) << name_of(of.mip) << ' ' << of.longer;
        for (size_t k = 0; k < of.places.size(); ++k) {
            EXPECT_NEAR((double(k) + 0.5) * f.dx, of.places[k].first, 1.0 / 64) << of.longer;
            EXPECT_NEAR(k + 1 == of.places.size() ? f.outer : f.inner, of.places[k].second, 0.01) << of.longer;
        }
        EXPECT_EQ(f.dy, 0);
    }
}

}  // namespace
}  // namespace texelscope::test
