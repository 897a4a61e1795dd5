// The prefilter: exact where it should be, and as inexact as the literature says where taps are few.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class PrefilterTest : public OnBackend {
protected:
    // The image under the identity view moved by (x, y) samples.
    Image shifted(const Image& image, const Prefilter& prefilter, double x, double y, const AddressPair& address = {}) {
        RenderRequest request = beyond_borders(spec_of("bspline"), image.width(), image.height(), 0);
        request.spec.prefilter = prefilter;
        request.spec.address = address;
        request.view.translate_x = x;
        request.view.translate_y = y;
        return SourceImage(backend_, image).render_to_image(request);
    }
};

const Prefilter iir{Prefilter::Kind::iir}, none{Prefilter::Kind::none};

// Σ |b_N(k) − b(k)|: how far the N-tap filter can be from the exact one, for samples in [−1, 1], along one axis.
double fir_error_bound(int taps) {
    const double pole = std::sqrt(3.0) - 2;
    const auto exact = reference::prefilter_response({pole}, iir),
               few = reference::prefilter_response({pole}, fir(taps));
    double sum = 0;
    for (int k = -40; k <= 40; ++k)
        sum += std::abs(exact[k + 40] - (std::abs(k) <= taps / 2 ? few[k + taps / 2] : 0.0));
    return sum;
}

// Each two taps more shrink the error by about |z| = 0.27, until float32 is the limit. In 2-D the bound counts twice,
// times 3 for the largest gain of the exact filter on the other axis.
TEST_P(PrefilterTest, FirConvergesToTheExactFilterByItsPole) {
    const Image image = binary_noise(96, 96, 51);
    const Image exact = shifted(image, iir, 0.31, 0.77);
    double last = 10;
    for (int taps = 3; taps <= 31; taps += 2) {
        const double error = between(shifted(image, fir(taps), 0.31, 0.77), exact).error;
        const double bound = fir_error_bound(taps);
        EXPECT_LE(error, 2 * 3 * bound + bound * bound + tolerance::exact_path) << taps << " taps";
        if (last > 1e-4) {
            EXPECT_LT(error, 0.5 * last) << taps << " taps";
        }
        if (taps <= 15) {
            EXPECT_GT(error, 0.05 * bound) << taps << " taps are better than they can be";
        }
        last = error;
    }
    EXPECT_LE(last, tolerance::exact_path);
}

// The error is the median over five seeds.
TEST_P(PrefilterTest, LongFirsHaveTheDocumentedErrorOnBinaryNoise) {
    const AddressPair mirrored{AddressMode::mirror, AddressMode::mirror};
    for (const auto& [taps, figure] : {std::pair{11, tolerance::fir11_binary_noise},
                                       {13, tolerance::fir13_binary_noise},
                                       {15, tolerance::fir15_binary_noise}}) {
        std::vector<double> errors;
        for (const int seed : {52, 53, 54, 55, 56}) {
            const Image image = binary_noise(256, 256, uint64_t(seed));
            errors.push_back(
                between(shifted(image, fir(taps), 0.31, 0.31, mirrored), shifted(image, iir, 0.31, 0.31, mirrored))
                    .error);
        }
        std::sort(errors.begin(), errors.end());
        EXPECT_NEAR(errors[2], figure, figure * tolerance::noise_seed_spread) << taps << " taps";
    }
}

// Σ b(k) = 1 for every number of taps: a constant stays what it is, without a seam at the border.
TEST_P(PrefilterTest, AConstantStaysConstant) {
    Image image(20, 20, 1, SampleType::f32);
    for (int y = 0; y < 20; ++y) std::fill_n(image.row_as<float>(y), 20, 0.7f);
    for (const Prefilter& prefilter : all_prefilters(*find_method("bspline")))
        for (const AddressMode mode :
             {AddressMode::clamp, AddressMode::wrap, AddressMode::mirror, AddressMode::reflect101}) {
            const Image out = shifted(image, prefilter, 7.3, -8.1, {mode, mode});
            for (int y = 0; y < 20; ++y)
                for (int x = 0; x < 20; ++x)
                    ASSERT_NEAR(out.value(x, y, 0), 0.7, tolerance::exact_path)
                        << to_string(prefilter) << name_of(mode);
        }
}

