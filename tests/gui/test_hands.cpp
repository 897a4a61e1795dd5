// The mouse on panes in the real window: context menu, double click, the zoom of the status bar.

#include <array>
#include <cmath>

#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

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
