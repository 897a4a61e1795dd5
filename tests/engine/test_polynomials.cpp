// Approximation theory through the engine: a method of order L reproduces polynomials of degree below L, and its
// weights sum to one at every position.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/exact_tolerance.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

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
