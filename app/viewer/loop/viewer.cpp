#include "app/viewer/loop/viewer_window.h"

#include <algorithm>
#include <future>
#include <span>
#include <string>
#include <utility>

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/desktop/folders.h"
#include "app/files/reading/image_files.h"
#include "app/picture/rendition.h"
#include "app/state/scene.h"
#include "app/state/session/session.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/settings.h"
#include "app/window/gl/gl_objects.h"
#include "app/window/window.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

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
    state.every_command = options.allow_commands;
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
    const ScreenProfile screen = screen_profile();
    set_screen_profile(screen.icc);
    PictureReader reader = early_reader(state_.scene, state_.ui, options);
    if (!problem.empty()) post(state_.messages, Message::Level::warning, problem);
    const auto when = thread_count() > 1 ? std::launch::async : std::launch::deferred;
    auto problems_of_lessons = std::async(when, lesson_problems);  // reads all of them
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

namespace {

// Empty if the file is there, or if the source is none.
std::string why_no_file(const std::string& source) {
    return source.starts_with('@') ? "" : why_missing(file_of(source));
}

}  // namespace

void ViewerWindow::open_images(const ViewerOptions& options) {
    const auto accept = [this](const std::shared_ptr<const Image>& image) {
        this->accept(image);
        return StillWanted();
    };
    if (options.standard_input) state_.pushed[pushed_source(standard_input_name)] = options.standard_input;
    if (!options.session.empty()) {
        restore(state_, read_session(options.session));
        try {
            show_session(state_, accept);
        } catch (const Error& error) {  // the rest of the session is usable
            if (!options.screenshot.empty()) throw;
            post_error(state_.messages, error, options.session);
            open_document(state_, default_source, accept);
        }
    }
    const bool waits = !options.screenshot.empty();
    std::string folder;
    for (const std::string& source : options.images) {
        if (state_.scene.document() && is_folder(source)) {  // one opens in place of the other
            state_.tasks.push_back(task::Open{source});
            continue;
        }
        const std::string missing = state_.scene.document() && !waits ? why_no_file(source) : "";
        if (!missing.empty()) {  // the first one is said once it is to be shown
            post_one_of(state_.messages, Message::Level::error, "missing",
                        fmt::format("{}: {}", file_of(absolute_source(source)), missing), absolute_source(source));
            continue;
        }
        if (state_.scene.document()) {
            add_unread(state_.scene, state_.ui, source);  // read when it is shown, or ahead (ReadAhead)
            continue;
        }
        try {
            if (is_folder(source) && waits) open_folder(state_, source, accept);
            else if (is_folder(source)) folder = begin_folder(state_.scene, state_.ui, source);
            else if (waits || source.starts_with('@')) open_document(state_, source, accept);
            else add_unread(state_.scene, state_.ui, source);
        } catch (const Error& error) {
            if (waits) throw;
            post_error(state_.messages, error, absolute_source(source));
        }
    }
    state_.read.awaited = !waits;
    const Document* first = state_.scene.document();
    if (first && !first->image && options.session.empty()) tasks_.begin_with(state_, folder);
    if (!state_.scene.document()) open_document(state_, default_source, accept);
    if (!options.lesson.empty()) state_.tasks.push_back(task::OpenLesson{options.lesson, options.lesson_step});
    if (options.view) {
        state_.scene.document()->view = *options.view;
        state_.scene.document()->keep_fit = false;
    } else if (options.session.empty()) {
        state_.scene.document()->region = first_region(*state_.scene.document());
    }
}

// A frame without it, just before, would only delay it: where a CPU draws, each costs as much as decoding some megapixels.
void ViewerWindow::await_first_picture() {
    constexpr double longest = 0.15;  // seconds
    state_.now = glfwGetTime();
    tasks_.run(state_);      // asks for it
    gui_.prepare_to_draw();  // meanwhile
    renderer_.compile();
    const double end = state_.now + longest;
    while (tasks_.nearly_has_picture() && glfwGetTime() < end) window_.wait(0.01);
    state_.now = glfwGetTime();
    if (tasks_.follow_pictures(state_)) tasks_.run(state_);
}

namespace {

constexpr int most_frames_of_a_screenshot = 10;

}  // namespace

// Afterwards, everything enqueued has been computed, by another device if necessary.
void ViewerWindow::wait_for_picture() {
    for (;;) {
        try {
            renderer_.backend().synchronize();
            return;
        } catch (const DeviceLost& error) {
            renderer_.lose(error);
        }
        prepare_frame();
    }
}

void ViewerWindow::await_facts() {
    constexpr double longest = 5;  // seconds
    const double end = glfwGetTime() + longest;
    while (facts_.awaited(state_) && glfwGetTime() < end) {
        facts_.poll(state_);
        window_.wait(0.01);
    }
}

Image ViewerWindow::screenshot() {
    first_use_.begin(false);  // no one is waiting at the window
    await_facts();            // they may bring an offer
    // All that is drawn is exact here: a minimap would read all of an image that is too large for memory.
    for (const Document& document : state_.scene.documents)
        if (document.image && !document.image->in_memory()) state_.ui.minimap = false;
    // Only the last frame is drawn, once the panels show what is known.
    draw_soon();
    for (int i = 0; i < most_frames_of_a_screenshot && frames_due_ > 0; ++i) {
        const FramePlan plan = prepare_frame();
        finish_report({});
        time_again(plan);
        count_frame();
    }
    renderer_.forget();
    prepare_frame();
    wait_for_picture();
    fill_report();  // values have arrived
    finish_report({});
    measurer_.finish(state_, renderer_);
    const Extent size = window_.framebuffer();
    const Offscreen offscreen(size.width, size.height);
    draw(prepare_frame());
    finish_report({});
    Image image = offscreen.picture();
    trace();
    for (const Message& message : state_.messages)
        if (message.level == Message::Level::error) throw Error(message.text);
    return image;
}

}  // namespace texelscope
