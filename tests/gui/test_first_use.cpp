// What somebody meets who uses the viewer for the first time: undo in fields, hints, tooltips, dialogs opened twice.

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/files/reading/image_files.h"
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

// The rows of messages, and the text of the tooltip; empty if there is none.
bool has_message_row(const json& state) { return has_control(state, "message:dismiss"); }

std::string tooltip_in(const json& state) {
    const std::string mark = "tooltip:";
    for (const auto& [id, box] : state.at("controls").items())
        if (id.starts_with(mark)) return id.substr(mark.size());
    return "";
}

std::array<float, 4> box_in(const json& state, const std::string& id) {
    return state.at("controls").at(id).get<std::array<float, 4>>();
}

bool has_hint(const json& state) { return state.at("messages").dump().find("wheel zooms") != std::string::npos; }

TEST_F(FirstUse, TheFirstHintGoesByItself) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96"}, ViewerUnderTest::Start::first);
    ASSERT_TRUE(has_hint(viewer.settled_state()));
    EXPECT_TRUE(has_message_row(viewer.settled_state()));
    viewer.pass(25);
    const json state = viewer.settled_state();
    EXPECT_FALSE(has_hint(state) || has_message_row(state));
}

TEST_F(FirstUse, TheFirstHintGoesOnceThePictureIsMoved) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96"}, ViewerUnderTest::Start::first);
    viewer.move_to(0.5, 0.5);
    ASSERT_TRUE(has_hint(viewer.settled_state()));
    viewer.wheel(1);
    EXPECT_FALSE(has_hint(viewer.settled_state()));
    viewer.close();
    viewer.wait_for_end(10);
    EXPECT_EQ(viewer.saved_settings().at("hint_dismissed"), true) << "it never comes again";
}

// On a fresh photograph, a method's key enlarges it, and says so.
TEST_F(FirstUse, TheFirstHintGivesWayToOtherMessages) {
    const std::string photograph = scratch("photograph.png");
    write_image(load_image("@dead-leaves:900x700"), photograph);
    ViewerInProcess viewer(*screen_, {photograph}, ViewerUnderTest::Start::first);
    ASSERT_TRUE(has_hint(viewer.settled_state()));
    const auto told = [](const json& s) { return s.at("messages").dump().find("400 %") != std::string::npos; };
    ASSERT_TRUE(viewer.change([&] { viewer.key("2"); }, told));
    EXPECT_FALSE(has_hint(viewer.settled_state()));
    viewer.pass(10);
    EXPECT_FALSE(has_message_row(viewer.settled_state())) << "nor does it come back";
    std::filesystem::remove(photograph);
}

TEST_F(FirstUse, TooltipsAppearAfterRestGoWithAKeyOrAClickAndComeBackOnceTheMouseHasMoved) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96"});
    const auto tells = [](const json& s) { return !tooltip_in(s).empty(); };
    const auto fit = box_in(viewer.settled_state(), "tool:view.fit");
    const int x = int(fit[0] + fit[2] / 2), y = int(fit[1] + fit[3] / 2);
    EXPECT_FALSE(viewer.change([&] { viewer.move_pointer(x, y); }, tells, 0)) << "not at once";
    viewer.pass(1);
    EXPECT_THAT(tooltip_in(viewer.settled_state()), HasSubstr("Fit"));
    viewer.key("m");
    viewer.pass(3);
    EXPECT_EQ(tooltip_in(viewer.settled_state()), "") << "it would hide what the key has done";
    viewer.move_pointer(x + 2, y);
    viewer.pass(1);
    EXPECT_THAT(tooltip_in(viewer.settled_state()), HasSubstr("Fit")) << "the mouse has moved";
    viewer.click();
    viewer.pass(3);
    EXPECT_EQ(tooltip_in(viewer.settled_state()), "") << "it would hide what the click has done";
    viewer.move_pointer(int(0.9f * 1280), y);  // over nothing
    viewer.key("m");
    viewer.move_pointer(x, y);
    viewer.pass(1);
    EXPECT_THAT(tooltip_in(viewer.settled_state()), HasSubstr("Fit")) << "wherever it has moved";
}

