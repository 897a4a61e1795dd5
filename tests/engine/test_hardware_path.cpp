// Shortcuts and what they cost: 8-bit weights, short filters, coefficients as half floats.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/backend/source_image.h"
#include "gpu/core/half.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// The hardware path differs from the exact ones by its 8-bit weights: by no more than they allow, and by no less. The
// texture unit's behaviour was measured; see docs/texture-unit.md.

class HardwarePath : public OnMethod {
protected:
    // Against the exact path, over random shifts and scales.
    double worst_on_binary_noise(int size, uint64_t seed) {
        const Image image = binary_noise(size, size, seed);
        SourceImage source(backend_, image);
        Random random(seed);
        double worst = 0;
        for (int n = 0; n < 8; ++n) {
            RenderRequest request = beyond_borders(spec(), size, size, 0);
            request.spec.address = {AddressMode::mirror, AddressMode::mirror};
            request.view.translate_x = random.unit();
            request.view.translate_y = random.unit();
            request.view.scale = random.between(0.3, 1);
            RenderRequest exact = request;
            exact.spec.path = FetchPath::global;
            worst = std::max(worst, between(source.render_to_image(request), source.render_to_image(exact)).error);
        }
        return worst;
    }
};

TEST_P(HardwarePath, IsWithinTheBoundOfItsEightBitFractions) {
    Random random(61);
    for (const AddressPair& address : all_address_pairs())
        for (const Prefilter& prefilter : {Prefilter{Prefilter::Kind::none}, Prefilter{Prefilter::Kind::iir}}) {
            const Image image = noise(random.integer(1, 24), random.integer(1, 24), random.integer(1, 4),
                                      random.chance(0.5) ? SampleType::u8 : SampleType::f32, 62);
            RenderRequest request = beyond_borders(spec(), 30, 30, 0);
            request.spec.address = address;
            request.spec.prefilter = prefilter;
            request.view = {random.between(-20, 20), random.between(-20, 20), random.between(0.05, 2),
                            random.between(0, 360)};
            const Difference difference = render_and_compare(backend_, image, request, 300);
            ASSERT_LE(difference.error, hardware_bound(image, request.spec)) << difference;
            if (!method().has_prefilter()) break;
        }
}

TEST_P(HardwarePath, IsNoBetterThanEightBitsCanBe) {
    if (method().id == "nearest") GTEST_SKIP() << "nearest has no fractions";
    EXPECT_GT(worst_on_binary_noise(128, 63), 1e-4);
}

TEST_P(HardwarePath, HasTheDocumentedErrorOnBinaryNoise) {
    const double figure = method().id == "bilinear"  ? tolerance::hardware_linear_binary_noise
                          : method().id == "bspline" ? tolerance::hardware_cubic_binary_noise
                                                     : 0;
    if (figure == 0) GTEST_SKIP() << "no figure for " << method().id;
    const double worst = worst_on_binary_noise(512, 64);
    RecordProperty("worst_of_255", std::to_string(worst * 255));
    EXPECT_NEAR(worst, figure, figure * tolerance::noise_seed_spread);
    MethodSpec mirrored = spec();
    mirrored.address = {AddressMode::mirror, AddressMode::mirror};
    EXPECT_LT(worst, hardware_bound(binary_noise(128, 128, 64), mirrored));
}

// A fraction that fits in 8 bits causes no error: along one axis bilinear is exact at multiples of 1/256. Float texels,
// plain coordinates.
TEST_P(HardwarePath, BilinearIsExactAtMultiplesOfOne256thAlongAnAxis) {
    if (method().id != "bilinear") return;
    const Image image = noise(32, 32, 1, SampleType::f32, 65);
    for (const int n : {1, 64, 127, 128, 129, 200, 255})
        for (const bool along_x : {false, true}) {
            RenderRequest request = beyond_borders(spec(), 32, 32, 0);
            (along_x ? request.view.translate_x : request.view.translate_y) = n / 256.0;
            const Difference difference = render_and_compare(backend_, image, request, 1024);
            EXPECT_LE(difference.error, tolerance::exact_path) << difference;
        }
}

// A ramp zoomed deep shows the fractions as bands: 257 levels between two samples, not more.
TEST_P(HardwarePath, BilinearBetweenTwoSamplesHasAtMost257Levels) {
    if (method().id != "bilinear") return;
    Image image(2, 1, 1, SampleType::f32);
    image.row_as<float>(0)[1] = 1;
    RenderRequest request;
    request.spec = spec();
    request.view.scale = 1.0 / 4096;
    request.width = 4097;
    const Image out = SourceImage(backend_, image).render_to_image(request);
    std::vector<float> levels(out.row_as<float>(0), out.row_as<float>(0) + 4097);
    std::sort(levels.begin(), levels.end());
    const auto distinct = std::unique(levels.begin(), levels.end()) - levels.begin();
    EXPECT_LE(distinct, 257);
    EXPECT_GE(distinct, 256);
    EXPECT_EQ(levels.front(), 0);
    EXPECT_EQ(levels[distinct - 1], 1);
}

