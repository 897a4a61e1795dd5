// A file with several pictures, and one that lies on its side, in the real window.

#include <functional>

#include "tests/files/bytes.h"
#include "tests/files/oriented_files.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

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
    ViewerUnderTest viewer(*screen_, {file});
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
    ViewerUnderTest viewer(*screen_, {file});
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
