// State, documents and the plan of a frame.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/files/desktop/folders.h"
#include "app/files/reading/image_files.h"
#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/text/text.h"
#include "app/viewer/editing/picture_input.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/picture_reader.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

const AcceptImage accept_all = [](const std::shared_ptr<const Image>&) { return StillWanted(); };

AppState two_panes() {
    AppState state;
    const MethodSpec a = default_spec(*find_method("bspline")), b = default_spec(*find_method("nearest"));
    state.scene.panes = {{a}, {b}};
    state.places.picture = {320, 28, 200, 100};
    state.ui.animate = false;
    return state;
}

class Documents : public testing::Test {
protected:
    void SetUp() override { state_ = two_panes(); }
    std::string write(const std::string& name, int side) {
        write_image(Image(side, side, 1, SampleType::u8), folder_ / name);
        return (folder_ / name).string();
    }
    // Writes a ramp: one picture at any size.
    std::string write_ramp(const std::string& name, int side) {
        Image image(side, side, 1, SampleType::u8);
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) image.row_as<uint8_t>(y)[x] = uint8_t(255 * (x + 0.5) / side);
        write_image(image, folder_ / name);
        return (folder_ / name).string();
    }
    // Until the file under way has been read.
    bool reads_ahead() {
        bool changed = ahead_.read_next(state_);
        while (!changed && ahead_.reading()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            changed = ahead_.read_next(state_);
        }
        return changed;
    }
    const Folder folder_;
    AppState state_;
    ReadAhead ahead_;
};

TEST_F(Documents, EachKeepsItsView) {
    open_document(state_, write("a.pgm", 8), accept_all);
    set_view(state_, {1, 2, 0.25, 30});
    open_document(state_, write("b.pgm", 9), accept_all);
    EXPECT_EQ(image_extent(state_), (Extent{9, 9}));
    show_document(state_, 0, accept_all);
    EXPECT_EQ(shown_view(state_), (View{1, 2, 0.25, 30}));
    EXPECT_EQ(state_.ui.recent.size(), 2u);
}

// A test image is made once, also if it must be prepared before it is shown.
TEST_F(Documents, WhatWasMadeIsKeptUntilItIsAccepted) {
    std::shared_ptr<const Image> made;
    const AcceptImage later = [&](const std::shared_ptr<const Image>& image) {
        const bool again = std::exchange(made, image) == image;
        return again ? StillWanted() : WantedPicture{{}, image};
    };
    EXPECT_TRUE(open_document(state_, "@constant:8", later));
    EXPECT_FALSE(open_document(state_, "@constant:8", later));
    EXPECT_EQ(state_.scene.document()->image, made);
    EXPECT_TRUE(state_.read.there.empty());
}

// As on the command line: the later ones are read when they are shown, or ahead.
TEST_F(Documents, AFewThatAreUnreadAreReadForALargerOriginal) {
    for (const bool larger_first : {false, true}) {
        state_ = two_panes();
        ahead_ = ReadAhead();
        open_document(state_, write_ramp("a.pgm", larger_first ? 64 : 16), accept_all);
        add_unread(state_.scene, state_.ui, write_ramp("b.pgm", larger_first ? 16 : 64));
        EXPECT_TRUE(reads_ahead());
        EXPECT_FALSE(reads_ahead()) << "there is no other";
        EXPECT_EQ(state_.scene.current, 0);
        ASSERT_EQ(state_.messages.size(), 1u) << larger_first;
        EXPECT_EQ(state_.messages[0].offer, "Use it");
        state_.messages[0].accept(state_);
        const std::string larger = state_.scene.documents[larger_first ? 0 : 1].source;
        EXPECT_EQ(state_.scene.reference, (Reference{Reference::Kind::image, {}, larger}));
    }
}

TEST_F(Documents, AreNotReadAheadIfTheyAreManyLargeOrUnreadable) {
    open_document(state_, write_ramp("a.pgm", 16), accept_all);
    add_unread(state_.scene, state_.ui, (folder_ / "none.pgm").string());
    EXPECT_FALSE(reads_ahead());
    EXPECT_FALSE(ahead_.reading()) << "tried once";
    EXPECT_TRUE(state_.messages.empty()) << "said when it is shown";
    EXPECT_FALSE(state_.scene.documents[1].unreadable) << "a pane may ask for it, and is told why not";
    EXPECT_THROW(show_document(state_, 1, accept_all), Error);
    const std::string huge = (folder_ / "huge.pgm").string();
    std::ofstream(huge) << "P5 ";
    fs::resize_file(huge, size_t(49) << 20);
    add_unread(state_.scene, state_.ui, huge);
    ahead_.read_next(state_);
    EXPECT_FALSE(ahead_.reading()) << "not even tried";
    for (int i = 0; i < 4; ++i) add_unread(state_.scene, state_.ui, write_ramp("b" + std::to_string(i) + ".pgm", 64));
    ahead_.read_next(state_);
    EXPECT_FALSE(ahead_.reading());
}

