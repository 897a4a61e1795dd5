// Opened and pushed pictures among the documents, and what is shown of them while they are read.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>

#include "app/files/reading/image_files.h"
#include "app/picture/pane_picture.h"
#include "app/state/history.h"
#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/state/session/session.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/picture_reader.h"
#include "app/viewer/loop/settings.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

// An opened picture is shown in the active pane, and one undo brings back the picture that it replaces.

class Opening : public testing::Test {
protected:
    void SetUp() override {
        const MethodSpec spec = default_spec(*find_method("bspline"));
        state_.scene.panes = {{spec}, {default_spec(*find_method("nearest"))}};
        state_.places.picture = {320, 28, 200, 100};
        state_.ui.animate = false;
        a_ = write("a.pgm", 16), b_ = write("b.pgm", 16), c_ = write("c.pgm", 24);
        open_document(state_, a_, accept_);
        rest();
    }
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
        const Document* document = document_of(state_.scene, state_.scene.panes[size_t(pane)]);
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

    const Folder folder_;
    std::string a_, b_, c_;
    AppState state_;
    const AcceptImage accept_ = [](const std::shared_ptr<const Image>&) { return StillWanted(); };
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
    EXPECT_NEAR(levels_of(state_.scene, 0).black, 268, 0.1);
    EXPECT_NEAR(levels_of(state_.scene, 0).white, 292, 0.1);
    EXPECT_TRUE(shows_levels_of_data(state_.scene, 0));
    rest();
    undo(state_);
    EXPECT_EQ(levels_of(state_.scene, 0), Levels{});
    redo(state_);
    state_.scene.document()->image.reset();  // read again
    load_document(state_, state_.scene.document()->source, accept_);
    rest();
    EXPECT_FALSE(can_redo(state_));
    EXPECT_NEAR(levels_of(state_.scene, 0).white, 292, 0.1);
}

// A stream would flicker if the levels changed with every frame.
TEST_F(Opening, PushedFramesKeepTheLevelsOfTheFirst) {
    const auto frame = [](float value) {
        Image image(8, 8, 1, SampleType::f32);
        for (int i = 0; i < 64; ++i) image.row_as<float>(0)[i] = value * float(i);
        return std::make_shared<const Image>(std::move(image));
    };
    show_pushed(state_, "x", frame(10), accept_);
    const Levels first = levels_of(state_.scene, 0);
    EXPECT_GT(first.white, 600);
    show_pushed(state_, "x", frame(20), accept_);
    EXPECT_EQ(levels_of(state_.scene, 0), first);
}

// What the window will show of a file that is still being read is what it shows once that is open.

class PictureToCome : public testing::Test {
protected:
    void SetUp() override {
        state_.scene.panes = {{.spec = parse_spec("bilinear")}};
        state_.places.picture = {300, 20, 800, 600};
        open_document(state_, "@zone-plate:64", accept_);
        update_views(state_);
    }

    AppState state_;
    AcceptImage accept_ = [](const std::shared_ptr<const Image>&) { return StillWanted(); };
    std::string source_ = "@dead-leaves:500x300";
};

TEST_F(PictureToCome, IsThatOfTheOpenedDocument) {
    for (const bool antialias : {false, true})
        for (const char* spec : {"lanczos3", "bspline"}) {
            SetUp();
            state_.scene.panes.front().spec = parse_spec(spec);
            state_.scene.antialias = antialias;
            const auto before = state_.scene;
            AppState then = state_;
            open_document(then, source_, accept_);
            update_views(then);
            const auto picture = picture_to_come(state_, source_, then.scene.document()->image);
            ASSERT_TRUE(picture);
            EXPECT_EQ(*picture, pane_picture(then, 0)) << spec;
            EXPECT_EQ(state_.scene, before) << "nothing is opened yet";
        }
}

TEST_F(PictureToCome, IsKnownForASinglePaneWithAPlace) {
    const auto image = state_.scene.document()->image;
    AppState grid = state_;
    grid.scene.panes.push_back(grid.scene.panes.front());
    grid.scene.arrangement = Arrangement::columns;
    EXPECT_FALSE(picture_to_come(grid, source_, image));
    state_.places.picture = {};
    EXPECT_FALSE(picture_to_come(state_, source_, image)) << "no frame has been laid out";
}

