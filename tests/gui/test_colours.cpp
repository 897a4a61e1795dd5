// Colours on the screen: profiles, false colour.

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <zlib.h>

#include "app/files/reading/image_files.h"
#include "app/window/window.h"
#include "tests/gui/viewer_test.h"

// Last: its macros (None, Bool) are names elsewhere.
#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace texelscope::test {
namespace {

class Colours : public ViewerTest {
protected:
    // Values of one grey whose PNG says that they are linear light.
    static std::string linear_png(int level) {
        const std::string name = scratch("linear.png");
        Image image(64, 48, 3, SampleType::u8);
        std::memset(image.data(), level, image.size_bytes());
        write_image(image, name);
        std::ifstream in(name, std::ios::binary);
        std::string bytes((std::istreambuf_iterator<char>(in)), {});
        const std::string chunk("gAMA\0\1\x86\xa0", 8);  // 100000
        const auto crc = uint32_t(crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), uInt(chunk.size())));
        std::string whole("\0\0\0\4", 4);
        whole += chunk;
        for (const int shift : {24, 16, 8, 0}) whole += char(crc >> shift);
        constexpr size_t after_header = 8 + 25;
        std::ofstream(name, std::ios::binary) << bytes.insert(after_header, whole);
        return name;
    }

    // A session names only what differs from the defaults.
    static bool by_profile(const nlohmann::json& state) {
        return state.at("session").value(nlohmann::json::json_pointer("/display/by_profile"), true);
    }

    static int middle_of(const Image& image) {
        return image.row_as<uint8_t>(image.height() / 2)[3 * (image.width() / 2)];
    }
};

// 128 / 255 of linear light is coded 188 in sRGB.
TEST_F(Colours, AProfileIsConvertedUntilTheStatusBarIsClicked) {
    ViewerInProcess viewer(*screen_, {linear_png(128)});
    EXPECT_TRUE(by_profile(viewer.settled_state()));
    EXPECT_NEAR(middle_of(viewer.shown_picture()), 188, 1);
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("status:profile"); },
                              [](const auto& state) { return !by_profile(state); }));
    EXPECT_EQ(middle_of(viewer.shown_picture()), 128);
}

// A file that is linear light by its format; values above 1 come back with the exposure.
TEST_F(Colours, AnHdrFileIsShownAsLight) {
    const std::string name = scratch("light.hdr");
    Image image(64, 48, 3, SampleType::f32);
    std::fill_n(image.row_as<float>(0), 64 * 48 * 3, 0.5f);
    write_image(image, name);
    ViewerInProcess viewer(*screen_, {name});
    viewer.settled_state();
    EXPECT_NEAR(middle_of(viewer.shown_picture()), 188, 1);
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("status:profile"); },
                              [](const auto& state) { return !by_profile(state); }));
    EXPECT_NEAR(middle_of(viewer.shown_picture()), 128, 1);
}

TEST_F(Colours, AChangedExposureIsNamedUntilItIsClicked) {
    ViewerInProcess viewer(*screen_, {linear_png(128)});
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("status:tones"));
    const int before = middle_of(viewer.shown_picture());
    viewer.move_to(0.5, 0.5);
    ASSERT_TRUE(viewer.change([&] { viewer.key("shift+e"); },
                              [](const auto& state) { return state.at("controls").contains("status:tones"); }));
    EXPECT_LT(middle_of(viewer.shown_picture()), before);
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("status:tones"); },
                              [](const auto& state) { return !state.at("controls").contains("status:tones"); }));
    EXPECT_EQ(middle_of(viewer.shown_picture()), before);
}

TEST_F(Colours, TheScreensProfileIsThePropertyOfItsRootWindow) {
    setenv("DISPLAY", screen_->display().c_str(), 1);
    EXPECT_TRUE(screen_profile().empty());
    Display* display = XOpenDisplay(nullptr);
    ASSERT_TRUE(display);
    std::vector<unsigned char> bytes(100000);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 7 + i / 251);
    const Atom name = XInternAtom(display, "_ICC_PROFILE", False);
    XChangeProperty(display, DefaultRootWindow(display), name, XA_CARDINAL, 8, PropModeReplace, bytes.data(),
                    int(bytes.size()));
    XSync(display, False);
    const std::vector<std::byte> read = screen_profile();
    XDeleteProperty(display, DefaultRootWindow(display), name);
    XCloseDisplay(display);
    ASSERT_EQ(read.size(), bytes.size());
    EXPECT_EQ(std::memcmp(read.data(), bytes.data(), bytes.size()), 0);
    setenv("DISPLAY", "", 1);
    EXPECT_TRUE(screen_profile().empty()) << "no display, no profile";
    setenv("DISPLAY", screen_->display().c_str(), 1);
}

}  // namespace
}  // namespace texelscope::test
