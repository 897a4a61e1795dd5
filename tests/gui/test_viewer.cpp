// The real program in a real window: what the mouse and the keys do, and that the picture equals that of `render`.

#include <cmath>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "app/files/bytes/embedded_files.h"
#include "tests/gui/viewer_test.h"

// Last: its macros (None, Bool) are names elsewhere.
#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace texelscope::test {
namespace {

using nlohmann::json;

using Viewer = ViewerTest;

double scale_of(const json& state) { return state.at("view").at("scale"); }
std::string method_of(const json& state) { return state.at("spec"); }

// Sample-space point under an output position, as docs/fidelity.md defines it.
std::array<double, 2> sample_at(const json& state, double i, double j) {
    const auto& view = state.at("view");
    const double s = view.at("scale"), angle = double(view.at("rotate")) * std::acos(-1.0) / 180;
    const double dx = i - (double(state.at("picture").at(2)) - 1) / 2,
                 dy = j - (double(state.at("picture").at(3)) - 1) / 2;
    return {double(view.at("translate_x")) + s * (std::cos(angle) * dx - std::sin(angle) * dy),
            double(view.at("translate_y")) + s * (std::sin(angle) * dx + std::cos(angle) * dy)};
}

// As a session manager or a shell does it.
TEST_F(Viewer, SigtermClosesItAndKeepsTheSettings) {
    ViewerProgram viewer(*screen_, {"@step:64"});
    viewer.settled_state();
    EXPECT_EQ(viewer.saved_settings().at("pixel_grid"), false);
    viewer.key("ctrl+g");
    viewer.settled_state();
    viewer.terminate();
    EXPECT_EQ(viewer.wait_for_end(10), 0) << viewer.messages();
    EXPECT_EQ(viewer.saved_settings().at("pixel_grid"), true);
}

TEST_F(Viewer, ShowsTheDefaultPictureEnlarged) {
    ViewerProgram viewer(*screen_, {});
    const json state = viewer.settled_state();
    EXPECT_NE(std::string(state.at("image")).find("basilica"), std::string::npos);
    EXPECT_LT(scale_of(state), 1.0 / 8);
    EXPECT_EQ(state.at("widened"), false) << "the path has no effect";
    expect_same_picture(viewer, "at start");
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.wait_for_end(10), 0) << viewer.messages();
}

TEST_F(Viewer, WheelZoomsAboutTheCursorByAnEighthOfAnOctave) {
    ViewerProgram viewer(*screen_, {"@dead-leaves:700x500", "--zoom", "2"});
    viewer.move_to(0.25, 0.375);
    const json before = viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.wheel(1); }, [&](const json& s) { return scale_of(s) < scale_of(before); }));
    const json after = viewer.settled_state();
    EXPECT_NEAR(std::log2(scale_of(before) / scale_of(after)), 0.125, 1e-9);
    const double i = std::floor(0.25 * double(before.at("picture").at(2))),
                 j = std::floor(0.375 * double(before.at("picture").at(3)));
    const auto old_sample = sample_at(before, i, j), new_sample = sample_at(after, i, j);
    EXPECT_NEAR(old_sample[0], new_sample[0], 1e-6);
    EXPECT_NEAR(old_sample[1], new_sample[1], 1e-6);
    expect_same_picture(viewer, "after one notch");
    EXPECT_TRUE(viewer.change([&] { viewer.wheel(-6, "shift"); },
                              [&](const json& s) { return scale_of(s) > scale_of(after); }));
    expect_same_picture(viewer, "after six notches out with shift");
}

TEST_F(Viewer, ZoomStaysWithinItsRange) {
    ViewerInProcess viewer(*screen_, {"@step:64"});
    viewer.move_to(0.5, 0.5);
    viewer.wheel(60, "shift");
    EXPECT_NEAR(scale_of(viewer.settled_state()), 1.0 / 512, 1e-12);
    expect_same_picture(viewer, "at zoom 512");
    viewer.wheel(-80, "shift");
    EXPECT_NEAR(scale_of(viewer.settled_state()), 100, 1e-9);
    EXPECT_TRUE(viewer.running());
}

