// The panels leave the picture its space, and their words are whole.

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "app/files/reading/image_files.h"
#include "app/files/writing/image_writer.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

using Panels = ViewerTest;

// Of the window's width; the handle of a panel that has no space stands beside it.
bool picture_has_half(const json& state) {
    const json& controls = state.at("controls");
    const int handle = controls.contains("panel-handle") ? controls.at("panel-handle").at(2).get<int>() : 0;
    return 2 * (state.at("picture").at(2).get<int>() + handle) >= state.at("framebuffer").at(0).get<int>() - 2;
}

TEST_F(Panels, AreOneScreenAndLeaveHalfOfItToThePicture) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "4"});
    viewer.key("g");
    viewer.move_to(0.5, 0.5);
    json state = viewer.settled_state();
    // From the first to the last section, without scrolling.
    for (const char* control :
         {"section:Display", "section:Method", "address:y", "pane:B", "section:Advanced", "section:Timing"})
        EXPECT_TRUE(state.at("controls").contains(control)) << control;
    const json last = state.at("controls").at("section:Timing");
    EXPECT_LE(last.at(1).get<float>() + last.at(3).get<float>(), 772);
    EXPECT_EQ(cut_words(state), std::vector<std::string>{});
    // Choosing a method without a prefilter moves nothing.
    viewer.key("3");
    const json with = viewer.settled_state();
    viewer.key("2");
    const json without = viewer.settled_state();
    for (const char* control : {"address:x", "section:Compare", "pane:A", "section:Advanced"})
        EXPECT_EQ(with.at("controls").at(control), without.at("controls").at(control)) << control;
    for (const char* key : {"i", "c", "h", "t"}) {
        viewer.key(key);
        state = viewer.settled_state();
        EXPECT_TRUE(picture_has_half(state)) << key;
        EXPECT_EQ(cut_words(state), std::vector<std::string>{}) << key;
    }
}

// With one channel, which has a row of its own, or with four panes, also if a method has a parameter.
TEST_F(Panels, AreOneScreenWithMoreInThemToo) {
    for (const char* image : {"@zone-plate:64", "@dead-leaves:300x200"}) {
        ViewerInProcess viewer(*screen_, {image, "--zoom", "4"});
        viewer.settled_state();
        if (image != std::string("@zone-plate:64")) viewer.click_control("tool:preset.four-methods");
        for (const bool parameter : {false, true}) {
            if (parameter) {
                viewer.click_control("method:find");
                viewer.settled_state();
                viewer.type("bicubic");
                viewer.key("Return");
            }
            viewer.move_to(0.5, 0.5);
            const json state = viewer.settled_state();
            EXPECT_EQ(state.at("controls").contains("parameter:a"), parameter);
            ASSERT_TRUE(state.at("controls").contains("section:Timing")) << image << parameter;
            const json last = state.at("controls").at("section:Timing");
            EXPECT_LE(last.at(1).get<float>() + last.at(3).get<float>(), 772) << image << parameter;
        }
    }
}

TEST_F(Panels, AMethodIsFoundByTypingInALowWindowToo) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--window", "600x500"});
    viewer.settled_state();
    viewer.click_control("method:choice");
    viewer.settled_state();
    viewer.type("torch bic");
    const json found = viewer.settled_state().at("controls");
    EXPECT_FALSE(found.contains("method:nearest"));
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); },
                              [](const json& s) {
                                  return s.at("panes").at(0).get<std::string>().find("torch/bicubic") !=
                                         std::string::npos;
                              }));
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("method:find")) << "the list is closed";
}

// The list scrolls to what is marked, also from where the method in use was.
TEST_F(Panels, ArrowKeysChooseAmongTheMethodsThatAreFound) {
    for (const char* window : {"1280x500", "1280x800"}) {
        const bool low = std::string(window) == "1280x500";
        ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--method", "lanczos4", "--window", window});
        viewer.settled_state();
        viewer.click_control(low ? "method:choice" : "method:find");
        viewer.settled_state();
        viewer.type("lanc");
        EXPECT_TRUE(viewer.settled_state().at("controls").contains("method:lanczos3")) << "the first is in view";
        const auto shows = [](const char* method) {
            return [method](const json& s) { return s.at("panes").at(0).get<std::string>().starts_with(method); };
        };
        viewer.keys({"Down", "Down", "Up"});
        EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, shows("lanczos2"))) << window;
        viewer.click_control(low ? "method:choice" : "method:find");
        viewer.settled_state();
        viewer.keys({"Up"});  // without letters, from the method in use
        EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, shows("lanczos3"))) << window;
    }
}

