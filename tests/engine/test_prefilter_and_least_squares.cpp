// The prefilter: exact where it should be, and as inexact as the literature says where taps are few. Shrinking by least
// squares, which stands on it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "gpu/backend/least_squares.h"
#include "gpu/backend/source_image.h"
#include "gpu/prefilter/projection.h"
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

// Shrinking by least squares: what is thrown away is orthogonal to what is kept, and there is no more to throw away.

constexpr std::string_view splines[] = {"nearest", "bilinear", "quadratic", "bspline",  "quartic",
                                        "quintic", "omoms",    "omoms5",    "lagrange", "septic"};

MethodSpec mirrored(std::string_view id) {
    MethodSpec spec = spec_of(id);
    spec.address = {AddressMode::mirror, AddressMode::mirror};
    return spec;
}

double largest_difference(const Image& a, const Image& b) {
    double largest = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            for (int c = 0; c < a.channels(); ++c)
                largest = std::max(largest, std::abs(double(a.value(x, y, c)) - double(b.value(x, y, c))));
    return largest;
}

class LeastSquares : public OnBackend {
protected:
    Image shrunk(const Image& image, const MethodSpec& spec, int width, int height) {
        SourceImage source(backend_, image);
        return least_squares_image(source, resize_request(source.samples(), spec, width, height));
    }
    Image resized(const Image& image, const MethodSpec& spec, int width, int height, bool antialias = true) {
        SourceImage source(backend_, image);
        return source.render_to_image(resize_request(source.samples(), spec, width, height, Align::centers, antialias));
    }
};

// ∫ (f − g) φ((x − x_i) / a) dx = 0, f being the method's function through the samples and g the one through the pixels,
// for any step a. By the midpoint rule over a 128th of a sample.
TEST_P(LeastSquares, WhatIsThrownAwayIsOrthogonalToWhatIsKept) {
    for (const std::string_view id : splines)
        for (const auto& [samples, pixels] : {std::pair{60, 30}, {60, 25}, {61, 9}, {64, 60}}) {
            const MethodSpec spec = mirrored(id);
            const Image row = noise(samples, 1, 1, SampleType::f32, uint64_t(samples + pixels));
            const Image kept = shrunk(row, spec, pixels, 1);
            const reference::Interpolant f(row, spec), g(kept, spec);
            const double a = double(samples) / pixels, radius = spec.method->taps / 2.0;
            for (int i = pixels / 3; i < pixels / 3 + 3; ++i) {
                const double centre = (i + 0.5) * a - 0.5;
                double product = 0, norm = 0;
                constexpr double step = 1.0 / 128;
                for (double x = centre - radius * a + step / 2; x < centre + radius * a; x += step) {
                    const double phi = g.kernel().weight((x - centre) / a);
                    const double lost = f.at({x, 0})[0] - g.at({(x + 0.5) / a - 0.5, 0})[0];
                    product += lost * phi * step;
                    norm += lost * lost * step;
                }
                // The rule's error is that of a function that jumps at most: half a step times the number of jumps.
                const double rule = spec.method->smoothness < 0 ? 2e-2 * a : 2e-4 * a;
                EXPECT_NEAR(product, 0, rule) << id << ", " << samples << " → " << pixels << " at " << i;
                EXPECT_GT(norm, 1e-4) << "nothing is thrown away";
            }
        }
}

// By an odd factor, knots of the pixels' function are knots of the samples': enlarging loses nothing, and shrinking again
// finds the same pixels.
TEST_P(LeastSquares, ShrinkingTwiceChangesNothing) {
    for (const std::string_view id : {"nearest", "bilinear", "quadratic", "bspline", "quartic", "quintic", "septic"})
        for (const int factor : {3, 5})
            for (const int channels : {1, 3, 4}) {
                const MethodSpec spec = mirrored(id);
                const int width = 14, height = 11;
                const Image image = noise(factor * width, factor * height, channels, SampleType::f32, 17);
                const Image once = shrunk(image, spec, width, height);
                const Image large = resized(once, spec, image.width(), image.height());
                const Image twice = shrunk(large, spec, width, height);
                EXPECT_LE(largest_difference(once, twice), 4e-6) << id << " by " << factor;
                EXPECT_GT(largest_difference(image, large), 0.1);
            }
}

