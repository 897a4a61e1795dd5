// What takes long or is lost: messages before, and what follows.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/frame_times.h"
#include "app/viewer/loop/settings.h"
#include "app/viewer/loop/tasks/saving.h"
#include "gpu/core/parallel.h"
#include "gpu/interop/present_target.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// Which pictures say beforehand that they are computed.

FramePlan plan_of(int panes, std::string_view method, bool differences = false) {
    FramePlan plan;
    for (int i = 0; i < panes; ++i) {
        PlacedPicture& item = plan.pictures.emplace_back();
        item.pane = i;
        item.picture.shown.request.spec = default_spec(parse_method(method));
        item.picture.shown.request.width = 300;
        item.picture.shown.request.height = 200;
        if (!differences) continue;
        item.picture.against = item.picture.shown;
        item.picture.against->float64 = true;
    }
    return plan;
}

TEST(LongWork, IsExpectedOfDifferencesInManyPanes) {
    LongWork work;
    EXPECT_FALSE(work.expects(plan_of(16, "bspline", true))) << "nothing is known of this machine yet";
    work.took(plan_of(16, "bspline"), 100);
    EXPECT_TRUE(work.expects(plan_of(16, "bspline", true)));
    EXPECT_FALSE(work.expects(plan_of(1, "bspline", true)));
    work.took(plan_of(16, "bspline", true), 1400);
    EXPECT_FALSE(work.expects(plan_of(16, "bspline"))) << "without them it is short";
}

TEST(LongWork, IsNotExpectedOfReferencesThatAreComputedInTheBackground) {
    LongWork work(true);
    work.took(plan_of(16, "bspline"), 100);
    EXPECT_FALSE(work.expects(plan_of(16, "bspline", true)));
    work.took(plan_of(16, "bspline"), 250);
    EXPECT_TRUE(work.expects(plan_of(16, "lanczos4"))) << "twice the taps along each axis";
}

TEST(LongWork, IsNotExpectedOfAFastMachine) {
    LongWork work;
    work.took(plan_of(16, "bspline"), 4);
    EXPECT_FALSE(work.expects(plan_of(16, "bspline", true)));
}

TEST(LongWork, IsNotExpectedOfAMotion) {
    LongWork work;
    FramePlan plan = plan_of(16, "bspline", true);
    work.took(plan, 2000);
    for (PlacedPicture& item : plan.pictures) item.picture.shown.request.view.scale = 0.5;
    EXPECT_FALSE(work.expects(plan));
    EXPECT_TRUE(work.expects(plan_of(16, "lanczos3", true)));
}

// Times that a lesson tells.

TEST(RepeatedTimes, AreMediansOfNineRenderingsOfTheSamePicture) {
    AppState state;
    state.lesson.lesson = std::make_shared<const Lesson>(parse_lesson("# T\n\nS.\n\n## S\n\n{time A}\n", "t.md", {}));
    state.report.findings.panes.resize(1);
    const FramePlan plan = plan_of(1, "bspline");
    RepeatedTimes times;
    const auto render = [&](double ms, const FramePlan& of) {
        state.report.findings.panes[0].render_ms = ms;
        return times.wants_more(state, of, true);
    };
    EXPECT_EQ(live_text(state, "time A"), "…");
    for (const double ms : {9.0, 1.0, 8.0, 2.0, 100.0, 3.0, 7.0, 4.0}) EXPECT_TRUE(render(ms, plan));
    EXPECT_TRUE(times.wants_more(state, plan, false)) << "nothing was rendered: nothing counts";
    EXPECT_FALSE(render(5, plan));
    EXPECT_EQ(live_text(state, "time A"), "5.00\u00a0ms");
    EXPECT_TRUE(times.wants_more(state, plan_of(1, "lanczos3"), false)) << "another picture is timed anew";
    EXPECT_EQ(live_text(state, "time A"), "…");
    EXPECT_FALSE(render(3000, plan)) << "one that takes seconds is not repeated";
}

// The message before the GPU's driver compiles a method's kernels.

FramePlan plan_of(const std::vector<std::string_view>& shown, std::string_view against = "") {
    FramePlan plan;
    for (const std::string_view id : shown) {
        PlacedPicture& item = plan.pictures.emplace_back();
        item.picture.shown.request.spec = default_spec(parse_method(id));
        if (!against.empty()) item.picture.against.emplace().request.spec = default_spec(parse_method(against));
    }
    return plan;
}

