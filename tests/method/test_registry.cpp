// The registry of methods, and the conditions that each method meets.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <climits>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "gpu/method/method_info.h"
#include "gpu/method/polar_method.h"
#include "gpu/prefilter/prefilter.h"
#include "gpu/weights/poles.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// The registry of methods: complete, unambiguous, and the founding methods as intended.

// A static library would drop the objects that register themselves; methods would then be missing silently.
TEST(Registry, HoldsTheFamiliesOfTheFolder) {
    std::set<std::string> files, families;
    for (const auto& entry : std::filesystem::directory_iterator(TEXELSCOPE_SOURCE_DIR "/gpu/methods"))
        if (entry.path().extension() == ".cpp") files.insert(entry.path().stem());
    for (const MethodInfo* method : all_methods()) families.insert(std::string(method->family));
    EXPECT_EQ(families, files);
}

TEST(Registry, EveryMethodIsInAGroupOfTheMenus) {
    for (const MethodInfo* method : all_methods()) {
        EXPECT_NE(method->group, MethodGroup::own) << method->id;
        EXPECT_EQ(method->group == MethodGroup::polar, is_polar(*method)) << method->id;
        if (method->group == MethodGroup::cubic) {
            EXPECT_EQ(method->taps, 4) << method->id;
            EXPECT_FALSE(method->has_prefilter()) << method->id;
        }
        EXPECT_EQ(method->group == MethodGroup::spline, method->has_prefilter()) << method->id;
        EXPECT_FALSE(method->group == MethodGroup::simple && method->has_prefilter()) << method->id;
    }
}

TEST(Registry, IdsAreUniqueAndCanBeTyped) {
    std::set<std::string_view> ids;
    for (const MethodInfo* method : all_methods()) {
        EXPECT_TRUE(ids.insert(method->id).second) << method->id;
        EXPECT_FALSE(method->id.empty());
        for (const char c : method->id) EXPECT_TRUE(std::islower(c) || std::isdigit(c) || c == '-') << method->id;
    }
}

TEST(Registry, RanksAreOneToTheNumberOfMethodsInOrder) {
    int rank = 0;
    for (const MethodInfo* method : all_methods()) EXPECT_EQ(method->rank, ++rank) << method->id;
}

TEST(Registry, EveryMethodIsFoundByItsIdAndNothingElseIs) {
    for (const MethodInfo* method : all_methods()) EXPECT_EQ(find_method(method->id), method);
    for (const std::string_view id : {"", "Nearest", "cubic", "nearest ", "near"})
        EXPECT_EQ(find_method(id), nullptr) << id;
}

TEST(Registry, EveryRecordIsFilledIn) {
    for (const MethodInfo* method : all_methods()) {
        SCOPED_TRACE(method->id);
        EXPECT_FALSE(method->name.empty());
        EXPECT_FALSE(method->summary.empty());
        EXPECT_FALSE(method->paper.empty());
        EXPECT_FALSE(method->hardware_note.empty());
        EXPECT_GE(method->taps, 1);
        EXPECT_GE(method->order, 1);
        EXPECT_LE(method->order_unfiltered, method->order);
        EXPECT_EQ(method->hardware_fetches == 0, is_polar(*method) || method->is_wide());
        EXPECT_LE(method->hardware_fetches, method->taps);
        EXPECT_GT(method->tolerance, 0);
        EXPECT_NE(method->weight, nullptr);
        EXPECT_EQ(method->resample_rows == nullptr, is_polar(*method) || method->is_wide());
        for (const double pole : method->poles) EXPECT_LT(std::abs(pole), 1);
        EXPECT_LE(method->parameters.size(), size_t(MethodParameters::capacity));
        for (size_t i = 0; i < method->parameters.size(); ++i) {
            const ParameterInfo& parameter = method->parameters[i];
            EXPECT_LE(parameter.minimum, parameter.standard);
            EXPECT_LE(parameter.standard, parameter.maximum);
            EXPECT_EQ(method->standard_parameters().value[i], parameter.standard);
        }
    }
}

