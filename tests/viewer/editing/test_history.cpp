// Undo and redo.

#include <set>

#include <gtest/gtest.h>

#include "app/state/history.h"
#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/loop/documents.h"
#include "tests/support/patience.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

class Undo : public testing::Test {
protected:
    void SetUp() override {
        state_.scene.panes = {{default_spec(*find_method("bspline"))}, {default_spec(*find_method("nearest"))}};
        Document document;
        document.source = "@constant";
        document.image = std::make_shared<const Image>(64, 64, 1, SampleType::u8);
        document.keep_fit = false;
        state_.scene.documents.push_back(document);
        state_.scene.current = 0;
        state_.places.picture = {0, 0, 128, 128};
        state_.ui.animate = false;
        rest();
    }
    // Long enough for the edits to be one change.
    void rest() {
        record_history(state_);
        state_.now += 1;
        record_history(state_);
    }
    void choose(const char* id) {
        choose_method(state_.scene, *find_method(id));
        rest();
    }
    std::string_view method() const { return state_.scene.spec().method->id; }
    AppState state_;
};

TEST_F(Undo, BringsBackEachChangeInTurn) {
    EXPECT_FALSE(can_undo(state_));
    choose("bilinear");
    choose("lanczos3");
    undo(state_);
    EXPECT_EQ(method(), "bilinear");
    undo(state_);
    EXPECT_EQ(method(), "bspline");
    EXPECT_FALSE(can_undo(state_));
    undo(state_);
    EXPECT_EQ(method(), "bspline");
    redo(state_);
    redo(state_);
    EXPECT_EQ(method(), "lanczos3");
    EXPECT_FALSE(can_redo(state_));
}

TEST_F(Undo, BringsBackWhatIsShownBesideAndOverThePicture) {
    state_.ui.dock = Dock::profile;
    rest();
    state_.ui.loupe = true;
    rest();
    state_.ui.pixel_grid = false;
    rest();
    choose("bilinear");
    undo(state_);
    EXPECT_EQ(method(), "bspline");
    EXPECT_FALSE(state_.ui.pixel_grid) << "one change at a time";
    undo(state_);
    EXPECT_TRUE(state_.ui.pixel_grid && state_.ui.loupe);
    undo(state_);
    EXPECT_FALSE(state_.ui.loupe);
    EXPECT_EQ(state_.ui.dock, Dock::profile);
    undo(state_);
    EXPECT_EQ(state_.ui.dock, Dock::none);
    EXPECT_FALSE(can_undo(state_));
    for (int i = 0; i < 4; ++i) redo(state_);
    EXPECT_EQ(state_.ui.dock, Dock::profile);
    EXPECT_TRUE(state_.ui.loupe && !state_.ui.pixel_grid);
    EXPECT_EQ(method(), "bilinear");
}

TEST_F(Undo, LeavesPanelsAndPlotZoomAlone) {
    state_.ui.panels = false;
    state_.ui.inspect.profile = {3, 9};
    rest();
    EXPECT_FALSE(can_undo(state_));
    choose("bilinear");
    undo(state_);
    EXPECT_FALSE(state_.ui.panels);
    EXPECT_TRUE(state_.ui.inspect.profile.active());
}

TEST_F(Undo, ADragIsOneChange) {
    state_.pointer.drag = Pointer::Drag::pan;
    for (int i = 0; i < 20; ++i) {
        pan_by(state_, 3, 0, false);
        state_.now += 0.3;
        record_history(state_);
    }
    state_.pointer.drag = Pointer::Drag::none;
    rest();
    undo(state_);
    EXPECT_EQ(shown_view(state_).translate_x, 0);
    EXPECT_FALSE(can_undo(state_));
}

TEST_F(Undo, WhatIsNotYetRecordedIsUndoneFirst) {
    choose("bilinear");
    choose_method(state_.scene, *find_method("lanczos3"));
    record_history(state_);
    EXPECT_TRUE(can_undo(state_));
    undo(state_);
    EXPECT_EQ(method(), "bilinear");
    redo(state_);
    EXPECT_EQ(method(), "lanczos3");
}

TEST_F(Undo, ANewChangeEndsTheFuture) {
    choose("bilinear");
    undo(state_);
    choose("nearest");
    EXPECT_FALSE(can_redo(state_));
    undo(state_);
    EXPECT_EQ(method(), "bspline");
}

TEST_F(Undo, PanesDifferencesAndReferencesCountAsWell) {
    const Scene before = state_.scene;
    add_pane(state_.scene);
    rest();
    state_.scene.difference.gain = 100;
    rest();
    state_.scene.reference.kind = Reference::Kind::method;
    rest();
    for (int i = 0; i < 3; ++i) undo(state_);
    EXPECT_TRUE(same_scene(state_.scene, before));
}

// The window's size and the mouse do not count as changes.
TEST_F(Undo, FittingAndTheDividerAreNoChanges) {
    keep_fit(state_, true);
    rest();
    const bool before = can_undo(state_);
    state_.places.picture = {0, 0, 300, 200};
    update_views(state_);
    state_.scene.wipe.at = 0.9;
    rest();
    EXPECT_EQ(can_undo(state_), before);
    undo(state_);
    EXPECT_FALSE(state_.scene.document()->keep_fit);
}

TEST_F(Undo, TurningAFittedViewIsAChange) {
    keep_fit(state_, true);
    rest();
    rotate_by(state_, 20);
    rest();
    EXPECT_EQ(shown_view(state_).rotate, 20);
    undo(state_);
    EXPECT_EQ(shown_view(state_).rotate, 0);
    EXPECT_TRUE(state_.scene.document()->keep_fit);
}

TEST_F(Undo, NothingIsDueWhileADragRests) {
    state_.pointer.drag = Pointer::Drag::pan;
    pan_by(state_, 3, 0, false);
    record_history(state_);
    state_.now += 1;
    record_history(state_);
    EXPECT_LT(patience_of(wake_for_history, state_), 0);
}

TEST_F(Undo, KeepsTheSamplesOfOpenImagesAndAsksForClosedOnes) {
    const auto image = state_.scene.document()->image;
    choose("bilinear");
    undo(state_);
    EXPECT_EQ(state_.scene.document()->image, image);
    Document other = state_.scene.documents[0];
    other.source = "@step";
    state_.scene.documents = {other};
    rest();
    undo(state_);
    EXPECT_EQ(state_.scene.document()->source, "@constant");
    EXPECT_FALSE(state_.scene.document()->image);
    ask_for_documents(state_);
    ASSERT_EQ(state_.tasks.size(), 1u);
    EXPECT_EQ(std::get<task::LoadDocument>(state_.tasks[0]).source, "@constant");
}

TEST_F(Undo, DoesNotGrowForEver) {
    for (int i = 0; i < 500; ++i) {
        state_.scene.difference.gain = float(i + 1);
        rest();
    }
    EXPECT_LE(state_.history.past.size(), 200u);
}

}  // namespace

// One command is one step of undo, for every row of the table of actions.

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
