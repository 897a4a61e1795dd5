// Pictures written beside the window: all of them, one after the other, until one is cancelled.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/files/image_files.h"
#include "app/viewer/loop/picture_saver.h"

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

    static MakePicture picture(uint8_t level) {
        return [level] {
            Image image(30, 20, 1, SampleType::u8);
            std::fill_n(image.row_as<uint8_t>(0), 600, level);
            return std::make_shared<const Image>(std::move(image));
        };
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
    saver.add(save_job(picture(40), path("a.png")));
    saver.add(save_job(picture(90), path("b.png")));
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
        for (const char* name : {"a.png", "none/b.png", "c.png"}) saver.add(save_job(picture(50), path(name)));
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
        const auto slow = [&, make = picture(40)] {
            while (!may_end) std::this_thread::sleep_for(1ms);
            return make();
        };
        saver.add(save_job(slow, path("a.png")));
        saver.add(save_job(picture(90), path("b.png")));
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

TEST_F(SavingBeside, WhatCannotBeWrittenIsSaidAndAskedForAgain) {
    AppState state;
    PictureSaver saver;
    saver.add(save_job(picture(40), path("none/a.png")));
    follow_until(saver, state, "a.png");
    EXPECT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.ui.dialogs.topmost(), Dialog::save);
}

}  // namespace
}  // namespace texelscope::test
