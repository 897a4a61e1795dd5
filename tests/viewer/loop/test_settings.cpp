// The data that outlives the program.

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/viewer/loop/settings.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class SettingsFile : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("texelscope-settings-" + std::to_string(getpid()));
        path_ = folder_ / "texelscope" / "settings.json";
        fs::create_directories(path_.parent_path());
    }
    void TearDown() override { fs::remove_all(folder_); }
    void write(const char* text) { std::ofstream(path_) << text; }

    fs::path folder_, path_;
};

TEST_F(SettingsFile, ComesBackAsWritten) {
    const Preferences preferences{.panel_width = 400,
                                  .dock_width = 500,
                                  .animate = false,
                                  .hint_dismissed = true,
                                  .recent = {"/a/b.png", "/with \"quotes\" and ü.tif"}};
    const Overlays overlays{.minimap = false, .pixel_grid = false, .pixel_values = false, .value_unit = ValueUnit::hex};
    const Settings settings{{preferences}, {overlays}, 1600, 900};
    ASSERT_TRUE(save_settings(settings, path_));
    std::string problem;
    EXPECT_EQ(load_settings(path_, &problem), settings);
    EXPECT_EQ(problem, "");
}

TEST_F(SettingsFile, NoFileIsNoProblem) {
    std::string problem;
    EXPECT_EQ(load_settings(folder_ / "none.json", &problem), Settings{});
    EXPECT_EQ(problem, "");
}

TEST_F(SettingsFile, BrokenFilesAreIgnoredAndNamed) {
    for (const char* text : {"", "{", "[1, 2]", "null", "\x80\xff", "{\"window_width\": 1e999}"}) {
        write(text);
        std::string problem;
        EXPECT_EQ(load_settings(path_, &problem), Settings{}) << text;
        EXPECT_NE(problem.find("settings.json"), std::string::npos) << text;
    }
}

TEST_F(SettingsFile, WrongTypesAndSizesAreTheStandardOnesOrTheLimits) {
    write(
        R"({"window_width": "wide", "window_height": -5, "panel_width": 1e9, "animate": 1, "recent": [1, "/x", null]})");
    std::string problem;
    const Settings settings = load_settings(path_, &problem);
    EXPECT_EQ(problem, "");
    EXPECT_EQ(settings.window_width, Settings{}.window_width);
    EXPECT_EQ(settings.window_height, 64);
    EXPECT_EQ(settings.panel_width, 960);
    EXPECT_EQ(settings.animate, Settings{}.animate);
    EXPECT_EQ(settings.recent, std::vector<std::string>{"/x"});
}

TEST_F(SettingsFile, NamesThatAreNotUtf8DoNotLoseTheRest) {
    Settings settings;
    settings.recent = {"/\xff.png", "/good.png"};
    ASSERT_TRUE(save_settings(settings, path_));
    EXPECT_EQ(load_settings(path_).recent.at(1), "/good.png");
}

TEST_F(SettingsFile, SavingReportsAFileThatCannotBeWritten) {
    EXPECT_FALSE(save_settings({}, fs::path("/proc/none/settings.json")));
    EXPECT_FALSE(save_settings({}, {}));
}

TEST(Recent, LatestFirstWithoutDoubles) {
    std::vector<std::string> recent;
    for (int i = 0; i < 20; ++i) remember_recent(recent, std::to_string(i));
    EXPECT_EQ(recent.size(), max_recent);
    remember_recent(recent, "15");
    EXPECT_EQ(recent.front(), "15");
    EXPECT_EQ(std::count(recent.begin(), recent.end(), "15"), 1);
}

}  // namespace
}  // namespace texelscope::test