TEST(FirstUse, IsAnnouncedOnceForEachMethod) {
    FirstUse first_use;
    first_use.begin(true);
    EXPECT_NE(first_use.announce(plan_of({"bspline"})).find("compiles Cubic B-spline for this GPU"), std::string::npos);
    EXPECT_EQ(first_use.announce(plan_of({"bspline", "bspline"})), "");
    const std::string two = first_use.announce(plan_of({"nearest", "bspline", "lanczos3"}));
    EXPECT_NE(two.find("compiles Nearest neighbour, Lanczos 3 for"), std::string::npos) << two;
    EXPECT_NE(first_use.announce(plan_of({"bspline"}, "bilinear")).find("Bilinear"), std::string::npos);
    EXPECT_EQ(first_use.announce({}), "");
}

TEST(FirstUse, BeginsAnewWithAnotherBackend) {
    FirstUse first_use;
    first_use.begin(true);
    first_use.announce(plan_of({"bspline"}));
    first_use.begin(true);
    EXPECT_NE(first_use.announce(plan_of({"bspline"})), "");
    first_use.begin(false);
    EXPECT_EQ(first_use.announce(plan_of({"bspline", "nearest"})), "") << "its kernels are there";
}

// After a lost device: is it tried again, and the message. And how pixel buffers grow while a window is dragged.

const std::string illegal = "cannot unmap the pixel buffer: an illegal memory access was encountered";

TEST(Recovery, TriesADeviceAgainButNotAtOnce) {
    Recovery recovery;
    EXPECT_TRUE(recovery.may_try_again(0, 100, illegal));
    EXPECT_TRUE(recovery.avoided().empty());
    EXPECT_FALSE(recovery.may_try_again(0, 100 + soon_lost_seconds - 1, illegal));
    ASSERT_EQ(recovery.avoided().size(), 1u);
    EXPECT_EQ(recovery.avoided()[0].device, 0);
    EXPECT_EQ(recovery.avoided()[0].why, "it stopped answering again (an illegal memory access was encountered)");
}

TEST(Recovery, GivesADeviceUpThatIsLostTimeAndAgain) {
    Recovery recovery;
    int tries = 0;
    for (double now = 0; now < 1e5 && recovery.avoided().empty(); now += 1000)
        tries += recovery.may_try_again(0, now, illegal);
    EXPECT_EQ(tries, most_losses - 1);
    EXPECT_FALSE(recovery.avoided().empty());
}

TEST(Recovery, CountsEachDeviceByItself) {
    Recovery recovery;
    EXPECT_TRUE(recovery.may_try_again(0, 0, illegal));
    EXPECT_TRUE(recovery.may_try_again(1, 1, illegal));
    EXPECT_FALSE(recovery.may_try_again(1, 2, illegal));
    ASSERT_EQ(recovery.avoided().size(), 1u);
    EXPECT_EQ(recovery.avoided()[0].device, 1);
}

// However often devices are lost, a machine runs out of them, and the CPU cannot be lost.
TEST(Recovery, GivesUpEveryDeviceAfterItsLosses) {
    constexpr int devices = 8;
    Recovery recovery;
    int losses = 0;
    for (int device = 0; device < devices; ++losses) {
        ASSERT_LT(losses, devices * most_losses);
        if (!recovery.may_try_again(device, losses * 1000.0, illegal)) ++device;
    }
}

TEST(Recovery, SaysWhatHappenedAndWhoComputesNow) {
    BackendInfo first, second, cpu;
    first.kind = second.kind = BackendKind::cuda;
    second.device_index = 1;
    second.device = "NVIDIA H200";
    EXPECT_EQ(
        lost_message(illegal, first, cpu),
        "The GPU stopped answering (an illegal memory access was encountered); the pictures are now computed by the CPU.");
    EXPECT_EQ(lost_message(illegal, first, first),
              "The GPU stopped answering (an illegal memory access was encountered); it was started again.");
    EXPECT_EQ(
        lost_message("unknown error", first, second),
        "The GPU stopped answering (unknown error); the pictures are now computed by NVIDIA H200 (CUDA device 1).");
}

