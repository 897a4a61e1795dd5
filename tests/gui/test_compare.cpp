// Comparing in the real window: panes, the divider, differences, flipping, the palette, undo, sessions, the mouse on panes.

#include <cmath>
#include <filesystem>

#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

class Compare : public ViewerTest {
protected:
    static size_t panes(const json& state) { return state.at("panes").size(); }
    static std::string spec(const json& state, size_t pane) { return state.at("panes").at(pane); }
    static void press(ViewerUnderTest& viewer, const std::string& key) {
        const json before = viewer.settled_state();
        EXPECT_TRUE(viewer.change([&] { viewer.key(key); }, [&](const json& s) { return s != before; })) << key;
        viewer.settled_state();
    }
};

TEST_F(Compare, PanesSideBySideShowWhatRenderGivesForEach) {
    ViewerInProcess viewer(*screen_, {"@text:300x200", "--zoom", "5.3", "--rotate", "7"});
    viewer.move_to(0.9, 0.98);
    press(viewer, "g");
    json state = viewer.settled_state();
    ASSERT_EQ(state.at("arrangement"), "columns");
    ASSERT_EQ(panes(state), 2u);
    for (const int pane : {0, 1})
        expect_same(viewer.shown_pane(pane), viewer.rendered_pane(pane), "columns, pane " + std::to_string(pane));
    press(viewer, "Insert");
    press(viewer, "6");
    state = viewer.settled_state();
    ASSERT_EQ(panes(state), 3u);
    EXPECT_TRUE(spec(state, 2).starts_with("lanczos3"));
    for (const int pane : {0, 1, 2})
        expect_same(viewer.shown_pane(pane), viewer.rendered_pane(pane), "three panes, " + std::to_string(pane));
}

TEST_F(Compare, AClickChoosesThePaneAndADragMovesAll) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "4"});
    viewer.move_to(0.75, 0.5);
    press(viewer, "g");
    const json before = viewer.settled_state();
    EXPECT_EQ(before.at("focused"), 1);
    viewer.drag(0.75, 0.5, 0.85, 0.6);
    const json after = viewer.settled_state();
    EXPECT_EQ(after.at("active"), 1);
    EXPECT_EQ(after.at("views").at(0), after.at("views").at(1));
    EXPECT_NE(after.at("views").at(0), before.at("views").at(0));
    for (const int pane : {0, 1}) expect_same(viewer.shown_pane(pane), viewer.rendered_pane(pane), "after the drag");
    // Unlinked, it moves independently.
    press(viewer, "u");
    viewer.move_to(0.75, 0.5);
    viewer.wheel(3);
    const json own = viewer.settled_state();
    EXPECT_EQ(own.at("views").at(0), after.at("views").at(0));
    EXPECT_NE(own.at("views").at(1), after.at("views").at(1));
    expect_same(viewer.shown_pane(1), viewer.rendered_pane(1), "unlinked");
}

TEST_F(Compare, TheDividerFollowsTheMouse) {
    ViewerInProcess viewer(*screen_, {"@text:300x200", "--zoom", "6", "--rotate", "3"});
    for (int i = 0; i < 3; ++i) press(viewer, "g");  // side by side, stacked, wipe
    for (const double at : {0.3, 0.7}) {
        viewer.move_to(at, 0.8);
        const json state = viewer.settled_state();
        ASSERT_EQ(state.at("arrangement"), "wipe");
        const int divider = state.at("divider"), width = state.at("picture").at(2);
        EXPECT_EQ(divider, int(std::floor(at * width)));
        const Image shown = viewer.shown_picture();
        constexpr int line = 4;  // the divider itself is drawn over both
        expect_same(shown, viewer.rendered_pane(0), "left of the divider", 0, divider - line);
        expect_same(shown, viewer.rendered_pane(1), "right of the divider", divider + line, width - 1);
    }
}

