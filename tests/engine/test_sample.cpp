// Arbitrary points: as arrays or pairs, float or double, with strides, any number of them; NaN, infinite and outside.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

struct Points {
    std::vector<double> x, y;
    PointsView view() const { return PointsView::arrays(x.data(), y.data(), x.size()); }
};

Points random_points(int count, int width, int height, uint64_t seed) {
    Random random(seed);
    Points points;
    for (int n = 0; n < count; ++n) {
        points.x.push_back(random.between(-1.5 * width, 2.5 * width));
        points.y.push_back(random.between(-1.5 * height, 2.5 * height));
    }
    return points;
}

class SampleMethods : public OnMethod {
protected:
    SampleRequest request(const AddressPair& address = {}) const {
        SampleRequest request{.spec = spec()};
        request.spec.address = address;
        return request;
    }
};

// Two channels are real and imaginary part: interpolation is linear, so each is separate.
TEST_P(SampleMethods, GivesTheInterpolantAtEveryPointInEveryAddressPair) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "not exact: test_hardware_path";
    for (const int channels : {1, 2, 3}) {
        const Image image = noise(23, 17, channels, SampleType::f32, 5);
        SourceImage source(backend_, image);
        for (const AddressPair& address : all_address_pairs()) {
            const Points points = random_points(25, 23, 17, 6);
            const std::vector<float> values = source.sample_to_host(request(address), points.view());
            ASSERT_EQ(values.size(), points.x.size() * size_t(channels));
            const reference::Interpolant interpolant(image, request(address).spec);
            for (size_t n = 0; n < points.x.size(); ++n)
                for (int c = 0; c < channels; ++c)
                    ASSERT_NEAR(values[n * size_t(channels) + size_t(c)],
                                interpolant.at({points.x[n], points.y[n]})[size_t(c)], exact_tolerance(spec()))
                        << to_string(request(address).spec) << " at " << points.x[n] << ", " << points.y[n];
        }
    }
}

// The pixels of a rendering are points too.
TEST_P(SampleMethods, GivesWhatRenderGives) {
    const Image image = noise(31, 22, 1, SampleType::u8, 7);
    SourceImage source(backend_, image);
    RenderRequest render = beyond_borders(spec(), 20, 15, 0);
    render.view = {3.3, 1.2, 0.7, 25};
    const Affine affine = sampling_affine(render.view, 31, 22, 20, 15);
    Points points;
    for (int j = 0; j < 15; ++j)
        for (int i = 0; i < 20; ++i) {
            const Point p = apply(affine, i, j);
            points.x.push_back(p.x);
            points.y.push_back(p.y);
        }
    const std::vector<float> values = source.sample_to_host(request(), points.view());
    const Image rendered = source.render_to_image(render);
    const double allowed = path() == FetchPath::hardware ? 2 * tolerance::hardware_fraction : tolerance::exact_path;
    for (int j = 0; j < 15; ++j)
        for (int i = 0; i < 20; ++i)
            EXPECT_NEAR(values[size_t(j * 20 + i)], rendered.value(i, j, 0), allowed) << "pixel " << i << ", " << j;
}

// "Points that are NaN or infinite give NaN (or the border value by address mode) and never read outside memory."
TEST_P(SampleMethods, ThatIsNaNGivesNaNAndInfiniteWhatTheAddressModeSays) {
    const Image image = noise(9, 7, 2, SampleType::f32, 8);
    SourceImage source(backend_, image);
    for (const AddressMode mode : all_address_modes) {
        Points points;
        for (const auto& [x, y] : {std::pair{nan, 3.0},
                                   {3.0, nan},
                                   {nan, nan},
                                   {nan, infinity},
                                   {infinity, infinity},
                                   {-infinity, -infinity},
                                   {-infinity, infinity},
                                   {1e300, -1e300}}) {
            points.x.push_back(x);
            points.y.push_back(y);
        }
        const std::vector<float> values = source.sample_to_host(request({mode, mode}), points.view());
        for (int n = 0; n < 4; ++n)
            for (int c = 0; c < 2; ++c)
                EXPECT_TRUE(std::isnan(values[size_t(2 * n + c)])) << name_of(mode) << " point " << n;
        // If the signal is eventually constant, the value there; a repeating one has none at infinity.
        const int column[] = {8, 0, 0, 8}, row[] = {6, 0, 6, 0};
        for (int n = 4; n < 8; ++n)
            for (int c = 0; c < 2; ++c) {
                const float value = values[size_t(2 * n + c)];
                if (is_periodic(mode)) {
                    EXPECT_TRUE(n == 7 ? std::isfinite(value) : std::isnan(value)) << name_of(mode) << " point " << n;
                } else if (mode == AddressMode::clamp) {
                    EXPECT_NEAR(value, image.value(column[n - 4], row[n - 4], c), tolerance::knot) << " point " << n;
                } else if (mode == AddressMode::border) {
                    EXPECT_NEAR(value, 0, tolerance::knot) << " point " << n;
                }
            }
    }
}