// A window dragged pixel by pixel from 640×480 to 3840×2160 and back.
TEST(BufferRoom, IsMadeAnewAFewTimesInADrag) {
    size_t held = 0;
    int made = 0;
    std::set<size_t> sizes;
    const auto show = [&](int width) {
        const size_t bytes = size_t(width) * size_t(480 + (width - 640) * 1680 / 3200) * 4;
        const size_t room = buffer_room(bytes, held);
        ASSERT_GE(room, bytes);
        ASSERT_LE(room, 2 * rounded_room(bytes));
        ASSERT_EQ(room, buffer_room(bytes, room)) << "the same picture again";
        if (room != held) ++made;
        held = room;
        sizes.insert(bytes);
    };
    for (int width = 640; width <= 3840; ++width) show(width);
    EXPECT_LE(made, 20);
    const int growing = made;
    for (int width = 3840; width >= 640; --width) show(width);
    EXPECT_LE(made - growing, 8);
    EXPECT_GT(sizes.size(), 3000u);
}

TEST(BufferRoom, WastesAtMostAQuarter) {
    for (size_t bytes = 4; bytes < size_t(1) << 33; bytes += bytes / 97 + 1) {
        const size_t room = rounded_room(bytes);
        ASSERT_GE(room, bytes);
        ASSERT_LE(room, std::max(least_room, bytes + bytes / 4)) << bytes;
        ASSERT_EQ(room % 4, 0u);
    }
}

}  // namespace

// Pictures written in the background: all of them, one after the other, until one is cancelled.

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class SavingBeside : public testing::Test {
protected:
    std::string path(const char* name) const { return (folder_ / name).string(); }

    static PictureBeside picture(uint8_t level) {
        Image image(30, 20, 1, SampleType::u8);
        std::fill_n(image.row_as<uint8_t>(0), 600, level);
        return made_already(std::make_shared<const Image>(std::move(image)));
    }
    float written(const char* name) const { return read_image(path(name)).value(7, 7, 0) * 255; }

    // As the frames of the window do.
    void follow_until(PictureSaver& saver, AppState& state, const std::string& words) {
        for (int i = 0; i < 6000 && said(state).find(words) == std::string::npos; ++i) {
            std::this_thread::sleep_for(5ms);
            state.now += 0.005;
            saver.follow(state);
        }
    }
    static std::string said(const AppState& state) {
        std::string all;
        for (const Message& message : state.messages) all += message.text + "\n";
        return all;
    }
    const Folder folder_;
};

TEST_F(SavingBeside, OneAfterTheOtherIsWrittenAndSaid) {
    AppState state;
    PictureSaver saver;
    saver.save(picture(40), path("a.png"));
    saver.save(picture(90), path("b.png"));
    EXPECT_TRUE(saver.works());
    follow_until(saver, state, "b.png: saved, 30×20 pixels");
    EXPECT_NE(said(state).find("a.png: saved, 30×20 pixels"), std::string::npos) << said(state);
    EXPECT_FALSE(saver.works());
    EXPECT_FALSE(state.report.saving.running());
    EXPECT_EQ(written("a.png"), 40);
    EXPECT_EQ(written("b.png"), 90);
}

TEST_F(SavingBeside, WhoQuitsAtOnceHasTheFilesAllTheSame) {
    {
        PictureSaver saver;
        for (const char* name : {"a.png", "none/b.png", "c.png"}) saver.save(picture(50), path(name));
    }
    EXPECT_EQ(written("a.png"), 50);
    EXPECT_EQ(written("c.png"), 50) << "after one that cannot be written";
}

TEST_F(SavingBeside, CancellingLeavesTheOldFileAndGoesOnWithTheNext) {
    std::ofstream(path("a.png")) << "old";
    AppState state;
    std::atomic<bool> may_end = false;
    {
        PictureSaver saver;
        PictureBeside slow = picture(40);
        slow.make = [&, make = slow.make](const auto& backend, const Parts& parts) {
            while (!may_end) std::this_thread::sleep_for(1ms);
            return make(backend, parts);
        };
        saver.save(slow, path("a.png"));
        saver.save(picture(90), path("b.png"));
        saver.follow(state);
        EXPECT_FALSE(state.report.saving.running()) << "what is quick shows no sign";
        state.now = 1;
        saver.follow(state);
        EXPECT_EQ(state.report.saving.title, "Save");
        saver.cancel();
        follow_until(saver, state, "b.png: saved");
        EXPECT_NE(said(state).find("a.png: saving it was cancelled"), std::string::npos) << said(state);
        may_end = true;
    }
    EXPECT_EQ(fs::file_size(path("a.png")), 3u);
}