// The small picture of the rows that have been decoded so far.

TEST(PreviewOfRows, ShowsTheSamplesThatThereAreAndGreyBelow) {
    Image image(1000, 600, 1, SampleType::u8);
    for (int y = 0; y < 600; ++y)
        for (int x = 0; x < 1000; ++x) image.row_as<uint8_t>(y)[x] = uint8_t(100 + x / 10 + y / 10);
    Preview preview;
    EXPECT_EQ(preview.take(), nullptr);
    preview.note(image, 0);
    EXPECT_EQ(preview.take(), nullptr) << "no row yet";
    preview.note(image, 301);
    const auto half = preview.take();
    ASSERT_TRUE(half);
    EXPECT_EQ(half->width(), 200);  // every fifth sample
    EXPECT_EQ(half->height(), 120);
    EXPECT_EQ(half->channels(), 3);
    for (int c = 0; c < 3; ++c) EXPECT_EQ(half->row_as<uint8_t>(60)[3 * 100 + c], 100 + 50 + 30);
    EXPECT_EQ(half->row_as<uint8_t>(61)[0], half->row_as<uint8_t>(119)[0]) << "to come";
    EXPECT_EQ(preview.take(), nullptr) << "nothing new";
    preview.note(image, 600);
    EXPECT_EQ(preview.take()->row_as<uint8_t>(119)[0], 100 + 59);
}

TEST(PreviewOfRows, ColoursAreClampedAndAlphaIsLeftOut) {
    Image image(2, 1, 4, SampleType::f32);
    const float samples[] = {2.0f, -1.0f, 0.5f, 0.1f, NAN, 0.25f, 1.0f, 0.0f};
    std::copy(std::begin(samples), std::end(samples), image.row_as<float>(0));
    Preview preview;
    preview.note(image, 1);
    const auto small = preview.take();
    const uint8_t expected[] = {255, 0, 128, 0, 64, 255};
    EXPECT_TRUE(std::equal(std::begin(expected), std::end(expected), small->row_as<uint8_t>(0)));
}

// Pushed images among the documents: replaced in place, known to undo and sessions by name only.

const AcceptImage accept_pushed = [](const std::shared_ptr<const Image>&) { return StillWanted(); };

std::shared_ptr<const Image> grey(int width, uint8_t level) {
    Image image(width, 8, 1, SampleType::u8);
    for (int y = 0; y < 8; ++y) std::fill_n(image.row_as<uint8_t>(y), width, level);
    return std::make_shared<const Image>(std::move(image));
}

class PushedDocuments : public testing::Test {
protected:
    void SetUp() override {
        state.scene.panes = {{default_spec(*find_method("bspline"))}};
        state.places.picture = {0, 0, 200, 100};
        open_document(state, "@step:8", accept_pushed);
    }
    void push(const std::string& name, int width, uint8_t level) {
        show_pushed(state, name, grey(width, level), accept_pushed);
    }
    float level() const { return state.scene.document()->image->value(0, 0, 0) * 255; }
    AppState state;
};

TEST_F(PushedDocuments, TheFirstIsShownTheNextReplaceItsSamples) {
    push("wave", 16, 10);
    ASSERT_EQ(state.scene.documents.size(), 2u);
    EXPECT_EQ(state.scene.document()->title(), "wave");
    EXPECT_FALSE(state.scene.document()->is_file());
    EXPECT_FALSE(first_region(*state.scene.document()));  // the whole of it
    state.scene.document()->view = {1, 2, 0.25, 30};
    state.scene.document()->keep_fit = false;
    const Document before = *state.scene.document();
    push("wave", 16, 20);
    EXPECT_EQ(level(), 20);
    EXPECT_EQ(state.scene.document()->view, before.view);
    EXPECT_EQ(state.scene.documents.size(), 2u);
    show_document(state, 0, accept_pushed);
    push("wave", 16, 30);
    EXPECT_EQ(state.scene.current, 0) << "what is looked at stays";
    show_document(state, 1, accept_pushed);
    EXPECT_EQ(level(), 30);
}

