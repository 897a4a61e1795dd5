#include "tests/gui/viewer_test.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/files/tiles/open_tiles.h"
#include "app/picture/source_cache.h"
#include "gpu/backend/source_image.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// Both pictures, for anyone who has to find out why they differ.
void keep(const Image& shown, const Image& rendered) {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    write_image(shown, testing::TempDir() + "texelscope-" + name + "-shown.ppm");
    write_image(rendered, testing::TempDir() + "texelscope-" + name + "-rendered.ppm");
}

}  // namespace

Screen* ViewerTest::screen_ = nullptr;

CurrentFolder::CurrentFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
}

CurrentFolder::~CurrentFolder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
}

void ViewerTest::SetUp() {
    if (screen_->display().empty()) GTEST_SKIP() << "no virtual X server: install Debian's xvfb";
    if (!screen_->xdotool({"version"})) GTEST_SKIP() << "no xdotool: install Debian's xdotool";
}

Difference compare_middle(const Image& a, const Image& b, int first, int last) {
    Difference result;
    if (last < 0) last = a.width() - 1;
    for (int y = a.height() / 4; y < a.height() * 3 / 4; ++y)
        for (int x = first; x <= last; ++x, ++result.pixels)
            for (int c = 0; c < 3; ++c) {
                const int channel = b.channels() == 1 ? 0 : c;
                const int d =
                    std::abs(a.row_as<uint8_t>(y)[x * 3 + c] - b.row_as<uint8_t>(y)[x * b.channels() + channel]);
                result.worst = std::max(result.worst, d);
                result.differing += d > 0;
            }
    return result;
}

Image cut_out(const Image& image, int x, int y, int width, int height) {
    Image part(width, height, 3, SampleType::u8);
    for (int row = 0; row < height; ++row)
        std::copy_n(image.row_as<uint8_t>(y + row) + x * 3, width * 3, part.row_as<uint8_t>(row));
    return part;
}

void ViewerTest::expect_same(const Image& shown, const Image& rendered, const std::string& when, int first, int last) {
    ASSERT_FALSE(shown.empty()) << when;
    ASSERT_FALSE(rendered.empty()) << when;
    ASSERT_EQ(shown.width(), rendered.width()) << when;
    ASSERT_EQ(shown.height(), rendered.height()) << when;
    const Difference d = compare_middle(shown, rendered, first, last);
    if (d.worst > 1) keep(shown, rendered);
    EXPECT_GT(d.pixels, 10000) << when;
    EXPECT_LE(d.worst, 1) << when;
    EXPECT_LE(d.differing, 3 * d.pixels / 10000) << when;
}

void ViewerTest::expect_loop_was_free(ViewerInProcess& viewer, double work_ms) {
    constexpr double frame_ms = 50;  // at most, where a CPU draws
    EXPECT_LT(viewer.take_longest_turn(), std::max(frame_ms, work_ms / 3));
}

void ViewerTest::expect_same_picture(ViewerUnderTest& viewer, const std::string& when) {
    expect_same(viewer.shown_picture(), viewer.rendered_picture(), when);
}

nlohmann::json ViewerTest::save_session(ViewerUnderTest& viewer, const std::string& file) {
    viewer.key("ctrl+shift+s");
    viewer.settled_state();  // the field of the dialog has the keyboard, and its text is selected
    viewer.type(file);
    viewer.settled_state();
    EXPECT_TRUE(viewer.change(
        [&] { viewer.key("Return"); },
        [](const nlohmann::json& state) { return state.at("messages").dump().find(": saved") != std::string::npos; }));
    return std::filesystem::exists(file) ? viewer.settled_state() : nlohmann::json();
}

std::string scratch(const std::string& name) {
    static const Folder folder(std::filesystem::temp_directory_path());
    return (folder / name).string();
}

ViewerUnderTest::ViewerUnderTest(const Screen& screen, Start start) : screen_(screen), settings_(scratch("settings")) {
    std::filesystem::remove_all(settings_);
    // The picture as it is rendered, with nothing drawn over it.
    std::filesystem::create_directories(settings_ + "/texelscope");
    std::filesystem::create_directories(runtime_folder());
    std::ofstream(settings_ + "/texelscope/settings.json")
        << R"({"pixel_grid": false, "pixel_values": false, "minimap": false, "hint_dismissed": )"
        << (start == Start::usual ? "true}" : "false}");
}

ViewerUnderTest::~ViewerUnderTest() { std::filesystem::remove_all(settings_); }

