// The registry of methods: complete, unambiguous, and the founding methods as intended.

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <set>

#include "gpu/method/method_info.h"
#include "gpu/method/polar_method.h"

namespace texelscope::test {
namespace {

// A static library would drop the objects that register themselves; methods would then be missing silently.
TEST(Registry, HoldsTheFamiliesOfTheFolder) {
    std::set<std::string> files, families;
    for (const auto& entry : std::filesystem::directory_iterator(TEXELSCOPE_SOURCE_DIR "/gpu/methods"))
        if (entry.path().extension() == ".cpp") files.insert(entry.path().stem());
    for (const MethodInfo* method : all_methods()) families.insert(std::string(method->family));
    EXPECT_EQ(families, files);
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
        EXPECT_EQ(method->hardware_fetches == 0, is_polar(*method));
        EXPECT_LE(method->hardware_fetches, method->taps);
        EXPECT_GT(method->tolerance, 0);
        EXPECT_NE(method->weight, nullptr);
        EXPECT_EQ(method->resample_rows == nullptr, is_polar(*method));
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

// From the papers: smallest roots of z² + 4z + 1, 4z² + 13z + 4 and z⁴ + 26z³ + 66z² + 26z + 1;
// of the septic B-spline, Unser 1999, table 1; of the quintic o-MOMS, Blu, Thévenaz & Unser 2001: from its formula at the
// samples, (107, 1792, 4122, 1792, 107)/7920.
TEST(Registry, PolesAreThoseOfTheLiterature) {
    const std::pair<std::string_view, std::vector<double>> literature[] = {
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

}  // namespace
}  // namespace texelscope::test
