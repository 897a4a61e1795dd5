// Positions are right anywhere: far from the origin, zoomed deep, at ties.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "gpu/backend/arguments.h"
#include "gpu/backend/source_image.h"
#include "gpu/method/method_info.h"
#include "gpu/method/position.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/method/tabulated.h"
#include "gpu/prefilter/prefilter.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class Positions : public OnMethod {
protected:
    // Renders; empty if a CUDA device refuses a texture of that width, which the interface allows.
    std::optional<Image> rendered(const Image& image, const RenderRequest& request) {
        try {
            return SourceImage(backend_, image).render_to_image(request);
        } catch (const Error& error) {
            const bool texture = path() == FetchPath::lookup && backend_->info().kind == BackendKind::cuda;
            EXPECT_TRUE(texture) << error.what();
            return std::nullopt;
        }
    }
};

// float32 coordinates near 100 000 step by 1/128 texel; at zoom 512 that is four pixels.
TEST_P(Positions, AreExactAtCoordinate100000AtZoom512) {
    const Image image = noise(131072, 8, 1, SampleType::u8, 41);
    // Without fused multiply-adds products are rounded as well.
    const double most = tolerance::exact_path * (simd::best_instructions() == simd::Instructions::baseline ? 1.05 : 1);
    Random random(42);
    for (int n = 0; n < 6; ++n) {
        RenderRequest request;
        request.spec = spec();
        request.view = {random.between(35000, 65000), random.between(-4, 4), 1.0 / 512,
                        n % 2 ? random.between(0, 360) : 0.0};
        request.width = 200;
        request.height = 10;
        const std::optional<Image> out = rendered(image, request);
        if (!out) return;
        const Difference difference = against_reference(*out, image, request, 150);
        EXPECT_LE(difference.error, most) << difference;
    }
}

// Between 0 and 1 bilinear shows the fraction itself.
TEST_P(Positions, HaveFractionsExactTo24Bits) {
    if (method().id != "bilinear") return;
    Image stripes(131072, 1, 1, SampleType::u8);
    for (int x = 0; x < 131072; ++x) stripes.row_as<uint8_t>(0)[x] = x % 2 ? 255 : 0;
    Random random(43);
    for (int n = 0; n < 40; ++n) {
        RenderRequest request;
        request.spec = spec();
        request.view = {random.between(-65000, 65000), 0, std::exp(random.between(-7, 3)), 0};
        request.width = 64;
        request.spec.address = {AddressMode::mirror, AddressMode::clamp};
        const std::optional<Image> out = rendered(stripes, request);
        if (!out) return;
        const Difference difference = against_reference(*out, stripes, request);
        EXPECT_LE(difference.error, tolerance::position) << difference;
    }
}

// All positions here are exact in binary, so there is one right answer at a tie: floor(x + 0.5), the sample above.
TEST_P(Positions, TiesOfNearestGoToTheSampleAbove) {
    if (method().id != "nearest") return;
    const Image image = noise(16, 16, 1, SampleType::u8, 44);
    for (const AddressPair& address : all_address_pairs())
        for (const int turns : {0, 1, 2, 3}) {  // quarter turns, exact too, take the code for rotated views
            RenderRequest request;
            request.spec = spec();
            request.spec.address = address;
            request.view.scale = 0.5;
            request.view.rotate = 90 * turns;
            request.width = request.height = 81;  // positions −12.5, −12, …, 27.5
            const std::optional<Image> out = rendered(image, request);
            ASSERT_TRUE(out);
            const reference::Interpolant interpolant(image, request.spec);
            const auto above = [](long double x) { return (long long)(std::floor(x + 0.5L)); };
            for (int j = 0; j < 81; ++j)
                for (int i = 0; i < 81; ++i) {
                    const auto p = reference::position(request.view, 16, 16, 81, 81, i, j);
                    ASSERT_NEAR(out->value(i, j, 0), interpolant.extended_sample(above(p.x), above(p.y))[0], 1e-7)
                        << i << ", " << j << " " << describe_request(image, request);
                }
        }
}