TEST_F(Documents, AShrunkPictureIsMadeFromItsOriginal) {
    const std::string file = write("a.pgm", 64);
    open_document(state_, "@shrunk:2.5:bspline:stored:" + file, accept_all);
    EXPECT_EQ(image_extent(state_), (Extent{26, 26}));
    EXPECT_EQ(image_of(state_.scene, 0)->type(), SampleType::f32);
    EXPECT_EQ(state_.scene.document()->title(), "a.pgm shrunk by 2.5");
}

TEST_F(Documents, ReloadKeepsTheView) {
    const std::string path = write("a.pgm", 8);
    open_document(state_, path, accept_all);
    set_view(state_, {1, 2, 0.25, 30});
    write("a.pgm", 12);
    refresh_document(state_, path, accept_all);
    EXPECT_EQ(image_extent(state_), (Extent{12, 12}));
    EXPECT_EQ(shown_view(state_), (View{1, 2, 0.25, 30}));
}

TEST_F(Documents, AChangeOnDiskIsReadOnceItSettles) {
    const std::string path = write("a.pgm", 8);
    open_document(state_, path, accept_all);
    EXPECT_FALSE(change_has_settled(state_));
    write("a.pgm", 12);
    EXPECT_FALSE(change_has_settled(state_));  // seen, perhaps still being written
    EXPECT_TRUE(change_has_settled(state_));
    refresh_document(state_, path, accept_all);
    EXPECT_EQ(image_extent(state_), (Extent{12, 12}));
    EXPECT_FALSE(change_has_settled(state_));
}

TEST_F(Documents, AFileThatGoesIsSaidOnceAndThePictureStays) {
    const std::string path = write("a.pgm", 8);
    open_document(state_, path + "#orientation=off", accept_all);
    EXPECT_FALSE(change_has_settled(state_));
    const size_t before = state_.messages.size();
    std::filesystem::remove(path);
    EXPECT_FALSE(change_has_settled(state_));
    EXPECT_EQ(state_.messages.size(), before) << "it may be saved by renaming";
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(change_has_settled(state_));
    ASSERT_EQ(state_.messages.size(), before + 1);
    EXPECT_EQ(state_.messages.back().text, "a.pgm is no longer there; the picture stays");
    EXPECT_EQ(state_.messages.back().level, Message::Level::info);
    EXPECT_EQ(state_.messages.back().count, 1);
    EXPECT_EQ(image_extent(state_), (Extent{8, 8}));
    write("a.pgm", 12);  // it comes back as another
    EXPECT_FALSE(change_has_settled(state_));
    EXPECT_TRUE(change_has_settled(state_));

    state_.trashed.push_back({{path, "", ""}});
    std::filesystem::remove(path);
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(change_has_settled(state_));
    EXPECT_EQ(state_.messages.size(), before + 1) << "who moves it to the trash knows that";
}

TEST_F(Documents, ABadFileLeavesTheOldPictureAndIsNotTriedAgain) {
    const std::string path = write("a.pgm", 8);
    open_document(state_, path, accept_all);
    std::ofstream(path) << "P5 900 900 255\nshort";
    EXPECT_FALSE(change_has_settled(state_));
    EXPECT_TRUE(change_has_settled(state_));
    EXPECT_THROW(refresh_document(state_, path, accept_all), Error);
    EXPECT_FALSE(change_has_settled(state_));
    EXPECT_EQ(image_extent(state_), (Extent{8, 8}));
    EXPECT_THROW(open_document(state_, (folder_ / "none.png").string(), accept_all), Error);
    EXPECT_EQ(state_.scene.documents.size(), 1u);
}

// In the window: a step that needs a picture changes nothing until the picture is there.
TEST_F(Documents, WhatIsNotReadYetIsAskedFor) {
    open_document(state_, write("a.pgm", 8), accept_all);
    const Scene before = state_.scene;
    const std::string b = write("b.pgm", 9);
    state_.read.awaited = true;
    for (const StillWanted& wanted : {open_document(state_, b, accept_all), walk_to_document(state_, b, accept_all)}) {
        ASSERT_TRUE(wanted);
        EXPECT_EQ(wanted->source, b);
    }
    EXPECT_EQ(state_.scene, before);
    state_.read.there[b] = {std::make_shared<const Image>(5, 5, 1, SampleType::u8), stamp_of(b)};
    const AcceptImage later = [](const std::shared_ptr<const Image>& image) { return WantedPicture{{}, image}; };
    EXPECT_TRUE(open_document(state_, b, later)) << "it is not in the backend's memory yet";
    EXPECT_EQ(state_.scene, before);
    open_document(state_, b, accept_all);
    EXPECT_EQ(image_extent(state_), (Extent{5, 5})) << "what was read, not the file";
    EXPECT_TRUE(state_.read.there.empty());
    open_document(state_, "@constant:4", accept_all);  // test images are made, not read
    EXPECT_EQ(image_extent(state_), (Extent{4, 4}));
}