TEST_F(SavingBeside, CancellingAllWritesNothingAndIsNoFailure) {
    AppState state;
    std::atomic<bool> began = false;
    PictureSaver saver;
    PictureBeside endless = picture(40);
    endless.make = [&](const auto&, const Parts& parts) -> std::shared_ptr<const Image> {
        for (;; std::this_thread::sleep_for(1ms), began = true) parts(0, 1);
    };
    saver.save(endless, path("a.png"));
    saver.save(picture(90), path("b.png"));
    while (!began) std::this_thread::sleep_for(1ms);
    saver.cancel_all();
    follow_until(saver, state, "a.png: saving it was cancelled");
    EXPECT_FALSE(saver.works());
    EXPECT_FALSE(saver.take_failure());
    EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(SavingBeside, AFailureIsToldOnce) {
    AppState state;
    PictureSaver saver;
    saver.save(picture(40), path("none/a.png"));
    while (saver.works()) saver.follow(state);
    EXPECT_TRUE(saver.take_failure());
    EXPECT_FALSE(saver.take_failure());
}

// Parts are panes, say; and what is cancelled stops computing, even within one of them.
TEST_F(SavingBeside, PartsAreCountedAndTheirLoopsEndWhenItIsCancelled) {
    AppState state;
    std::atomic<bool> ended = false;
    PictureSaver saver;
    PictureBeside panes = picture(40);
    panes.make = [&](const auto&, const Parts& parts) -> std::shared_ptr<const Image> {
        for (int pane = 0; pane < 2; ++pane) parts(pane, 4);
        try {
            for (;;) parallel_for(WorkName{"test"}, 4, 1, [](int) { std::this_thread::sleep_for(1ms); });
        } catch (const Cancelled&) {
            ended = true;
            throw;
        }
    };
    saver.save(panes, path("a.png"));
    for (int i = 0; i < 6000 && state.report.saving.words != "computing pane 2 of 4"; ++i) {
        std::this_thread::sleep_for(5ms);
        state.now += 0.3;
        saver.follow(state);
    }
    EXPECT_EQ(state.report.saving.words, "computing pane 2 of 4");
    EXPECT_GT(state.report.saving.done, 0);
    saver.cancel();
    follow_until(saver, state, "a.png: saving it was cancelled");
    for (int i = 0; i < 6000 && !ended; ++i) std::this_thread::sleep_for(5ms);
    EXPECT_TRUE(ended);
    EXPECT_FALSE(fs::exists(path("a.png")));
}

// What a CPU makes goes on.
TEST_F(SavingBeside, WhatALostGpuMakesIsGivenUp) {
    AppState state;
    PictureSaver saver;
    const auto waits = [](const auto&, const Parts& parts) -> std::shared_ptr<const Image> {
        for (;; std::this_thread::sleep_for(1ms)) parts(0, 1);
    };
    PictureBeside on_cpu = picture(40), on_gpu = picture(50);
    std::atomic<bool> may_end = false;
    on_cpu.make = [&, make = on_cpu.make](const auto& backend, const Parts& parts) {
        while (!may_end) std::this_thread::sleep_for(1ms);
        return make(backend, parts);
    };
    on_gpu.device.kind = BackendKind::cuda;
    on_gpu.make = waits;
    saver.save(on_cpu, path("a.png"));
    saver.save(on_gpu, path("b.png"));
    saver.give_up_device(state, "the GPU stopped answering");
    const std::string why = why_not_written(state.ui, Dialog::save);
    EXPECT_NE(why.find("b.png was not saved: the GPU stopped answering"), std::string::npos) << why;
    may_end = true;
    follow_until(saver, state, "a.png: saved");
    EXPECT_FALSE(saver.works());
}

TEST_F(SavingBeside, WhatCannotBeWrittenIsSaidAndAskedForAgain) {
    AppState state;
    PictureSaver saver;
    saver.save(picture(40), path("none/a.png"));
    while (saver.works()) saver.follow(state);
    EXPECT_NE(why_not_written(state.ui, Dialog::save).find("a.png"), std::string::npos);
    EXPECT_TRUE(state.messages.empty()) << "said once, by the dialog";
    EXPECT_EQ(state.ui.dialogs.topmost(), Dialog::save);
}

}  // namespace
}  // namespace texelscope::test
