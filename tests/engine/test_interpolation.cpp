// What interpolation keeps: the image itself, every sample, polynomials.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// At scale 1, no rotation, no translation and equal sizes the result is the image.

class Identity : public OnMethod {
protected:
    void SetUp() override {
        OnMethod::SetUp();
        if (IsSkipped()) return;
        if (!method().interpolating) GTEST_SKIP() << method().id << " does not pass through the samples";
        if (method().has_prefilter() && path() == FetchPath::hardware)
            GTEST_SKIP() << "the texture unit's 8-bit weights do not pass through the samples exactly";
    }

    Image rendered(const Image& image, const AddressPair& address = {}) {
        RenderRequest request = beyond_borders(spec(), image.width(), image.height(), 0);
        request.spec.address = address;
        return SourceImage(backend_, image).render_to_image(request);
    }
};

constexpr std::pair<int, int> identity_sizes[] = {{61, 47}, {1, 1}, {1, 33}, {33, 1}, {2, 2}, {64, 64}};

TEST_P(Identity, EightAndSixteenBitImagesComeBackBitForBit) {
    for (const SampleType type : {SampleType::u8, SampleType::u16})
        for (int channels = 1; channels <= 4; ++channels)
            for (const auto& [width, height] : identity_sizes)
                for (const AddressMode mode : all_address_modes) {
                    const Image image = noise(width, height, channels, type, 7);
                    const Image back = converted(rendered(image, {mode, mode}), type);
                    ASSERT_EQ(0, std::memcmp(back.data(), image.data(), image.size_bytes()))
                        << describe(image) << " " << name_of(mode);
                }
}

TEST_P(Identity, FloatImagesComeBackExactlyAndPrefilteredOnesTo2e6) {
    const double allowed = method().has_prefilter() ? exact_tolerance(spec()) : 0;
    for (const SampleType type : {SampleType::f16, SampleType::f32})
        for (int channels = 1; channels <= 4; ++channels)
            for (const auto& [width, height] : identity_sizes) {
                const Image image = noise(width, height, channels, type, 8);
                EXPECT_LE(between(rendered(image), image).error, allowed) << describe(image);
            }
}

// The integers' float values are exact as well: value / max, rounded once.
TEST_P(Identity, IntegersAreReadAsTheirShareOfTheMaximum) {
    if (method().has_prefilter()) return;
    Image bytes(256, 1, 1, SampleType::u8), words(256, 256, 1, SampleType::u16);
    for (int v = 0; v < 256; ++v) bytes.row_as<uint8_t>(0)[v] = uint8_t(v);
    for (int v = 0; v < 65536; ++v) words.row_as<uint16_t>(v / 256)[v % 256] = uint16_t(v);
    EXPECT_LE(between(rendered(bytes), bytes).error, 0x1p-24);
    EXPECT_LE(between(rendered(words), words).error, 0x1p-24);
}

// Values that no integer image has: far above 1, negative, huge, tiny.
TEST_P(Identity, FloatValuesOfAnySizeComeBack) {
    if (method().has_prefilter()) return;
    Image image(5, 4, 1, SampleType::f32);
    const float smallest =
        path() == FetchPath::hardware ? 1.2e-38f : 1e-38f;  // the texture unit flushes subnormal numbers
    const float values[] = {1e30f, -1e30f, 0.0f, 1e-30f, -3.5f, 65504.0f, 1.0f, smallest, 3e38f, 255.0f};
    for (int n = 0; n < 20; ++n) image.row_as<float>(n / 5)[n % 5] = values[n % 10];
    EXPECT_EQ(between(rendered(image), image).error, 0);
}