TEST_F(Documents, WhatWasReadAheadIsReadAgainIfTheFileHasChangedSince) {
    const std::string a = write("a.pgm", 8);
    state_.read.there[a] = {std::make_shared<const Image>(5, 5, 1, SampleType::u8), {}, {}, true};
    open_document(state_, a, accept_all);
    EXPECT_EQ(image_extent(state_), (Extent{8, 8}));
    const std::string bad = write("bad.pgm", 8);
    state_.read.there[bad] = {nullptr, {}, std::make_exception_ptr(FileError(bad, "damaged"))};
    EXPECT_THROW(open_document(state_, bad, accept_all), FileError);
    open_document(state_, bad, accept_all);  // the error was said; it is tried again
    EXPECT_EQ(state_.scene.document()->source, bad);
}

TEST_F(Documents, TheFirstThatCanBeReadIsShownAtTheStart) {
    add_unread(state_.scene, state_.ui, (folder_ / "none.pgm").string());
    add_unread(state_.scene, state_.ui, write("a.pgm", 8));
    add_unread(state_.scene, state_.ui, write("b.pgm", 9));
    show_first(state_, accept_all);
    EXPECT_EQ(state_.scene.document()->title(), "a.pgm");
    EXPECT_EQ(state_.scene.documents.size(), 2u);
    ASSERT_EQ(state_.messages.size(), 1u);
    EXPECT_NE(state_.messages[0].text.find("none.pgm"), std::string::npos);
    state_ = two_panes();
    add_unread(state_.scene, state_.ui, (folder_ / "none.pgm").string());
    show_first(state_, accept_all);
    EXPECT_EQ(state_.scene.document()->source, default_source);
}

TEST_F(Documents, AnImageThatFindsNoRoomIsNotShown) {
    open_document(state_, write("a.pgm", 8), accept_all);
    const auto refuse = [](const std::shared_ptr<const Image>&) -> StillWanted { throw OutOfMemory("no room"); };
    EXPECT_THROW(open_document(state_, write("b.pgm", 9), refuse), OutOfMemory);
    EXPECT_EQ(image_extent(state_), (Extent{8, 8}));
    EXPECT_EQ(state_.scene.documents.size(), 1u);
}

TEST_F(Documents, TheLastOneClosedGivesWayToTheDefaultPicture) {
    open_document(state_, write("a.pgm", 8), accept_all);
    open_document(state_, write("b.pgm", 9), accept_all);
    close_document(state_, accept_all);
    EXPECT_EQ(state_.scene.document()->title(), "a.pgm");
    close_document(state_, accept_all);
    EXPECT_EQ(state_.scene.document()->source, default_source);
    EXPECT_EQ(state_.scene.documents.size(), 1u);
    close_document(state_, accept_all);
    EXPECT_EQ(state_.scene.document()->source, default_source);
}

TEST_F(Documents, FolderListing) {
    write("b.pgm", 2);
    write("A.pgm", 2);
    fs::create_directory(folder_ / "zoo");
    std::ofstream(folder_ / "notes.txt") << "x";
    const FolderListing images = list_folder(folder_, false), all = list_folder(folder_, true);
    ASSERT_EQ(images.entries.size(), 3u);
    EXPECT_EQ(images.entries[0].name, "zoo");
    EXPECT_EQ(images.entries[1].name, "A.pgm");
    EXPECT_EQ(all.entries.size(), 4u);
    EXPECT_FALSE(list_folder(folder_ / "none", true).problem.empty());
    EXPECT_TRUE(contains_ignoring_case("Photo.PNG", "o.p"));
}

AppState with_image() {
    AppState state = two_panes();
    Document document;
    document.source = "@constant";
    document.image = std::make_shared<const Image>(64, 64, 1, SampleType::u8);
    state.scene.documents.push_back(document);
    state.scene.current = 0;
    return state;
}

