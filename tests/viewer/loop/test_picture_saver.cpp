// Pictures written in the background: all of them, one after the other, until one is cancelled.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/files/reading/image_files.h"
#include "app/viewer/loop/picture_saver.h"
#include "gpu/core/parallel.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class SavingBeside : public testing::Test {
protected:
    void SetUp() override {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string path(const char* name) const { return (folder_ / name).string(); }

    static PictureBeside picture(uint8_t level) {
        Image image(30, 20, 1, SampleType::u8);
        std::fill_n(image.row_as<uint8_t>(0), 600, level);
        return made_already(std::make_shared<const Image>(std::move(image)));
    }
    float written(const char* name) const { return read_image(path(name)).value(7, 7, 0) * 255; }

    // As the frames of the window do.
    void follow_until(PictureSaver& saver, AppState& state, const std::string& words) {
        for (int i = 0; i < 1000 && said(state).find(words) == std::string::npos; ++i) {
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
    fs::path folder_ = fs::path(testing::TempDir()) / "texelscope-saving-beside";
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
    follow_until(saver, state, "a.png");
    EXPECT_TRUE(saver.take_failure());
    EXPECT_FALSE(saver.take_failure());
}

// Of panes, say; and what is cancelled stops computing, even within one of them.
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
    for (int i = 0; i < 1000 && state.report.saving.words != "computing pane 2 of 4"; ++i) {
        std::this_thread::sleep_for(5ms);
        state.now += 0.3;
        saver.follow(state);
    }
    EXPECT_EQ(state.report.saving.words, "computing pane 2 of 4");
    EXPECT_GT(state.report.saving.done, 0);
    saver.cancel();
    follow_until(saver, state, "a.png: saving it was cancelled");
    for (int i = 0; i < 1000 && !ended; ++i) std::this_thread::sleep_for(5ms);
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
    EXPECT_NE(said(state).find("b.png was not saved: the GPU stopped answering"), std::string::npos) << said(state);
    may_end = true;
    follow_until(saver, state, "a.png: saved");
    EXPECT_FALSE(saver.works());
}

TEST_F(SavingBeside, WhatCannotBeWrittenIsSaidAndAskedForAgain) {
    AppState state;
    PictureSaver saver;
    saver.save(picture(40), path("none/a.png"));
    follow_until(saver, state, "a.png");
    EXPECT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.ui.dialogs.topmost(), Dialog::save);
}

}  // namespace
}  // namespace texelscope::test
