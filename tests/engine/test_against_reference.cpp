// Backends against the float64 reference, against each other, and their kernels sample by sample.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "gpu/backend/source_image.h"
#include "gpu/method/polar_method.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// Method × path × address pair × prefilter over random images and views, against the float64 reference.

class AgainstReference : public OnMethod {
protected:
    RenderRequest random_request(Random& random, const Image& image) const {
        RenderRequest request;
        request.spec = spec();
        request.view = random_view(random, image.width(), image.height());
        request.width = random.integer(1, 40);
        request.height = random.integer(1, 40);
        return request;
    }
};

// Every address pair and prefilter; image, size, type, channels and view are random, another seed for each.
TEST_P(AgainstReference, RandomImagesAndViewsInEveryAddressPairAndPrefilter) {
    uint64_t seed = 1000 * uint64_t(method().rank);
    for (const AddressPair& address : all_address_pairs())
        for (const Prefilter& prefilter : all_prefilters(method())) {
            Random random(++seed);
            const Image image = random_image(random);
            RenderRequest request = random_request(random, image);
            request.spec.address = address;
            request.spec.prefilter = prefilter;
            const Difference difference = render_and_compare(backend_, image, request, 40);
            ASSERT_LE(difference.error, exact_tolerance(request.spec)) << "seed " << seed << ": " << difference;
        }
}

// The shape most used: an ordinary image, magnified about its corners, where the borders show.
TEST_P(AgainstReference, CornersMagnifiedInEveryAddressPair) {
    const Image image = noise(61, 47, 3, SampleType::u8, 31);
    SourceImage source(backend_, image);
    for (const AddressPair& address : all_address_pairs())
        for (const int corner : {0, 1, 2, 3}) {
            RenderRequest request = beyond_borders(spec(), 20, 20, 0);
            request.spec.address = address;
            request.view = {corner & 1 ? 30.0 : -30.0, corner & 2 ? 23.0 : -23.0, 0.37, 15.0 * corner};
            const Difference difference = against_reference(source.render_to_image(request), image, request, 30);
            ASSERT_LE(difference.error, exact_tolerance(request.spec)) << difference;
        }
}

// One SourceImage used for many requests: its cache gives each the coefficients that fit.
TEST_P(AgainstReference, OneSourceServesManyDifferentRequests) {
    Random random(32);
    const Image image = noise(40, 30, 2, SampleType::f32, 33);
    SourceImage source(backend_, image);
    const auto pairs = all_address_pairs();
    const auto prefilters = all_prefilters(method());
    for (int n = 0; n < 60; ++n) {
        RenderRequest request = random_request(random, image);
        request.spec.address = random.pick(pairs);
        request.spec.prefilter = random.pick(prefilters);
        const Difference difference = against_reference(source.render_to_image(request), image, request, 20);
        ASSERT_LE(difference.error, exact_tolerance(request.spec)) << "request " << n << ": " << difference;
    }
}

// Output rows as long and as short as they come: vector loops have remainders.
TEST_P(AgainstReference, EveryOutputWidthUpTo40) {
    const Image image = noise(37, 29, 4, SampleType::u8, 34);
    SourceImage source(backend_, image);
    for (int width = 1; width <= 40; ++width)
        for (const double rotate : {0.0, 31.0}) {
            RenderRequest request;
            request.spec = spec();
            request.view = {3.3, -2.7, 0.61, rotate};
            request.width = width;
            request.height = 3;
            const Difference difference = against_reference(source.render_to_image(request), image, request, 30);
            ASSERT_LE(difference.error, exact_tolerance(request.spec)) << difference;
        }
}

ON_EVERY_BACKEND_AND_KIND(AgainstReference, exact_paths());

class SlowAgainstReference : public AgainstReference {};

// 4096²: the whole image is prefiltered and a part rendered, once looked at from afar, once closely in a corner.
TEST_P(SlowAgainstReference, LargeImagesAgreeWithFloat64) {
    const Image image = noise(4096, 4096, 1, SampleType::u8, 35);
    SourceImage source(backend_, image);
    const View views[] = {{0, 0, 4.1, 11}, {2040, -2040, 0.05, -70}, {-2050, 2050, 1, 0}};
    for (const View& view : views) {
        RenderRequest request;
        request.spec = spec();
        request.spec.address = {AddressMode::wrap, AddressMode::mirror};
        request.view = view;
        request.width = 1024;
        request.height = 700;
        const Difference difference = against_reference(source.render_to_image(request), image, request, 1500);
        EXPECT_LE(difference.error, exact_tolerance(request.spec)) << difference;
    }
}

ON_EVERY_BACKEND_AND_METHOD(SlowAgainstReference, exact_paths());

class SlowWholeImage : public AgainstReference {};