TEST_F(Compare, SpaceFlipsAndShiftShowsTheReference) {
    ViewerProgram viewer(*screen_, {"@text:300x200", "--zoom", "6", "--method", "bspline:prefilter=none"});
    viewer.move_to(0.5, 0.8);
    expect_same_picture(viewer, "A");
    const Image blurred = viewer.shown_picture();
    press(viewer, "space");
    EXPECT_EQ(viewer.settled_state().at("shown"), "B");
    expect_same_picture(viewer, "B");
    press(viewer, "space");
    EXPECT_TRUE(viewer.change(
        [&] {
            screen_->xdotool({"keydown", "shift"});
        },
        [](const json& s) { return s.at("reference").get<bool>(); }));
    expect_same_picture(viewer, "reference");  // render, with the spec of the reference
    EXPECT_GT(compare_middle(viewer.shown_picture(), blurred).worst, 20);
    screen_->xdotool({"keyup", "shift"});
}

// |A − B| · gain from two float renderings, clamped and rounded: the expected picture.
TEST_F(Compare, DifferencePixelsAreThoseOfTwoRenderings) {
    ViewerInProcess viewer(*screen_,
                           {"@dead-leaves:300x200", "--zoom", "4.7", "--rotate", "11", "--outside", "extend"});
    // A is compared with the reference until B is chosen for it.
    const auto offers = [](const char* control) {
        return [control](const json& s) { return s.at("controls").contains(control); };
    };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("section:Active pane"); }, offers("against")));
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("against"); }, offers("against:B")));
    viewer.click_control("against:B");
    viewer.move_to(0.5, 0.98);
    press(viewer, "d");
    const json state = viewer.settled_state();
    ASSERT_TRUE(state.at("controls").contains("legend"));
    ASSERT_TRUE(state.at("difference").get<bool>());
    const float gain = state.at("gain");
    // B is at the same position as A; only A is in view, so its position is used for both.
    const Image a = viewer.rendered_pane_values(0);
    const Image b = viewer.rendered_with(0, spec(state, 1));
    ASSERT_EQ(a.channels(), b.channels());
    Image expected(a.width(), a.height(), 3, SampleType::u8);
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            for (int c = 0; c < 3; ++c) {
                const int channel = std::min(c, a.channels() - 1);
                const double d = std::abs(double(a.value(x, y, channel)) - b.value(x, y, channel)) * gain;
                expected.row_as<uint8_t>(y)[3 * x + c] = uint8_t(std::lround(255 * std::min(d, 1.0)));
            }
    expect_same(viewer.shown_picture(), expected, "difference");
}

TEST_F(Compare, FiguresBecomeKnownAndTellPathsApart) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "3.3"});
    viewer.move_to(0.5, 0.98);
    viewer.key("ctrl+shift+p");
    viewer.settled_state();
    viewer.type("three paths");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); },
                              [](const json& s) {
                                  if (panes(s) != 3) return false;
                                  for (const json& f : s.at("figures"))
                                      if (f.is_null()) return false;
                                  return true;
                              },
                              30));
    const json state = viewer.settled_state(), figures = state.at("figures");
    ASSERT_EQ(figures.size(), 3u) << state;
    for (const json& figure : figures) ASSERT_FALSE(figure.is_null()) << state;
    for (const int exact : {0, 1}) EXPECT_LE(figures.at(size_t(exact)).at("max_abs").get<double>(), 2e-6);
    EXPECT_GT(figures.at(2).at("max_abs").get<double>(), 1e-4);  // 8-bit weights
    EXPECT_LT(figures.at(2).at("max_abs").get<double>(), 3e-2);
}

TEST_F(Compare, ThePaletteRunsWhatItsLettersMean) {
    ViewerProgram viewer(*screen_, {"@text:300x200"});
    viewer.move_to(0.5, 0.95);
    const json before = viewer.settled_state();
    press(viewer, "ctrl+shift+p");
    viewer.type("lanczos 4");
    EXPECT_TRUE(viewer.change(
        [&] { viewer.key("Return"); },
        [](const json& s) { return spec(s, 0).starts_with("lanczos4") && !s.at("palette").get<bool>(); }));
    press(viewer, "ctrl+shift+p");
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("Escape"); }, [](const json& s) { return !s.at("palette").get<bool>(); }));
    // Typing is not a shortcut, and the picture is unchanged.
    EXPECT_EQ(viewer.settled_state().at("view"), before.at("view"));
}

