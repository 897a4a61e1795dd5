// An opened picture is shown in the active pane, and one undo brings back the picture that it replaces.

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/files/reading/image_files.h"
#include "app/state/history.h"
#include "app/state/pane_display.h"
#include "app/state/pane_images.h"
#include "app/state/references.h"
#include "app/viewer/editing/presets.h"
#include "app/viewer/editing/restoring_edits.h"
#include "app/viewer/loop/documents.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class Opening : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("texelscope-opening-" + std::to_string(getpid()));
        fs::create_directories(folder_);
        const MethodSpec spec = default_spec(*find_method("bspline"));
        state_.scene.panes = {{spec}, {default_spec(*find_method("nearest"))}};
        state_.report.frame.picture = {320, 28, 200, 100};
        state_.ui.animate = false;
        a_ = write("a.pgm", 16), b_ = write("b.pgm", 16), c_ = write("c.pgm", 24);
        open_document(state_, a_, accept_);
        rest();
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string write(const std::string& name, int side) {
        write_image(Image(side, side, 1, SampleType::u8), folder_ / name);
        return (folder_ / name).string();
    }
    void rest() {
        record_history(state_);
        state_.now += 1;
        record_history(state_);
    }
    std::string shown(int pane) const {
        const Document* document = document_of(state_, state_.scene.panes[size_t(pane)]);
        return document ? document->title() : "";
    }
    void two_images() {
        open_document(state_, b_, accept_);
        show_document(state_, 0, accept_);
        for (const Preset& preset : all_presets())
            if (preset.id == std::string_view("images")) preset.apply(state_);
        rest();
        ASSERT_EQ(shown(0) + shown(1), "a.pgmb.pgm");
    }
    void best_four() {
        BestPanes best;
        for (const char* id : {"bspline", "lanczos3", "catmull-rom", "bilinear"})
            best.specs.push_back(default_spec(*find_method(id)));
        best.original = a_;
        best.small.source = "@shrunk:4:bspline:stored:" + a_;
        best.small.image = std::make_shared<const Image>(4, 4, 1, SampleType::f32);
        show_best(state_, best);
        rest();
        ASSERT_EQ(shown(3), "a.pgm shrunk by 4");
    }

    fs::path folder_;
    std::string a_, b_, c_;
    AppState state_;
    const AcceptImage accept_ = [](const std::shared_ptr<const Image>&) {};
};

TEST_F(Opening, OfMethodsOverOneImageAllPanesShowTheNewOne) {
    open_document(state_, c_, accept_);
    EXPECT_EQ(shown(0) + shown(1), "c.pgmc.pgm");
}

TEST_F(Opening, OfTwoImagesTheActivePaneShowsTheNewOne) {
    two_images();
    for (const int active : {0, 1}) {
        state_.scene.active = active;
        open_document(state_, c_, accept_);
        EXPECT_EQ(shown(active), "c.pgm");
        EXPECT_EQ(shown(1 - active), active == 0 ? "b.pgm" : "a.pgm");
        EXPECT_EQ(state_.scene.document()->title(), "c.pgm");
        rest();
        undo(state_);
        EXPECT_EQ(shown(0) + shown(1), "a.pgmb.pgm") << "one undo away";
    }
}

TEST_F(Opening, OfTheBestFourAllPanesShowTheNewOne) {
    best_four();
    open_document(state_, c_, accept_);
    for (int pane = 0; pane < 4; ++pane) EXPECT_EQ(shown(pane), "c.pgm");
    EXPECT_TRUE(state_.scene.reference == default_reference()) << "the original is another picture";
    EXPECT_NE(state_.messages.back().text.find("Ctrl+Z"), std::string::npos);
    rest();
    undo(state_);
    for (int pane = 0; pane < 4; ++pane) EXPECT_EQ(shown(pane), "a.pgm shrunk by 4");
    EXPECT_EQ(state_.scene.reference.source, a_);
}

TEST_F(Opening, WalkingOnFromTheBestFourDoesTheSame) {
    best_four();
    walk_to_document(state_, b_, accept_);
    for (int pane = 0; pane < 4; ++pane) EXPECT_EQ(shown(pane), "b.pgm");
    EXPECT_TRUE(state_.scene.document()->keep_fit) << "the zoom was that of a shrunk picture";
    undo(state_);
    for (int pane = 0; pane < 4; ++pane) EXPECT_EQ(shown(pane), "a.pgm shrunk by 4");
}

TEST_F(Opening, WhatCannotBeReadChangesNothing) {
    two_images();
    const Scene before = state_.scene;
    EXPECT_THROW(open_document(state_, (folder_ / "none.png").string(), accept_), Error);
    EXPECT_TRUE(state_.scene == before);
}

TEST_F(Opening, DataOpenWithTheirLevelsAndKeepThemInUndo) {
    Image field(64, 64, 1, SampleType::f32);
    for (int i = 0; i < 64 * 64; ++i) field.row_as<float>(0)[i] = 268 + 24 * float(i) / 4095;
    write_image(field, folder_ / "field.npy");
    open_document(state_, (folder_ / "field.npy").string(), accept_);
    EXPECT_NEAR(levels_of(state_, 0).black, 268, 0.1);
    EXPECT_NEAR(levels_of(state_, 0).white, 292, 0.1);
    EXPECT_TRUE(shows_levels_of_data(state_, 0));
    rest();
    undo(state_);
    EXPECT_EQ(levels_of(state_, 0), Levels{});
    redo(state_);
    state_.scene.document()->image.reset();  // read again
    load_document(state_, state_.scene.document()->source, accept_);
    rest();
    EXPECT_FALSE(can_redo(state_));
    EXPECT_NEAR(levels_of(state_, 0).white, 292, 0.1);
}

// A stream would flicker if the levels changed with every frame.
TEST_F(Opening, PushedFramesKeepTheLevelsOfTheFirst) {
    const auto frame = [](float value) {
        Image image(8, 8, 1, SampleType::f32);
        for (int i = 0; i < 64; ++i) image.row_as<float>(0)[i] = value * float(i);
        return std::make_shared<const Image>(std::move(image));
    };
    show_pushed(state_, "x", frame(10), accept_);
    const Levels first = levels_of(state_, 0);
    EXPECT_GT(first.white, 600);
    show_pushed(state_, "x", frame(20), accept_);
    EXPECT_EQ(levels_of(state_, 0), first);
}

}  // namespace
}  // namespace texelscope::test
