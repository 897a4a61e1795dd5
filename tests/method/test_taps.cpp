// Taps and fetches: the weights that kernels use.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gpu/method/evaluate.h"
#include "gpu/method/method_info.h"
#include "gpu/method/polar_method.h"
#include "tests/method/cases.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

// The float32 weights that all exact paths use, and the linear-filtered fetches that replace them on the path
// `hardware`.

// Two units in the last place of one: a handful of roundings.
constexpr double float_weight = 0x1p-22, float_sum = 0x1p-22;

// Fractions as in AxisPosition: [0, 1] if the number of taps is even, [−½, ½) if it is odd.
std::vector<float> fractions(const MethodInfo& method) {
    std::vector<float> result = {0.0f, 1e-38f, 1e-20f, 1e-8f, 0x1p-24f, 0x1p-12f, 1 - 0x1p-24f, 1 - 0x1p-12f};
    for (int n = 0; n < 2000; ++n) result.push_back(float((n + 0.123) / 2000));
    if (method.taps % 2 == 0) {
        result.push_back(1.0f);
    } else {
        for (float& t : result) t = std::min(t - 0.5f, 0.49999997f);
    }
    return result;
}

TEST(Taps, AreTheWeightFunctionToAFewUnitsInTheLastPlace) {
    for_every_case([](const Case& one) {
        if (is_polar(*one.method)) return;
        for (const float t : fractions(*one.method)) {
            const std::vector<float> w = one.taps(t);
            ASSERT_EQ(int(w.size()), one.method->taps);
            for (int i = 0; i < one.method->taps; ++i)
                ASSERT_NEAR(w[size_t(i)], one.weight(double(t) - (one.first_tap() + i)), float_weight)
                    << "tap " << i << " at " << t;
        }
    });
}

TEST(Taps, OfPolarMethodsAreThoseOfAPictureThatDoesNotChangeAlongY) {
    for_every_case([](const Case& one) {
        if (!is_polar(*one.method)) return;
        for (const float t : fractions(*one.method)) {
            const auto column = [&](int i) {
                double sum = 0;
                for (int j = -8; j <= 8; ++j) sum += one.weight(std::hypot(double(t) - i, j));
                return sum;
            };
            double total = 0;
            for (int i = -8; i <= 8; ++i) total += column(i);
            const std::vector<float> w = one.taps(t);
            for (int i = 0; i < one.method->taps; ++i)
                ASSERT_NEAR(w[size_t(i)], column(one.first_tap() + i) / total, float_weight)
                    << "tap " << i << " at " << t;
        }
    });
}

TEST(Taps, SumToOneInFloat) {
    for_every_case([](const Case& one) {
        for (const float t : fractions(*one.method)) {
            double sum = 0;
            for (const float w : one.taps(t)) sum += w;
            ASSERT_NEAR(sum, 1, float_sum) << t;
        }
    });
}

// Bit for bit, so that the identity view changes nothing and a NaN beside a sample stays there.
TEST(Taps, OfInterpolatingMethodsWithoutPrefilterAreExactlyOneAndZerosAtTheSamples) {
    for_every_case([](const Case& one) {
        if (!one.method->interpolating || one.method->has_prefilter()) return;
        for (const int whole : {0, 1}) {
            if (whole == 1 && one.method->taps % 2) continue;
            const std::vector<float> w = one.taps(float(whole));
            for (int i = 0; i < one.method->taps; ++i)
                EXPECT_EQ(w[size_t(i)], one.first_tap() + i == whole ? 1.0f : 0.0f) << "tap " << i << " at " << whole;
        }
    });
}

// Σ weight · linear(texels, offset) with exact fractions; NaN if a fetch reads beyond the texels.
double fetched(const std::vector<FilteredFetch>& fetches, const std::map<int, double>& texels) {
    double sum = 0;
    for (const FilteredFetch& fetch : fetches) {
        const double left = std::floor(double(fetch.offset)), fraction = fetch.offset - left;
        const auto texel = [&](int k) { return texels.count(k) ? texels.at(k) : NAN; };
        const double second = fraction > 0 ? fraction * texel(int(left) + 1) : 0.0;
        sum += fetch.weight * ((1 - fraction) * texel(int(left)) + second);
    }
    return sum;
}