TEST_P(Identity, QuarterTurnsPermuteTheSamples) {
    const Image image = noise(61, 61, 3, SampleType::u8, 9);
    SourceImage source(backend_, image);
    for (int turns = -4; turns <= 4; ++turns) {
        RenderRequest request = beyond_borders(spec(), 61, 61, 0);
        request.view.rotate = 90 * turns;
        const Image back = converted(source.render_to_image(request), SampleType::u8);
        for (int y = 0; y < 61; ++y)
            for (int x = 0; x < 61; ++x) {
                int u = x - 30, v = y - 30;
                for (int t = 0; t < (turns + 4) % 4; ++t) u = std::exchange(v, u) * -1;
                ASSERT_EQ(back.value(x, y, 1), image.value(u + 30, v + 30, 1)) << turns << " at " << x << ", " << y;
            }
    }
}

ON_EVERY_BACKEND_AND_METHOD(Identity, every_path());

// Interpolating methods pass through every sample of the extended image: at the border, in the corners, and beyond.

class Knots : public OnMethod {
protected:
    void SetUp() override {
        OnMethod::SetUp();
        if (IsSkipped()) return;
        if (!method().interpolating) GTEST_SKIP() << method().id << " does not pass through the samples";
    }

    // The path's tolerance at a knot. A prefiltered method's knots are between the fractions of 8 bits.
    double allowed(const Image& image, const MethodSpec& with_address) const {
        const bool coarse = method().has_prefilter() && path() == FetchPath::hardware;
        return coarse ? hardware_bound(image, with_address) : exact_tolerance(with_address);
    }

    // Renders the image with `margin` samples of its surroundings and compares each pixel with its sample.
    void check(const Image& image, const AddressPair& address, int margin) {
        RenderRequest request = beyond_borders(spec(), image.width(), image.height(), margin);
        request.spec.address = address;
        const Image out = SourceImage(backend_, image).render_to_image(request);
        const reference::Interpolant interpolant(image, request.spec);
        const double tolerance = allowed(image, request.spec);
        for (int y = 0; y < out.height(); ++y)
            for (int x = 0; x < out.width(); ++x)
                for (int c = 0; c < image.channels(); ++c)
                    ASSERT_NEAR(out.value(x, y, c), interpolant.extended_sample(x - margin, y - margin)[c], tolerance)
                        << "sample (" << x - margin << ", " << y - margin << ") of "
                        << describe_request(image, request);
    }
};

TEST_P(Knots, AreReproducedAtEverySampleInAllSixteenAddressPairs) {
    const Image image = noise(23, 17, 1, SampleType::f32, 21);
    for (const AddressPair& address : all_address_pairs()) check(image, address, 0);
}

// 45 samples beyond: past every margin of true coefficients, and several periods of the repeating modes.
TEST_P(Knots, AreReproducedFarBeyondTheBordersInAllSixteenAddressPairs) {
    const Image image = noise(9, 7, 1, SampleType::f32, 22);
    for (const AddressPair& address : all_address_pairs()) check(image, address, 45);
}

TEST_P(Knots, AreReproducedOfImagesSmallerThanTheSupport) {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 1}, {1, 40}, {3, 2}})
        for (const AddressPair& address : all_address_pairs())
            check(noise(width, height, 1, SampleType::f32, 23), address, 20);
}

// The worst case for a border: a step exactly there. `border` makes one around every image that is not black.
TEST_P(Knots, AreReproducedOfAWhiteImage) {
    Image image(12, 12, 2, SampleType::u8);
    std::memset(image.data(), 255, image.size_bytes());
    for (const AddressPair& address : all_address_pairs()) check(image, address, 20);
}

ON_EVERY_BACKEND_AND_KIND(Knots, every_path());

// Approximation theory through the engine: a method of order L reproduces polynomials of degree below L, and its
// weights sum to one at every position.

class Polynomials : public OnMethod {
protected:
    std::vector<Prefilter> prefilters() const {
        if (!method().has_prefilter()) return {{Prefilter::Kind::none}};
        return {{Prefilter::Kind::none}, {Prefilter::Kind::iir}};
    }
    int degree_with(const Prefilter& prefilter) const {
        return (prefilter.kind == Prefilter::Kind::iir ? method().order : method().order_unfiltered) - 1;
    }
};

