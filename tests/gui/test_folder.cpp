// A folder of pictures in the real window.

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/files/image_files.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class FolderInWindow : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        fs::create_directories(folder_);
        setenv("XDG_DATA_HOME", (folder_ / "data").c_str(), 1);  // where the trash is
        for (const auto& [name, level] : {std::pair{"p1.pgm", 40}, {"p2.pgm", 90}, {"p10.pgm", 160}}) {
            Image image(64, 48, 1, SampleType::u8);
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) image.row_as<uint8_t>(y)[x] = uint8_t(level + x / 8);
            write_image(image, folder_ / name);
        }
        std::ofstream(folder_ / "p3.pgm") << "P5 64 48 255\nx";
    }
    void TearDown() override {
        unsetenv("XDG_DATA_HOME");
        fs::remove_all(folder_);
    }
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

}  // namespace
}  // namespace texelscope::test
