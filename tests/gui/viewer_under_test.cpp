#include "tests/gui/viewer_under_test.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "app/files/tiles/open_tiles.h"
#include "app/picture/source_cache.h"
#include "gpu/backend/source_image.h"
#include "tests/gui/drag_source.h"

namespace texelscope::test {
namespace {

constexpr const char *at_rest = "at rest", *awake = "awake";  // as the program says it

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// First line of a command's output.
std::string output_of(const std::string& command) {
    std::string line;
    if (std::FILE* pipe = popen(command.c_str(), "r")) {
        char buffer[256];
        if (std::fgets(buffer, sizeof buffer, pipe)) line = buffer;
        pclose(pipe);
    }
    while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
    return line;
}

}  // namespace

std::string scratch(const std::string& name) {
    return (std::filesystem::temp_directory_path() / ("texelscope-" + std::to_string(getpid()) + "-" + name)).string();
}

ViewerUnderTest::ViewerUnderTest(const Screen& screen, std::vector<std::string> arguments) : screen_(screen) {
    std::vector<std::string> command = {TEXELSCOPE_PROGRAM, "--trace-state", "--animate", "off",
                                        "--window",         "1280x800"};
    if (std::find(arguments.begin(), arguments.end(), "--ui-scale") == arguments.end())
        command.insert(command.end(), {"--ui-scale", "1"});
    command.insert(command.end(), arguments.begin(), arguments.end());
    settings_ = scratch("settings");
    std::filesystem::remove_all(settings_);
    // The picture as it is rendered, with nothing drawn over it.
    std::filesystem::create_directories(settings_ + "/texelscope");
    std::filesystem::create_directories(runtime_folder());
    std::ofstream(settings_ + "/texelscope/settings.json")
        << R"({"pixel_grid": false, "pixel_values": false, "minimap": false})";
    // The driver keeps compiled shaders in the cache as well: those of the user's, since compiling them takes long.
    const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
    const std::string shaders = cache ? cache : home ? home + std::string("/.cache") : cache_folder();
    process_ =
        std::make_unique<Process>(command, std::map<std::string, std::string>{{"DISPLAY", screen.display()},
                                                                              {"WAYLAND_DISPLAY", ""},
                                                                              {"XDG_CONFIG_HOME", settings_},
                                                                              {"XDG_CACHE_HOME", cache_folder()},
                                                                              {"MESA_SHADER_CACHE_DIR", shaders},
                                                                              {"XDG_RUNTIME_DIR", runtime_folder()}});
    const int first_state = process_->wait_for_line(
        0, [](const std::string& line) { return !parse(line).is_null(); }, 30);
    if (first_state < 0)
        ADD_FAILURE() << "no window within 30 s; the program " << (process_->running() ? "still runs" : "has ended")
                      << " after " << process_->processor_seconds() << " s of processor time, and said:\n"
                      << messages();
    find_window();
}

ViewerUnderTest::~ViewerUnderTest() {
    process_.reset();
    std::filesystem::remove_all(settings_);
}

nlohmann::json ViewerUnderTest::saved_settings() const {
    return nlohmann::json::parse(std::ifstream(settings_ + "/texelscope/settings.json"), nullptr, false);
}

nlohmann::json ViewerUnderTest::parse(const std::string& line) {
    if (!line.starts_with('{')) return nullptr;
    return nlohmann::json::parse(line, nullptr, false);
}

void ViewerUnderTest::do_input(const std::vector<std::string>& arguments) {
    lines_when_settled_.reset();
    lines_at_input_ = process_->lines().size();
    screen_.xdotool(arguments);
    if (arguments.size() > 1 && arguments[1].starts_with("--"))  // with pauses, in which the program may rest
        lines_at_input_ = process_->lines().size();
}

void ViewerUnderTest::find_window() {
    for (int attempt = 0; attempt < 50 && window_.empty(); ++attempt) {
        window_ =
            output_of("DISPLAY=" + screen_.display() + " xdotool search --onlyvisible --class texelscope 2>/dev/null");
        if (window_.empty()) sleep_ms(100);
    }
    do_input({"windowmove", window_, "0", "0"});
    do_input({"windowfocus", window_});
    sleep_ms(200);
}

// A program at rest says so, and takes it back as soon as it has input. While it draws its state may change later; and
// before it has said anything since the input, it may not have seen that yet, or never will.
void ViewerUnderTest::wait_until_still() {
    if (lines_when_settled_ == process_->lines().size()) return;  // no input since, and nothing was said
    constexpr int step_ms = 40, while_resting_ms = 120, otherwise_ms = 400;
    std::string last_state, last_word;
    size_t seen = 0;
    bool rests = false;
    for (int still_ms = 0; still_ms < (rests ? while_resting_ms : otherwise_ms); still_ms += step_ms) {
        std::string state, word;
        const auto lines = process_->lines();
        seen = lines.size();
        for (size_t i = seen; i-- > 0 && (state.empty() || word.empty());) {
            if (lines[i].starts_with('{') && state.empty()) state = lines[i];
            if ((lines[i] == at_rest || lines[i] == awake) && word.empty()) word = lines[i];
        }
        const auto since_input = lines.begin() + std::ptrdiff_t(std::min(lines_at_input_, seen));
        const bool woke = std::find(since_input, lines.end(), awake) != lines.end();
        if (state != last_state || word != last_word) still_ms = 0;
        last_state = std::move(state);
        last_word = std::move(word);
        rests = woke && last_word == at_rest;
        sleep_ms(step_ms);
    }
    if (last_word == at_rest) lines_when_settled_ = seen;
}

nlohmann::json ViewerUnderTest::settled_state() {
    const auto last_state = [this] {
        const auto lines = process_->lines();
        for (size_t i = lines.size(); i-- > 0;)
            if (auto state = parse(lines[i]); !state.is_null()) return state;
        return nlohmann::json();
    };
    // A draft is replaced by the whole picture by itself, figures and files arrive, after however long that takes.
    const auto settled = [](const nlohmann::json& state) {
        const bool shown = state.contains("size") || !state.contains("image");
        return !state.at("draft").get<bool>() && state.at("preparing").empty() && state.at("to_come") == 0 &&
               !state.at("measuring").get<bool>() && state.at("loading") == "" && shown;
    };
    for (int attempt = 0; attempt < 150; ++attempt) {
        wait_until_still();
        const auto state = last_state();
        if (state.is_null() || settled(state)) return state;
        lines_when_settled_.reset();
    }
    return last_state();
}

std::array<int, 4> ViewerUnderTest::picture() { return settled_state().at("picture").get<std::array<int, 4>>(); }

void ViewerUnderTest::move_to(double x, double y) {
    const auto [left, top, width, height] = picture();
    do_input({"mousemove", std::to_string(left + int(std::floor(x * width))),
              std::to_string(top + int(std::floor(y * height)))});
    sleep_ms(50);
}

void ViewerUnderTest::wheel(int notches, const std::string& modifier) {
    if (!modifier.empty()) do_input({"keydown", modifier});
    if (notches != 0)
        do_input({"click", "--repeat", std::to_string(std::abs(notches)), "--delay", "10", notches > 0 ? "4" : "5"});
    if (!modifier.empty()) do_input({"keyup", modifier});
}

void ViewerUnderTest::drag(double from_x, double from_y, double to_x, double to_y, int button) {
    move_to(from_x, from_y);
    do_input({"mousedown", std::to_string(button)});
    sleep_ms(50);
    move_to((from_x + to_x) / 2, (from_y + to_y) / 2);
    move_to(to_x, to_y);
    do_input({"mouseup", std::to_string(button)});
}

bool ViewerUnderTest::drop(const std::vector<std::string>& files, double x, double y) {
    const auto [left, top, width, height] = picture();
    lines_when_settled_.reset();
    lines_at_input_ = process_->lines().size();
    return drop_files(screen_.display(), files, left + int(std::floor(x * width)), top + int(std::floor(y * height)));
}

void ViewerUnderTest::key(const std::string& name) { do_input({"key", name}); }
void ViewerUnderTest::keys(std::vector<std::string> names) {
    names.insert(names.begin(), {"key", "--delay", "20"});
    do_input(names);
}
void ViewerUnderTest::click_control(const std::string& id) {
    const auto box = settled_state().at("controls").at(id).get<std::array<float, 4>>();
    do_input({"mousemove", std::to_string(int(box[0] + box[2] / 2)), std::to_string(int(box[1] + box[3] / 2))});
    sleep_ms(100);
    do_input({"click", "1"});
}

void ViewerUnderTest::resize(int width, int height) {
    do_input({"windowsize", window_, std::to_string(width), std::to_string(height)});
}
void ViewerUnderTest::hide() { do_input({"windowunmap", window_}); }
void ViewerUnderTest::show() {
    do_input({"windowmap", window_});
    sleep_ms(200);
    do_input({"windowmove", window_, "0", "0"});
    do_input({"windowfocus", window_});
}

Image ViewerUnderTest::shown_part(const std::array<int, 4>& place) {
    const auto [left, top, width, height] = place;
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

void ViewerUnderTest::type(const std::string& text) {
    do_input({"type", "--delay", "30", text});
    sleep_ms(100);
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

namespace {

bool is_slow_turn(const std::string& line) { return line.starts_with("slow turn"); }

}  // namespace

std::string ViewerUnderTest::lines_where(bool (*wanted)(const std::string& line)) {
    std::string text;
    for (const std::string& line : process_->lines())
        if (wanted(line)) text += line + "\n";
    return text;
}

std::string ViewerUnderTest::messages() {
    return lines_where([](const std::string& line) {
        return parse(line).is_null() && line != at_rest && line != awake && !is_slow_turn(line);
    });
}

std::string ViewerUnderTest::slow_turns() { return lines_where(is_slow_turn); }

}  // namespace texelscope::test