// A million samples away the modes still extend as they should.
TEST_P(Positions, AreExactAMillionSamplesOutside) {
    const Image image = noise(61, 47, 2, SampleType::f32, 45);
    Random random(46);
    for (const AddressPair& address : all_address_pairs()) {
        RenderRequest request;
        request.spec = spec();
        request.spec.address = address;
        request.view = {random.between(-1e6, 1e6), random.between(-1e6, 1e6), 0.3, random.between(0, 360)};
        request.width = request.height = 12;
        const Difference difference = render_and_compare(backend_, image, request);
        EXPECT_LE(difference.error, tolerance::exact_path) << difference;
    }
}

// So far that no integer holds the index: clamp gives the corner, border zero, and nothing breaks.
TEST_P(Positions, BeyondEveryIntegerClampGivesTheCornerAndBorderZero) {
    const Image image = noise(9, 7, 1, SampleType::f32, 47);
    for (const double far : {3e9, 1e12, 1e18, 1e30, 1e300})
        for (const AddressMode mode : {AddressMode::clamp, AddressMode::border}) {
            RenderRequest request;
            request.spec = spec();
            request.spec.address = {mode, mode};
            request.view = {far, far, 1, 0};
            request.width = request.height = 4;
            const Image out = SourceImage(backend_, image).render_to_image(request);
            const double expected = mode == AddressMode::clamp ? image.value(8, 6, 0) : 0.0;
            EXPECT_NEAR(out.value(0, 0, 0), expected, tolerance::knot) << far << " " << name_of(mode);
            EXPECT_NEAR(out.value(3, 3, 0), expected, tolerance::knot) << far << " " << name_of(mode);
        }
}

// The fraction is lost there, but a repeating signal still shows its own values: nothing far larger, no NaN.
TEST_P(Positions, BeyondEveryIntegerRepeatingModesShowSomeValueOfTheImage) {
    const Image image = noise(9, 7, 1, SampleType::f32, 47);
    for (const double far : {3e9, 1e12, 1e18, 1e30, 1e300})
        for (const AddressMode mode : {AddressMode::wrap, AddressMode::mirror, AddressMode::reflect101})
            for (const View& view :
                 {View{far, -far, 1, 0}, View{far, far, 1, 30}, View{0, 0, far, 0}, View{0, 0, far, 45}}) {
                RenderRequest request;
                request.spec = spec();
                request.spec.address = {mode, mode};
                request.view = view;
                request.width = request.height = 4;
                const Image out = SourceImage(backend_, image).render_to_image(request);
                for (int y = 0; y < 4; ++y)
                    for (int x = 0; x < 4; ++x)  // overshoot of prefilter and weights stays below 3
                        ASSERT_LT(std::abs(out.value(x, y, 0)), 3) << describe_request(image, request);
            }
}

// An affine map in the request replaces the view, whatever that contains.
TEST_P(Positions, OfARequestStandInsteadOfTheView) {
    const Image image = noise(61, 47, 1, SampleType::u8, 48);
    SourceImage source(backend_, image);
    for (const double rotate : {0.0, 33.0}) {
        RenderRequest viewed = request_of(spec(), 20, 15);
        viewed.view = {3.7, -1.9, 0.83, rotate};
        RenderRequest placed = request_of(spec(), 20, 15);
        placed.view = {1e3, 5, 17, 12};
        placed.positions = sampling_affine(viewed.view, 61, 47, 20, 15);
        EXPECT_EQ(between(source.render_to_image(viewed), source.render_to_image(placed)).error, 0);
        placed.view.scale = NAN;  // not read
        EXPECT_EQ(between(source.render_to_image(viewed), source.render_to_image(placed)).error, 0);
    }
    // Sheared, mirrored, of different scales along the axes: not possible for a view.
    RenderRequest sheared = request_of(spec(), 20, 15);
    sheared.positions = Affine{-0.73, 0.41, 40.3137, 0.11, 1.9, 2.7137};  // never on a tie
    const Image out = source.render_to_image(sheared);
    const reference::Interpolant interpolant(image, sheared.spec);
    for (int j = 0; j < 15; j += 2)
        for (int i = 0; i < 20; i += 3) {
            const Point p = apply(*sheared.positions, i, j);
            ASSERT_NEAR(out.value(i, j, 0), interpolant.at({p.x, p.y})[0], tolerance::exact_path) << p.x << ", " << p.y;
        }
}

ON_EVERY_BACKEND_AND_KIND(Positions, exact_paths());