TEST_F(Viewer, DragPansByWholePixels) {
    ViewerProgram viewer(*screen_, {"@zone-plate:512", "--zoom", "4", "--rotate", "30"});
    const json before = viewer.settled_state();
    viewer.drag(0.5, 0.5, 0.75, 0.625);
    const json after = viewer.settled_state();
    const double w = before.at("picture").at(2), h = before.at("picture").at(3);
    const double dx = std::floor(0.75 * w) - std::floor(0.5 * w), dy = std::floor(0.625 * h) - std::floor(0.5 * h);
    const auto old_sample = sample_at(before, 100, 100), new_sample = sample_at(after, 100 + dx, 100 + dy);
    EXPECT_NEAR(old_sample[0], new_sample[0], 1e-6);
    EXPECT_NEAR(old_sample[1], new_sample[1], 1e-6);
    EXPECT_EQ(scale_of(before), scale_of(after));
    expect_same_picture(viewer, "after the drag");
}

TEST_F(Viewer, KeysChooseMethodPathAddressAndPrefilter) {
    ViewerInProcess viewer(*screen_, {"@text:300x200", "--zoom", "3.7", "--rotate", "7"});
    viewer.move_to(0.5, 0.5);
    const char* ids[] = {"nearest", "bilinear", "bspline", "catmull-rom"};
    for (int k = 0; k < 4; ++k) {
        EXPECT_TRUE(viewer.change([&] { viewer.key(std::to_string(k + 1)); },
                                  [&](const json& s) { return method_of(s).starts_with(ids[k]); }))
            << ids[k];
        expect_same_picture(viewer, ids[k]);
    }
    std::string last;
    for (const std::string name : {"p", "p", "p", "a", "a", "a", "3", "k", "k"}) {
        const json before = viewer.settled_state();
        EXPECT_TRUE(
            viewer.change([&] { viewer.key(name); }, [&](const json& s) { return method_of(s) != method_of(before); }))
            << name;
        // Of each key once: what a spec looks like is the engine's tests' matter.
        if (std::exchange(last, name) != name)
            expect_same_picture(viewer, "key " + name + ": " + method_of(viewer.settled_state()));
    }
}

TEST_F(Viewer, CurvesDrawFetchesOnThePathHardwareOnly) {
    ViewerInProcess viewer(*screen_, {"@random:8", "--method", "bspline:path=lookup"});
    const auto there = [](const json& s, const char* plot) { return s.at("controls").contains(plot); };
    const auto drawn = [&](const json& s) { return there(s, "plot:fetch-weight") && there(s, "plot:fetch-place"); };
    viewer.move_to(0.5, 0.5);
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("c"); },
                      [&](const json& s) { return there(s, "plot:weight") && !there(s, "plot:fetch-weight"); }));
    EXPECT_TRUE(viewer.change([&] { viewer.key("p"); }, drawn)) << method_of(viewer.settled_state());
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("1"); },
                      [&](const json& s) { return there(s, "plot:weight") && !there(s, "plot:fetch-weight"); }));
    EXPECT_NE(method_of(viewer.settled_state()).find("hardware"), std::string::npos);  // one point-filtered fetch
}

TEST_F(Viewer, MouseChoosesMethodAndAddress) {
    ViewerProgram viewer(*screen_, {"@frame:60x40", "--zoom", "9", "--outside", "extend"});
    for (const char* section : {"section:Display", "section:Compare", "section:Advanced"})  // make space, open
        viewer.click_control(section);
    // What leads there, and the control.
    const std::pair<const char*, const char*> choices[] = {{"method:group:Simple", "method:nearest"},
                                                           {"method:group:Cubic", "method:catmull-rom"},
                                                           {"path", "path:hardware"},
                                                           {"path", "path:lookup"},
                                                           {"method:group:Splines", "method:bspline"}};
    for (const auto& choice : choices) {
        const char *first = choice.first, *control = choice.second;
        const json before = viewer.settled_state();
        viewer.click_control(first);
        viewer.settled_state();
        EXPECT_TRUE(viewer.change([&] { viewer.click_control(control); },
                                  [&](const json& s) { return method_of(s) != method_of(before); }))
            << control;
        viewer.move_to(0.5, 0.5);
        expect_same_picture(viewer, control);
    }
}

