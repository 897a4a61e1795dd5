// Which pane keys and the mouse act on; clicks.

#include <cmath>
#include <numbers>

#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/pane_edits.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

// Three unlinked panes; the mouse is over C, A is active.
TEST(PaneCommands, KeysActOnTheActivePaneWhateverTheMouseIsOver) {
    for (const Action& action : all_actions()) {
        const bool changes_view = action.id.starts_with("view.") && action.id != "view.keep-fit";
        if (!changes_view || action.shortcuts.empty()) continue;
        AppState state = with_panes(3);
        state.scene.arrangement = Arrangement::columns;
        for (Pane& pane : state.scene.panes) pane.own_view = View{3, 4, 0.3, 30};
        state.scene.selection = Region{10, 10, 20, 20};
        state.pointer.inside = true;
        state.pointer.pane = 2;
        ASSERT_EQ(focused_pane(state), 2);
        const std::vector<Pane> before = state.scene.panes;
        ASSERT_TRUE(action.is_enabled(state)) << action.id;
        action.run(state);
        EXPECT_EQ(state.scene.panes[2], before[2]) << action.id;
        EXPECT_EQ(state.scene.panes[1], before[1]) << action.id;
    }
    AppState state = with_panes(2);
    state.scene.arrangement = Arrangement::columns;
    for (Pane& pane : state.scene.panes) pane.own_view = View{};
    state.pointer.inside = true;
    state.pointer.pane = 1;
    find_action("view.zoom-in")->run(state);
    EXPECT_EQ(pane_view(state, 0).zoom(), 2);
}

// As the context menu does: with a wipe of A and C, the menu of A leaves C active.
TEST(PaneCommands, ActOnAnotherPaneThanTheActiveOne) {
    AppState state = with_panes(3);
    state.scene.arrangement = Arrangement::wipe;
    state.scene.active = 2;
    const std::vector<Pane> before = state.scene.panes;
    {
        const ActingOn a(state, 0);
        find_action("method.lanczos3")->run(state);
        toggle_difference(state.scene, state.scene.active);
        find_action("method.path")->run(state);
        EXPECT_TRUE(find_action("method.lanczos3")->is_checked(state));
    }
    EXPECT_EQ(state.scene.active, 2);
    EXPECT_EQ(state.scene.panes[0].spec.method->id, "lanczos3");
    EXPECT_TRUE(state.scene.panes[0].difference);
    EXPECT_NE(state.scene.panes[0].spec.path, before[0].spec.path);
    EXPECT_EQ(state.scene.panes[1], before[1]);
    EXPECT_EQ(state.scene.panes[2], before[2]);
    measure_against_pane(state.scene, state.ui, 0);
    const Pane c = state.scene.panes[2];
    EXPECT_EQ(state.scene.reference.kind, Reference::Kind::method);
    EXPECT_EQ(state.scene.reference.spec.method->id, "lanczos3");
    remove_pane(state.scene, 0);
    EXPECT_EQ(state.scene.active, 1);
    EXPECT_EQ(state.scene.pane(), c);
}

// The sample between the fingers stays between them, wherever they go.
TEST_F(PaneInput, TwoFingersMoveZoomAndTurnThePicture) {
    state_.scene.arrangement = Arrangement::columns;
    for (Pane& pane : state_.scene.panes) pane.own_view = View{};
    const PixelRect b = pane_rect(state_, 1);
    const double x = b.x + 30, y = b.y + 50;
    const auto sample = [&](double i, double j) {
        const View& view = pane_view(state_, 1);
        const double turn = view.rotate * std::numbers::pi / 180, dx = i - (b.width - 1) / 2.0,
                     dy = j - (b.height - 1) / 2.0;
        return Point{view.translate_x + view.scale * (std::cos(turn) * dx - std::sin(turn) * dy),
                     view.translate_y + view.scale * (std::sin(turn) * dx + std::cos(turn) * dy)};
    };
    const Point before = sample(30, 50);
    send(FingersMoved{x, y, 12, -7, 2, 0});
    EXPECT_NEAR(pane_view(state_, 1).zoom(), 2, 1e-12);
    EXPECT_NEAR(sample(42, 43).x, before.x, 1e-9);
    EXPECT_NEAR(sample(42, 43).y, before.y, 1e-9);
    const Point turned = sample(30, 50), right = sample(40, 50);
    send(FingersMoved{x, y, 0, 0, 1, 90});
    EXPECT_NEAR(pane_view(state_, 1).rotate, -90, 1e-12) << "clockwise, as the fingers";
    EXPECT_NEAR(sample(30, 50).x, turned.x, 1e-9);
    EXPECT_NEAR(sample(30, 50).y, turned.y, 1e-9);
    EXPECT_NEAR(sample(30, 60).x, right.x, 1e-9) << "what was at the right is below";
    EXPECT_NEAR(sample(30, 60).y, right.y, 1e-9);
    EXPECT_EQ(pane_view(state_, 0), View{}) << "the other pane";
    send(FingersMoved{x, y, 0, 0, 1e9, 0});
    EXPECT_NEAR(pane_view(state_, 1).zoom(), max_zoom, 1e-9);
}

