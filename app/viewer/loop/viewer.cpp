#include "app/viewer/loop/viewer.h"

#include <algorithm>
#include <future>
#include <utility>

#include <fmt/format.h>

#include "app/files/desktop/folder_listing.h"
#include "app/files/reading/image_files.h"
#include "app/picture/profile_conversion.h"
#include "app/state/pushed_source.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/first_scene.h"
#include "app/viewer/loop/settings.h"
#include "app/viewer/loop/viewer_window.h"
#include "app/window/close_signals.h"
#include "app/window/screen_profile.h"

namespace texelscope {
namespace {

std::string first_hint() {
    return fmt::format(
        "wheel zooms · drag pans · 1–{} methods · Space flips A and B · G panes · F1 keys · Learn ▸ lessons",
        std::min<size_t>(all_methods().size(), 9));
}

bool saw_hint(const AppState& state) {
    return std::any_of(state.messages.begin(), state.messages.end(), [](const Message& message) {
        return message.level == Message::Level::hint && message.shown_at >= 0;
    });
}

void make_screenshot(AppState& state, const ViewerOptions& options, Window::Options window) {
    window.visible = false;
    state.ui.animate = false;
    state.draft.permitted = false;
    ViewerWindow viewer(state, options, window);
    viewer.open_images(options);
    write_image(viewer.screenshot(), options.screenshot);
}

// Decodes the first picture, if it is one file, while display and OpenGL start.
PictureReader early_reader(const AppState& state, const ViewerOptions& options) {
    PictureReader reader(Window::wake);
    if (options.images.empty()) return reader;
    const std::string& first = options.images.front();
    if (first.starts_with('@') || pushed_name(first) || is_folder(first)) return reader;
    reader.begin_with(as_preferred(state, absolute_source(first)), state.scene.light);
    return reader;
}

}  // namespace

int run_viewer(const ViewerOptions& options) {
    const bool screenshot = !options.screenshot.empty();
    std::string problem;
    // A screenshot must be the same on every desktop: no settings.
    Settings settings = screenshot ? Settings{} : load_settings(settings_path(), &problem);

    AppState state;
    state.scene = first_scene(options);
    static_cast<Preferences&>(state.ui) = settings;
    static_cast<Overlays&>(state.ui) = settings;
    if (options.animate) state.ui.animate = *options.animate;
    if (options.upright) state.ui.upright = *options.upright;
    PictureReader reader(Window::wake);
    if (!screenshot) {
        set_screen_profile(screen_profile());
        reader = early_reader(state, options);
    }
    if (!problem.empty()) post(state, Message::Level::warning, problem);
    auto problems_of_lessons = std::async(std::launch::async, lesson_problems);  // reads all of them
    state.presenter.on = options.presenter;
    state.ui.debug_commands = options.debug_commands;
    if (!state.ui.hint_dismissed && options.lesson.empty()) post(state, Message::Level::hint, first_hint());

    Window::Options window;
    window.width = options.width > 0 ? options.width : settings.window_width;
    window.height = options.height > 0 ? options.height : settings.window_height;
#ifdef NDEBUG
    window.debug = options.debug_gl;
#else
    window.debug = true;
#endif
    if (screenshot) {
        for (const std::string& each : problems_of_lessons.get()) post(state, Message::Level::error, each);
        make_screenshot(state, options, window);
        return 0;
    }
    ViewerWindow viewer(state, options, window, std::move(reader));
    for (const std::string& each : problems_of_lessons.get()) post(state, Message::Level::error, each);
    const CloseSignals close_signals(viewer.window());
    viewer.open_images(options);
    viewer.run();
    if (saw_hint(state)) state.ui.hint_dismissed = true;  // the next start shows its picture free
    const bool animate = settings.animate, upright = settings.upright;
    static_cast<Preferences&>(settings) = state.ui;
    if (options.animate) settings.animate = animate;
    if (options.upright) settings.upright = upright;
    const auto& before = state.lesson.before;  // a lesson's changes are not the user's choice
    static_cast<Overlays&>(settings) = before ? before->appearance : state.ui;
    const Extent size = viewer.windowed_size();
    settings.window_width = size.width;
    settings.window_height = size.height;
    save_settings(settings, settings_path());
    return 0;
}

}  // namespace texelscope