TEST_F(Compare, UndoBringsBackPanesAndViews) {
    ViewerInProcess viewer(*screen_, {"@text:300x200", "--zoom", "3"});
    viewer.move_to(0.5, 0.95);
    const json before = viewer.settled_state();
    press(viewer, "g");
    press(viewer, "2");
    viewer.move_to(0.25, 0.5);
    viewer.wheel(5);
    const json after = viewer.settled_state();
    for (int i = 0; i < 3; ++i) press(viewer, "ctrl+z");
    json state = viewer.settled_state();
    EXPECT_EQ(state.at("panes"), before.at("panes"));
    EXPECT_EQ(state.at("arrangement"), "single");
    EXPECT_EQ(state.at("view"), before.at("view"));
    for (int i = 0; i < 3; ++i) press(viewer, "ctrl+shift+z");
    state = viewer.settled_state();
    EXPECT_EQ(state.at("panes"), after.at("panes"));
    EXPECT_EQ(state.at("views"), after.at("views"));
}

TEST_F(Compare, ProfileAndCurvesOpenBesideThePicture) {
    ViewerInProcess viewer(*screen_, {"@step:64", "--zoom", "6"});
    viewer.move_to(0.5, 1.01);  // over the picture the cursor has a line drawn
    const int width = viewer.settled_state().at("picture").at(2);
    using Named = std::pair<std::string, std::string>;
    for (const auto& [key, dock] : {Named{"i", "profile"}, {"c", "curves"}, {"h", "histogram"}}) {
        press(viewer, key);
        const json state = viewer.settled_state();
        EXPECT_EQ(state.at("dock"), dock) << key;
        EXPECT_LT(int(state.at("picture").at(2)), width) << key;
        // The profile draws its line over the picture.
        if (key != "i") expect_same_picture(viewer, "beside the plot of key " + key);
    }
    press(viewer, "h");
    EXPECT_EQ(viewer.settled_state().at("dock"), "none");
}

TEST_F(Compare, ASessionReopensExactlyWhatWasSaved) {
    const std::string file = scratch("session.json");
    json saved;
    {
        ViewerInProcess viewer(*screen_,
                               {"@dead-leaves:300x200", "--zoom", "4.25", "--rotate", "20", "--address", "mirror"});
        viewer.move_to(0.75, 0.5);
        press(viewer, "g");
        press(viewer, "Insert");
        press(viewer, "7");
        saved = save_session(viewer, file);
        ASSERT_FALSE(saved.is_null());
    }
    ViewerInProcess viewer(*screen_, {file});
    const json state = viewer.settled_state();
    for (const char* key :
         {"panes", "arrangement", "active", "image", "outside", "views", "linked", "antialias", "gain"})
        EXPECT_EQ(state.at(key), saved.at(key)) << key;
    for (const int pane : {0, 1, 2}) expect_same(viewer.shown_pane(pane), viewer.rendered_pane(pane), "reopened");
    std::filesystem::remove(file);
}

// Before the window stops answering, or while references are computed beside it, so that nobody presses the key again.
TEST_F(Compare, APictureThatTakesLongIsAnnounced) {
    ViewerInProcess viewer(*screen_, {"@basilica:800", "--backend", "cpu"});
    viewer.click_control("preset");
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("preset:all-methods"); },
                              [](const json& s) { return panes(s) == 16; }));
    viewer.settled_state();
    viewer.move_to(0.5, 0.5);
    const auto computing = [](const json& s) { return s.at("computing").get<bool>() || !s.at("preparing").empty(); };
    const bool announced = viewer.change([&] { viewer.key("d"); }, computing, 3);
    const json state = viewer.settled_state();
    EXPECT_FALSE(computing(state)) << "it is there";
    const double took = state.at("host_ms").at("total");
    EXPECT_TRUE(announced || took < 1000) << took << " ms";
}

}  // namespace

// The mouse on panes in the real window: context menu, double click, the zoom of the status bar.