ON_EVERY_BACKEND_AND_KIND(SampleMethods, every_path());

class SampleForms : public OnBackend {
protected:
    static SampleRequest request(const char* spec = "bspline", Outside outside = Outside::extend) {
        return {.spec = spec_of(spec), .outside = outside};
    }
};

// All forms describe the same points. Coordinates are floats, so that both widths hold them.
TEST_P(SampleForms, ArraysAndPairsFloatAndDoubleStridedAndPackedAreTheSamePoints) {
    const Image image = noise(40, 30, 2, SampleType::f32, 9);
    SourceImage source(backend_, image);
    constexpr size_t count = 100;
    const Points points = random_points(count, 40, 30, 10);
    std::vector<float> x(count), y(count), pairs(2 * count), strided_x(3 * count, NAN), strided_y(3 * count, NAN);
    std::vector<double> wide_x(count), wide_y(count), wide_pairs(2 * count);
    for (size_t n = 0; n < count; ++n) {
        wide_x[n] = wide_pairs[2 * n] = x[n] = pairs[2 * n] = strided_x[3 * n] = float(points.x[n]);
        wide_y[n] = wide_pairs[2 * n + 1] = y[n] = pairs[2 * n + 1] = strided_y[3 * n] = float(points.y[n]);
    }
    const std::vector<float> expected =
        source.sample_to_host(request(), PointsView::arrays(wide_x.data(), wide_y.data(), count));
    const PointsView strided{strided_x.data(), strided_y.data(), count, 3, false};
    for (const PointsView& view :
         {PointsView::arrays(x.data(), y.data(), count), PointsView::pairs(pairs.data(), count),
          PointsView::pairs(wide_pairs.data(), count), strided})
        EXPECT_EQ(source.sample_to_host(request(), view), expected);
    const std::vector<float> tail = source.sample_to_host(request(), strided.from(60));
    EXPECT_EQ(tail, std::vector<float>(expected.begin() + 120, expected.end()));
}

// Values at points in memory of the backend are those at points in host memory.
TEST_P(SampleForms, PointsAndValuesMayLieInTheBackendsMemory) {
    const Image image = noise(40, 30, 1, SampleType::f32, 9);
    SourceImage source(backend_, image);
    constexpr size_t count = 1000;
    const Points points = random_points(count, 40, 30, 10);
    std::vector<float> x(points.x.begin(), points.x.end()), y(points.y.begin(), points.y.end()), values(count);
    const auto at_x = backend_->allocate(count * 4), at_y = backend_->allocate(count * 4),
               at_values = backend_->allocate(count * 4);
    backend_->write(at_x.get(), x.data(), count * 4);
    backend_->write(at_y.get(), y.data(), count * 4);
    source.sample(
        request(),
        PointsView::arrays(static_cast<const float*>(at_x.get()), static_cast<const float*>(at_y.get()), count),
        static_cast<float*>(at_values.get()));
    backend_->read_back(values.data(), at_values.get(), count * 4);
    EXPECT_EQ(values, source.sample_to_host(request(), PointsView::arrays(x.data(), y.data(), count)));
}

