// The actual kernel of a method on a path: the result for an image that is 1 at one sample and 0 at all others. It is
// the weight function without prefilter, and the cardinal function with it: 1 there, 0 at every other sample.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpu/backend/source_image.h"
#include "gpu/method/polar_method.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/exact_tolerance.h"
#include "tests/support/hardware_bound.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

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

    // Of a polar method: the weight over the sum of all weights.
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
