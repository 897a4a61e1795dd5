// Folders, the filmstrip, and files with several pictures, in the real window.

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"
#include "tests/gui/viewer_test.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A folder of pictures in the real window.

class FolderInWindow : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        fs::create_directories(folder_);
        for (const auto& [name, level] : {std::pair{"p1.pgm", 40}, {"p2.pgm", 90}, {"p10.pgm", 130}}) {
            Image image(64, 48, 1, SampleType::u8);
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) image.row_as<uint8_t>(y)[x] = uint8_t(level + x / 8 * 16);
            write_image(image, folder_ / name);
        }
        std::ofstream(folder_ / "p3.pgm") << "P5 64 48 255\nx";
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string path(const char* name) const { return (folder_ / name).string(); }
    // Whether the key brings this picture, at this place among so many.
    bool brings(ViewerUnderTest& viewer, const char* key, const char* name, int position, int count) {
        return viewer.change([&] { viewer.key(key); },
                             [&](const json& state) {
                                 return state.at("image") == path(name) &&
                                        state.at("folder").at("position") == position &&
                                        state.at("folder").at("count") == count;
                             });
    }
    fs::path folder_ = scratch("folder");
    const TrashBelow trash_{(folder_ / "data").string()};
};

TEST_F(FolderInWindow, IsWalkedThroughByKeysPastADamagedFile) {
    ViewerInProcess viewer(*screen_, {folder_.string()});
    const auto shows = [&](const char* name) { return viewer.settled_state().at("image") == path(name); };
    EXPECT_TRUE(shows("p1.pgm"));
    viewer.move_to(0.5, 0.5);
    EXPECT_TRUE(brings(viewer, "Next", "p2.pgm", 2, 4));
    EXPECT_TRUE(brings(viewer, "Next", "p10.pgm", 4, 4)) << "the third is damaged";
    const json state = viewer.settled_state();
    EXPECT_NE(state.at("messages").dump().find("p3.pgm"), std::string::npos);
    EXPECT_FALSE(state.at("can_undo"));
    expect_same_picture(viewer, "at the end of the folder");
    EXPECT_TRUE(brings(viewer, "Prior", "p2.pgm", 2, 4)) << "it does not trap";
    EXPECT_TRUE(brings(viewer, "alt+Left", "p1.pgm", 1, 4));
    EXPECT_TRUE(brings(viewer, "shift+Delete", "p2.pgm", 1, 3));
    EXPECT_FALSE(fs::exists(path("p1.pgm")));
    EXPECT_TRUE(brings(viewer, "ctrl+z", "p1.pgm", 1, 4)) << "undo brings it back";
    EXPECT_TRUE(fs::exists(path("p1.pgm")));
}

TEST_F(FolderInWindow, IsWalkedThroughFromADamagedFirstFile) {
    ViewerInProcess viewer(*screen_, {path("p3.pgm")});
    EXPECT_EQ(viewer.settled_state().at("image"), "@basilica");
    viewer.move_to(0.5, 0.5);
    EXPECT_TRUE(brings(viewer, "Next", "p10.pgm", 4, 4));
}

TEST_F(FolderInWindow, AStepRightAfterADeletionIsTakenFromThePictureThatFollows) {
    ViewerInProcess viewer(*screen_, {path("p2.pgm")});
    viewer.move_to(0.5, 0.5);
    viewer.settled_state();
    viewer.keys({"shift+Delete", "Prior"});
    const json state = viewer.settled_state();
    EXPECT_FALSE(fs::exists(path("p2.pgm")));
    EXPECT_EQ(state.at("image"), path("p1.pgm")) << "p10 comes after the deleted one, p1 before that";
    EXPECT_EQ(state.at("session").dump().find("p2.pgm"), std::string::npos);
    viewer.keys({"ctrl+z", "Next"});
    EXPECT_EQ(viewer.settled_state().at("image"), path("p10.pgm")) << "after the one that came back";
    EXPECT_TRUE(fs::exists(path("p2.pgm")));
}

TEST_F(FolderInWindow, ADeletedPictureIsClosedEvenIfOneGoesOnBeforeTheNextIsThere) {
    const fs::path slow = folder_ / "p1b.png";  // the next one
    Image image(6000, 4000, 3, SampleType::u8);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < 3 * image.width(); ++x) image.row_as<uint8_t>(y)[x] = uint8_t(x / 16 + (x * y) % 23);
    write_image(image, slow);
    const auto is_open = [](const json& state, const char* name) {
        return state.at("session").dump().find(name) != std::string::npos;
    };
    ViewerInProcess viewer(*screen_, {path("p1.pgm")});
    viewer.move_to(0.5, 0.5);
    ASSERT_TRUE(is_open(viewer.settled_state(), "p1.pgm"));
    fs::last_write_time(slow, fs::last_write_time(slow) + std::chrono::seconds(9));  // what was read ahead is old
    ASSERT_TRUE(viewer.change([&] { viewer.key("shift+Delete"); },
                              [&](const json& state) { return state.at("loading") == slow.string(); }));
    EXPECT_TRUE(viewer.change([&] { viewer.key("Next"); },
                              [&](const json& state) {
                                  return state.at("image") == path("p2.pgm") && state.contains("size") &&
                                         state.at("loading") == "" && !is_open(state, "p1.pgm");
                              },
                              60))
        << "the step goes on from the picture after the deleted one";
    EXPECT_FALSE(fs::exists(path("p1.pgm")));
}