ON_EVERY_BACKEND_AND_KIND(HardwarePath, hardware_path());

// The cost of shortcuts: FIR instead of the recursive prefilter, by taps, and 8-bit weights instead of exact ones,
// against the figures of docs/fidelity.md for natural images.

class FirByTaps : public OnMethod {
protected:
    // Against the exact filter, over a signal of binary noise.
    double error_of(SourceImage& source, const Prefilter& prefilter, const std::vector<double>& points,
                    const std::vector<float>& exact) {
        MethodSpec few = spec();
        few.prefilter = prefilter;
        const std::vector<float> values = sampled(source, few, points);
        double largest = 0;
        for (size_t n = 0; n < points.size(); ++n) largest = std::max(largest, double(std::abs(values[n] - exact[n])));
        return largest;
    }
};

// 2K + 1 taps leave out terms of weight |z|^K of the slowest pole.
TEST_P(FirByTaps, TheErrorFallsLikeThePolesPower) {
    if (!method().has_prefilter()) GTEST_SKIP() << method().id << " has no prefilter";
    Random random(3);
    SourceImage source(backend_, signal(4096, [&](int) { return random.chance(0.5) ? 1.0 : 0.0; }));
    std::vector<double> points;
    for (int n = 0; n < 8000; ++n) points.push_back(20 + n * 0.507);
    const std::vector<float> exact = sampled(source, spec(), points);
    double pole = 0;
    for (const double z : method().poles) pole = std::max(pole, std::abs(z));
    // From where the scale that makes the taps' sum one hardly matters, until float32's rounding shows.
    const int last = int(std::log(1e-5) / std::log(pole)), first = std::min(6, last - 3);
    const double at_first = error_of(source, fir(2 * first + 1), points, exact);
    const double at_last = error_of(source, fir(2 * std::min(last, 15) + 1), points, exact);
    const double rate = std::log(at_last / at_first) / (std::min(last, 15) - first);
    EXPECT_NEAR(rate, std::log(pole), 0.1 * std::abs(std::log(pole))) << "from " << at_first << " to " << at_last;
    if (last <= 15) {
        EXPECT_LE(error_of(source, fir(31), points, exact),
                  2 * tolerance::exact_path + at_first * std::pow(pole, 15 - first));
    }
}

ON_EVERY_BACKEND_AND_METHOD(FirByTaps, auto_path());

class Shortcuts : public OnBackend {
protected:
    // The largest effect of a setting on a natural image, of 255.
    double largest_effect(const char* shortcut, const char* exact) {
        const Image image = one_over_f(512, 21);
        SourceImage source(backend_, image);
        Random random(4);
        double largest = 0;
        for (int n = 0; n < 6; ++n) {
            RenderRequest request = request_of(spec_of(shortcut), 512, 512);
            request.view = {random.unit(), random.unit(), random.between(0.5, 1), 0};
            RenderRequest right = request;
            right.spec = spec_of(exact);
            largest = std::max(largest, between(source.render_to_image(request), source.render_to_image(right)).error);
        }
        return 255 * largest;
    }
};

// Within a factor: the steepest edge of the image decides, and the figures of 8-bit weights are for a unit that rounds
// less than the real one.
TEST_P(Shortcuts, CostTheDocumentedErrorOnANaturalImage) {
    const struct {
        const char *shortcut, *exact;
        double figure, spread;
    } table[] = {{"bspline:prefilter=fir15,address=mirror", "bspline:address=mirror", 0.016, 2},
                 {"bspline:path=hardware", "bspline:path=global", 0.20, 4},
                 {"bilinear:path=hardware", "bilinear:path=global", 0.14, 3}};
    for (const auto& row : table) {
        const double effect = largest_effect(row.shortcut, row.exact);
        RecordProperty(row.shortcut, std::to_string(effect));
        EXPECT_GT(effect, row.figure / row.spread) << row.shortcut;
        EXPECT_LT(effect, row.figure * row.spread) << row.shortcut;
    }
}

ON_EVERY_BACKEND(Shortcuts);

// Coefficients kept as half floats: the same filter, rounded to eleven bits.

class HalfCoefficients : public OnBackend {
protected:
    static MethodSpec in_half(MethodSpec spec) {
        spec.prefilter.half_float = true;
        return spec;
    }
    // The largest effect of the rounding on views between the samples.
    double largest_effect(const Image& image) {
        SourceImage source(backend_, image);
        double effect = 0;
        for (const double shift : {0.0, 0.25, 0.5}) {
            RenderRequest request = beyond_borders(spec_of("bspline:address=mirror"), image.width(), image.height(), 0);
            request.view.translate_x = request.view.translate_y = shift;
            const Image exact = source.render_to_image(request);
            request.spec = in_half(request.spec);
            effect = std::max(effect, between(source.render_to_image(request), exact).error);
        }
        return effect;
    }
};

