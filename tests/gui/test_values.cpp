// Values in the real window: at typed coordinates, copied from the menu; pictures pasted; where the picture is; colours.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include <zlib.h>

#include "app/files/bytes/naming.h"
#include "app/files/reading/image_files.h"
#include "app/window/window.h"
#include "tests/gui/screen.h"
#include "tests/gui/viewer_test.h"

// Last: its macros (None, Bool) are names elsewhere.
#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class ValuesInWindow : public ViewerTest {
protected:
    static auto says(const std::string& words) {
        return [words](const json& s) { return s.at("messages").dump().find(words) != std::string::npos; };
    }
    static auto is_at(double x, double y) {
        return [x, y](const json& s) {
            return s.contains("cursor") && std::abs(s.at("cursor").at(0).get<double>() - x) < 1e-6 &&
                   std::abs(s.at("cursor").at(1).get<double>() - y) < 1e-6;
        };
    }
    static bool has(const json& state, const std::string& control) { return state.at("controls").contains(control); }
    static std::string bytes_of(const Image& image) {
        const std::vector<std::byte> png = encoded_png(image);
        return {reinterpret_cast<const char*>(png.data()), png.size()};
    }
};

// A ramp rises by a 255th from sample to sample, and by half of that to the place between them.
TEST_F(ValuesInWindow, AreShownAtTypedCoordinates) {
    ViewerInProcess viewer(*screen_, {"@ramp:256", "--zoom", "4", "--method", "bilinear"});
    viewer.key("ctrl+shift+p");
    viewer.settled_state();
    viewer.type("go 120.5 80.25");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, is_at(120.5, 80.25)));
    json state = viewer.settled_state();
    EXPECT_EQ(state.at("dock"), "taps");
    EXPECT_TRUE(has(state, "taps:formula"));
    EXPECT_TRUE(has(state, "taps:copy"));
    const double between = state.at("value").at(0);
    for (const double x : {120.0, 121.0}) {
        viewer.key("ctrl+l");
        viewer.settled_state();
        viewer.type(std::to_string(int(x)) + " 80.25");
        EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, is_at(x, 80.25))) << x;
        const double there = viewer.settled_state().at("value").at(0);
        EXPECT_NEAR(there - between, (x - 120.5) / 255, 2e-5);
    }
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("taps:copy"); }, says("copied: the formula")));
}

TEST_F(ValuesInWindow, TheCoordinatesOfTheStatusBarAreAField) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "4"});
    viewer.click_control("status:position");
    viewer.settled_state();
    viewer.type("300 10");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, says("x can be from −0.5 to 299.5")));
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.type("299 10.5");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, is_at(299, 10.5)));
    EXPECT_FALSE(says("x can be")(viewer.settled_state())) << "corrected";
    viewer.click_control("status:position");
    viewer.settled_state();
    viewer.type("7 7");
    viewer.key("Escape");
    EXPECT_TRUE(is_at(299, 10.5)(viewer.settled_state()));
    // By the menu, which takes the keyboard as it closes.
    viewer.click_control("menu:View");
    viewer.settled_state();
    viewer.click_control("view.go-to");
    viewer.settled_state();
    viewer.type("20 30");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, is_at(20, 30)));
}

// A pane that shows a map of errors: the map's value, in the status bar and in what is copied.
TEST_F(ValuesInWindow, OfAMapOfErrorsAreThoseUnderTheCursor) {
    const std::string file = scratch("flip.json");
    std::ofstream(file) << json{
        {"texelscope", 1},
        {"images", {{{"source", "@dead-leaves:300x200"}}}},
        {"panes", {{{"spec", "bilinear"}, {"difference", true}}, {{"spec", "nearest"}}}},
        {"reference", {{"kind", "method"}, {"spec", "nearest"}}},
        {"difference", {{"kind", "flip"}}},
        {"arrangement",
         "columns"}}.dump();
    ViewerInProcess viewer(*screen_, {file});
    const auto has_value = [](const json& s) { return s.contains("map") && s.at("map").is_number(); };
    ASSERT_TRUE(viewer.change([&] { viewer.move_to(0.25, 0.5); }, has_value, 30)) << viewer.settled_state().dump();
    const double value = viewer.settled_state().at("map");
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 1);
    viewer.click_control("menu:Edit");
    viewer.settled_state();
    char words[32];
    std::snprintf(words, sizeof words, "FLIP %.3f", value);
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("edit.copy-value"); }, says(words)));
    fs::remove(file);
}