// The filmstrip in the real window.

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
    ViewerInProcess viewer(*screen_, {path(1)});
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
    ViewerInProcess viewer(*screen_, {path(1)});
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+t"); }, has_pictures(5, 1), 30));
    EXPECT_EQ(files_in(viewer.cache_folder() + "/thumbnails/fail"), 1u);
    EXPECT_TRUE(viewer.change([&] { write(7); }, has_pictures(6, 1), 30)) << "a new file";
    EXPECT_TRUE(viewer.change([&] { fs::remove(path(5)); }, [](const json& s) { return !shows(s, entry(5)); }, 30));
    EXPECT_TRUE(viewer.change([&] { viewer.key("shift+Delete"); },
                              [&](const json& s) { return s.at("image") == path(2) && !shows(s, entry(1)); }, 30));
}

TEST_F(FilmstripInWindow, TheWheelScrollsItAndNotThePicture) {
    for (int i = 6; i <= 60; ++i) fs::copy_file(path(i % 5 + 1), path(i));
    ViewerInProcess viewer(*screen_, {path(1)});
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
    ViewerInProcess viewer(*screen_, {path(1), "@zone-plate:64"});
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+t"); }, [](const json& s) { return shows(s, entry(1)); }, 30));
    EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+Next"); },
                              [](const json& s) { return s.at("image") == "@zone-plate:64" && !shows(s, entry(1)); }));
    EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+Next"); }, [](const json& s) { return shows(s, entry(1)); }));
    EXPECT_TRUE(viewer.change([&] { viewer.key("Tab"); }, [](const json& s) { return !shows(s, entry(1)); }));
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.wait_for_end(20), 0);
    EXPECT_EQ(viewer.saved_settings().at("filmstrip"), true);
}

// A file with several pictures, and one that lies on its side, in the real window.

class PartsInWindow : public ViewerTest {
protected:
    // 48 × 32 pixels of one colour, and two frames over them: each of a colour of its own.
    static std::string animated() {
        const auto rows = [](char level) {
            std::string text;
            for (int y = 0; y < 32; ++y) text += '\0' + std::string(48, level);
            return stored(text);
        };
        const auto control = [](uint32_t number) {
            return chunk("fcTL", big32(number) + big32(48) + big32(32) + big32(0) + big32(0) + big16(1) + big16(9) +
                                     std::string(2, '\0'));
        };
        const std::string header = big32(48) + big32(32) + '\x08' + std::string(4, '\0');
        return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("acTL", big32(3) + big32(0)) + control(0) +
               chunk("IDAT", rows('\x30')) + control(1) + chunk("fdAT", big32(2) + rows('\x70')) + control(3) +
               chunk("fdAT", big32(4) + rows('\xc0')) + chunk("IEND", "");
    }
    // Noise: enlarged ramps lie halfway between two levels so often that rounding would decide.
    static std::string lying() {
        std::string rows;
        for (int y = 0; y < 30; ++y) {
            rows += '\0';
            for (int x = 0; x < 44; ++x) rows += char(x * x * 37 + x * y * 31 + y * y * 11);
        }
        return png(44, 30, 8, 0, rows, chunk("eXIf", exif(6, false)));
    }
    // What a file says of itself comes a little after its picture.
    static bool comes_to(ViewerUnderTest& viewer, const std::function<bool(const json&)>& wanted) {
        for (int i = 0; i < 100; ++i)
            if (wanted(viewer.settled_state())) return true;
        return false;
    }
    static std::function<bool(const json&)> image(const std::string& source) {
        return [source](const json& state) { return state.value("image", "") == source; };
    }
    Folder folder_;
};

TEST_F(PartsInWindow, AreSteppedThroughByKeys) {
    const std::string file = folder_.write("a.png", animated()).string();
    ViewerInProcess viewer(*screen_, {file});
    ASSERT_TRUE(comes_to(viewer, [](const json& state) { return state.value("parts", 0) == 3; }));
    viewer.move_to(0.5, 0.5);
    viewer.wheel(4);
    const json view = viewer.settled_state().at("view");
    EXPECT_TRUE(viewer.change([&] { viewer.key("period"); }, image(file + "#part=2")));
    EXPECT_TRUE(viewer.change([&] { viewer.key("period"); }, image(file + "#part=3")));
    EXPECT_EQ(viewer.settled_state().at("view"), view);
    EXPECT_TRUE(viewer.settled_state().at("controls").contains("status:part 3 of 3"));
    expect_same_picture(viewer, "in the third frame");
    viewer.key("period");
    EXPECT_NE(viewer.settled_state().at("messages").dump().find("this is the last part of a.png"), std::string::npos);
    EXPECT_TRUE(viewer.change([&] { viewer.key("comma"); }, image(file + "#part=2")));
    EXPECT_TRUE(viewer.change([&] { viewer.key("comma"); }, image(file)));
}

TEST_F(PartsInWindow, AreUprightUnlessStoredRowsAreAskedFor) {
    const std::string file = folder_.write("a.png", lying()).string();
    ViewerInProcess viewer(*screen_, {file});
    EXPECT_EQ(viewer.settled_state().at("size"), (json{30, 44}));
    expect_same_picture(viewer, "upright");
    const auto choose = [&] {
        viewer.click_control("menu:File");
        viewer.click_control("menu:Parts and orientation");
        viewer.click_control("part.upright");
    };
    EXPECT_TRUE(viewer.change(choose, image(file + "#orientation=off")));
    EXPECT_EQ(viewer.settled_state().at("size"), (json{44, 30}));
    expect_same_picture(viewer, "as stored");
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.wait_for_end(10), 0);
    EXPECT_FALSE(viewer.saved_settings().at("upright"));
}

}  // namespace
}  // namespace texelscope::test