TEST_P(SampleForms, NoPointsGiveNoValues) {
    SourceImage source(backend_, noise(4, 4, 3, SampleType::u8, 1));
    EXPECT_TRUE(source.sample_to_host(request(), {}).empty());
    source.sample(request(), {}, nullptr);
}

// More than one launch: the points of a row of the job are 2²⁰.
TEST_P(SampleForms, MoreThanAMillionPointsAreReadEachAtItsPlace) {
    const Image image = noise(50, 40, 2, SampleType::u8, 11);
    SourceImage source(backend_, image);
    for (const size_t count : {(size_t(1) << 20) - 1, size_t(1) << 20, (size_t(1) << 20) + 1, (size_t(1) << 21) + 77}) {
        std::vector<float> pairs(2 * count);
        for (size_t n = 0; n < count; ++n) {
            pairs[2 * n] = float(n % 50);
            pairs[2 * n + 1] = float(n / 50 % 40);
        }
        const std::vector<float> values =
            source.sample_to_host(request("nearest"), PointsView::pairs(pairs.data(), count));
        ASSERT_EQ(values.size(), 2 * count);
        size_t wrong = 0;
        for (size_t n = 0; n < count; ++n)
            for (int c = 0; c < 2; ++c)
                wrong += std::abs(values[2 * n + size_t(c)] - image.value(int(n % 50), int(n / 50 % 40), c)) > 1e-6;
        EXPECT_EQ(wrong, 0u) << "of " << count;
    }
}

// Outside::nan: the samples' closed interval [0, n − 1] along each axis, and NaN beyond.
TEST_P(SampleForms, OutsideNaNIsValidOnTheClosedIntervalOfTheSamples) {
    const Image image = noise(5, 4, 1, SampleType::f32, 12);
    SourceImage source(backend_, image);
    const double below = std::nextafter(0.0, -1), above_x = std::nextafter(4.0, 5), above_y = std::nextafter(3.0, 4);
    const Points points{{0, 4, 0, 4, 2.5, below, above_x, 2, 2, -infinity, nan, 1e9},
                        {0, 0, 3, 3, 1.5, 1, 1, below, above_y, 1, 1, 1}};
    for (const char* spec : {"bilinear", "bspline", "nearest", "lanczos3:path=lookup", "bilinear:path=hardware"}) {
        const std::vector<float> values = source.sample_to_host(request(spec, Outside::nan), points.view());
        for (size_t n = 0; n < points.x.size(); ++n) EXPECT_EQ(std::isnan(values[n]), n >= 5) << spec << " point " << n;
        EXPECT_NEAR(values[3], image.value(4, 3, 0), tolerance::knot);
    }
}

// Double keeps fractions that float loses at these coordinates.
TEST_P(SampleForms, PositionsAreExactBeyondCoordinate100000) {
    const Image image = noise(131072, 8, 1, SampleType::u8, 41);
    SourceImage source(backend_, image);
    Random random(42);
    Points points;
    for (int n = 0; n < 300; ++n) {
        points.x.push_back(random.between(100000, 131071));
        points.y.push_back(random.between(0, 7));
    }
    for (const char* spec : {"bilinear", "bspline", "catmull-rom", "lanczos3"}) {
        const std::vector<float> values = source.sample_to_host(request(spec), points.view());
        const reference::Interpolant interpolant(image, spec_of(spec));
        for (size_t n = 0; n < points.x.size(); ++n)
            ASSERT_NEAR(values[n], interpolant.at({points.x[n], points.y[n]})[0], tolerance::exact_path)
                << spec << " " << points.x[n];
    }
}

TEST_P(SampleForms, PointsWithoutYOverAnImageAreRefusedInOneSentence) {
    SourceImage source(backend_, noise(4, 4, 1, SampleType::u8, 1));
    const float x[] = {1, 2};
    for (const PointsView& points : {PointsView{x, nullptr, 2, 1, false}, PointsView{nullptr, x, 2, 1, false}}) {
        try {
            source.sample_to_host(request(), points);
            ADD_FAILURE() << "points without both coordinates were taken";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("both coordinates"), std::string::npos) << error.what();
        }
    }
}

ON_EVERY_BACKEND(SampleForms);

}  // namespace
}  // namespace texelscope::test
