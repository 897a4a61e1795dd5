// Coefficients kept as half floats: the same filter, rounded to eleven bits.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/backend/source_image.h"
#include "gpu/core/half.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/natural_image.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

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