TEST_F(ValuesInWindow, AreCopiedFromTheMenu) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "4"});
    viewer.click_control("menu:Edit");
    viewer.settled_state();
    viewer.click_control("edit.copy-value");
    EXPECT_FALSE(says("copied")(viewer.settled_state())) << "the mouse has not been over the picture";
    viewer.key("Escape");
    viewer.move_to(0.3, 0.6);
    const json there = viewer.settled_state();
    ASSERT_TRUE(there.contains("cursor"));
    viewer.click_control("menu:Edit");
    EXPECT_FALSE(viewer.settled_state().contains("cursor")) << "it is over the menu";
    char position[64];
    std::snprintf(position, sizeof position, "copied: %.6f, %.6f: stored", there.at("cursor").at(0).get<double>(),
                  there.at("cursor").at(1).get<double>());
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("edit.copy-value"); }, says(position)));
}

TEST_F(ValuesInWindow, TheStatusBarSaysTheRotationAndResetsIt) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200"});
    EXPECT_FALSE(has(viewer.settled_state(), "status:rotation"));
    viewer.key("bracketright");
    EXPECT_TRUE(has(viewer.settled_state(), "status:rotation"));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("status:rotation"); },
                              [](const json& s) { return s.at("view").at("rotate") == 0.0; }));
    EXPECT_FALSE(has(viewer.settled_state(), "status:rotation"));
}

TEST_F(ValuesInWindow, AnEmptyPaneLeadsBackToItsPicture) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "8"});
    EXPECT_FALSE(has(viewer.settled_state(), "away:A"));
    for (int i = 0; i < 4; ++i) viewer.key("shift+Right");
    const json lost = viewer.settled_state();
    ASSERT_TRUE(has(lost, "away:A"));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("away:A"); },
                              [](const json& s) { return s.at("view").at("translate_x") == 0.0; }));
    EXPECT_FALSE(has(viewer.settled_state(), "away:A"));
    viewer.key("1");
    EXPECT_TRUE(viewer.settled_state().at("panes").at(0).get<std::string>().starts_with("nearest"))
        << "keys still act on the picture";
}

// Pasting.

TEST_F(ValuesInWindow, APictureIsPastedAsADocumentOfItsOwn) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200"});
    Image small(7, 5, 3, SampleType::u8);
    small.row_as<uint8_t>(2)[3] = 200;
    {
        const ClipboardOwner owner(screen_->display(), {{"image/png", bytes_of(small)}});
        EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+v"); },
                                  [](const json& s) { return s.value("image", "") == "@pushed:pasted"; }));
    }
    EXPECT_EQ(viewer.settled_state().at("size"), (json{7, 5}));
    // Noise does not shrink: it comes in many pieces.
    Image large(300, 200, 3, SampleType::u8);
    std::mt19937 random(5);
    for (int y = 0; y < 200; ++y)
        for (int i = 0; i < 900; ++i) large.row_as<uint8_t>(y)[i] = uint8_t(random());
    ASSERT_GT(bytes_of(large).size(), 3 * ClipboardOwner::piece_bytes);
    const ClipboardOwner owner(screen_->display(), {{"image/png", bytes_of(large)}, {"UTF8_STRING", "a caption"}});
    EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+v"); },
                              [](const json& s) { return s.value("image", "") == "@pushed:pasted 2"; }));
    EXPECT_EQ(viewer.settled_state().at("size"), (json{300, 200})) << "beside the first one";
    viewer.key("ctrl+l");
    viewer.settled_state();
    viewer.type("120 77");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, is_at(120, 77)));
    const json value = viewer.settled_state().at("value");
    viewer.key("1");  // nearest: the sample itself
    EXPECT_NEAR(viewer.settled_state().at("value").at(1).get<double>(), large.value(120, 77, 1), 1e-6);
    EXPECT_EQ(value.size(), 3u);
}

