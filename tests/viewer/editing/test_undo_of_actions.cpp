// One command is one step of undo, for every row of the table of actions.

#include <set>

#include "app/state/history.h"
#include "app/state/pane_places.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/view_edits.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

class UndoOfActions : public PaneInput {
protected:
    void SetUp() override {
        PaneInput::SetUp();
        state_.scene.documents[0].source = "@zone-plate:64";  // has a formula
        state_.scene.selection = Region{8, 8, 24, 24};
        state_.scene.panes[1].spec = parse_spec("bspline");
        rest();
    }
    // Long enough for what was done to be recorded.
    void rest() {
        record_history(state_);
        state_.now += 1;
        record_history(state_);
    }
    static bool same_interface(const AppState& a, const AppState& b) {
        return static_cast<const Overlays&>(a.ui) == static_cast<const Overlays&>(b.ui) && a.ui.loupe == b.ui.loupe &&
               a.ui.taps == b.ui.taps && a.ui.dock == b.ui.dock;
    }
    static bool same(const AppState& a, const AppState& b) {
        return same_scene(a.scene, b.scene) && same_interface(a, b);
    }
    KeyStroke typed(char32_t c) { return {Key::none, c, {}, true, false}; }
    KeyStroke undo_key() { return {Key::none, U'z', {false, true, false}, false, false}; }
};

TEST_F(UndoOfActions, IsOneStepForEach) {
    const AppState before = state_;
    std::set<std::string> undone;
    for (const Action& action : all_actions()) {
        state_ = before;
        if (!action.is_enabled(state_)) continue;
        action.perform(state_);
        rest();
        state_.scene.active = int(state_.scene.panes.size()) - 1;  // a click to look at another pane is no change
        rest();
        if (same(state_, before)) {
            EXPECT_FALSE(can_undo(state_)) << action.id;
            continue;
        }
        undone.insert(action.id);
        ASSERT_TRUE(can_undo(state_)) << action.id;
        find_action("edit.undo")->perform(state_);
        EXPECT_TRUE(same(state_, before)) << action.id;
        EXPECT_FALSE(can_undo(state_)) << action.id;
        EXPECT_LT(size_t(state_.scene.active), state_.scene.panes.size()) << action.id;
        find_action("edit.redo")->perform(state_);
        EXPECT_FALSE(same(state_, before)) << action.id << " again";
    }
    for (const char* id :
         {"preset.four-methods", "preset.all-methods", "preset.prefilters",  "preset.images",   "view.fit",
          "view.zoom-selection", "view.rotate-more",   "view.antialias",     "view.warp",       "method.bilinear",
          "method.path",         "compare.add",        "compare.remove",     "compare.grid",    "compare.difference",
          "compare.loupe",       "compare.minimap",    "difference.squared", "reference.truth", "reference.bilinear",
          "inspect.profile",     "inspect.grid"})
        EXPECT_TRUE(undone.contains(id)) << id;
    EXPECT_GT(undone.size(), 60u);
}

TEST_F(UndoOfActions, AKeySoonAfterAnotherIsAStepOfItsOwn) {
    send(typed(U'2'));
    send(typed(U'3'));  // no frame between them
    record_history(state_);
    state_.now += 0.1;
    send(KeyStroke{Key::none, U'd', {}, false, false});
    send(undo_key());
    EXPECT_FALSE(state_.scene.panes[0].difference);
    EXPECT_EQ(state_.scene.spec().method->rank, 3);
    send(undo_key());
    EXPECT_EQ(state_.scene.spec().method->rank, 2);
    send(undo_key());
    EXPECT_EQ(state_.scene.spec(), with_panes(2).scene.spec());
    EXPECT_FALSE(can_undo(state_));
}

TEST_F(UndoOfActions, ATurnOfTheWheelOrADragSoonAfterACommandIsAStepOfItsOwn) {
    const PixelRect pane = pane_rect(state_, 0);
    const double x = pane.x + 30, y = pane.y + 50;
    const View before = state_.scene.document()->view;
    send(typed(U'2'));
    record_history(state_);
    for (int notch = 0; notch < 3; ++notch) send(WheelTurned{1, x, y, {}});  // one turn
    record_history(state_);
    const View zoomed = state_.scene.document()->view;
    send(MousePressed{MouseButton::left, x, y, {}});
    send(MouseMoved{x + 40, y});
    send(MouseReleased{MouseButton::left, x + 40, y});
    EXPECT_NE(state_.scene.document()->view, zoomed);
    send(undo_key());
    EXPECT_EQ(state_.scene.document()->view, zoomed);
    send(undo_key());
    EXPECT_EQ(state_.scene.document()->view, before);
    EXPECT_EQ(state_.scene.spec().method->rank, 2);
    send(undo_key());
    EXPECT_EQ(state_.scene.spec(), with_panes(2).scene.spec());
    EXPECT_FALSE(can_undo(state_));
}

TEST_F(UndoOfActions, GoesBackToThePaneThatWasChanged) {
    send(typed(U'2'));
    rest();
    find_action("compare.flip")->perform(state_);
    rest();
    EXPECT_EQ(state_.scene.active, 1);
    send(undo_key());
    EXPECT_EQ(state_.scene.active, 0);
    EXPECT_FALSE(can_undo(state_));
}

}  // namespace
}  // namespace texelscope::test