TEST_F(Viewer, MethodsWithoutAKeyAndTheirParametersByMouse) {
    ViewerInProcess viewer(*screen_, {"@text:200x150", "--zoom", "3.3"});
    viewer.click_control("method:find");
    viewer.settled_state();
    viewer.type("(b, c)");
    EXPECT_TRUE(viewer.settled_state().at("controls").contains("method:bc"));
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("method:bspline"));
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("Return"); }, [](const json& s) { return method_of(s).starts_with("bc"); }));
    viewer.move_to(0.5, 0.5);
    expect_same_picture(viewer, "standard parameters");
    const json standard = viewer.settled_state();
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("parameter:b"); },
                              [&](const json& s) { return method_of(s) != method_of(standard); }));
    viewer.move_to(0.5, 0.5);
    expect_same_picture(viewer, "in the middle of the slider");
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("parameter:b:standard"); },
                              [&](const json& s) { return method_of(s) == method_of(standard); }));
}

TEST_F(Viewer, AntialiasAndLinearLightByKeyAndByMouse) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:512", "--scale", "2.6", "--rotate", "10"});
    viewer.move_to(0.5, 0.5);
    const json first = viewer.settled_state();
    EXPECT_TRUE(first.at("antialias").get<bool>());
    EXPECT_TRUE(first.at("widened").get<bool>());
    expect_same_picture(viewer, "antialiased");
    const Image smooth = viewer.shown_picture();
    EXPECT_TRUE(viewer.change([&] { viewer.key("m"); }, [](const json& s) { return s.at("antialias") == false; }));
    expect_same_picture(viewer, "not antialiased");
    EXPECT_GT(compare_middle(smooth, viewer.shown_picture()).worst, 50);  // the moiré
    EXPECT_TRUE(viewer.change([&] { viewer.key("m"); }, [](const json& s) { return s.at("antialias") == true; }));
    EXPECT_TRUE(viewer.change([&] { viewer.key("l"); }, [](const json& s) { return s.at("linear_light") == true; }));
    expect_same_picture(viewer, "antialiased in linear light");
    for (const char* section : {"section:Compare", "section:View"}) viewer.click_control(section);
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("view:antialias"); },
                              [](const json& s) { return s.at("antialias") == false; }));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("view:linear-light"); },
                              [](const json& s) { return s.at("linear_light") == false; }));
    viewer.move_to(0.5, 0.5);
    expect_same_picture(viewer, "neither");
}

TEST_F(Viewer, WarpsByMouseAndByKey) {
    ViewerInProcess viewer(*screen_, {"@rings:300", "--zoom", "1.5", "--rotate", "-20", "--outside", "extend"});
    const auto kind = [](const json& s) { return std::string(s.at("warp").at("kind")); };
    for (const char* section : {"section:Compare", "section:View"}) viewer.click_control(section);
    for (const char* name : {"swirl", "barrel", "ripple"}) {
        viewer.click_control("warp");
        EXPECT_TRUE(viewer.change([&] { viewer.click_control(std::string("warp:") + name); },
                                  [&](const json& s) { return kind(s) == name; }))
            << name;
        viewer.move_to(0.5, 0.5);
        expect_same_picture(viewer, name);
    }
    const double standard = viewer.settled_state().at("warp").at("strength");
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("warp:strength"); },
                              [&](const json& s) { return s.at("warp").at("strength") != standard; }));
    viewer.move_to(0.5, 0.5);
    expect_same_picture(viewer, "another strength");
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("warp:strength:standard"); },
                              [&](const json& s) { return s.at("warp").at("strength") == standard; }));
    viewer.move_to(0.5, 0.5);
    viewer.settled_state();  // keys are sent to the panels until the button is up
    for (const char* next : {"plane", "none"})
        EXPECT_TRUE(viewer.change([&] { viewer.key("w"); }, [&](const json& s) { return kind(s) == next; })) << next;
    viewer.move_to(0.5, 0.5);
    expect_same_picture(viewer, "none");
}

