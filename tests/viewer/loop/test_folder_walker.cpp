// Pictures of a folder: walking through them, and their thumbnails.

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/files/reading/image_files.h"
#include "app/state/history.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/folder_walker.h"
#include "app/viewer/loop/thumbnails.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using To = task::Walk::To;

// Walking through the pictures of a folder.

class Walking : public testing::Test {
protected:
    void SetUp() override {
        state_.scene.panes = {{default_spec(*find_method("nearest"))}};
        state_.ui.animate = false;
    }
    std::string write(const std::string& name, int side = 8) {
        write_image(Image(side, side, 1, SampleType::u8), folder_ / name);
        return (folder_ / name).string();
    }
    std::string damage(const std::string& name) {
        std::ofstream(folder_ / name) << "P5 8 8 255\nx";
        return (folder_ / name).string();
    }
    void follow() {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        do {
            walker_.follow(state_, [this](AppState& state, const std::string& path) {
                ++tries_;
                return walk_to_document(state, path, accept_);
            });
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        } while ((!state_.folder.files || !walker_.rests()) && std::chrono::steady_clock::now() < end);
    }
    // The name of the picture shown then.
    std::string walk(int steps) {
        walker_.ask({.steps = steps});
        follow();
        return shown();
    }
    std::string walk(To end) {
        walker_.ask({.to = end});
        follow();
        return shown();
    }
    std::string shown() const { return state_.scene.document()->title(); }
    std::string place() const {
        return std::to_string(state_.folder.position + 1) + "/" + std::to_string(state_.folder.count());
    }
    std::string latest_message() const { return state_.messages.empty() ? "" : state_.messages.back().text; }
    void open(const std::string& path) {
        open_document(state_, path, accept_);
        rest();
        follow();
    }
    // Long enough for a change to be recorded.
    void rest() {
        record_history(state_);
        state_.now += 1;
        record_history(state_);
    }
    const Folder folder_;
    const AcceptImage accept_ = [](const std::shared_ptr<const Image>&) { return StillWanted(); };
    AppState state_;
    FolderWalker walker_;
    int tries_ = 0;
};

TEST_F(Walking, GoesInNaturalOrderAndStopsAtTheEnds) {
    for (const char* name : {"p10.pgm", "p2.pgm", "P1.pgm", "q.pgm"}) write(name);
    open((folder_ / "P1.pgm").string());
    EXPECT_EQ(place(), "1/4");
    EXPECT_EQ(walk(1), "p2.pgm");
    EXPECT_EQ(walk(1), "p10.pgm");
    EXPECT_EQ(place(), "3/4");
    EXPECT_EQ(walk(1), "q.pgm");
    EXPECT_TRUE(state_.messages.empty());
    EXPECT_EQ(walk(1), "q.pgm");
    EXPECT_NE(latest_message().find("this is the last picture"), std::string::npos);
    EXPECT_EQ(walk(-1), "p10.pgm");
    EXPECT_TRUE(state_.messages.empty()) << "it is not any more";
    EXPECT_EQ(walk(To::first), "P1.pgm");
    EXPECT_EQ(walk(-1), "P1.pgm");
    EXPECT_EQ(walk(To::last), "q.pgm");
    EXPECT_EQ(walk(-2), "p2.pgm");
    EXPECT_EQ(walk(-9), "P1.pgm");
}

TEST_F(Walking, FollowsTheChosenOrder) {
    write("a.pgm", 30);
    write("b.pgm", 10);
    open(write("c.pgm", 20));
    state_.ui.folder_order = FolderOrder::size;
    follow();
    EXPECT_EQ(place(), "2/3");
    EXPECT_EQ(walk(1), "a.pgm");
    state_.ui.folder_descending = true;
    follow();
    EXPECT_EQ(place(), "1/3");
}

TEST_F(Walking, KeepsOpenWhatWasOpenedAndNothingElse) {
    for (int i = 0; i < 20; ++i) write("p" + std::to_string(i) + ".pgm");
    const std::string first = (folder_ / "p0.pgm").string();
    open(first);
    for (int i = 1; i < 20; ++i) {
        EXPECT_EQ(walk(1), "p" + std::to_string(i) + ".pgm");
        ASSERT_EQ(state_.scene.documents.size(), 2u);
    }
    EXPECT_EQ(state_.scene.documents[0].source, first);
    EXPECT_EQ(state_.ui.recent, std::vector<std::string>{first});
    state_.scene.panes.push_back(state_.scene.panes[0]);
    state_.scene.panes[1].source = state_.scene.document()->source;  // another pane holds it
    EXPECT_EQ(walk(-1), "p18.pgm");
    EXPECT_EQ(state_.scene.documents.size(), 3u);
    open((folder_ / "p18.pgm").string());  // opened by hand after all
    EXPECT_EQ(walk(-1), "p17.pgm");
    EXPECT_EQ(state_.scene.documents.size(), 4u);
}

