// Undo and redo.

#include <gtest/gtest.h>

#include "app/state/history.h"
#include "app/state/pane_views.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/loop/documents.h"
#include "tests/support/patience.h"

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
        state_.report.frame.picture = {0, 0, 128, 128};
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
        choose_method(state_, *find_method(id));
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
    choose_method(state_, *find_method("lanczos3"));
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
    add_pane(state_);
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
    state_.report.frame.picture = {0, 0, 300, 200};
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
}  // namespace texelscope::test