TEST_F(Panels, ToolsWithoutSpaceAreBehindTheLastOne) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--window", "300x700"});
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("tool:file.export"));
    viewer.click_control("tool:more");
    viewer.settled_state();
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("tool:file.export"); },
                              [](const json& s) { return s.at("dialog") == "exporting"; }));
}

TEST_F(Panels, TheToolbarComesWhilePresentingIfTheMouseTouchesTheUpperEdge) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "4"});
    viewer.settled_state();
    viewer.key("F10");
    viewer.move_to(0.5, 0.5);
    const json plain = viewer.settled_state();
    const auto has_tools = [](const json& s) {
        return s.contains("controls") && s.at("controls").contains("tool:compare.loupe");
    };
    EXPECT_FALSE(has_tools(plain));
    EXPECT_TRUE(viewer.change([&] { viewer.move_pointer(500, 1); }, has_tools));
    EXPECT_EQ(viewer.settled_state().at("picture"), plain.at("picture"));
    viewer.click_control("tool:compare.two");
    const json under = viewer.settled_state().at("controls"), bar = under.at("tool:compare.two");
    for (const char* label : {"label:A", "label:B"})
        EXPECT_GE(under.at(label).at(1).get<float>(), bar.at(1).get<float>() + bar.at(3).get<float>()) << label;
    EXPECT_TRUE(viewer.change([&] { viewer.move_to(0.5, 0.5); }, [&](const json& s) { return !has_tools(s); }));
    EXPECT_EQ(viewer.settled_state().at("panes").size(), 2u);
}

// A narrow message has its button below the text, whose lines then have words enough.
TEST_F(Panels, AnOfferHasALineOfItsOwnInANarrowWindow) {
    const std::string file = scratch("meadow.png");
    write_image(load_image("@dead-leaves:800x600"), file);
    for (const auto& [window, below] : {std::pair{"600x500", true}, {"1280x800", false}}) {
        ViewerInProcess viewer(*screen_, {file, "--window", window});
        viewer.settled_state();
        const auto offers = [](const json& s) { return s.at("controls").contains("message:offer"); };
        ASSERT_TRUE(viewer.change([&] { viewer.key("g"); }, offers)) << window;
        const json controls = viewer.settled_state().at("controls");
        const json &offer = controls.at("message:offer"), &dismiss = controls.at("message:dismiss");
        const double right = offer.at(0).get<double>() + offer.at(2).get<double>();
        EXPECT_EQ(dismiss.at(0).get<double>() - right > 40, below) << window;
    }
    std::filesystem::remove(file);
}

TEST_F(Panels, TheToolbarActsAndCanBeHidden) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "4"});
    json state = viewer.settled_state();
    const auto top = state.at("picture").at(1).get<int>();
    EXPECT_EQ(cut_words(state), std::vector<std::string>{});
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("tool:preset.four-methods"); },
                              [](const json& s) { return s.at("panes").size() == 4; }));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("tool:view.one-to-one"); },
                              [](const json& s) { return s.at("view").at("scale") == 1.0; }));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("tool:file.open"); },
                              [](const json& s) { return s.at("dialog") == "browser"; }));
    viewer.key("Escape");
    viewer.settled_state();
    viewer.key("ctrl+shift+p");
    viewer.settled_state();
    viewer.type("toolbar");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); },
                              [](const json& s) { return !s.at("controls").contains("tool:file.open"); }));
    EXPECT_LT(viewer.settled_state().at("picture").at(1).get<int>(), top);
}

TEST_F(Panels, AreWholeAtScaleTwoToo) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "4", "--ui-scale", "2"});
    viewer.key("g");
    viewer.move_to(0.5, 0.6);
    json state = viewer.settled_state();
    EXPECT_TRUE(picture_has_half(state));
    EXPECT_EQ(cut_words(state), std::vector<std::string>{});
    viewer.key("i");
    state = viewer.settled_state();
    EXPECT_TRUE(picture_has_half(state));
    EXPECT_EQ(cut_words(state), std::vector<std::string>{});
    EXPECT_FALSE(state.at("controls").contains("section:Method"));
    // Plot and axis title are seen without scrolling.
    const json plot = state.at("controls").at("plot:profile");
    EXPECT_LE(plot.at(1).get<float>() + plot.at(3).get<float>() + 80, 744);
    const json picture = state.at("picture");
    viewer.click_control("panel-handle");
    state = viewer.settled_state();
    EXPECT_TRUE(state.at("controls").contains("section:Method")) << "over the picture";
    EXPECT_EQ(state.at("picture"), picture);
    EXPECT_EQ(cut_words(state), std::vector<std::string>{});
}

