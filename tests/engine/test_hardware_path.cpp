// The hardware path differs from the exact ones by its 8-bit weights: by no more than they allow, and by no less. The
// texture unit's behaviour was measured; see docs/texture-unit.md.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/hardware_bound.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

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

ON_EVERY_BACKEND_AND_METHOD(HardwarePath, hardware_path());

}  // namespace
}  // namespace texelscope::test