namespace {

class Hands : public ViewerTest {
protected:
    static std::string method_of(const json& state, size_t pane) {
        const std::string spec = state.at("panes").at(pane);
        return spec.substr(0, spec.find(':'));
    }
    static auto offers(const std::string& control) {
        return [control](const json& s) { return s.contains("controls") && s.at("controls").contains(control); };
    }
    static auto zooms_to(double zoom) {
        return [zoom](const json& s) {
            return s.at("settled") == true && std::abs(1 / s.at("view").at("scale").get<double>() - zoom) < 1e-9;
        };
    }
};

TEST_F(Hands, ARightClickChangesItsPaneOnly) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "4"});
    viewer.key("g");  // two panes, A active
    const json before = viewer.settled_state();
    const auto right_click = [&] { viewer.drag(0.75, 0.5, 0.75, 0.5, 3); };
    ASSERT_TRUE(viewer.change(right_click, offers("pane-menu:method")));
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("pane-menu:method"); }, offers("pane-menu:method.lanczos3")));
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("pane-menu:method.lanczos3"); },
                              [](const json& s) { return method_of(s, 1) == "lanczos3"; }));
    json state = viewer.settled_state();
    EXPECT_EQ(state.at("panes").at(0), before.at("panes").at(0));
    EXPECT_EQ(state.at("views"), before.at("views"));
    EXPECT_FALSE(state.contains("selection"));
    // One Esc closes it; keys do not pass it.
    ASSERT_TRUE(viewer.change(right_click, offers("pane-menu:close")));
    viewer.settled_state();
    viewer.key("2");
    viewer.key("Escape");
    state = viewer.settled_state();
    EXPECT_FALSE(offers("pane-menu:close")(state));
    EXPECT_EQ(method_of(state, 1), "lanczos3");
    ASSERT_TRUE(viewer.change(right_click, offers("pane-menu:close")));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("pane-menu:close"); },
                              [](const json& s) { return s.at("panes").size() == 1; }));
}

TEST_F(Hands, ZoomIsTypedOrToggledByADoubleClick) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "3"});
    viewer.move_to(0.5, 0.5);
    const auto enter = [&](const std::string& text) {
        viewer.click_control("status:zoom");
        viewer.settled_state();
        viewer.type(text);
        viewer.key("Return");
    };
    EXPECT_TRUE(viewer.change([&] { enter("250"); }, zooms_to(2.5)));
    EXPECT_TRUE(viewer.change([&] { enter("8x"); }, zooms_to(8)));
    const auto refuses = [](const char* text) {
        return [text](const json& s) { return s.at("messages").dump().find(text) != std::string::npos; };
    };
    EXPECT_TRUE(viewer.change([&] { enter("nonsense"); }, refuses("“nonsense” is no zoom")));
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.type("0");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, refuses("The zoom can be from")));
    EXPECT_FALSE(refuses("is no zoom")(viewer.settled_state())) << "only what is wrong now";
    viewer.key("ctrl+a");
    viewer.type("800");
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("Return"); },
                      [](const json& s) { return s.at("messages").dump().find("The zoom") == std::string::npos; }))
        << "corrected";
    EXPECT_TRUE(zooms_to(8)(viewer.settled_state()));
    viewer.click_control("status:zoom");
    viewer.settled_state();
    viewer.type("77");
    viewer.key("Escape");
    EXPECT_TRUE(zooms_to(8)(viewer.settled_state()));
    viewer.key("ctrl+shift+p");
    viewer.settled_state();
    viewer.type("rotate 15");
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("Return"); }, [](const json& s) { return s.at("view").at("rotate") == 15.0; }));
    const auto double_click = [&] {
        viewer.move_to(0.4, 0.6);
        viewer.double_click();
    };
    EXPECT_TRUE(viewer.change(double_click, [](const json& s) { return s.at("keep_fit") == true; }));
    viewer.settled_state();
    EXPECT_TRUE(viewer.change(double_click, zooms_to(1)));
}

// A quick click beside the controls of a panel leaves the keys to the picture.
TEST_F(Hands, KeysActAfterAClickOnAPanel) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200"});
    const auto bar = viewer.settled_state().at("controls").at("status:zoom").get<std::array<float, 4>>();
    for (int i = 0; i < 8; ++i) {
        const std::string key = i % 2 == 0 ? "1" : "2", method = i % 2 == 0 ? "nearest" : "bilinear";
        viewer.move_pointer(int(bar[0]) - 120, int(bar[1] + bar[3] / 2));
        viewer.settled_state();
        viewer.click();  // within one frame
        viewer.settled_state();
        EXPECT_TRUE(
            viewer.change([&] { viewer.key(key); }, [&](const json& s) { return method_of(s, 0) == method; }, 3))
            << i;
    }
}

}  // namespace
}  // namespace texelscope::test