TEST_F(PaneInput, TheWheelActsOnThePaneUnderTheMouse) {
    state_.scene.arrangement = Arrangement::columns;
    for (Pane& pane : state_.scene.panes) pane.own_view = View{};
    const PixelRect b = pane_rect(state_, 1);
    send(WheelTurned{8, double(b.x + 30), double(b.y + 50), {}});
    EXPECT_EQ(state_.scene.active, 0);
    EXPECT_EQ(pane_view(state_, 0).zoom(), 1);
    EXPECT_EQ(pane_view(state_, 1).zoom(), 2);
}

TEST_F(PaneInput, ARightClickAsksForTheMenuAndKeepsTheSelection) {
    state_.scene.arrangement = Arrangement::columns;
    state_.scene.selection = Region{1, 2, 3, 4};
    const PixelRect b = pane_rect(state_, 1);
    const double x = b.x + 30, y = b.y + 50;
    send(MousePressed{MouseButton::right, x, y, {}});
    send(MouseMoved{x + 2, y + 1});
    EXPECT_FALSE(state_.ui.pane_menu.asked);
    send(MouseReleased{MouseButton::right, x + 2, y + 1});
    EXPECT_TRUE(state_.ui.pane_menu.asked);
    EXPECT_EQ(state_.ui.pane_menu.pane, 1);
    EXPECT_EQ(state_.scene.selection, (Region{1, 2, 3, 4}));
    state_.ui.pane_menu = {};
    send(MousePressed{MouseButton::right, x, y, {}});
    send(MouseMoved{x + 40, y + 30});
    send(MouseMoved{x + 1, y + 1});  // a small region, but no click
    send(MouseReleased{MouseButton::right, x + 1, y + 1});
    EXPECT_FALSE(state_.ui.pane_menu.asked);
    EXPECT_LT(state_.scene.selection->width(), 1);
    send(MousePressed{MouseButton::left, x, y, {}});
    send(MouseReleased{MouseButton::left, x, y});
    EXPECT_FALSE(state_.ui.pane_menu.asked);
}

TEST_F(PaneInput, ADoubleClickFitsOrShowsOneToOneAtTheCursor) {
    state_.scene.arrangement = Arrangement::columns;
    const PixelRect b = pane_rect(state_, 1);
    const double x = b.x + 200, y = b.y + 150;
    const auto click = [&](double at, double dx = 0, MouseButton button = MouseButton::left) {
        state_.now = at;
        send(MousePressed{button, x + dx, y, {}});
        send(MouseReleased{button, x + dx, y});
    };
    const auto zoom = [&] { return pane_view(state_, 1).zoom(); };
    const double fitted = std::min(b.width, b.height) / 64.0;
    click(10);
    EXPECT_EQ(zoom(), 8) << "one click";
    click(10.2);
    EXPECT_NEAR(zoom(), fitted, 1e-9) << "from any zoom to the whole image";
    EXPECT_TRUE(state_.scene.document()->keep_fit);
    click(10.3);
    EXPECT_NEAR(zoom(), fitted, 1e-9) << "the third click";
    const Point before = apply(shown_affine(state_, 1), 200, 150);
    click(20);
    click(20.1, 2);
    EXPECT_EQ(zoom(), 1);
    const Point after = apply(shown_affine(state_, 1), 202, 150);
    EXPECT_NEAR(after.x, before.x, 1.5) << "the sample stays under the mouse";
    EXPECT_NEAR(after.y, before.y, 1.5);
    click(30);
    click(30.6);
    EXPECT_EQ(zoom(), 1) << "too slow";
    click(40);
    click(40.1, 20);
    EXPECT_EQ(zoom(), 1) << "at another place";
    click(50, 0, MouseButton::right);
    click(50.1, 0, MouseButton::right);
    EXPECT_EQ(zoom(), 1) << "the right button";
    click(60);
    click(60.1);
    EXPECT_NEAR(zoom(), fitted, 1e-9);
}

