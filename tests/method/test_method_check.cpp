// The conditions for a method to be registered, and for a prefilter to be computed.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gpu/method/method_check.h"
#include "gpu/prefilter/filter.h"
#include "gpu/prefilter/prefilter_choice.h"

namespace texelscope::test {
namespace {

template <class Call> std::string refusal(Call call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

TEST(MethodCheck, EveryRegisteredMethodPasses) {
    for (const MethodInfo* method : all_methods()) EXPECT_EQ(refusal([&] { check_method(*method); }), "") << method->id;
}

TEST(MethodCheck, WhatABackendCannotComputeIsRefusedBeforeItIsRegistered) {
    const size_t before = all_methods().size();
    const auto refused = [](auto change, const char* word) {
        MethodInfo method = *find_method("bspline");
        method.id = "odd-one";
        change(method);
        const std::string sentence = refusal([&] { RegisterMethod{method}; });
        EXPECT_NE(sentence.find(word), std::string::npos) << "'" << sentence << "' should speak of " << word;
        EXPECT_NE(sentence.find("odd-one"), std::string::npos) << sentence;
    };
    refused([](MethodInfo& m) { m.poles = {-0.1, -0.2, -0.3, -0.4, -0.5}; }, "5 poles");
    for (const double pole : {0.57, -0.57, 1.0, -1.0, 2.0, 0.0, nan, infinity})
        refused([&](MethodInfo& m) { m.poles = {-0.2, pole}; }, "pole at");
    for (const double pole : {-0.2, -0.2009, -0.1991})
        refused([&](MethodInfo& m) { m.poles = {-0.2, pole}; }, "poles at -0.2 and");
    refused([](MethodInfo& m) { m.poles = {-0.2, -0.4, -0.229}; }, "poles at -0.2 and");
    refused([](MethodInfo& m) { m.taps = 9; }, "9 taps");
    refused([](MethodInfo& m) { m.taps = 0; }, "0 taps");
    refused([](MethodInfo& m) { m.weight = nullptr; }, "functions");
    refused([](MethodInfo& m) { m.resample_rows = nullptr; }, "functions");
    refused([](MethodInfo& m) { m.parameters.assign(5, {"b", "B", "", 0, 1, 0.5, ""}); }, "5 parameters");
    refused([](MethodInfo& m) { m.parameters = {{"b", "B", "", 0, 1, 2, ""}}; }, "parameter b");
    refused([](MethodInfo& m) { m.parameters = {{"b", "B", "", 0, nan, 0, ""}}; }, "parameter b");
    EXPECT_EQ(all_methods().size(), before);
}

// Whatever may be registered fits in every prefilter.
TEST(MethodCheck, TheLargestPoleFitsEveryPrefilter) {
    for (const double sign : {1.0, -1.0}) {
        const std::vector<double> poles = {sign * largest_pole, -0.1};
        check_poles(poles);
        EXPECT_LE(prefilter_kernel({Prefilter::Kind::iir}, poles).horizon_float, longest_convolution);
    }
}

TEST(MethodCheck, ImpossibleTapsAreRefusedWhereTheyWereWrittenPastTheEnd) {
    const std::vector<double>& poles = find_method("bspline")->poles;
    for (const int taps : {33, 99, 1'000'001, 4, 16, 1, 0, -1, -31, INT_MAX, INT_MIN}) {
        const std::string sentence = refusal([&] { prefilter_kernel({Prefilter::Kind::fir, taps}, poles); });
        EXPECT_NE(sentence.find(std::to_string(taps) + " taps"), std::string::npos) << sentence;
    }
    for (const int taps : {3, 15, 31})
        EXPECT_EQ(prefilter_kernel({Prefilter::Kind::fir, taps}, poles).half_taps, taps / 2);
}

// The closer poles are, the larger are the gains, of which little is left when they are added. The response is compared with
// that of the cascade, pole after pole, by direct convolution in float64.
TEST(MethodCheck, TheClosestPolesStillMakeAFilter) {
    for (const int count : {2, 3, 4})
        for (const double first : {-0.2, 0.2, -largest_pole, largest_pole}) {
            std::vector<double> poles;
            for (int i = 0; i < count; ++i)
                poles.push_back(first - std::copysign(1.001 * least_distance_of_poles(count), first) * i);
            const PrefilterKernel kernel = prefilter_kernel({Prefilter::Kind::iir}, poles);
            constexpr int reach = 120, n = 2 * reach + 1;
            std::vector<double> response(n, 0.0);
            response[reach] = 1;
            double largest = 0;
            for (const double z : poles) {
                std::vector<double> next(n, 0.0);
                for (int k = 0; k < n; ++k)
                    for (int m = 0; m < n; ++m)
                        next[size_t(k)] += (1 - z) / (1 + z) * std::pow(z, std::abs(k - m)) * response[size_t(m)];
                response = next;
            }
            for (const double b : response) largest = std::max(largest, std::abs(b));
            for (int k = 0; k <= 40; ++k) {
                double sum = 0;
                for (size_t i = 0; i < size_t(count); ++i) sum += kernel.gain[i] * std::pow(kernel.pole[i], k);
                ASSERT_NEAR(sum, response[size_t(reach + k)], 4e-9 * largest) << count << " poles at " << first;
            }
        }
}

// They have no meaning there: only a FIR has `taps`.
TEST(MethodCheck, TheRecursionDoesNotLookAtTaps) {
    const std::vector<double>& poles = find_method("bspline")->poles;
    const PrefilterKernel usual = prefilter_kernel({Prefilter::Kind::iir}, poles);
    for (const int taps : {33, 100'001, -5}) {
        const PrefilterKernel kernel = prefilter_kernel({Prefilter::Kind::iir, taps}, poles);
        EXPECT_EQ(kernel.gain, usual.gain);
        EXPECT_EQ(kernel.taps, usual.taps);
        EXPECT_EQ(kernel.horizon_double, usual.horizon_double);
    }
}

TEST(MethodCheck, PolesThatNoFilterHasAreRefused) {
    for (const double pole : {0.0, 1.0, -1.0, 0.9, nan, infinity})
        EXPECT_NE(refusal([&] { prefilter_kernel({Prefilter::Kind::iir}, std::array{pole}); }), "") << pole;
}

}  // namespace
}  // namespace texelscope::test
