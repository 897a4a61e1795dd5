// Small things that hands stumble over: what closes leaves nothing behind, what fails says so where one looks.

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Polish : public ViewerTest {
protected:
    static bool has(const json& state, const std::string& control) { return state.at("controls").contains(control); }
    static auto offers(const std::string& control) {
        return [control](const json& s) { return has(s, control); };
    }
};

TEST_F(Polish, TheOutlineGoesWithTheTabOfTheTaps) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "8"});
    viewer.move_to(0.4, 0.4);
    viewer.key("t");
    json state = viewer.settled_state();
    EXPECT_EQ(state.at("dock"), "taps");
    EXPECT_TRUE(state.at("session").at("interface").at("taps"));
    viewer.click_control("dock:close");
    state = viewer.settled_state();
    EXPECT_EQ(state.at("dock"), "none");
    EXPECT_FALSE(state.at("session").value("interface", json::object()).value("taps", false));
}

TEST_F(Polish, ASavedSessionIsAmongTheRecentFiles) {
    const fs::path folder = scratch("recent-session"), file = folder / "mine.json";
    fs::create_directories(folder);
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200"});
    viewer.key("ctrl+shift+s");
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.type(file.string());
    viewer.settled_state();
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("Return"); },
                      [](const json& s) { return s.at("messages").dump().find("saved") != std::string::npos; }));
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.wait_for_end(20), 0);
    const json recent = viewer.saved_settings().at("recent");
    ASSERT_FALSE(recent.empty());
    EXPECT_EQ(recent.at(0), file.string());
    fs::remove_all(folder);
}

TEST_F(Polish, ADialogSaysWhyNothingWasSaved) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200"});
    viewer.key("ctrl+s");
    EXPECT_FALSE(has(viewer.settled_state(), "not-written"));
    viewer.key("ctrl+a");
    viewer.type("/nowhere/at/all.png");
    viewer.settled_state();
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("save:save"); }, offers("not-written"), 20));
    EXPECT_EQ(viewer.settled_state().at("dialog"), "save") << "with what was typed";
    viewer.key("End");
    viewer.type("2");
    EXPECT_FALSE(has(viewer.settled_state(), "not-written")) << "of another name it is not known";
}

TEST_F(Polish, CurvesAreSavedAsADrawing) {
    const fs::path folder = scratch("curves"), file = folder / "curves.svg";
    fs::create_directories(folder);
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "8"});
    viewer.key("c");
    viewer.settled_state();
    viewer.click_control("curves:path");
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.type(file.string());
    viewer.settled_state();
    EXPECT_TRUE(
        viewer.change([&] { viewer.click_control("curves:save"); },
                      [](const json& s) { return s.at("messages").dump().find("saved") != std::string::npos; }));
    std::ifstream stream(file);
    const std::string svg{std::istreambuf_iterator<char>(stream), {}};
    for (const char* title : {"Weight function", "Spectrum", "Nyquist"})
        EXPECT_NE(svg.find(title), std::string::npos) << title;
    size_t drawings = 0;
    for (size_t at = svg.find("<svg "); at != svg.npos; at = svg.find("<svg ", at + 1)) ++drawings;
    EXPECT_EQ(drawings, 5u) << "four plots in one";
    fs::remove_all(folder);
}

// 600 pixels at twice the size: no space for all menus.
TEST_F(Polish, MenusWithoutSpaceAreBehindTheLastEntry) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--ui-scale", "2"});
    EXPECT_FALSE(has(viewer.settled_state(), "menu:more"));
    viewer.resize(600, 760);
    const json state = viewer.settled_state();
    ASSERT_TRUE(has(state, "menu:more"));
    EXPECT_TRUE(has(state, "menu:File"));
    EXPECT_FALSE(has(state, "menu:Help"));
    for (const auto& [id, box] : state.at("controls").items())
        if (id.starts_with("menu:")) {
            EXPECT_LE(box.at(0).get<float>() + box.at(2).get<float>(), 600) << id;
        }
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("menu:more"); }, offers("menu:Help")));
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("menu:Help"); }, offers("help.about")));
    viewer.settled_state();
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("help.about"); },
                              [](const json& s) { return s.at("dialog") == "about"; }));
}

}  // namespace
}  // namespace texelscope::test
