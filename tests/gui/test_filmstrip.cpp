// The filmstrip in the real window.

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/files/reading/image_files.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class FilmstripInWindow : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        fs::create_directories(folder_);
        setenv("XDG_DATA_HOME", (folder_ / "data").c_str(), 1);  // where the trash is
        for (int i = 1; i <= 5; ++i) write(i);
    }
    void TearDown() override {
        unsetenv("XDG_DATA_HOME");
        fs::remove_all(folder_);
    }
    void write(int number, int width = 640, int height = 480) const {
        Image image(width, height, 3, SampleType::u8);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < 3 * width; ++x)
                image.row_as<uint8_t>(y)[x] = uint8_t(x % 3 == number % 3 ? 200 : 40 * number);
        write_image(image, path(number));
    }
    std::string path(int number) const { return (folder_ / ("p" + std::to_string(number) + ".png")).string(); }
    static std::string entry(int number) { return "filmstrip:p" + std::to_string(number) + ".png"; }
    static bool shows(const json& state, const std::string& control) {
        return state.contains("controls") && state.at("controls").contains(control);
    }
    static auto has_pictures(int made, int failed = 0) {
        return [=](const json& state) {
            return state.at("filmstrip").at("made") == made && state.at("filmstrip").at("failed") == failed;
        };
    }
    static size_t files_in(const fs::path& folder) {
        std::error_code none;
        size_t count = 0;
        for (fs::directory_iterator at(folder, none), end; at != end; ++at) ++count;
        return count;
    }
    fs::path folder_ = scratch("filmstrip");
};

TEST_F(FilmstripInWindow, ShowsTheFolderAndAClickOpensAPicture) {
    ViewerUnderTest viewer(*screen_, {path(1)});
    const int whole = viewer.settled_state().at("picture").at(3);
    EXPECT_FALSE(shows(viewer.settled_state(), entry(1))) << "hidden until it is asked for";
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+t"); }, has_pictures(5), 30));
    const json state = viewer.settled_state();
    const auto [left, top, width, height] = state.at("picture").get<std::array<int, 4>>();
    EXPECT_LT(height, whole);
    const auto first = state.at("controls").at(entry(1)).get<std::array<float, 4>>();
    EXPECT_GE(first[1], float(top + height)) << "below the picture";
    EXPECT_TRUE(viewer.change([&] { viewer.click_control(entry(3)); },
                              [&](const json& s) { return s.at("image") == path(3) && s.contains("size"); }));
    EXPECT_EQ(viewer.settled_state().at("folder").at("position"), 3);
    EXPECT_FALSE(viewer.settled_state().at("can_undo")) << "as walking there does";
    expect_same_picture(viewer, "after a click in the filmstrip");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Next"); }, [&](const json& s) { return s.at("image") == path(4); }))
        << "keys do not stay in the strip";
    EXPECT_EQ(files_in(viewer.cache_folder() + "/thumbnails/normal"), 5u);
}

TEST_F(FilmstripInWindow, FollowsTheFolder) {
    std::ofstream(path(6)) << "\x89PNG\r\n\x1a\n and nothing more";
    ViewerUnderTest viewer(*screen_, {path(1)});
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+t"); }, has_pictures(5, 1), 30));
    EXPECT_EQ(files_in(viewer.cache_folder() + "/thumbnails/fail"), 1u);
    EXPECT_TRUE(viewer.change([&] { write(7); }, has_pictures(6, 1), 30)) << "a new file";
    EXPECT_TRUE(viewer.change([&] { fs::remove(path(5)); }, [](const json& s) { return !shows(s, entry(5)); }, 30));
    EXPECT_TRUE(viewer.change([&] { viewer.key("shift+Delete"); },
                              [&](const json& s) { return s.at("image") == path(2) && !shows(s, entry(1)); }, 30));
}

TEST_F(FilmstripInWindow, TheWheelScrollsItAndNotThePicture) {
    for (int i = 6; i <= 60; ++i) fs::copy_file(path(i % 5 + 1), path(i));
    ViewerUnderTest viewer(*screen_, {path(1)});
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+t"); }, [](const json& s) { return shows(s, entry(2)); }, 30));
    const json view = viewer.settled_state().at("view");
    viewer.click_control(entry(1));  // the shown one: nothing happens, but the mouse is there
    EXPECT_TRUE(
        viewer.change([&] { viewer.wheel(-5); }, [](const json& s) { return s.at("filmstrip").at("first") == 5; }));
    EXPECT_EQ(viewer.settled_state().at("view"), view);
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("End"); },
                      [&](const json& s) { return s.at("image") == path(60) && s.at("filmstrip").at("end") == 60; }))
        << "the shown picture is in view";
}

TEST_F(FilmstripInWindow, IsOnlyForFiles) {
    ViewerUnderTest viewer(*screen_, {path(1), "@zone-plate:64"});
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+t"); }, [](const json& s) { return shows(s, entry(1)); }, 30));
    EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+Next"); },
                              [](const json& s) { return s.at("image") == "@zone-plate:64" && !shows(s, entry(1)); }));
    EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+Next"); }, [](const json& s) { return shows(s, entry(1)); }));
    EXPECT_TRUE(viewer.change([&] { viewer.key("Tab"); }, [](const json& s) { return !shows(s, entry(1)); }));
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.wait_for_end(20), 0);
    EXPECT_EQ(viewer.saved_settings().at("filmstrip"), true);
}

}  // namespace
}  // namespace texelscope::test