// Nearest where positions are exactly halfway between two samples: pixel k of N reads sample floor((2k + 1)·n / 2N) of
// n, in whole numbers, along both axes, on every path and by every kernel.

// The value of each sample is its place, which is exact in float up to 2²⁴.
Image numbered(int width, int height) {
    Image image(width, height, 1, SampleType::f32);
    std::iota(image.row_as<float>(0), image.row_as<float>(0) + size_t(width) * size_t(height), 0.0f);
    return image;
}

long long floor_of(long long numerator, long long denominator) {
    return numerator / denominator - (numerator % denominator < 0 ? 1 : 0);
}

class Ties : public OnBackend {
protected:
    struct Path {
        FetchPath path;
        bool simple;
    };
    static constexpr Path paths[] = {{FetchPath::automatic, false},
                                     {FetchPath::automatic, true},
                                     {FetchPath::global, false},
                                     {FetchPath::lookup, false},
                                     {FetchPath::hardware, false}};

    static MethodSpec nearest(FetchPath path, AddressMode mode = AddressMode::clamp) {
        MethodSpec spec = spec_of("nearest");
        spec.path = path;
        spec.address = {mode, mode};
        return spec;
    }

    // The number of pixels that read another sample than column(i), row(j) of an image that is `width` samples wide.
    template <class Column, class Row>
    static int wrong_pixels(const Image& picture, int width, Column column, Row row) {
        int wrong = 0;
        for (int j = 0; j < picture.height(); ++j)
            for (int i = 0; i < picture.width(); ++i)
                wrong += picture.row_as<float>(j)[i] != float(row(j) * width + column(i));
        return wrong;
    }

    void expect_exact(SourceImage& source, int width, int height, const Path& path) {
        const int n = source.samples().width(), m = source.samples().height();
        RenderRequest request =
            resize_request(source.samples(), nearest(path.path), width, height, Align::centers, false);
        request.simple = path.simple;
        const int wrong = wrong_pixels(
            source.render_to_image(request), n, [&](int i) { return (2LL * i + 1) * n / (2LL * width); },
            [&](int j) { return (2LL * j + 1) * m / (2LL * height); });
        ASSERT_EQ(wrong, 0) << n << "×" << m << " to " << width << "×" << height << ", " << name_of(path.path)
                            << (path.simple ? ", each pixel separately" : "");
    }
};

// The other axis has other sizes, so that each axis is computed by itself.
TEST_P(Ties, OfAllPairsOfSizesUpTo64) {
    for (int n = 1; n <= 64; ++n) {
        SourceImage source(backend_, numbered(n, 65 - n));
        for (int size = 1; size <= 64; ++size) {
            // Every pair takes the default path, and one of the others.
            for (const Path& path : {paths[0], paths[1 + (n + size) % 4]}) expect_exact(source, size, 65 - size, path);
            if (HasFatalFailure()) return;
        }
    }
}

TEST_P(Ties, OfLargeSizes) {
    Random random(1918);
    for (int k = 0; k < 12; ++k) {
        const int n = random.integer(65, 100000);
        // Fractions of few parts have many ties; any other size has few.
        const int size = k % 2 == 0 ? random.integer(65, 100000) : std::max(1, n / 4 * random.integer(1, 9) / 3);
        for (const bool along_x : {true, false}) {
            if (!along_x && std::max(n, size) > 60000) continue;  // textures are no higher
            SourceImage source(backend_, along_x ? numbered(n, 2) : numbered(2, n));
            for (const Path& path : paths) {
                expect_exact(source, along_x ? size : 2, along_x ? 2 : size, path);
                if (HasFatalFailure()) return;
            }
        }
    }
}

// Textures take coordinates in [0, 1) for modes that repeat.
TEST_P(Ties, InEveryAddressMode) {
    const int n = 640, width = 480;
    SourceImage source(backend_, numbered(n, 3));
    for (const AddressMode mode : all_address_modes)
        for (const Path& path : paths) {
            RenderRequest request = resize_request(source.samples(), nearest(path.path, mode), width, 3);
            request.antialias = false;
            request.simple = path.simple;
            const int wrong = wrong_pixels(
                source.render_to_image(request), n, [](int i) { return (2 * i + 1) * 2 / 3; }, [](int j) { return j; });
            ASSERT_EQ(wrong, 0) << name_of(mode) << ", " << name_of(path.path);
        }
}