// The value in the status bar is that of the pixel under the cursor, whatever is between samples and screen.
TEST_F(Viewer, ValueUnderTheCursorIsThatOfThePicture) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:900", "--scale", "2.2", "--rotate", "15", "--outside", "extend"});
    for (const char* step : {"", "m", "l", "w", "m", "w"}) {
        const json before = viewer.settled_state();
        if (*step) {
            EXPECT_TRUE(viewer.change([&] { viewer.key(step); }, [&](const json& s) { return s != before; }, 30));
        }
        viewer.move_to(0.37, 0.61);
        const json state = viewer.settled_state();
        const Image shown = viewer.shown_picture();
        const int x = int(std::floor(0.37 * shown.width())), y = int(std::floor(0.61 * shown.height()));
        ASSERT_TRUE(state.contains("value")) << step;
        const auto value = state.at("value").get<std::vector<double>>();
        for (size_t c = 0; c < value.size(); ++c)
            EXPECT_NEAR(shown.row_as<uint8_t>(y)[size_t(x) * 3 + c], 255 * std::clamp(value[c], 0.0, 1.0), 0.51 + 1e-3)
                << "after " << step << ", " << state.at("warp") << ", channel " << c;
    }
}

TEST_F(Viewer, ASignalFillsThePictureArea) {
    // NumPy's format, version 1.0: eight samples of float32.
    const std::string file = scratch("signal.npy");
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (8,), }";
    header.resize(117, ' ');
    header += '\n';
    std::ofstream out(file, std::ios::binary);
    out << "\x93NUMPY" << '\x01' << '\0' << char(header.size()) << '\0' << header;
    const float samples[8] = {0, 1, 0.25f, 0.75f, 0.5f, 0, 1, 0.5f};
    out.write(reinterpret_cast<const char*>(samples), sizeof samples);
    out.close();
    ViewerInProcess viewer(*screen_, {file, "--method", "nearest"});
    viewer.move_to(0.5, 0.5);
    const json state = viewer.settled_state();
    EXPECT_EQ(state.at("size"), (json{8, 1}));
    const Image shown = viewer.shown_picture();
    for (int k = 0; k < 8; ++k)
        for (const double at : {0.25, 0.75}) {
            const int x = int((k + 0.5) * shown.width() / 8), y = int(at * shown.height());
            EXPECT_EQ(shown.row_as<uint8_t>(y)[x * 3], int(std::lround(samples[k] * 255))) << k << " at " << at;
        }
    for (const char* name : {"2", "3", "4", "a", "a", "a", "bracketright", "minus"}) {
        viewer.key(name);
        viewer.settled_state();
        ASSERT_TRUE(viewer.running()) << name;
    }
    EXPECT_TRUE(viewer.settled_state().at("messages").dump().find("error") == std::string::npos);
    std::remove(file.c_str());
}

TEST_F(Viewer, SurvivesEverySizeOfItsWindow) {
    ViewerProgram viewer(*screen_, {"@frame:200x150"});
    viewer.resize(900, 640);
    EXPECT_LE(int(viewer.settled_state().at("picture").at(2)), 900);
    expect_same_picture(viewer, "at 900×640");
    for (const auto& [width, height] : {std::pair{1, 1}, {2, 700}, {700, 3}, {40, 40}}) {
        viewer.resize(width, height);
        viewer.settled_state();
        ASSERT_TRUE(viewer.running()) << width << "×" << height;
    }
    viewer.hide();
    viewer.settled_state();
    ASSERT_TRUE(viewer.running());
    viewer.show();
    viewer.resize(1280, 800);
    viewer.settled_state();
    expect_same_picture(viewer, "back at 1280×800");
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.wait_for_end(10), 0) << viewer.messages();
}

TEST_F(Viewer, KeepsTheOldPictureWhenAFileIsBad) {
    ViewerInProcess viewer(*screen_, {"@rings:256", "/nonexistent/picture.png"});
    EXPECT_NE(std::string(viewer.settled_state().at("image")).find("rings"), std::string::npos);
    viewer.move_to(0.5, 0.5);
    viewer.key("Next");  // page down: the second file
    expect_same_picture(viewer, "with a bad second file");
    EXPECT_NE(std::string(viewer.settled_state().at("image")).find("rings"), std::string::npos);
    EXPECT_NE(viewer.settled_state().at("messages").dump().find("/nonexistent/picture.png"), std::string::npos);
    EXPECT_TRUE(viewer.running());
}