TEST_F(ValuesInWindow, CopiedFilesAreOpened) {
    const fs::path folder = scratch("copied"), file = folder / "a picture #1.png";
    fs::create_directories(folder);
    write_image(Image(9, 4, 1, SampleType::u8), file);
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200"});
    const auto shows_file = [&](const json& s) {
        return s.value("image", "").starts_with(folder.string()) && s.contains("size") && s.at("size") == json{9, 4};
    };
    {
        const ClipboardOwner owner(screen_->display(),
                                   {{"text/uri-list", "file://" + encoded_path(file.string()) + "\r\n"},
                                    {"image/png", bytes_of(Image(2, 2, 1, SampleType::u8))}});
        EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+v"); }, shows_file)) << "rather than a picture of it";
    }
    viewer.key("ctrl+w");
    EXPECT_FALSE(shows_file(viewer.settled_state()));
    {
        const ClipboardOwner owner(screen_->display(), {{"UTF8_STRING", file.string()}});
        EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+v"); }, shows_file));
    }
    fs::remove_all(folder);
}

TEST_F(ValuesInWindow, OneSentenceSaysWhyNothingIsPasted) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200"});
    for (const auto& [forms, why] : std::vector<std::pair<std::map<std::string, std::string>, std::string>>{
             {{{"image/png", "no PNG"}}, "nothing was pasted: "},
             {{{"UTF8_STRING", "hello"}}, "neither picture nor path"},
             {{{"text/html", "<p>"}}, "neither picture nor text"}}) {
        const ClipboardOwner owner(screen_->display(), forms);
        EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+v"); }, says(why))) << why;
    }
    EXPECT_EQ(viewer.settled_state().at("image"), "@dead-leaves:300x200");
}

}  // namespace

// Colours on the screen: profiles, false colour.

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

TEST_F(Colours, ADoubleClickOnTheSliderResetsTheExposure) {
    ViewerInProcess viewer(*screen_, {linear_png(128)});
    const json box = viewer.settled_state().at("controls").at("display:exposure");
    const auto x = box.at(0).get<float>() + 0.8f * box.at(2).get<float>(), y = box.at(1).get<float>() + 8;
    viewer.move_pointer(int(x), int(y));
    viewer.click();
    EXPECT_TRUE(viewer.settled_state().at("controls").contains("status:tones"));
    viewer.pass(1);
    viewer.double_click();
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("status:tones"));
}

TEST_F(Colours, TheScreensProfileIsThePropertyOfItsRootWindow) {
    setenv("DISPLAY", screen_->display().c_str(), 1);
    EXPECT_TRUE(screen_profile().icc.empty());
    Display* display = XOpenDisplay(nullptr);
    ASSERT_TRUE(display);
    std::vector<unsigned char> bytes(100000);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 7 + i / 251);
    const Atom name = XInternAtom(display, "_ICC_PROFILE", False);
    XChangeProperty(display, DefaultRootWindow(display), name, XA_CARDINAL, 8, PropModeReplace, bytes.data(),
                    int(bytes.size()));
    XSync(display, False);
    const std::vector<std::byte> read = screen_profile().icc;
    XDeleteProperty(display, DefaultRootWindow(display), name);
    XCloseDisplay(display);
    ASSERT_EQ(read.size(), bytes.size());
    EXPECT_EQ(std::memcmp(read.data(), bytes.data(), bytes.size()), 0);
    setenv("DISPLAY", "", 1);
    EXPECT_TRUE(screen_profile().icc.empty()) << "no display, no profile";
    setenv("DISPLAY", screen_->display().c_str(), 1);
}

// A value that is the mean of many samples says so; at 100 % and above there is no such.
TEST_F(ValuesInWindow, SayWhetherTheyAreMeans) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:900x600", "--zoom", "4"});
    const auto is_mean = [](const json& state) {
        for (const auto& [id, box] : state.at("controls").items())
            if (id.starts_with("status:mean [")) return true;
        return false;
    };
    viewer.move_to(0.5, 0.5);
    EXPECT_FALSE(is_mean(viewer.settled_state()));
    for (int i = 0; i < 4; ++i) {
        viewer.key("minus");
        viewer.settled_state();
    }
    EXPECT_TRUE(is_mean(viewer.settled_state()));
    viewer.key("m");
    EXPECT_FALSE(is_mean(viewer.settled_state())) << "not antialiased: one value";
}

}  // namespace
}  // namespace texelscope::test
