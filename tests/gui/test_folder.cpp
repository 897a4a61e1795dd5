// A folder of pictures in the real window.

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/files/reading/image_files.h"
#include "tests/gui/viewer_test.h"
#include "tests/support/environment.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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
    ViewerUnderTest viewer(*screen_, {folder_.string()});
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

TEST_F(FolderInWindow, AStepRightAfterADeletionIsTakenFromThePictureThatFollows) {
    ViewerUnderTest viewer(*screen_, {path("p2.pgm")});
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
    ViewerUnderTest viewer(*screen_, {path("p1.pgm")});
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

}  // namespace
}  // namespace texelscope::test