TEST_F(Viewer, EscapeNeverQuits) {
    ViewerInProcess viewer(*screen_, {"@constant:32"});
    for (int i = 0; i < 3; ++i) viewer.key("Escape");
    viewer.settled_state();
    EXPECT_TRUE(viewer.running());
}

TEST_F(Viewer, SaysWhenThereIsNoDisplay) {
    Process viewer({TEXELSCOPE_PROGRAM}, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
    EXPECT_EQ(viewer.wait(20), 1);
    ASSERT_GE(viewer.wait_for_line(
                  0, [](const std::string& line) { return line.find("display") != std::string::npos; }, 1),
              0);
    EXPECT_EQ(viewer.lines().size(), 1u);
}

TEST_F(Viewer, ScreenshotHasTheOfferThatAFileBrings) {
    const std::string array = scratch("channels-first.npy"), file = scratch("shot.png");
    std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 40, 40), }";
    header.resize(117, ' ');
    std::ofstream(array, std::ios::binary) << std::string("\x93NUMPY\1\0\x76\0", 10) << header << '\n'
                                           << std::string(3 * 40 * 40, '\0');
    Process viewer({TEXELSCOPE_PROGRAM, array, "--trace-state", "--screenshot", file},
                   {{"DISPLAY", screen_->display()}, {"WAYLAND_DISPLAY", ""}});
    EXPECT_EQ(viewer.wait(60), 0);
    EXPECT_GE(
        viewer.wait_for_line(
            0, [](const std::string& line) { return line.find("it may be 3 rows of 40 pixels") != line.npos; }, 1),
        0);
    std::remove(array.c_str());
    std::remove(file.c_str());
}

TEST_F(Viewer, ScreenshotIsThePictureOfOneFrame) {
    const std::string file = scratch("shot.png");
    EXPECT_EQ(run({TEXELSCOPE_PROGRAM, "@step:64", "--window", "800x600", "--screenshot", file},
                  {{"DISPLAY", screen_->display()}}),
              0);
    std::remove(file.c_str());
}

}  // namespace

// What window managers and task bars show for the window.

namespace {

using Icons = ViewerTest;

// The sides of all _NET_WM_ICON pictures of this window and those in it.
std::set<unsigned long> icon_sides(Display* display, ::Window window) {
    std::set<unsigned long> sides;
    Atom type = None;
    int format = 0;
    unsigned long count = 0, rest = 0;
    unsigned char* data = nullptr;
    XGetWindowProperty(display, window, XInternAtom(display, "_NET_WM_ICON", False), 0, 1 << 20, False, XA_CARDINAL,
                       &type, &format, &count, &rest, &data);
    const auto* values = reinterpret_cast<const unsigned long*>(data);
    for (unsigned long at = 0; data && at + 2 < count; at += 2 + values[at] * values[at + 1])
        if (values[at] == values[at + 1]) sides.insert(values[at]);
    if (data) XFree(data);
    ::Window root = None, parent = None, *children = nullptr;
    unsigned children_count = 0;
    if (XQueryTree(display, window, &root, &parent, &children, &children_count) == 0) return sides;
    for (unsigned i = 0; i < children_count; ++i) sides.merge(icon_sides(display, children[i]));
    if (children) XFree(children);
    return sides;
}

TEST_F(Icons, OfTheWindowHaveTheSizesOfTaskBars) {
    if (embedded_icons().empty()) GTEST_SKIP() << "built without rsvg-convert";
    ViewerProgram viewer(*screen_, {"@step:64"});
    viewer.settled_state();
    Display* display = XOpenDisplay(screen_->display().c_str());
    ASSERT_TRUE(display);
    const std::set<unsigned long> sides = icon_sides(display, DefaultRootWindow(display));
    XCloseDisplay(display);
    EXPECT_EQ(sides, (std::set<unsigned long>{16, 24, 32, 48, 64}));
}

}  // namespace
}  // namespace texelscope::test