// Legendre's polynomials of a variable that runs from −1 to 1 over the signal. The border's effect has decayed where
// they are compared: |z|^45 for the slowest pole is 3e-17.
TEST_P(Polynomials, OfDegreesBelowTheOrderAreReproduced) {
    constexpr int n = 128;
    const auto variable = [](double x) { return (x - (n - 1) / 2.0) / ((n - 1) / 2.0); };
    for (const Prefilter& prefilter : prefilters())
        for (int degree = 0; degree <= degree_with(prefilter); ++degree) {
            const auto polynomial = [&](double x) {
                return std::legendre(unsigned(degree), std::abs(variable(x))) *
                       (variable(x) < 0 && degree % 2 ? -1 : 1);
            };
            SourceImage source(backend_, signal(n, polynomial));
            MethodSpec filtered = spec();
            filtered.prefilter = prefilter;
            std::vector<double> xs;
            for (int k = 0; k < 400; ++k) xs.push_back(45.5 + k * 0.0911);
            const std::vector<float> values = sampled(source, filtered, xs);
            for (size_t k = 0; k < xs.size(); ++k) {
                ASSERT_NEAR(values[k], polynomial(xs[k]), tolerance::exact_path)
                    << "degree " << degree << " at " << xs[k] << " " << to_string(filtered);
            }
        }
}

// In 2-D: products of powers of x and y, under a rotated view.
TEST_P(Polynomials, OfTwoVariablesAreReproducedUnderARotatedView) {
    constexpr int n = 112;
    for (const Prefilter& prefilter : prefilters()) {
        const int degree = degree_with(prefilter);
        const auto at = [&](double x, double y) {
            return std::pow((x - 55) / 60, degree) * std::pow((y - 57) / 60, degree);
        };
        Image image(n, n, 1, SampleType::f32);
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) image.row_as<float>(y)[x] = float(at(x, y));
        RenderRequest request = beyond_borders(spec(), 24, 24, 0);
        request.spec.prefilter = prefilter;
        request.view = {0.3, -0.2, 0.37, 27};
        const Image out = SourceImage(backend_, image).render_to_image(request);
        for (int j = 0; j < 24; ++j)
            for (int i = 0; i < 24; ++i) {
                const auto p = reference::position(request.view, n, n, 24, 24, i, j);
                ASSERT_NEAR(out.value(i, j, 0), at(double(p.x), double(p.y)), tolerance::exact_path)
                    << describe_request(image, request);
            }
    }
}

// A constant is preserved, at any position, in every prefilter and every mode that continues it.
TEST_P(Polynomials, AConstantStaysConstantEverywhere) {
    Image image(19, 13, 2, SampleType::f32);
    for (int y = 0; y < 13; ++y)
        for (int k = 0; k < 38; ++k) image.row_as<float>(y)[k] = 0.75f;
    SourceImage source(backend_, image);
    for (const AddressMode mode : {AddressMode::clamp, AddressMode::wrap, AddressMode::mirror, AddressMode::reflect101})
        for (const Prefilter& prefilter : all_prefilters(method()))
            for (const double rotate : {0.0, 71.0}) {
                RenderRequest request = beyond_borders(spec(), 14, 12, 0);
                request.spec.address = {mode, mode};
                request.spec.prefilter = prefilter;
                request.view = {0.21, -3.3, 3.37, rotate};
                const Image out = source.render_to_image(request);
                for (int j = 0; j < 12; ++j)
                    for (int i = 0; i < 14; ++i)
                        ASSERT_NEAR(out.value(i, j, 1), 0.75, exact_tolerance(request.spec))
                            << describe_request(image, request);
            }
}

ON_EVERY_BACKEND_AND_METHOD(Polynomials, auto_path());

}  // namespace
}  // namespace texelscope::test
