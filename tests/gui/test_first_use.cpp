// What somebody meets who uses the viewer for the first time: undo in fields, hints, tooltips, dialogs opened twice.

#include <string>

#include <gmock/gmock.h>

#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

using FirstUse = ViewerTest;

std::string formula_text(const json& state) { return state.at("formula").at("text"); }

bool has_control(const json& state, const std::string& id) { return state.at("controls").contains(id); }

void choose_from_menu(ViewerUnderTest& viewer, const std::string& menu, const std::string& entry) {
    viewer.settled_state();
    viewer.click_control("menu:" + menu);
    viewer.settled_state();
    viewer.click_control(entry);
    viewer.settled_state();
}

// Its undo steps are places in the text that was typed, which may be longer than the one that is there now.
TEST_F(FirstUse, UndoInAFormulaDoesNotReachIntoTheOneBefore) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--method", "catmull-rom"});
    choose_from_menu(viewer, "Method", "method.own");
    viewer.key("ctrl+End");
    viewer.key("Return");
    viewer.type("parameter somethinglong = 0.5 from 0 to 1");
    EXPECT_THAT(formula_text(viewer.settled_state()), HasSubstr("somethinglong"));
    choose_from_menu(viewer, "Method", "method.bilinear");
    const std::string bilinear = formula_text(viewer.settled_state());
    EXPECT_THAT(bilinear, Not(HasSubstr("somethinglong")));
    viewer.click_control("weights:text");
    viewer.settled_state();
    for (int i = 0; i < 3; ++i) viewer.key("ctrl+z");
    EXPECT_EQ(formula_text(viewer.settled_state()), bilinear);
    // What is typed from here on can be taken back.
    viewer.key("ctrl+End");
    viewer.type("7");
    EXPECT_EQ(formula_text(viewer.settled_state()), bilinear + "7");
    viewer.key("ctrl+z");
    EXPECT_EQ(formula_text(viewer.settled_state()), bilinear);
}

TEST_F(FirstUse, UndoInAFieldThatIsEmptyAgainDoesNothing) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96"});
    const auto topmost = [](const char* name) { return [name](const json& s) { return s.at("dialog") == name; }; };
    viewer.settled_state();
    for (const char* typed : {"a command with many letters", "x"}) {
        ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+shift+p"); }, topmost("palette")));
        viewer.settled_state();
        for (int i = 0; i < 3; ++i) viewer.key("ctrl+z");
        viewer.type(typed);
        viewer.settled_state();
        ASSERT_TRUE(viewer.change([&] { viewer.key("Escape"); }, topmost("")));
    }
}

TEST_F(FirstUse, TheCommandForAFormulaKeepsTheOneThatIsUnfinished) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--method", "catmull-rom"});
    choose_from_menu(viewer, "Method", "method.own");
    viewer.key("ctrl+End");
    viewer.type(" junk");
    const json before = viewer.settled_state();
    ASSERT_FALSE(before.at("formula").at("problems").empty());
    choose_from_menu(viewer, "Method", "method.own");
    const json after = viewer.settled_state();
    EXPECT_EQ(formula_text(after), formula_text(before));
    EXPECT_TRUE(has_control(after, "weights:text:cursor")) << "it has the keyboard";
    viewer.key("ctrl+z");
    EXPECT_TRUE(viewer.running());
    EXPECT_NE(formula_text(viewer.settled_state()), formula_text(before)) << "undo goes on where it was";
}

TEST_F(FirstUse, TheOpenDialogStaysWhenItIsAskedForAgain) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96"});
    const json first = viewer.settled_state();
    viewer.key("ctrl+o");
    ASSERT_EQ(viewer.settled_state().at("dialog"), "browser");
    viewer.key("ctrl+o");
    EXPECT_EQ(viewer.settled_state().at("dialog"), "browser");
    viewer.type("g2");
    const json after = viewer.settled_state();
    EXPECT_EQ(after.at("panes"), first.at("panes"));
    EXPECT_EQ(after.at("dialog"), "browser");
}

// All sections that are open at the start are seen whole, in a large window too.
TEST_F(FirstUse, ThePanelDoesNotScrollAtTheStart) {
    for (const char* window : {"1280x800", "1920x1080"}) {
        ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--window", window});
        const json state = viewer.settled_state();
        EXPECT_TRUE(has_control(state, "section:Timing")) << window << ": the last one";
    }
}

}  // namespace
}  // namespace texelscope::test