TEST_F(PaneInput, ADragBetweenTwoPressesIsNoDoubleClick) {
    state_.now = 10;
    send(MousePressed{MouseButton::left, 400, 100, {}});
    send(MouseMoved{440, 100});
    send(MouseMoved{400, 100});
    send(MouseReleased{MouseButton::left, 400, 100});
    send(MousePressed{MouseButton::left, 400, 100, {}});
    EXPECT_EQ(pane_view(state_).zoom(), 8);
}

}  // namespace

// Where the minimap is.

namespace {

TEST_F(PaneInput, TheMinimapStaysAboveMessagesAndTheBarOfWhatIsUnderWay) {
    const auto place = [&] {
        const auto minimap = minimap_of(state_, 1);
        return minimap ? minimap->place : PixelRect{};
    };
    const PixelRect pane = pane_rect(state_, 0), free = place();
    Places& places = state_.places;
    ASSERT_FALSE(free.empty());
    places.work = {pane.x, pane.y + pane.height - 50, pane.width, 40};
    ASSERT_TRUE(free.overlaps(places.work));
    EXPECT_FALSE(place().overlaps(places.work));
    EXPECT_LT(place().y, free.y);

    places.messages = places.work;  // the bar is above them
    places.work.y -= 60;
    EXPECT_FALSE(place().overlaps(places.messages));
    EXPECT_FALSE(place().overlaps(places.work));

    places.messages = {};
    places.work.width = pane.width / 4;
    EXPECT_EQ(place(), free) << "beside it";
    places.work = {pane.x, pane.y + 20, pane.width, pane.height - 20};
    EXPECT_TRUE(place().empty()) << "no room above it";
}

}  // namespace

// The hint of the first start goes once it has served.

namespace {

TEST_F(PaneInput, TheFirstHintGoesOnceItHasServed) {
    post(state_.messages, Message::Level::hint, "wheel zooms");
    post(state_.messages, Message::Level::error, "stays");
    const KeyStroke two{Key::none, U'2', {}, true, false};
    for (int i = 0; i < 9; ++i) send(two);  // within a moment: one use
    EXPECT_EQ(state_.messages.size(), 2u);
    state_.now += 1;
    state_.ui.dialogs.toggle(Dialog::keys);
    for (int i = 0; i < 9; ++i, state_.now += 1) send(two);  // what a dialog gets does not count
    state_.ui.dialogs.toggle(Dialog::keys);
    EXPECT_EQ(state_.messages.size(), 2u);
    send(two);
    state_.now += 1;
    EXPECT_FALSE(state_.ui.hint_dismissed);
    send(two);
    ASSERT_EQ(state_.messages.size(), 1u);
    EXPECT_EQ(state_.messages[0].text, "stays");
    EXPECT_TRUE(state_.ui.hint_dismissed);
}

TEST_F(PaneInput, TheFirstHintGoesOnceThePictureWasMoved) {
    const auto goes_with = [&](const std::function<void()>& move) {
        state_.ui.hint_dismissed = false;
        post(state_.messages, Message::Level::hint, "wheel zooms");
        move();
        return state_.messages.empty() && state_.ui.hint_dismissed;
    };
    EXPECT_TRUE(goes_with([&] { send(WheelTurned{1, 400, 200, {}}); }));
    EXPECT_TRUE(goes_with([&] { send(KeyStroke{Key::left, 0, {}, false, false}); }));
    EXPECT_TRUE(goes_with([&] {
        send(MousePressed{MouseButton::left, 400, 200, {}});
        send(MouseMoved{430, 200});
    }));
    send(MouseReleased{MouseButton::left, 430, 200});
    EXPECT_FALSE(goes_with([&] { send(MouseMoved{440, 210}); }));
}

}  // namespace
}  // namespace texelscope::test