// Antialiased interpolation is not a projection: it blurs again.
TEST_P(LeastSquares, AntialiasedInterpolationIsNoProjection) {
    const MethodSpec spec = mirrored("bspline");
    const Image image = noise(42, 33, 1, SampleType::f32, 17);
    const Image once = resized(image, spec, 14, 11), twice = resized(resized(once, spec, 42, 33), spec, 14, 11);
    EXPECT_GT(largest_difference(once, twice), 0.01);
}

// A zone plate, shrunk and enlarged again by the same method.
TEST_P(LeastSquares, LoseLessOfAZonePlateThanAntialiasedInterpolation) {
    Image plate(180, 180, 1, SampleType::f32);
    for (int y = 0; y < 180; ++y)
        for (int x = 0; x < 180; ++x) {
            const double r2 = (x - 89.5) * (x - 89.5) + (y - 89.5) * (y - 89.5);
            plate.row_as<float>(y)[x] = float(0.5 + 0.5 * std::cos(M_PI * 0.5 * r2 / 180));
        }
    for (const std::string_view id : {"bilinear", "bspline", "quintic", "omoms", "omoms5", "septic"})
        for (const int size : {120, 90, 60, 47}) {
            const MethodSpec spec = mirrored(id);
            const auto error = [&](const Image& small) {
                const Image back = resized(small, spec, 180, 180);
                double sum = 0;
                for (int y = 0; y < 180; ++y)
                    for (int x = 0; x < 180; ++x)
                        sum += std::pow(double(back.value(x, y, 0)) - plate.value(x, y, 0), 2);
                return std::sqrt(sum / (180 * 180));
            };
            EXPECT_LT(error(shrunk(plate, spec, size, size)), error(resized(plate, spec, size, size)))
                << id << " to " << size;
        }
}

TEST_P(LeastSquares, OfBoxesAreTheMeansOfBlocks) {
    const Image image = noise(24, 20, 2, SampleType::u16, 4);
    const Image small = shrunk(image, mirrored("nearest"), 6, 5);
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 6; ++x)
            for (int c = 0; c < 2; ++c) {
                double sum = 0;
                for (int j = 0; j < 4; ++j)
                    for (int i = 0; i < 4; ++i) sum += image.row_as<uint16_t>(4 * y + j)[(4 * x + i) * 2 + c] / 65535.0;
                ASSERT_NEAR(small.value(x, y, c), sum / 16, 1e-6);
            }
}

// Along an axis that does not shrink the method is used as it is; a picture of its own size is itself.
TEST_P(LeastSquares, LeaveAloneWhatDoesNotShrink) {
    for (const std::string_view id : splines) {
        const Image image = noise(21, 17, 3, SampleType::u8, 6);
        const MethodSpec spec = mirrored(id);
        EXPECT_LE(largest_difference(shrunk(image, spec, 21, 17), resized(image, spec, 21, 17)), exact_tolerance(spec))
            << id;
        EXPECT_LE(largest_difference(shrunk(image, spec, 50, 31), resized(image, spec, 50, 31)), exact_tolerance(spec))
            << id;
    }
}

// In every address mode a constant stays one, but for the zeros beyond a border.
TEST_P(LeastSquares, KeepConstantsInEveryAddressMode) {
    for (const std::string_view id : splines)
        for (const AddressMode mode :
             {AddressMode::clamp, AddressMode::wrap, AddressMode::mirror, AddressMode::reflect101}) {
            MethodSpec spec = spec_of(id);
            spec.address = {mode, mode};
            Image image(37, 29, 1, SampleType::f32);
            for (int y = 0; y < 29; ++y) std::fill_n(image.row_as<float>(y), 37, 0.75f);
            const Image small = shrunk(image, spec, 13, 8);
            for (int y = 0; y < 8; ++y)
                for (int x = 0; x < 13; ++x) ASSERT_NEAR(small.value(x, y, 0), 0.75, 2e-6) << id << name_of(mode);
        }
}