// An image so large that the GPU filters it by recursion instead of by convolution, and whose rows and columns are no
// multiple of anything: it passes through its samples everywhere, the corners included.
TEST_P(PrefilterTest, LargeImagesPassThroughTheirSamples) {
    for (const auto& [channels, type] :
         {std::pair(1, SampleType::f32), std::pair(4, SampleType::u8), std::pair(2, SampleType::f16)}) {
        const Image image = noise(2053, 1531, channels, type, 54);
        SourceImage source(backend_, image);
        const bool all = channels == 1 && GetParam() == BackendKind::cuda;
        const std::vector<AddressPair> few = {{AddressMode::clamp, AddressMode::mirror},
                                              {AddressMode::wrap, AddressMode::border},
                                              {AddressMode::reflect101, AddressMode::reflect101}};
        for (const AddressPair& address : all ? all_address_pairs() : few) {
            RenderRequest request = beyond_borders(spec_of("bspline"), image.width(), image.height(), 0);
            request.spec.address = address;
            const Image out = source.render_to_image(request);
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    for (int c = 0; c < channels; ++c)
                        ASSERT_NEAR(out.value(x, y, c), image.value(x, y, c), tolerance::knot)
                            << x << ", " << y << ", " << to_string(address);
        }
    }
}

// NaN and infinity stay where they are, in images of any size.
TEST_P(PrefilterTest, NonFiniteSamplesOfALargeImageStayTheirOwnCoefficients) {
    Image image = noise(1900, 1400, 1, SampleType::f32, 55);
    const std::vector<std::pair<int, int>> places = {{0, 0},     {1899, 0},    {700, 800},
                                                     {701, 800}, {1899, 1399}, {479, 96}};
    for (const auto& [x, y] : places) image.row_as<float>(y)[x] = std::numeric_limits<float>::quiet_NaN();
    RenderRequest request = request_of(spec_of("bspline"), 8, 8);
    const auto texels = SourceImage(backend_, image).texels(request, 0, 0, image.width(), image.height());
    size_t found = 0;
    for (const float texel : texels) found += std::isnan(texel);
    EXPECT_EQ(found, places.size());
    for (const auto& [x, y] : places) EXPECT_TRUE(std::isnan(texels[size_t(y) * 1900 + size_t(x)])) << x << ", " << y;
}

// Without prefilter the B-spline blurs: at the samples it is the (1/6, 4/6, 1/6) mean.
TEST_P(PrefilterTest, NoneLeavesTheSamplesAsCoefficients) {
    Image image(9, 9, 1, SampleType::f32);
    image.row_as<float>(4)[4] = 1;
    const Image out = shifted(image, none, 0, 0);
    EXPECT_NEAR(out.value(4, 4, 0), 16.0 / 36, 1e-6);
    EXPECT_NEAR(out.value(3, 4, 0), 4.0 / 36, 1e-6);
    EXPECT_NEAR(out.value(3, 3, 0), 1.0 / 36, 1e-6);
    EXPECT_EQ(out.value(2, 4, 0), 0);
}

// A single impulse gives the cardinal spline, whose ripples shrink by z from sample to sample.
TEST_P(PrefilterTest, AnImpulseGivesTheCardinalSpline) {
    Image image(41, 1, 1, SampleType::f32);
    image.row_as<float>(0)[20] = 1;
    const Image out = shifted(image, iir, 0.5, 0);  // midway between samples
    const double pole = std::sqrt(3.0) - 2;
    EXPECT_GT(out.value(19, 0, 0), 0.5);
    EXPECT_NEAR(out.value(19, 0, 0), out.value(20, 0, 0), 1e-6);
    for (int k = 21; k < 27; ++k) EXPECT_NEAR(out.value(k + 1, 0, 0), pole * out.value(k, 0, 0), 1e-6) << k;
}

// The prefilter acts on each channel alone.
TEST_P(PrefilterTest, ChannelsDoNotMix) {
    const Image image = noise(30, 20, 4, SampleType::f32, 53);
    const Image together = shifted(image, iir, 0.3, 0.4);
    for (int c = 0; c < 4; ++c) {
        Image alone(30, 20, 1, SampleType::f32);
        for (int y = 0; y < 20; ++y)
            for (int x = 0; x < 30; ++x) alone.row_as<float>(y)[x] = image.value(x, y, c);
        const Image out = shifted(alone, iir, 0.3, 0.4);
        for (int y = 0; y < 20; ++y)
            for (int x = 0; x < 30; ++x)
                ASSERT_NEAR(out.value(x, y, 0), together.value(x, y, c), tolerance::exact_path);
    }
}

ON_EVERY_BACKEND(PrefilterTest);

}  // namespace
}  // namespace texelscope::test
