// The fitted weights that let methods share kernels match their weight functions, at every fraction and for any
// parameters; their fetches are those of the methods' own code.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/method/fitted.h"
#include "gpu/method/method_info.h"
#include "gpu/method/polar_method.h"

namespace texelscope::test {
namespace {

// Calls visit.template operator()<taps, fetches>() for the method, if it could share kernels.
template <class Visit> void for_shape(const MethodInfo& method, Visit visit) {
    if (is_polar(method)) return;
    const int shape = 10 * method.taps + method.hardware_fetches;
    switch (shape) {
        case 21: return visit.template operator()<2, 1>();
        case 42: return visit.template operator()<4, 2>();
        case 43: return visit.template operator()<4, 3>();
        case 63: return visit.template operator()<6, 3>();
        case 65: return visit.template operator()<6, 5>();
        case 84: return visit.template operator()<8, 4>();
        case 87: return visit.template operator()<8, 7>();
        default: EXPECT_EQ(shape, 11) << method.id << " has no shared kernels";
    }
}

// At both ends and the middle of every parameter's range.
std::vector<MethodParameters> variations(const MethodInfo& method) {
    std::vector<MethodParameters> all{method.standard_parameters()};
    for (size_t p = 0; p < method.parameters.size(); ++p)
        for (const double share : {0.0, 0.5, 1.0}) {
            all.push_back(method.standard_parameters());
            all.back().value[p] =
                method.parameters[p].minimum + share * (method.parameters[p].maximum - method.parameters[p].minimum);
        }
    return all;
}

constexpr int steps = 1024;

// Tolerances: polynomials to 2.5e-7, and their float32 sums of up to sixteen terms.

TEST(Fitted, HasTheWeightFunctionOfEveryMethod) {
    for (const MethodInfo* method : all_methods())
        for (const MethodParameters& parameters : variations(*method))
            for_shape(*method, [&]<int taps, int fetches>() {
                const Fitted<taps> fitted(axis_weights(*method, parameters));
                for (int n = 0; n <= steps; ++n) {
                    const float t = float(n) / steps;
                    float w[taps];
                    fitted.weights(t, w);
                    double sum = 0;
                    for (int k = 0; k < taps; ++k) {
                        const double expected = method->weight(double(t) - (k - taps / 2 + 1), parameters);
                        ASSERT_NEAR(w[k], expected, 5e-7) << method->id << " at " << t << ", tap " << k;
                        sum += w[k];
                    }
                    ASSERT_NEAR(sum, 1, 1e-6) << method->id << " at " << t;
                }
            });
}

// At the samples themselves nothing is rounded: an interpolating method returns them bit for bit.
TEST(Fitted, IsExactAtTheSamples) {
    for (const MethodInfo* method : all_methods()) {
        if (!method->interpolating || method->has_prefilter()) continue;
        for_shape(*method, [&]<int taps, int fetches>() {
            const Fitted<taps> fitted(axis_weights(*method, method->standard_parameters()));
            for (const float t : {0.0f, 1.0f}) {
                float w[taps];
                fitted.weights(t, w);
                for (int k = 0; k < taps; ++k) EXPECT_EQ(w[k], k == taps / 2 - 1 + int(t) ? 1.0f : 0.0f) << method->id;
            }
        });
    }
}

// A fetch is compared by the weight of each of its two taps.
TEST(FittedFetches, GiveEachTapTheWeightThatTheMethodsOwnFetchesGiveIt) {
    for (const MethodInfo* method : all_methods())
        for (const MethodParameters& parameters : variations(*method))
            for_shape(*method, [&]<int taps, int fetches>() {
                const FittedFetches<taps, fetches> fitted(axis_weights(*method, parameters));
                const auto spread = [](float offset, float weight, double(&tap)[taps + 2]) {
                    const int first = int(std::floor(offset));
                    const double part = double(offset) - first;
                    tap[size_t(first + taps / 2)] += weight * (1 - part);
                    tap[size_t(first + taps / 2 + 1)] += weight * part;
                };
                for (int n = 0; n < steps; ++n) {
                    const float t = float(n) / steps;
                    float offset[fetches], weight[fetches];
                    fitted.groups(t, offset, weight);
                    double got[taps + 2] = {}, expected[taps + 2] = {};
                    for (int i = 0; i < fetches; ++i)
                        if (weight[i] != 0) spread(offset[i], weight[i], got);
                    for (const FilteredFetch& fetch : method->filtered_fetches(t, parameters))
                        if (fetch.weight != 0) spread(fetch.offset, fetch.weight, expected);
                    for (int k = 0; k < taps + 2; ++k)
                        ASSERT_NEAR(got[k], expected[k], 2e-6) << method->id << " at " << t;
                }
            });
}

}  // namespace
}  // namespace texelscope::test