TEST(Plan, OnePictureForAPaneAndTwoRenditionsForADifference) {
    AppState state = with_image();
    const FramePlan one = plan_frame(state, 1);
    ASSERT_EQ(one.pictures.size(), 1u);
    EXPECT_EQ(one.bytes(), 200u * 100 * 4);
    EXPECT_FALSE(one.pictures[0].picture.against);
    state.scene.pane().difference = true;
    state.scene.pane().against = 1;
    const FramePlan two = plan_frame(state, 1);
    ASSERT_EQ(two.pictures.size(), 1u);
    ASSERT_TRUE(two.pictures[0].picture.against);
    EXPECT_EQ(two.pictures[0].picture.against->request.spec.method->id, "nearest");
    EXPECT_FALSE(two.pictures[0].picture.against->float64);
    EXPECT_FALSE(one.same_pixels(two));
}

TEST(Plan, LoupeAndDividerRenderNothingAnew) {
    AppState state = with_image();
    state.scene.arrangement = Arrangement::wipe;
    const FramePlan before = plan_frame(state, 1);
    ASSERT_EQ(before.pictures.size(), 2u);
    state.scene.wipe.at = 0.25;
    state.ui.loupe = true;
    state.pointer.inside = true;
    state.pointer.x = 5;
    state.pointer.y = 6;
    const FramePlan after = plan_frame(state, 1);
    EXPECT_TRUE(before.same_pixels(after));
    EXPECT_GT(after.loupe.radius, 0);
    EXPECT_EQ(after.pictures[0].clip.width, 50);
    EXPECT_EQ(after.pictures[1].clip, (PixelRect{370, 28, 150, 100}));
}

TEST(Plan, NothingToRenderWithoutImageOrRoom) {
    EXPECT_TRUE(plan_frame(two_panes(), 1).pictures.empty());
    AppState state = with_image();
    state.places.picture = {320, 28, 0, 100};
    EXPECT_TRUE(plan_frame(state, 1).pictures.empty());
}

TEST(Plan, ReferenceIsExactAndInFloat64) {
    AppState state = with_image();
    state.scene.spec().path = FetchPath::hardware;
    state.scene.spec().prefilter = {Prefilter::Kind::fir, 7};
    state.pointer.reference = true;
    const Rendition shown = plan_frame(state, 1).pictures.at(0).picture.shown;
    EXPECT_TRUE(shown.float64);
    EXPECT_EQ(shown.request.spec.path, FetchPath::global);
    EXPECT_EQ(shown.request.spec.prefilter.kind, Prefilter::Kind::iir);
}

TEST(Input, WheelDragAndSelection) {
    AppState state = with_image();
    state.scene.document()->keep_fit = false;
    bool covered = false, typing = false;
    PictureInput input({[&](double, double) { return covered; }, [&] { return typing; }, [] { return false; }, {}});
    input.handle(state, MouseMoved{400, 60});
    ASSERT_TRUE(state.pointer.inside);
    const Point before = apply(shown_affine(state), 80, 32);
    for (int i = 0; i < 24; ++i) input.handle(state, WheelTurned{1, 400, 60, {}});
    EXPECT_EQ(shown_view(state).zoom(), 8);
    EXPECT_NEAR(apply(shown_affine(state), 80, 32).x, before.x, 1e-12);

    input.handle(state, MousePressed{MouseButton::left, 400, 60, {}});
    input.handle(state, MouseMoved{416, 52});
    input.handle(state, MouseReleased{MouseButton::left, 416, 52});
    EXPECT_NEAR(apply(shown_affine(state), 96, 24).x, before.x, 1e-12);

    input.handle(state, MousePressed{MouseButton::right, 340, 40, {}});
    input.handle(state, MouseMoved{380, 80});
    input.handle(state, MouseReleased{MouseButton::right, 380, 80});
    ASSERT_TRUE(state.scene.selection.has_value());
    EXPECT_NEAR(state.scene.selection->width(), 5, 1e-12);

    const View view = shown_view(state);
    covered = true;
    input.handle(state, WheelTurned{1, 400, 60, {}});
    input.handle(state, MousePressed{MouseButton::left, 400, 60, {}});
    input.handle(state, MouseMoved{450, 60});
    EXPECT_EQ(shown_view(state), view);
    typing = true;
    input.handle(state, KeyStroke{Key::left, 0, {}, false, false});
    input.handle(state, KeyStroke{Key::none, U'r', {}, false, false});
    EXPECT_EQ(shown_view(state), view);
}

TEST(Messages, TheSameTextTwiceIsCounted) {
    AppState state;
    for (int i = 0; i < 3; ++i) post(state.messages, Message::Level::error, "no");
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages[0].count, 3);
    for (int i = 0; i < 9; ++i) post(state.messages, Message::Level::error, std::to_string(i));
    EXPECT_EQ(state.messages.size(), most_messages);
}

}  // namespace
}  // namespace texelscope::test