// In a narrow window the panel is opened by a handle at the left edge, in whose middle the third pane of four begins.
TEST_F(FirstUse, TheHandleOfThePanelCoversNoPane) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--window", "500x500"});
    viewer.settled_state();
    viewer.click_control("tool:preset.four-methods");
    const json state = viewer.settled_state();
    const auto handle = box_in(state, "panel-handle");
    EXPECT_GE(state.at("picture").at(0).get<float>(), handle[0] + handle[2]);
    viewer.click_control("panel-handle");
    const json open = viewer.settled_state();
    EXPECT_TRUE(has_control(open, "section:Method")) << "over the picture";
    EXPECT_EQ(open.at("picture"), state.at("picture"));
}

TEST_F(FirstUse, ListsOfEdgesSayTheirAxis) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96"});
    for (const char* axis : {"address:x", "address:y"}) {
        viewer.settled_state();
        viewer.click_control(axis);
        EXPECT_TRUE(has_control(viewer.settled_state(), fmt::format("{}:axis", axis)));
        viewer.key("Escape");
    }
}

// From the field to the lower edge of the window, with the field for names and the method that is in use in view.
TEST_F(FirstUse, TheListOfMethodsIsSeenInALowWindow) {
    for (const char* method : {"nearest", "bspline", "spline64"}) {
        ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--method", method, "--window", "1280x720"});
        viewer.settled_state();
        viewer.click_control("method:choice");
        const json state = viewer.settled_state();
        const auto field = box_in(state, "method:find"), choice = box_in(state, "section:Method");
        EXPECT_GE(field[1], choice[1] + choice[3]) << method;
        const std::string row = fmt::format("method:{}", method);
        ASSERT_TRUE(has_control(state, row));
        EXPECT_GE(box_in(state, row)[1], field[1] + field[3]) << method;
        EXPECT_LE(box_in(state, row)[1] + box_in(state, row)[3], 720) << method;
    }
}

// All sections that are open at the start are seen whole, in a large window too.
TEST_F(FirstUse, ThePanelDoesNotScrollAtTheStart) {
    for (const char* window : {"1280x800", "1920x1080"}) {
        ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--window", window});
        const json state = viewer.settled_state();
        EXPECT_TRUE(has_control(state, "section:Timing")) << window << ": the last one";
    }
}

// In a lesson's step that takes a picture: dropped, back to the lesson's own, and the one from before the lesson.
TEST_F(FirstUse, APictureOfOnesOwnTakesThePlaceOfTheLessons) {
    const std::filesystem::path folder = scratch("own-picture");
    std::filesystem::create_directories(folder);
    const std::string before = (folder / "before.png").string(), dropped = (folder / "dropped.png").string();
    for (const std::string& file : {before, dropped}) write_image(Image(64, 48, 1, SampleType::u8), file);
    const std::string lesson = (folder / "lesson.md").string();
    std::ofstream(lesson) << "# T\n\n## S\n\nOf {picture}.\n\n```sliders\npicture = @text:128, or yours\n```\n\n"
                             "```state\n{\"image\": \"{picture}\", \"panes\": [{\"spec\": \"nearest\"}, {\"spec\": "
                             "\"bspline\"}], \"arrangement\": \"columns\"}\n```\n";
    ViewerInProcess viewer(*screen_, {before});
    const auto shows = [](const std::string& source) {
        return [source](const json& s) {
            return s.at("image") == source && s.at("loading") == "" && !s.at("lesson").is_null() &&
                   s.at("panes").size() == 2;
        };
    };
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { EXPECT_TRUE(viewer.drop({lesson}, 0.6, 0.4)); }, shows("@text:128"), 60));
    ASSERT_TRUE(viewer.change([&] { EXPECT_TRUE(viewer.drop({dropped}, 0.6, 0.4)); }, shows(dropped), 60));
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("learn:picture"); }, shows("@text:128"), 60));
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("learn:picture"); }, shows(before), 60));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace texelscope::test