// Every coefficient is the float one to the nearest of binary16, in every format, method with poles and address mode.
TEST_P(HalfCoefficients, AreTheFloatOnesRounded) {
    Random random(71);
    for (const MethodInfo* method : every_method()) {
        if (!method->has_prefilter()) continue;
        for (int n = 0; n < 12; ++n) {
            const Image image = random_image(random);
            SourceImage source(backend_, image);
            RenderRequest request = request_of(default_spec(*method), 8, 8);
            request.spec.address = random.pick(all_address_pairs());
            if (random.chance(0.5)) request.spec.prefilter = fir(random.integer(1, 15) * 2 + 1);
            const auto exact = source.texels(request, -3, -3, image.width() + 6, image.height() + 6);
            request.spec = in_half(request.spec);
            const auto halves = source.texels(request, -3, -3, image.width() + 6, image.height() + 6);
            ASSERT_EQ(halves.size(), exact.size());
            for (size_t k = 0; k < exact.size(); ++k) {
                ASSERT_EQ(halves[k], half_to_float(float_to_half(halves[k]))) << to_string(request.spec);
                // Half a unit in the last place; below 2⁻¹⁴ the step no longer shrinks.
                ASSERT_NEAR(halves[k], exact[k], std::max(std::abs(exact[k]) * 0x1p-11, 0x1p-25) + 1e-7)
                    << to_string(request.spec);
            }
        }
    }
}

// docs/fidelity.md: 0.075 of 255 on a 1/f image, 0.31 on binary noise.
TEST_P(HalfCoefficients, CostTheDocumentedError) {
    EXPECT_NEAR(largest_effect(binary_noise(512, 512, 72)), tolerance::half_binary_noise,
                tolerance::half_binary_noise * tolerance::noise_seed_spread);
    EXPECT_NEAR(largest_effect(one_over_f(512, 73)), tolerance::half_natural_image,
                tolerance::half_natural_image * 0.35);
}

// The texture unit filters half floats as well; its 8-bit weights still make the larger error.
TEST_P(HalfCoefficients, ServeEveryPath) {
    const Image image = noise(61, 47, 4, SampleType::u8, 74);
    SourceImage source(backend_, image);
    RenderRequest request = request_of(spec_of("bspline"), 80, 60);
    request.view.scale = 0.37;
    request.view.rotate = 21;
    request.spec = in_half(request.spec);
    const Image exact = source.render_to_image(request);
    for (const FetchPath path : {FetchPath::global, FetchPath::lookup}) {
        request.spec.path = path;
        EXPECT_LE(between(source.render_to_image(request), exact).error, tolerance::exact_path) << name_of(path);
    }
    request.spec.path = FetchPath::hardware;
    EXPECT_LE(between(source.render_to_image(request), exact).error, 16 * tolerance::hardware_fraction);
}

// Finite values stay finite, and others stay where they are.
TEST_P(HalfCoefficients, OfLargeValuesAreTheLargestThereAre) {
    Image image(40, 30, 1, SampleType::f32);
    for (int y = 0; y < 30; ++y) std::fill_n(image.row_as<float>(y), 40, y < 15 ? 1e6f : -1e6f);
    image.row_as<float>(3)[4] = std::numeric_limits<float>::quiet_NaN();
    image.row_as<float>(25)[30] = std::numeric_limits<float>::infinity();
    RenderRequest request = request_of(in_half(spec_of("bspline")), 8, 8);
    const auto texels = SourceImage(backend_, image).texels(request, 0, 0, 40, 30);
    for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 40; ++x) {
            const float texel = texels[size_t(y) * 40 + size_t(x)];
            if (x == 4 && y == 3) EXPECT_TRUE(std::isnan(texel));
            else if (x == 30 && y == 25) EXPECT_EQ(texel, std::numeric_limits<float>::infinity());
            else ASSERT_EQ(texel, y < 15 ? 65504.0f : -65504.0f) << x << ", " << y;
        }
}

// Flipping between both keeps both.
TEST_P(HalfCoefficients, AreKeptBesideTheFloatOnes) {
    const Image image = binary_noise(30, 30, 75);
    SourceImage source(backend_, image);
    const MethodSpec floats = spec_of("bspline"), halves = in_half(floats);
    const ResidentImage* first = source.prepared_for(floats).get();
    const ResidentImage* second = source.prepared_for(halves).get();
    EXPECT_NE(first, second);
    EXPECT_EQ(source.prepared_for(floats).get(), first);
    EXPECT_EQ(source.prepared_for(halves).get(), second);
}

ON_EVERY_BACKEND(HalfCoefficients);

}  // namespace
}  // namespace texelscope::test