// Kept taps serve again, as long as nothing that they depend on changes; and what is kept is bounded.
TEST(LeastSquaresTaps, AreKeptForAllThatTheyDependOn) {
    const MethodSpec spec = parse_spec("bspline");
    const auto taps = kept_least_squares_taps(spec, 0.5, 2, 300);
    EXPECT_EQ(kept_least_squares_taps(spec, 0.5, 2, 300), taps);
    EXPECT_EQ(kept_least_squares_taps(parse_spec("bspline:path=hardware,address=wrap,coefficients=half"), 0.5, 2, 300),
              taps);
    const LongTaps computed = least_squares_taps(spec, 0.5, 2, 300);
    EXPECT_EQ(taps->first, computed.first);
    EXPECT_EQ(taps->weights, computed.weights);
    EXPECT_NE(kept_least_squares_taps(spec, 0.25, 2, 300), taps);
    EXPECT_NE(kept_least_squares_taps(spec, 0.5, 2.5, 300), taps);
    EXPECT_NE(kept_least_squares_taps(spec, 0.5, 2, 301), taps);
    for (const char* other : {"bspline:prefilter=none", "bspline:prefilter=fir15", "omoms"}) {
        const auto others = kept_least_squares_taps(parse_spec(other), 0.5, 2, 300);
        EXPECT_NE(others, taps) << other;
        EXPECT_NE(others->weights, taps->weights) << other;
    }
    EXPECT_NE(kept_least_squares_taps(parse_spec("bspline:prefilter=fir13"), 0.5, 2, 300),
              kept_least_squares_taps(parse_spec("bspline:prefilter=fir15"), 0.5, 2, 300));
    EXPECT_EQ(kept_least_squares_taps(spec, 0.5, 2, 300), taps);
    for (size_t n = 0; n < most_kept_long_taps; ++n) kept_least_squares_taps(spec, double(n), 3, 10);
    EXPECT_NE(kept_least_squares_taps(spec, 0.5, 2, 300), taps) << "the least recently used has gone";
    // Each takes some 11 MB: 2000 pixels of some 1400 taps.
    for (int n = 0; n < 5; ++n) {
        const auto large = kept_least_squares_taps(parse_spec("nearest"), double(n), 1400, 2000);
        EXPECT_GT(large->weights.size() * sizeof(float), most_kept_long_taps_bytes / 4);
        EXPECT_LE(kept_long_taps_bytes(), most_kept_long_taps_bytes);
    }
}

TEST_P(LeastSquares, SignalsShrinkAlongX) {
    const MethodSpec spec = mirrored("bspline");
    Image signal = noise(60, 1, 1, SampleType::f32, 3);
    const Image row = shrunk(signal, spec, 20, 1);
    signal.set_one_dimensional(true);
    EXPECT_LE(largest_difference(shrunk(signal, spec, 20, 1), row), 2e-6);
}

TEST_P(LeastSquares, RefuseWhatTheyCannotDo) {
    SourceImage source(backend_, noise(20, 20, 1, SampleType::u8, 2));
    const auto refused = [&](RenderRequest request) { EXPECT_THROW(least_squares_image(source, request), Error); };
    refused(resize_request(source.samples(), spec_of("lanczos3"), 10, 10));
    refused(resize_request(source.samples(), spec_of("ewa-lanczos"), 10, 10));
    RenderRequest request = resize_request(source.samples(), spec_of("bspline"), 10, 10);
    const RenderRequest good = request;
    request.positions->xy = 0.1;
    refused(request);
    request = good;
    request.positions->xx = -2;
    refused(request);
    request = good;
    request.positions.reset();
    refused(request);
    request = good;
    request.derivative = Derivative::x;
    refused(request);
    request = good;
    request.outside = Outside::background;
    refused(request);
    EXPECT_NO_THROW(least_squares_image(source, good));
}

ON_EVERY_BACKEND(LeastSquares);

}  // namespace
}  // namespace texelscope::test
