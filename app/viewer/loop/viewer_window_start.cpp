#include <string>

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/desktop/folders.h"
#include "app/files/reading/image_files.h"
#include "app/state/derived_sources.h"
#include "app/state/session/session.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/first_scene.h"
#include "app/viewer/loop/viewer_window.h"
#include "app/window/gl/gl_objects.h"
#include "gpu/core/errors.h"

namespace texelscope {
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

Image ViewerWindow::screenshot() {
    first_use_.begin(false);  // no one is waiting at the window
    // All that is drawn is exact here: a minimap would read all of an image that is too large for memory.
    for (const Document& document : state_.scene.documents)
        if (document.image && !document.image->in_memory()) state_.ui.minimap = false;
    // Only the last frame is drawn, once the panels show what is known.
    draw_soon();
    for (int i = 0; i < most_frames_of_a_screenshot && frames_due_ > 0; ++i) {
        prepare_frame();
        finish_report({});
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