TEST_F(Walking, KeepsTheZoom) {
    write("b.pgm", 20);
    open(write("a.pgm", 100));
    EXPECT_TRUE(state_.scene.document()->keep_fit);
    walk(1);
    EXPECT_TRUE(state_.scene.document()->keep_fit);
    walk(-1);
    state_.scene.document()->keep_fit = false;
    state_.scene.document()->view = {40, -5, 0.25, 0};
    walk(1);
    EXPECT_FALSE(state_.scene.document()->keep_fit);
    EXPECT_EQ(state_.scene.document()->view, (View{10, -5, 0.25, 0})) << "no further than its edge";
}

TEST_F(Walking, PassesOverWhatCannotBeReadAndTriesItOnce) {
    const std::string first = write("a.pgm"), bad = damage("b.pgm");
    write("c.pgm");
    open(first);
    EXPECT_EQ(walk(1), "c.pgm");
    ASSERT_EQ(state_.messages.size(), 1u);
    EXPECT_TRUE(latest_message().starts_with(bad)) << latest_message();
    EXPECT_TRUE(latest_message().ends_with("; skipped")) << latest_message();
    EXPECT_EQ(walk(-1), "a.pgm");
    EXPECT_EQ(tries_, 3) << "c, b once, a";
    EXPECT_EQ(state_.messages.size(), 1u);
    EXPECT_EQ(state_.messages[0].count, 1);
    write("b.pgm", 12);  // repaired
    EXPECT_EQ(walk(1), "b.pgm");
    EXPECT_TRUE(state_.messages.empty()) << "the error about it is gone";
}

// As after a start with it: a built-in picture is shown, which has no folder.
TEST_F(Walking, BeginsAtAFileThatCouldNotBeRead) {
    write("a.pgm");
    const std::string bad = damage("b.pgm");
    write("c.pgm");
    for (const auto& [step, expected] : {std::pair(1, "c.pgm"), {-1, "a.pgm"}}) {
        state_.scene.documents.clear();
        open_document(state_, "@constant:8", accept_);
        EXPECT_FALSE(find_action("file.next")->is_enabled(state_));
        walker_.start_from(bad);
        follow();
        EXPECT_TRUE(find_action("file.next")->is_enabled(state_));
        EXPECT_EQ(state_.folder.position, -1) << "what is shown is not in it";
        EXPECT_EQ(walk(step), expected);
        state_.folder = {};
    }
    EXPECT_TRUE(state_.messages.empty()) << "it has been told why";
}

TEST_F(Walking, StaysIfNothingElseCanBeRead) {
    open(write("a.pgm"));
    damage("b.pgm");
    damage("c.pgm");
    walker_.look(state_);
    follow();
    EXPECT_EQ(walk(1), "a.pgm");
    EXPECT_NE(latest_message().find("no picture after this one can be read"), std::string::npos);
    ASSERT_EQ(state_.messages.size(), 2u);
    EXPECT_EQ(state_.messages[0].before, 1) << "the other one, in the same row";
    EXPECT_EQ(walk(1), "a.pgm");
    EXPECT_EQ(latest_message(), state_.messages[1].text) << "it stays as long as the picture does";
    write("d.pgm");
    walker_.look(state_);
    follow();
    EXPECT_EQ(walk(1), "d.pgm");
    EXPECT_EQ(state_.messages.size(), 1u) << "what was skipped";
}

TEST_F(Walking, NoticesFilesThatComeAndGo) {
    const std::string b = write("b.pgm");
    open(b);
    EXPECT_EQ(place(), "1/1");
    write("a.pgm");
    write("c.pgm");
    walker_.look(state_);
    follow();
    EXPECT_EQ(place(), "2/3");
    fs::remove(b);  // the shown one: its picture stays, and so does its place
    walker_.look(state_);
    follow();
    EXPECT_EQ(shown(), "b.pgm");
    EXPECT_FALSE(state_.folder.is_placed());
    EXPECT_EQ(walk(1), "c.pgm");
    fs::remove(folder_ / "a.pgm");  // not noticed yet
    EXPECT_EQ(walk(-1), "c.pgm");
    EXPECT_EQ(state_.messages.size(), 2u);
}