TEST(Registry, TheFoundingMethodsAreAsInTheTable) {
    const struct {
        std::string_view id;
        int taps, hardware_fetches;  // along each axis
        bool interpolating, prefilter;
        int order, order_unfiltered;
    } table[] = {{"nearest", 1, 1, true, false, 1, 1},
                 {"bilinear", 2, 1, true, false, 2, 2},
                 {"bspline", 4, 2, true, true, 4, 2},
                 {"catmull-rom", 4, 3, true, false, 3, 3}};
    for (const auto& expected : table) {
        SCOPED_TRACE(expected.id);
        const MethodInfo* method = find_method(expected.id);
        ASSERT_NE(method, nullptr);
        EXPECT_EQ(method->taps, expected.taps);
        EXPECT_EQ(method->hardware_fetches, expected.hardware_fetches);
        EXPECT_EQ(method->interpolating, expected.interpolating);
        EXPECT_EQ(method->has_prefilter(), expected.prefilter);
        EXPECT_EQ(method->order, expected.order);
        EXPECT_EQ(method->order_unfiltered, expected.order_unfiltered);
    }
}

// Keys 1 … 9 choose the first nine methods, so their order is part of the interface.
TEST(Registry, TheMenuIsInItsOrder) {
    const std::string_view expected[] = {
        "nearest",           "bilinear", "bspline",  "catmull-rom", "mitchell",    "lanczos3",         "omoms",
        "quintic",           "hermite",  "lagrange", "lanczos2",    "lanczos4",    "bicubic",          "bc",
        "spline16",          "spline36", "spline64", "gaussian",    "ewa-lanczos", "ewa-lanczossharp", "ewa-robidoux",
        "ewa-robidouxsharp", "omoms5",   "septic"};
    ASSERT_GE(all_methods().size(), std::size(expected));
    for (size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(all_methods()[i]->id, expected[i]);
}

// From the papers: smallest roots of z² + 4z + 1, 4z² + 13z + 4 and z⁴ + 26z³ + 66z² + 26z + 1; of z² + 6z + 1 and
// z⁴ + 76z³ + 230z² + 76z + 1 (Unser, Aldroubi & Eden 1993, table I);
// of the septic B-spline, Unser 1999, table 1; of the quintic o-MOMS, Blu, Thévenaz & Unser 2001: from its formula at the
// samples, (107, 1792, 4122, 1792, 107)/7920.
TEST(Registry, PolesAreThoseOfTheLiterature) {
    const std::pair<std::string_view, std::vector<double>> literature[] = {
        {"quadratic", {-0.17157287525380990240}},
        {"quartic", {-0.36134122590022017709, -0.013725429297339121360}},
        {"bspline", {-0.26794919243112270647}},
        {"omoms", {-0.34413115425505020210}},
        {"quintic", {-0.43057534709997379185, -0.043096288203264653823}},
        {"omoms5", {-0.47581271000843991544, -0.070925718968685451774}},
        {"septic", {-0.53528043079643816554, -0.12255461519232669052, -0.0091486948096082769286}}};
    for (const auto& [id, poles] : literature) {
        const MethodInfo* method = find_method(id);
        ASSERT_NE(method, nullptr) << id;
        ASSERT_EQ(method->poles.size(), poles.size()) << id;
        for (size_t i = 0; i < poles.size(); ++i) EXPECT_NEAR(method->poles[i], poles[i], 1e-15) << id;
    }
}

// They are typed in SPEC beside the settings that every method has.
TEST(Registry, ParametersHaveIdsThatCanBeTypedAndTextsForThePanel) {
    for (const MethodInfo* method : all_methods()) {
        std::set<std::string_view> ids = {"path", "address", "prefilter"};
        for (const ParameterInfo& parameter : method->parameters) {
            EXPECT_TRUE(ids.insert(parameter.id).second) << method->id << ":" << parameter.id;
            EXPECT_FALSE(parameter.id.empty());
            for (const char c : parameter.id) EXPECT_TRUE(std::islower(c)) << method->id << ":" << parameter.id;
            EXPECT_FALSE(parameter.name.empty()) << method->id << ":" << parameter.id;
            EXPECT_FALSE(parameter.summary.empty()) << method->id << ":" << parameter.id;
            EXPECT_LT(parameter.minimum, parameter.maximum) << method->id << ":" << parameter.id;
        }
    }
}

// The conditions for a method to be registered, and for a prefilter to be computed.

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
    refused([](MethodInfo& m) { m.taps = 17; }, "17 taps");
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