TEST_P(SlowWholeImage, A4096SquareIsRight) {
    const Image image = noise(4096, 4096, 1, SampleType::u16, 36);
    RenderRequest request;
    request.spec = spec();
    request.view.rotate = 10;
    request.width = request.height = 4096;
    const Difference difference = render_and_compare(backend_, image, request, 3000);
    EXPECT_LE(difference.error, exact_tolerance(request.spec)) << difference;
}

ON_EVERY_BACKEND_AND_METHOD(SlowWholeImage, auto_path());

// The GPU and the CPU backend give the same picture: within 2e-6 as float, and in 8 bits equal except one level in at
// most 0.01 % of values. Skips without a GPU.

class EqualsCpu : public OnMethod {
protected:
    // Nearest jumps at ties, so random positions, which never meet one, are compared everywhere.
    RenderRequest request_for(Random& random, const Image& image) {
        RenderRequest request;
        request.spec = spec();
        request.spec.address = random.pick(all_address_pairs());
        request.spec.prefilter = random.pick(all_prefilters(method()));
        request.view = random_view(random, image.width(), image.height());
        request.view.translate_x += 0.123;
        request.view.translate_y += 0.456;
        request.outside = random.chance(0.3) ? Outside::background : Outside::extend;
        return request;
    }
};

TEST_P(EqualsCpu, InFloatTo2e6) {
    for (int n = 0; n < 150; ++n) {
        Random random(100 + n);
        const Image image = random_image(random);
        RenderRequest request = request_for(random, image);
        request.width = random.integer(1, 64);
        request.height = random.integer(1, 64);
        const Image cuda = SourceImage(backend_, image).render_to_image(request);
        const Image cpu = SourceImage(shared_backend(BackendKind::cpu), image).render_to_image(request);
        ASSERT_LE(between(cuda, cpu).error, devices_tolerance(image, request.spec))
            << between(cuda, cpu) << describe_request(image, request);
    }
}

TEST_P(EqualsCpu, InEightBitsButForOneLevelInOneOfTenThousandValues) {
    if (path() == FetchPath::hardware) GTEST_SKIP() << "measured, not promised";
    const Image image = noise(500, 400, 3, SampleType::u8, 200);
    SourceImage on_cuda(backend_, image), on_cpu(shared_backend(BackendKind::cpu), image);
    long long values = 0, different = 0;
    for (int n = 0; n < 6; ++n) {
        Random random(300 + n);
        RenderRequest request = request_for(random, image);
        request.width = 320;
        request.height = 240;
        const Image cuda = on_cuda.render_to_rgba8(request), cpu = on_cpu.render_to_rgba8(request);
        for (size_t b = 0; b < cuda.size_bytes(); ++b) {
            const int difference = std::abs(int(cuda.data()[b]) - int(cpu.data()[b]));
            ASSERT_LE(difference, 1) << describe_request(image, request);
            different += difference;
            ++values;
        }
    }
    EXPECT_LE(double(different), double(values) * tolerance::cuda_against_cpu_8bit_share);
}

INSTANTIATE_TEST_SUITE_P(Cuda, EqualsCpu,
                         ::testing::Combine(::testing::Values(BackendKind::cuda), ::testing::ValuesIn(every_method()),
                                            ::testing::ValuesIn(every_path())),
                         method_case_name);

// The actual kernel of a method on a path: the result for an image that is 1 at one sample and 0 at all others. It is
// the weight function without prefilter, and the cardinal function with it: 1 there, 0 at every other sample.

constexpr int size = 61, centre = 30;
const Prefilter iir{Prefilter::Kind::iir}, none{Prefilter::Kind::none};

class Impulse : public OnMethod {
protected:
    static Image image() {
        Image image(size, size, 1, SampleType::f32);
        image.row_as<float>(centre)[centre] = 1;
        return image;
    }
    static Image line() {
        return signal(size, [](int k) { return k == centre ? 1.0 : 0.0; });
    }

    MethodSpec with(const Prefilter& prefilter) const {
        MethodSpec result = spec();
        result.prefilter = prefilter;
        return result;
    }

    // Positions off the ties of nearest; hardware is allowed the loss of 8-bit fractions.
    double allowed(const Image& image, const MethodSpec& spec) const {
        return path() == FetchPath::hardware ? hardware_bound(image, spec) : tolerance::exact_path;
    }

    // Σ b(m)·w(x − m): prefilter and weight function as one.
    static double kernel_at(double x, const MethodSpec& spec) {
        const reference::Kernel kernel = reference::kernel_of(spec);
        const auto response = reference::prefilter_response(kernel.poles, spec.effective_prefilter());
        const int half = int(response.size() / 2);
        double sum = 0;
        for (int m = -half; m <= half; ++m) sum += response[size_t(m + half)] * kernel.weight(x - m);
        return sum;
    }

    // A polar method's weight over the sum of all weights.
    static double in_the_plane(const Image& image, const MethodSpec& spec, reference::Position p) {
        return reference::Interpolant(image, spec).at(p)[0];
    }