TEST(Fetches, GiveTheWeightedSumOfTheTapsAndReadNoOthers) {
    Random random(81);
    for_every_case([&](const Case& one) {
        if (one.fetches(0).empty()) return;  // point-filtered
        for (const float t : fractions(*one.method)) {
            if (t == 1) continue;
            std::map<int, double> texels;
            double expected = 0;
            const std::vector<float> w = one.taps(t);
            for (int i = 0; i < one.method->taps; ++i) {
                const double value = texels[one.first_tap() + i] = random.between(-1, 1);
                expected += w[size_t(i)] * value;
            }
            const std::vector<FilteredFetch> fetches = one.fetches(t);
            ASSERT_EQ(int(fetches.size()), one.method->hardware_fetches);
            ASSERT_NEAR(fetched(fetches, texels), expected, 1.5e-6) << t;  // offsets are float32, up to 4
        }
    });
}

// Pairs from the left, if the two weights never have opposite signs.
int fewest_fetches(const std::vector<Case>& cases) {
    const int taps = cases.front().method->taps;
    std::vector<bool> opposed(size_t(taps), false);
    for (const Case& one : cases)
        for (int n = 1; n < 100; ++n) {
            const std::vector<float> w = one.taps(float(n) / 100);
            for (size_t i = 0; i + 1 < w.size(); ++i) opposed[i] = opposed[i] || w[i] * w[i + 1] < -1e-9f;
        }
    int fetches = 0;
    for (int i = 0; i < taps; ++fetches) i += i + 1 < taps && !opposed[size_t(i)] ? 2 : 1;
    return fetches;
}

TEST(Fetches, AreAsFewAsTheSignsOfTheWeightsAllow) {
    std::map<const MethodInfo*, std::vector<Case>> by_method;
    for (const Case& one : all_cases()) by_method[one.method].push_back(one);
    for (const auto& [method, cases] : by_method)
        EXPECT_EQ(method->hardware_fetches, is_polar(*method) || method->is_wide() ? 0 : fewest_fetches(cases))
            << method->id;
}

// Ruijters, ter Haar Romeny & Suetens 2008: h0 and h1 are the positions at which the four weights' pairs would be
// fetched. Outside [0, 1] the texture unit would blend other texels than the pair.
struct PairFractions {
    double h0, h1;
};
PairFractions pair_fractions(const Case& one, float t) {
    const std::vector<float> w = one.taps(t);
    return {double(w[1]) / (double(w[0]) + w[1]), double(w[3]) / (double(w[2]) + w[3])};
}

TEST(Fetches, PairFractionsOfTheCubicBSplineLieBetweenZeroAndOne) {
    const Case bspline = case_of("bspline");
    for (int n = 0; n < 1000; ++n) {
        const float t = float(n) / 1000;
        const auto [h0, h1] = pair_fractions(bspline, t);
        ASSERT_GE(std::min(h0, h1), 0) << t;
        ASSERT_LE(std::max(h0, h1), 1) << t;
        const std::vector<FilteredFetch> fetches = bspline.fetches(t);  // the engine fetches there
        ASSERT_NEAR(fetches[0].offset, -1 + h0, 1e-6);
        ASSERT_NEAR(fetches[1].offset, 1 + h1, 1e-6);
    }
}

TEST(Fetches, PairFractionsOfCatmullRomDoNot) {
    for (int n = 1; n < 1000; ++n) {
        const auto [h0, h1] = pair_fractions(case_of("catmull-rom"), float(n) / 1000);
        ASSERT_GT(h0, 1) << n;
        ASSERT_LT(h1, 0) << n;
    }
}

// The fitted weights that let methods share kernels match their weight functions, at every fraction and for any
// parameters; their fetches are those of the methods' own code.

// Calls visit.template operator()<taps, fetches>() for the method, if it could share kernels.
template <class Visit> void for_shape(const MethodInfo& method, Visit visit) {
    if (is_polar(method) || method.is_wide()) return;
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