std::vector<std::string> ViewerUnderTest::command(std::vector<std::string> arguments) {
    std::vector<std::string> command = {TEXELSCOPE_PROGRAM, "--animate", "off"};
    for (const auto& [option, value] : {std::pair{"--window", "1280x800"}, {"--ui-scale", "1"}})
        if (std::find(arguments.begin(), arguments.end(), option) == arguments.end())
            command.insert(command.end(), {option, value});
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

std::map<std::string, std::string> ViewerUnderTest::environment() const {
    // The driver keeps compiled shaders in the cache as well: those of the user's, since compiling them takes long.
    static const std::string shaders = [this] {
        const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
        return cache ? cache : home ? home + std::string("/.cache") : cache_folder();
    }();
    return {{"DISPLAY", screen_.display()},     {"WAYLAND_DISPLAY", ""},
            {"XDG_CONFIG_HOME", settings_},     {"XDG_CACHE_HOME", cache_folder()},
            {"MESA_SHADER_CACHE_DIR", shaders}, {"XDG_RUNTIME_DIR", runtime_folder()}};
}

nlohmann::json ViewerUnderTest::saved_settings() const {
    return nlohmann::json::parse(std::ifstream(settings_ + "/texelscope/settings.json"), nullptr, false);
}

// A draft is replaced by the whole picture by itself, figures and files arrive, after however long that takes.
bool ViewerUnderTest::settled(const nlohmann::json& state) {
    const bool shown = state.contains("size") || !state.contains("image");
    return !state.at("draft").get<bool>() && state.at("preparing").empty() && state.at("to_come") == 0 &&
           !state.at("measuring").get<bool>() && !state.at("spectrum").at("outdated").get<bool>() &&
           state.at("loading") == "" && shown;
}

std::array<int, 4> ViewerUnderTest::picture() { return settled_state().at("picture").get<std::array<int, 4>>(); }

void ViewerUnderTest::move_to(double x, double y) {
    const auto [left, top, width, height] = picture();
    move_pointer(left + int(std::floor(x * width)), top + int(std::floor(y * height)));
}

void ViewerUnderTest::drag(double from_x, double from_y, double to_x, double to_y, int button) {
    move_to(from_x, from_y);
    press_button(button);
    move_to((from_x + to_x) / 2, (from_y + to_y) / 2);
    move_to(to_x, to_y);
    release_button(button);
}

void ViewerUnderTest::click_control(const std::string& id) {
    const auto box = settled_state().at("controls").at(id).get<std::array<float, 4>>();
    move_pointer(int(box[0] + box[2] / 2), int(box[1] + box[3] / 2));
    press_button();
    release_button();
}

Image ViewerUnderTest::shown_part(const std::array<int, 4>& place) {
    const auto [left, top, width, height] = place;
    show();
    const Image screen = screen_.picture();
    if (screen.empty() || left + width > screen.width() || top + height > screen.height()) return {};
    Image part(width, height, 3, SampleType::u8);
    for (int y = 0; y < height; ++y)
        std::copy_n(screen.row_as<uint8_t>(top + y) + left * 3, width * 3, part.row_as<uint8_t>(y));
    return part;
}

Image ViewerUnderTest::shown_picture() { return shown_part(picture()); }

Image ViewerUnderTest::shown_pane(int pane) {
    return shown_part(settled_state().at("places").at(size_t(pane)).get<std::array<int, 4>>());
}

namespace {

// The part of a state that all panes have in common.
RenderRequest common_request(const nlohmann::json& state, int width, int height) {
    RenderRequest request;
    const auto& warp = state.at("warp");
    request.outside = state.at("outside") == "extend" ? Outside::extend : Outside::background;
    request.width = width;
    request.height = height;
    request.antialias = state.at("antialias");
    for (const Warp::Kind kind : all_warps)
        if (warp.at("kind") == name_of(kind)) request.warp = {kind, warp.at("strength")};
    return request;
}

RenderRequest request_of_pane(const nlohmann::json& state, int pane) {
    const auto place = state.at("places").at(size_t(pane)).get<std::array<int, 4>>();
    const auto view = state.at("views").at(size_t(pane)).get<std::array<double, 4>>();
    RenderRequest request = common_request(state, place[2], place[3]);
    request.spec = parse_spec(state.at("panes").at(size_t(pane)).get<std::string>());
    request.view = {view[0], view[1], view[2], view[3]};
    return request;
}

SourceImage source_of(const nlohmann::json& state) {
    const Light light = state.at("linear_light").get<bool>() ? Light::linear : Light::stored;
    const auto image = std::make_shared<const Image>(open_image(state.at("image").get<std::string>()));
    return source_on(make_cpu_backend(), image, light);
}

// What the engine computes for the state, by the library: `render` has no warps.
Image computed_picture(const nlohmann::json& state, int width, int height) {
    const auto& view = state.at("view");
    RenderRequest request = common_request(state, width, height);
    request.spec = parse_spec(state.at("spec").get<std::string>());
    request.view = {view.at("translate_x"), view.at("translate_y"), view.at("scale"), view.at("rotate")};
    return source_of(state).render_to_rgba8(request);
}

}  // namespace

Image ViewerUnderTest::rendered_pane(int pane) {
    const auto state = settled_state();
    return source_of(state).render_to_rgba8(request_of_pane(state, pane));
}

Image ViewerUnderTest::rendered_pane_values(int pane) {
    return rendered_with(pane, settled_state().at("panes").at(size_t(pane)));
}

Image ViewerUnderTest::rendered_with(int pane, const std::string& spec) {
    const auto state = settled_state();
    RenderRequest request = request_of_pane(state, pane);
    request.spec = parse_spec(spec);
    return source_of(state).render_to_image(request);
}

Image ViewerUnderTest::rendered_picture() {
    const auto state = settled_state();
    const auto [left, top, width, height] = state.at("picture").get<std::array<int, 4>>();
    if (state.at("widened").get<bool>() || state.at("linear_light").get<bool>() ||
        state.at("warp").at("kind") != "none")
        return computed_picture(state, width, height);
    const auto number = [](const nlohmann::json& value) {
        char text[40];
        std::snprintf(text, sizeof text, "%.17g", value.get<double>());
        return std::string(text);
    };
    const auto& view = state.at("view");
    const std::string file = scratch("render.ppm");
    const int status = run({TEXELSCOPE_PROGRAM, "render", state.at("image").get<std::string>(), "-o", file, "--backend",
                            "cpu", "--size", std::to_string(width) + "x" + std::to_string(height), "--translate",
                            number(view.at("translate_x")) + "," + number(view.at("translate_y")), "--scale",
                            number(view.at("scale")), "--rotate", number(view.at("rotate")), "--method",
                            state.at("spec").get<std::string>(), "--outside", state.at("outside").get<std::string>()});
    Image image = status == 0 ? read_image(file) : Image();
    std::filesystem::remove(file);
    return image;
}

ControlBox control_box(const nlohmann::json& state, const std::string& id) {
    if (!state.at("controls").contains(id)) {
        ADD_FAILURE() << "there is no " << id;
        return {};
    }
    const nlohmann::json& at = state.at("controls").at(id);
    return {at.at(0), at.at(1), at.at(2), at.at(3)};
}

void expect_under_its_line(const nlohmann::json& state, const std::string& field, int line) {
    const ControlBox text = control_box(state, field), own = control_box(state, fmt::format("{}:line:{}", field, line)),
                     error = control_box(state, fmt::format("{}:error:{}", field, line));
    EXPECT_NEAR(error.y, own.bottom(), 0.5) << "line " << line;
    EXPECT_GT(error.height, own.height / 2) << "line " << line;
    EXPECT_GE(error.y, text.y);
    EXPECT_LE(error.bottom(), text.bottom() + 0.5);
    const std::string next = fmt::format("{}:line:{}", field, line + 1);
    if (!state.at("controls").contains(next)) return;  // the last one, or out of sight
    EXPECT_NEAR(control_box(state, next).y, error.bottom(), 0.5) << "line " << line;
}

void type_lines(ViewerUnderTest& viewer, const std::string& text) {
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        if (at > 0) viewer.key("Return");
        if (end > at) viewer.type(text.substr(at, end - at));
        at = end + 1;
    }
}

bool open_kernel(ViewerUnderTest& viewer) {
    const auto topmost = [](const char* name) {
        return [name](const nlohmann::json& s) { return s.at("dialog") == name; };
    };
    viewer.change([&] { viewer.key("ctrl+shift+p"); }, topmost("palette"));
    viewer.type("CUDA kernel");
    return viewer.change([&] { viewer.key("Return"); },
                         [](const nlohmann::json& s) { return s.at("dock") == "kernel" && s.at("dialog") == ""; });
}

}  // namespace texelscope::test
