// The registry of methods: complete, unambiguous, and as DESIGN's table says.

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <set>

#include "gpu/method/method_info.h"

namespace texelscope {
namespace {

// A static library would drop the objects that register themselves; then methods would be missing without a word.
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
    for (const std::string_view id : {"", "Nearest", "bicubic", "nearest ", "near"}) EXPECT_EQ(find_method(id), nullptr) << id;
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
        EXPECT_GE(method->hardware_fetches, 1);
        EXPECT_LE(method->hardware_fetches, method->taps);
        EXPECT_GT(method->tolerance, 0);
        EXPECT_NE(method->weight, nullptr);
        EXPECT_NE(method->resample_rows, nullptr);
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

TEST(Registry, ThePoleOfTheCubicBSplineIsRootOfThreeMinusTwo) {
    const MethodInfo* method = find_method("bspline");
    ASSERT_NE(method, nullptr);
    ASSERT_EQ(method->poles.size(), 1u);
    EXPECT_NEAR(method->poles[0], -0.26794919243112270647, 1e-15);
}

}  // namespace
}  // namespace texelscope