// Also where the window is small: no menu scrolls, each entry is on the screen.
TEST_F(Panels, AreWholeInASmallWindow) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "4", "--window", "600x500"},
                           ViewerUnderTest::Start::first);
    viewer.move_to(0.5, 0.5);  // with values in the status bar
    json state = viewer.settled_state();
    EXPECT_TRUE(state.at("controls").contains("message:dismiss")) << "the first hint, whole as well";
    EXPECT_EQ(cut_words(state), std::vector<std::string>{});
    for (const char* section : {"Compare", "View", "View", "Advanced", "Advanced", "Display"}) {
        viewer.click_control(std::string("section:") + section);
        EXPECT_EQ(cut_words(viewer.settled_state()), std::vector<std::string>{}) << section;
    }
    for (const char* key : {"i", "c", "h", "t", "F1", "Escape", "shift+F1", "Escape", "ctrl+s", "Escape", "ctrl+o"}) {
        viewer.key(key);
        EXPECT_EQ(cut_words(viewer.settled_state()), std::vector<std::string>{}) << key;
    }
}

// A section that lacked space opens once there is some; what was folded by hand stays so.
TEST_F(Panels, SectionsUnfoldWhenTheWindowGrows) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "4", "--window", "1000x520"});
    const auto shows = [&](const char* control) { return viewer.settled_state().at("controls").contains(control); };
    EXPECT_FALSE(shows("display:fit"));
    viewer.click_control("section:Compare");
    EXPECT_FALSE(shows("arrangement:grid"));
    viewer.resize(1000, 900);
    EXPECT_TRUE(shows("display:fit"));
    EXPECT_FALSE(shows("arrangement:grid"));
    viewer.click_control("section:Display");
    EXPECT_FALSE(shows("display:fit"));
    viewer.resize(1000, 520);
    viewer.settled_state();
    viewer.resize(1000, 900);
    EXPECT_FALSE(shows("display:fit"));
}

TEST_F(Panels, MenusAreSeenWholeAtScaleTwo) {
    ViewerInProcess viewer(*screen_, {"@constant", "--ui-scale", "2"});
    const auto offers = [](const std::string& control) {
        return [control](const json& s) { return s.at("controls").contains(control); };
    };
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("menu:Learn"); }, offers("learn.copy-step")));
    viewer.key("Escape");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("menu:Compare"); }, offers("menu:Presets")));
    // It opens over its own entry: the click that meant the entry chooses none of its presets.
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("menu:Presets"); }, offers("preset.four-methods")));
    EXPECT_EQ(viewer.settled_state().at("panes").size(), 2u);
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("preset.four-methods"); },
                              [](const json& s) { return s.at("panes").size() == 4; }));
}

// In a high window a group of methods is seen whole.
TEST_F(Panels, TheListOfMethodsTakesTheRoomThatIsLeft) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:60x40", "--method", "bspline"});
    viewer.resize(1280, 1000);
    viewer.settled_state();
    const json controls = viewer.settled_state().at("controls");
    constexpr int splines = 7;  // of degrees 2 to 5 and 7, and two o-MOMS
    int rows = 0;
    for (const auto& [id, box] : controls.items())
        rows += id.starts_with("method:") && !id.starts_with("method:group:");
    EXPECT_GE(rows, splines);
}

TEST_F(Panels, TheListOfPanesTakesTheRoomThatIsLeft) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:60x40"});
    viewer.resize(1280, 720);  // so low that the methods are behind a list
    viewer.click_control("preset");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("preset:all-methods"); },
                              [](const json& s) { return s.at("panes").size() == 16; }));
    const auto top = [](const json& s, const char* control) { return s.at("controls").at(control).at(1).get<float>(); };
    const auto rows = [&](const json& s) {
        return (top(s, "compare.add") - top(s, "pane:A")) / (top(s, "pane:B") - top(s, "pane:A"));
    };
    json state = viewer.settled_state();
    const float many = rows(state);
    EXPECT_GE(many, 6);
    EXPECT_LT(top(state, "section:Timing"), 692) << "what is below stays in view";
    EXPECT_LT(many - std::floor(many), 0.4f) << "whole rows, then a gap";
    viewer.click_control("section:View");
    state = viewer.settled_state();
    EXPECT_LT(rows(state), many);
    EXPECT_GE(rows(state), 4);
}

TEST_F(Panels, TheReferenceIsInTheMenuThatMessagesName) {
    ViewerInProcess viewer(*screen_, {"@constant"});
    const auto offers = [](const char* control) {
        return [control](const json& s) { return s.at("controls").contains(control); };
    };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("menu:Compare"); }, offers("menu:Reference")));
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("menu:Reference"); }, offers("menu-reference:lanczos3")));
    EXPECT_TRUE(viewer.change(
        [&] { viewer.click_control("menu-reference:lanczos3"); },
        [](const json& s) { return s.at("session").at("reference").dump().find("lanczos3") != std::string::npos; }));
}

