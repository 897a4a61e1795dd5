// The cost of shortcuts: FIR instead of the recursive prefilter, by taps, and 8-bit weights instead of exact ones,
// against the figures of docs/fidelity.md for natural images.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/natural_image.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

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
    const int first = 6, last = int(std::log(1e-5) / std::log(pole));
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

}  // namespace
}  // namespace texelscope::test