TEST_F(Walking, OtherFilesOfABusyFolderAreNotWorthAFrame) {
    open(write("a.pgm"));
    const auto notices = [&] {
        bool changed = false;
        walker_.look(state_);
        for (int turn = 0; turn == 0 || !walker_.rests(); ++turn) {
            changed = walker_.follow(state_, {}).changed || changed;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return changed;
    };
    notices();
    std::ofstream(folder_ / "notes.txt") << "no picture";
    EXPECT_FALSE(notices());
    write("b.pgm");
    EXPECT_TRUE(notices());
}

TEST_F(Walking, AFolderOpensAtItsFirstPicture) {
    open(write("other.pgm"));
    fs::create_directories(folder_ / "inner");
    write("inner/p10.pgm");
    write("inner/p2.pgm");
    damage("inner/p1.pgm");
    walker_.ask_for_folder(state_, (folder_ / "inner").string());
    follow();
    EXPECT_EQ(shown(), "p2.pgm");
    EXPECT_EQ(place(), "2/3");
    fs::create_directories(folder_ / "empty");
    walker_.ask_for_folder(state_, (folder_ / "empty").string());
    follow();
    EXPECT_EQ(shown(), "p2.pgm");
    EXPECT_EQ(latest_message(), (folder_ / "empty").string() + ": has no picture that can be read");
    walker_.ask_for_folder(state_, (folder_ / "none").string());
    follow();
    EXPECT_TRUE(latest_message().starts_with((folder_ / "none").string() + ": ")) << latest_message();
    EXPECT_EQ(walk(1), "p10.pgm") << "the shown picture's folder counts again";
    EXPECT_THROW(open_folder(state_, (folder_ / "empty").string(), accept_), Error);
    open_folder(state_, (folder_ / "inner").string(), accept_);
    EXPECT_EQ(shown(), "p2.pgm");
}

TEST_F(Walking, IsNoChangeToUndo) {
    for (const char* name : {"b.pgm", "c.pgm", "d.pgm"}) write(name);
    open(write("a.pgm"));
    walk(1);
    rest();
    walk(1);
    rest();
    EXPECT_FALSE(can_undo(state_));
    state_.scene.antialias = false;
    rest();
    walk(1);
    rest();
    ASSERT_TRUE(can_undo(state_));
    undo(state_);
    EXPECT_TRUE(state_.scene.antialias);
    EXPECT_EQ(shown(), "d.pgm") << "the picture stays";
    EXPECT_TRUE(state_.scene.document()->image);
    EXPECT_EQ(state_.scene.documents.size(), 2u);
    EXPECT_FALSE(can_undo(state_));
    redo(state_);
    EXPECT_FALSE(state_.scene.antialias);
    EXPECT_EQ(shown(), "d.pgm");
}

// A lesson has the keys while it is open.
TEST_F(Walking, KeysThatWalkAreStepsOfALesson) {
    const Modifiers plain{}, alt{.shift = false, .ctrl = false, .alt = true};
    struct Case {
        KeyStroke on, back;
    };
    for (const auto& [on, back] :
         {Case{{Key::page_down, 0, plain, false, false}, {Key::page_up, 0, plain, false, false}},
          Case{{Key::right, 0, alt, false, false}, {Key::left, 0, alt, false, false}}}) {
        open(write("a.pgm"));
        state_.tasks.clear();
        ASSERT_TRUE(run_shortcut(state_, on));
        ASSERT_EQ(state_.tasks.size(), 1u);
        EXPECT_EQ(std::get<task::Walk>(state_.tasks[0]).steps, 1);
        state_.tasks.clear();
        state_.lesson.lesson = std::make_shared<const Lesson>(*find_lesson("half-texel"));
        state_.lesson.step = 0;
        ASSERT_TRUE(run_shortcut(state_, back));
        EXPECT_TRUE(state_.tasks.empty()) << "there is no step before the first";
        ASSERT_TRUE(run_shortcut(state_, on));
        ASSERT_FALSE(state_.tasks.empty());
        for (const Task& task : state_.tasks) EXPECT_FALSE(std::holds_alternative<task::Walk>(task));
        state_.lesson.lesson = nullptr;
    }
}

// One small picture of the filmstrip: from a file, from the cache, or none.

class ThumbnailOfFile : public testing::Test {
protected:
    std::string write(const std::string& name, int width, int height, uint8_t level) {
        Image image(width, height, 3, SampleType::u8);
        for (int y = 0; y < height; ++y) std::fill_n(image.row_as<uint8_t>(y), 3 * width, level);
        write_image(image, folder_ / name);
        return (folder_ / name).string();
    }
    Thumbnail make(const std::string& path, Extent box = {112, 72}) {
        return thumbnail_of({path, box}, ThumbnailCache(folder_ / "cache"), {});
    }
    size_t kept(const std::string& part) const {
        std::error_code none;
        size_t count = 0;
        for (fs::directory_iterator at(folder_ / "cache" / part, none), end; at != end; ++at) ++count;
        return count;
    }
    const Folder folder_;
};

TEST_F(ThumbnailOfFile, SaysWhatTheFileIsAndIsKept) {
    for (const char* name : {"a.png", "a.ppm", "a.jpg"}) {
        const Thumbnail made = make(write(name, 1200, 900, 77));
        ASSERT_FALSE(made.picture.empty()) << name;
        EXPECT_EQ(made.picture.width(), 96) << name;
        EXPECT_EQ(made.picture.height(), 72) << name;
        EXPECT_NEAR(int(made.picture.row_as<uint8_t>(30)[100]), 77, 1) << name;
        EXPECT_EQ(made.size, (Extent{1200, 900})) << name;
        EXPECT_EQ(made.bytes, fs::file_size(folder_ / name));
    }
    EXPECT_EQ(kept("normal"), 3u);
    make((folder_ / "a.png").string(), {224, 144});
    EXPECT_EQ(kept("large"), 1u) << "for a screen of twice the density";
}

// The file's own picture is not looked at again: what the cache has for it, here another picture, is shown.
TEST_F(ThumbnailOfFile, ComesFromTheCache) {
    const std::string path = write("a.ppm", 300, 200, 10);
    const ThumbnailCache cache(folder_ / "cache");
    Image other(128, 85, 3, SampleType::u8);
    std::fill_n(other.row_as<uint8_t>(0), other.size_bytes(), uint8_t(200));
    ASSERT_TRUE(cache.put(*thumbnail_subject(path), 128, other, 300, 200));
    EXPECT_EQ(int(make(path).picture.row_as<uint8_t>(9)[9]), 200);
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(5));
    EXPECT_EQ(int(make(path).picture.row_as<uint8_t>(9)[9]), 10) << "the file has changed";
    EXPECT_EQ(int(make(path).picture.row_as<uint8_t>(9)[9]), 10) << "and so has the cache";
}