TEST_F(PushedDocuments, AnImageThatIsNotAcceptedLeavesTheOldOne) {
    push("wave", 16, 10);
    EXPECT_THROW(show_pushed(state, "wave", grey(32, 20),
                             [](const std::shared_ptr<const Image>&) -> StillWanted { throw OutOfMemory("full"); }),
                 OutOfMemory);
    EXPECT_EQ(level(), 10);
    EXPECT_EQ(state.pushed.at(pushed_source("wave"))->width(), 16);
}

TEST_F(PushedDocuments, ReplacedSamplesAreNoStepOfUndo) {
    push("wave", 16, 10);
    record_history(state);
    for (int i = 0; i < 5; ++i) {
        push("wave", 16, uint8_t(20 + i));
        state.now += 1;
        record_history(state);
    }
    EXPECT_FALSE(can_undo(state));
    state.scene.outside = Outside::extend;
    settle_history(state);
    push("wave", 16, 99);
    undo(state);
    EXPECT_NE(state.scene.outside, Outside::extend);
    EXPECT_EQ(level(), 99);
}

TEST_F(PushedDocuments, UndoOfClosingHasTheSamples) {
    push("wave", 16, 10);
    record_history(state);
    close_document(state, accept_pushed);
    settle_history(state);
    undo(state);
    ASSERT_EQ(state.scene.document()->title(), "wave");
    load_document(state, pushed_source("wave"), accept_pushed);
    EXPECT_EQ(level(), 10);
}

// Wherever it is shown: nowhere, in the active pane, in another one.
TEST_F(PushedDocuments, OneIsClosedByItsName) {
    push("wave", 16, 10);
    push("other", 24, 20);
    close_document(state, accept_pushed, pushed_source("wave"));
    EXPECT_EQ(pushed_names(state.scene), std::vector<std::string>{"other"});
    EXPECT_EQ(state.scene.document()->title(), "other");
    close_document(state, accept_pushed, pushed_source("wave"));  // not open any more
    EXPECT_EQ(state.scene.documents.size(), 2u);
    close_document(state, accept_pushed, pushed_source("other"));
    EXPECT_EQ(state.scene.document()->source, "@step:8");

    push("wave", 16, 10);
    push("other", 24, 20);
    state.scene.panes.push_back(state.scene.panes[0]);
    state.scene.panes[1].source = pushed_source("wave");  // beside "other"
    state.scene.active = 1;
    close_document(state, accept_pushed, pushed_source("other"));
    EXPECT_EQ(document_of(state.scene, state.scene.panes[1])->title(), "wave") << "what the active pane shows stays";
    EXPECT_EQ(document_of(state.scene, state.scene.panes[0])->title(), "wave") << "the other shows the current one";
    push("other", 24, 20);
    show_document(state, 0, accept_pushed);
    state.scene.panes[1].source = pushed_source("other");
    state.scene.active = 0;
    close_document(state, accept_pushed, pushed_source("other"));
    EXPECT_EQ(state.scene.document()->source, "@step:8");
    EXPECT_TRUE(state.scene.panes[1].source.empty());
    push("other", 24, 30);
    EXPECT_EQ(level(), 30) << "pushed again, it is shown anew";
}

TEST_F(PushedDocuments, ASessionWantsThemPushedFirst) {
    push("wave", 16, 10);
    state.scene.document()->view = {1, 2, 0.25, 30};
    state.scene.document()->keep_fit = false;
    const std::string text = session_to_json(session_of(state.scene, state.ui), "/folder");
    EXPECT_EQ(pushed_names(state.scene), std::vector<std::string>{"wave"});

    AppState other;
    restore(other, session_from_json(text, "/folder"));
    try {
        show_session(other, accept_pushed);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("push it again"), std::string::npos) << error.what();
    }
    AppState ready;
    ready.scene.panes = state.scene.panes;
    show_pushed(ready, "wave", grey(16, 40), accept_pushed);
    restore(ready, session_from_json(text, "/folder"));
    show_session(ready, accept_pushed);
    EXPECT_EQ(ready.scene.document()->image->value(0, 0, 0) * 255, 40);
    EXPECT_EQ(ready.scene.document()->view, (View{1, 2, 0.25, 30}));
}

}  // namespace
}  // namespace texelscope::test