// p = (w − 1)/2 + T + (a/b)·(k − (W − 1)/2), over the denominator 16·b; T in eighths. Half a turn goes backwards, and
// still takes the right or lower one of two samples.
TEST_P(Ties, OfViewsWhoseScaleIsAFraction) {
    Random random(1919);
    for (int k = 0; k < 80; ++k) {
        const int w = random.integer(1, 300), h = random.integer(1, 40);
        const int width = random.integer(1, 300), height = random.integer(1, 40);
        const long long a = random.integer(1, 40), b = random.integer(1, 40);
        const int tx = random.integer(-40, 40), ty = random.integer(-40, 40);
        const bool half_turn = random.chance(0.3);
        SourceImage source(backend_, numbered(w, h));
        const auto sample = [&](int samples, int pixels, int eighths, int pixel) {
            const long long from_centre = (half_turn ? -1 : 1) * (2LL * pixel - (pixels - 1));
            const long long p = 8 * b * (samples - 1) + 2 * b * eighths + 8 * a * from_centre;
            return std::clamp(floor_of(p + 8 * b, 16 * b), 0LL, samples - 1LL);
        };
        for (const Path& path : paths) {
            RenderRequest request = request_of(nearest(path.path), width, height);
            request.view = {tx / 8.0, ty / 8.0, double(a) / double(b), half_turn ? 180.0 : 0.0};
            request.simple = path.simple;
            const int wrong = wrong_pixels(
                source.render_to_image(request), w, [&](int i) { return sample(w, width, tx, i); },
                [&](int j) { return sample(h, height, ty, j); });
            ASSERT_EQ(wrong, 0) << w << "×" << h << " at " << width << "×" << height << ", scale " << a << "/" << b
                                << ", translated by " << tx << "/8, " << ty << "/8, " << name_of(path.path)
                                << (half_turn ? ", half a turn" : "");
        }
    }
}

ON_EVERY_BACKEND(Ties);

// The longest sides that images may have: indices and positions fit the kernels' integers.

// The sample for an index, in integers that hold them all.
long long addressed_widely(AddressMode mode, long long i, long long n) {
    if (i >= 0 && i < n) return i;
    if (mode == AddressMode::border) return -1;
    if (mode == AddressMode::clamp) return i < 0 ? 0 : n - 1;
    if (mode == AddressMode::reflect101) {
        const long long period = 2 * n - 2, at = ((i % period) + period) % period;
        return at < n ? at : period - at;
    }
    const long long period = mode == AddressMode::wrap ? n : 2 * n, at = ((i % period) + period) % period;
    return at < n ? at : period - 1 - at;
}

// Positions anywhere, reduced as in the kernels, find their taps through 32-bit integers.
TEST(LargestSide, TapsAreFoundAtAnyPositionOfTheLongestSides) {
    Random random(1);
    for (const AddressMode mode : all_address_modes)
        for (const int n : {max_side, max_side - 1, max_side / 2 + 1, 1 << 20, 3}) {
            std::vector<double> positions;
            for (const double multiple : {-4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0})
                for (const double by : {-9.5, -1.0, -0.25, 0.0, 0.5, 7.75}) positions.push_back(multiple * n + by);
            for (int k = 0; k < 200; ++k) {
                positions.push_back(random.between(-4.0, 4.0) * n);
                positions.push_back(random.between(-1e15, 1e15));
            }
            for (const double x : positions) {
                const double reduced = reduced_position(x, mode, n, 0);
                ASSERT_LT(std::abs(reduced) + max_widened_taps, double(INT_MAX)) << x << " of " << n;
                const int first = locate<8>(reduced).first;
                const auto widely = (long long)(std::floor(x)) - 3;
                for (int k = 0; k < 8; ++k)
                    ASSERT_EQ(addressed(mode, first + k, n), addressed_widely(mode, widely + k, n))
                        << name_of(mode) << " at " << x << " of " << n;
            }
        }
}

TEST(LargestSide, TheNumbersOfARowFitAnInt) {
    const int margin = coefficient_margin(std::array{largest_pole});
    EXPECT_LE((max_side + 2LL * margin) * 4, INT_MAX);
}

}  // namespace
}  // namespace texelscope::test