// Numbers of samples on a picture that is a difference say what they are.
TEST_F(Panels, NumbersOverADifferenceAreNamed) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "64"});
    viewer.key("ctrl+p");
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("overlay:numbers"));
    viewer.key("d");
    EXPECT_TRUE(viewer.settled_state().at("controls").contains("overlay:numbers"));
    viewer.key("ctrl+p");
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("overlay:numbers"));
}

TEST_F(Panels, TheExportSaysWhatDepthItWrites) {
    const std::string file = scratch("deep.ppm");
    write_image(Image(40, 30, 3, SampleType::u16), file);
    ViewerInProcess viewer(*screen_, {file});
    viewer.settled_state();
    viewer.click_control("menu:File");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("file.export"); },
                              [](const json& s) { return s.at("dialog") == "exporting"; }));
    const auto says = [&](const std::string& words) {
        const json controls = viewer.settled_state().at("controls");
        return controls.contains("export:" + words);
    };
    EXPECT_EQ(says("less-depth"), written_depth("x.png", SampleType::u16, {}).less);
    viewer.key("ctrl+a");  // the path has the keyboard
    viewer.settled_state();
    viewer.type(scratch("out.jpg"));
    EXPECT_TRUE(says("less-depth"));
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.settled_state();
    viewer.type(scratch("out.ppm"));
    EXPECT_FALSE(says("less-depth") || says("other-depth")) << "it has 16 bits";
    viewer.key("ctrl+a");
    viewer.settled_state();
    viewer.type(scratch("out.npy"));
    EXPECT_TRUE(says("other-depth"));
    std::filesystem::remove(file);
}

TEST_F(Panels, NumbersOfSlidersStayClearOfTheirKnobs) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--method", "bicubic"});
    const auto are_clear = [&](const std::string& slider) {
        const json controls = viewer.settled_state().at("controls");
        const auto box = [&](const char* part) { return controls.at(slider + part).get<std::array<float, 4>>(); };
        const auto all = box(""), number = box(":number"), knob = box(":knob");
        EXPECT_GE(number[0], all[0]);
        EXPECT_LE(number[0] + number[2], all[0] + all[2]);
        return number[0] + number[2] <= knob[0] || number[0] >= knob[0] + knob[2];
    };
    EXPECT_TRUE(are_clear("parameter:a"));
    for (const char* key : {"shift+e", "e"})
        for (int i = 0; i < 10; ++i) {
            EXPECT_TRUE(are_clear("display:exposure")) << key << ' ' << i;
            viewer.key(key);
        }
}

TEST_F(Panels, AFormulaIsWrittenInAWideFieldBesideItsCurves) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200"});
    viewer.click_control("menu:Method");
    const auto has_curves = [](const json& state) { return state.at("controls").contains("plot:weight"); };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("method.own"); }, has_curves));
    const json state = viewer.settled_state();
    EXPECT_TRUE(picture_has_half(state));
    EXPECT_EQ(cut_words(state), std::vector<std::string>{});
    const auto box = [&](const char* id) { return state.at("controls").at(id).get<std::array<float, 4>>(); };
    EXPECT_GE(box("weights:text")[2], 560);
    const auto weight = box("plot:weight"), spectrum = box("plot:spectrum");
    EXPECT_EQ(weight[1], spectrum[1]);
    EXPECT_LE(weight[0] + weight[2], spectrum[0]);
    viewer.key("Escape");  // leaves the field
    viewer.settled_state();
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("dock:close"); },
                              [](const json& s) { return s.at("controls").contains("section:Method"); }))
        << "the panel comes back";
}

TEST_F(Panels, ArrowsAndEnterChooseFromAListThatDropsDown) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:256"});
    const json view = viewer.settled_state().at("view");
    viewer.click_control("address:x");
    viewer.settled_state();
    viewer.key("Down");
    viewer.settled_state();
    viewer.key("Down");
    EXPECT_EQ(viewer.settled_state().at("view"), view) << "they do not move the picture";
    const auto wraps = [](const json& state) {
        return state.at("spec").get<std::string>().find("address=wrap/clamp") != std::string::npos;
    };
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, wraps)) << viewer.settled_state().at("spec");
    viewer.settled_state();
    viewer.key("Down");
    EXPECT_NE(viewer.settled_state().at("view"), view) << "the list is closed: the picture's again";
}

}  // namespace
}  // namespace texelscope::test