TEST_F(ThumbnailOfFile, ThereIsNoneOfWhatCannotBeRead) {
    const std::string path = (folder_ / "bad.png").string();
    std::ofstream(path) << "\x89PNG\r\n\x1a\n and nothing more";
    EXPECT_TRUE(make(path).picture.empty());
    EXPECT_GT(make(path).bytes, 0u);
    EXPECT_EQ(kept("fail/texelscope-" TEXELSCOPE_VERSION), 1u);
    EXPECT_TRUE(make((folder_ / "none.png").string()).picture.empty());
    EXPECT_EQ(kept("fail/texelscope-" TEXELSCOPE_VERSION), 1u) << "a file that is gone has not failed";
    write("bad.png", 40, 30, 5);
    EXPECT_FALSE(make(path).picture.empty()) << "it has been mended";
}

TEST_F(ThumbnailOfFile, TheCacheHoldsNoneOfItsOwnFiles) {
    make(write("a.png", 400, 300, 50));
    const fs::path own = fs::directory_iterator(folder_ / "cache/normal")->path();
    EXPECT_FALSE(make(own.string()).picture.empty());
    EXPECT_EQ(kept("normal"), 1u);
}

TEST_F(ThumbnailOfFile, CanBeCancelled) {
    const std::string path = write("a.png", 400, 300, 50);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(thumbnail_of({path, {112, 72}}, ThumbnailCache(folder_ / "cache"), stop.get_token()), Cancelled);
    EXPECT_EQ(kept("fail/texelscope-" TEXELSCOPE_VERSION), 0u);
}

}  // namespace
}  // namespace texelscope::test