    std::vector<double> places() const {
        std::vector<double> xs;
        for (double x = centre - 9; x <= centre + 9; x += 1.0 / 64 + 1.0 / 65536) xs.push_back(x);
        return xs;
    }
};

TEST_P(Impulse, OfASignalIsTheWeightFunctionOrTheCardinalOne) {
    SourceImage source(backend_, line());
    for (const Prefilter& prefilter : {none, iir, fir(15)}) {
        const MethodSpec spec = with(prefilter);
        const std::vector<double> xs = places();
        const std::vector<float> values = sampled(source, spec, xs);
        const double tolerance = allowed(line(), spec);
        for (size_t n = 0; n < xs.size(); ++n)
            ASSERT_NEAR(values[n],
                        is_polar(method()) ? in_the_plane(line(), spec, {xs[n], 0}) : kernel_at(xs[n] - centre, spec),
                        tolerance)
                << to_string(spec) << " " << to_string(prefilter) << " at distance " << xs[n] - centre;
        if (!method().has_prefilter()) break;
    }
}

TEST_P(Impulse, OfAnImageIsTheProductAlongBothAxesOrTheWeightInThePlane) {
    SourceImage source(backend_, image());
    for (const Prefilter& prefilter : {none, iir}) {
        RenderRequest request = beyond_borders(with(prefilter), 97, 97, 0);
        request.view = {0.0123, -0.0271, 0.0947, 33};
        const double tolerance = allowed(image(), request.spec);
        for (const double rotate : {0.0, 33.0}) {
            request.view.rotate = rotate;
            const Image out = source.render_to_image(request);
            for (int j = 0; j < out.height(); j += 3)
                for (int i = 0; i < out.width(); i += 2) {
                    const auto p = reference::position(request.view, size, size, out.width(), out.height(), i, j);
                    const double expected = is_polar(method()) ? in_the_plane(image(), request.spec, p)
                                                               : kernel_at(double(p.x - centre), request.spec) *
                                                                     kernel_at(double(p.y - centre), request.spec);
                    ASSERT_NEAR(out.value(i, j, 0), expected, tolerance)
                        << to_string(request.spec) << " at " << double(p.x) << ", " << double(p.y);
                }
        }
        if (!method().has_prefilter()) break;
    }
}

// 1 at its own sample, 0 at all others: this makes a method interpolating.
TEST_P(Impulse, OfAnInterpolatingMethodIsOneAtItsSampleAndZeroAtTheOthers) {
    if (!method().interpolating) GTEST_SKIP() << method().id << " does not pass through the samples";
    SourceImage source(backend_, line());
    std::vector<double> xs;
    for (int k = 0; k < size; ++k) xs.push_back(k);
    const std::vector<float> values = sampled(source, spec(), xs);
    const bool coarse = path() == FetchPath::hardware && method().has_prefilter();
    const double tolerance = coarse ? hardware_bound(line(), spec()) : exact_tolerance(spec());
    for (int k = 0; k < size; ++k) EXPECT_NEAR(values[size_t(k)], k == centre ? 1 : 0, tolerance) << k;
}

// One fetch has one fraction, rounded to 1/256: bilinear's triangle is a staircase of 256 steps, each as wide as high.
TEST_P(Impulse, OfBilinearOnTheHardwarePathIsAStaircaseOf256Steps) {
    if (method().id != "bilinear" || path() != FetchPath::hardware) GTEST_SKIP();
    SourceImage source(backend_, line());
    std::vector<double> xs;
    for (int n = -1100; n <= 1100; ++n) xs.push_back(centre + (n + 0.3) / 1024);
    const std::vector<float> values = sampled(source, spec(), xs);
    for (size_t n = 0; n < xs.size(); ++n) {
        const double exact = std::max(0.0, 1 - std::abs(xs[n] - centre));
        ASSERT_EQ(values[n], float(std::lround(exact * 256)) / 256) << xs[n] - centre;
    }
}

// All weights of a fetch pair are positive for a spline, so its kernel has steps as well, but of no fixed height: the
// weight of the fetch is not rounded. It is constant if neither fraction crosses a middle between two steps.
TEST_P(Impulse, OnTheHardwarePathDiffersFromTheExactOne) {
    if (path() != FetchPath::hardware || method().hardware_fetches == method().taps) GTEST_SKIP();
    SourceImage source(backend_, line());
    MethodSpec exact = with(none);
    exact.path = FetchPath::global;
    const std::vector<float> coarse = sampled(source, with(none), places()), fine = sampled(source, exact, places());
    double worst = 0;
    for (size_t n = 0; n < coarse.size(); ++n) worst = std::max(worst, double(std::abs(coarse[n] - fine[n])));
    EXPECT_GT(worst, 1e-4);
}

ON_EVERY_BACKEND_AND_METHOD(Impulse, every_path());

}  // namespace
}  // namespace texelscope::test
