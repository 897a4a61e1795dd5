#include "app/viewer/loop/viewer.h"

#include <algorithm>
#include <future>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "app/files/desktop/folders.h"
#include "app/files/reading/image_files.h"
#include "app/picture/profile_conversion.h"
#include "app/state/derived_sources.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/first_scene.h"
#include "app/viewer/loop/settings.h"
#include "app/viewer/loop/viewer_window.h"
#include "app/window/window.h"

namespace texelscope {
namespace {

std::string first_hint() {
    return fmt::format(
        "wheel zooms · drag pans · 1–{} methods · Space flips A and B · G panes · F1 keys · Learn ▸ lessons",
        std::min<size_t>(all_methods().size(), 9));
}

bool saw_hint(const Messages& messages) {
    return std::any_of(messages.begin(), messages.end(), [](const Message& message) {
        return message.level == Message::Level::hint && message.shown_at >= 0;
    });
}

// Decodes the first picture, if it is one file, while display and OpenGL start.
PictureReader early_reader(const Scene& scene, const UiState& ui, const ViewerOptions& options) {
    PictureReader reader(Window::wake);
    if (options.images.empty()) return reader;
    const std::string& first = options.images.front();
    if (first.starts_with('@') || pushed_name(first) || is_folder(first)) return reader;
    reader.begin_with(as_preferred(ui, absolute_source(first)), scene.light);
    return reader;
}

// As far as options and settings say.
AppState first_state(const ViewerOptions& options, const Settings& settings) {
    AppState state;
    state.scene = first_scene(options);
    static_cast<Preferences&>(state.ui) = settings;
    static_cast<Overlays&>(state.ui) = settings;
    if (options.animate) state.ui.animate = *options.animate;
    if (options.upright) state.ui.upright = *options.upright;
    state.presenter.on = options.presenter;
    state.ui.debug_commands = options.debug_commands;
    return state;
}

Window::Options window_options(const ViewerOptions& options, const Settings& settings) {
    Window::Options window;
    window.width = options.width > 0 ? options.width : settings.window_width;
    window.height = options.height > 0 ? options.height : settings.window_height;
#ifdef NDEBUG
    window.debug = options.debug_gl;
#else
    window.debug = true;
#endif
    return window;
}

void say_hint(const UiState& ui, Messages& messages, const ViewerOptions& options) {
    if (!ui.hint_dismissed && options.lesson.empty()) post(messages, Message::Level::hint, first_hint());
}

void say_problems(Messages& messages, std::span<const std::string> problems) {
    for (const std::string& each : problems) post(messages, Message::Level::error, each);
}

// Without the user's settings: the screenshot is the same on every desktop.
void make_screenshot(const ViewerOptions& options) {
    const Settings settings;
    AppState state = first_state(options, settings);
    say_hint(state.ui, state.messages, options);
    say_problems(state.messages, lesson_problems());
    Window::Options window = window_options(options, settings);
    window.visible = false;
    state.ui.animate = false;
    state.draft.permitted = false;
    ViewerWindow viewer(state, options, window);
    viewer.open_images(options);
    write_image(viewer.screenshot(), options.screenshot);
}

}  // namespace

Viewer::Viewer(const ViewerOptions& options) : options_(options) {
    std::string problem;
    settings_ = load_settings(settings_path(), &problem);
    state_ = first_state(options, settings_);
    set_screen_profile(screen_profile());
    PictureReader reader = early_reader(state_.scene, state_.ui, options);
    if (!problem.empty()) post(state_.messages, Message::Level::warning, problem);
    auto problems_of_lessons = std::async(std::launch::async, lesson_problems);  // reads all of them
    say_hint(state_.ui, state_.messages, options);
    window_.emplace(state_, options, window_options(options, settings_), std::move(reader));
    say_problems(state_.messages, problems_of_lessons.get());
    window_->open_images(options);
}

void Viewer::keep_settings() {
    if (saw_hint(state_.messages)) state_.ui.hint_dismissed = true;  // the next start shows its picture free
    const bool animate = settings_.animate, upright = settings_.upright;
    static_cast<Preferences&>(settings_) = state_.ui;
    if (options_.animate) settings_.animate = animate;
    if (options_.upright) settings_.upright = upright;
    const auto& before = state_.lesson.before;  // a lesson's changes are not the user's choice
    static_cast<Overlays&>(settings_) = before ? before->appearance : state_.ui;
    const Extent size = window_->windowed_size();
    settings_.window_width = size.width;
    settings_.window_height = size.height;
    save_settings(settings_, settings_path());
}

int run_viewer(const ViewerOptions& options) {
    if (!options.screenshot.empty()) {
        make_screenshot(options);
        return 0;
    }
    Viewer viewer(options);
    const CloseSignals close_signals(viewer.window().window());
    viewer.window().run();
    viewer.keep_settings();
    return 0;
}

}  // namespace texelscope
