// Images that are too large for memory, in the real window: opened, moved and zoomed, and sharp in the end.

#include <algorithm>
#include <cstdlib>

#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

class LargeImages : public ViewerTest {
protected:
    static bool sharp(const json& state) {
        return state.contains("size") && state.at("preparing").empty() && state.at("to_come") == 0;
    }
};

// As in test_loading.cpp: the processor time of a turn of the loop, in milliseconds. Reading or shrinking a gigapixel there
// would take seconds.
constexpr double most_computed_ms = 150;
constexpr double patience = 60;

double longest_computed(ViewerUnderTest& viewer, size_t since) {
    const std::string text = viewer.slow_turns().substr(since), words = "computed ";
    double largest = 0;
    for (size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1))
        largest = std::max(largest, std::atof(text.c_str() + at + words.size()));
    return largest;
}

TEST_F(LargeImages, AreSharpInTheEndAndNothingWaitsForThem) {
    ViewerUnderTest viewer(*screen_, {"@zone-plate:40000", "--backend", "cpu", "--zoom", "1"});
    viewer.move_to(0.5, 0.5);
    const json opened = viewer.settled_state();
    EXPECT_EQ(opened.at("size"), json::array({40000, 40000}));
    const size_t since = viewer.slow_turns().size();
    ASSERT_TRUE(viewer.change([&] { viewer.drag(0.7, 0.7, 0.2, 0.3); }, sharp, patience));
    expect_same_picture(viewer, "moved");
    ASSERT_TRUE(viewer.change([&] { viewer.wheel(3); }, sharp, patience));
    expect_same_picture(viewer, "closer");
    EXPECT_LT(longest_computed(viewer, since), most_computed_ms);
}

TEST_F(LargeImages, AreShownByPanesWithOtherMethods) {
    ViewerUnderTest viewer(*screen_, {"@zone-plate:40000", "--backend", "cpu", "--zoom", "3"});
    viewer.move_to(0.3, 0.5);
    ASSERT_TRUE(viewer.change([&] { viewer.key("g"); }, sharp, patience));
    viewer.settled_state();
    for (const int pane : {0, 1}) expect_same(viewer.shown_pane(pane), viewer.rendered_pane(pane), "in a pane");
}

// A view of so much that it takes long until all of it has been read: meanwhile there is a picture, and the window goes on.
TEST_F(LargeImages, ShowSomethingOfAllOfThemAtOnce) {
    ViewerUnderTest viewer(*screen_, {"@zone-plate:200000", "--backend", "cpu", "--zoom", "1"});
    viewer.move_to(0.5, 0.5);
    viewer.settled_state();
    const size_t since = viewer.slow_turns().size();
    const auto coarse = [](const json& state) {
        return state.at("view").at("scale").get<double>() > 20 && state.at("to_come") > 0;
    };
    ASSERT_TRUE(viewer.change([&] { viewer.wheel(-40); }, coarse, patience));
    ASSERT_TRUE(
        viewer.change([&] { viewer.key("3"); }, [](const json& state) { return state.contains("size"); }, patience));
    EXPECT_LT(longest_computed(viewer, since), most_computed_ms);
}

}  // namespace
}  // namespace texelscope::test
