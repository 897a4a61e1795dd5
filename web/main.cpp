// The program as a page: main() opens the window on the canvas, and page.js asks for its turns. What the menus have only
// here, and what only here is not, is said to the table of actions.

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>

#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "app/state/app_state.h"
#include "app/state/session/session.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/viewer_window.h"
#include "gpu/core/errors.h"

namespace {

using namespace texelscope;

std::unique_ptr<Viewer> viewer;

// Whatever it is, the page says it, and stops.
template <class Work> void guarded(Work work) {
    try {
        work();
    } catch (const std::exception& error) {
        viewer.reset();
        EM_ASM({ Module.stop(UTF8ToString($0)); }, error.what());
    }
}

void wake() {
    EM_ASM({ Module.wake(); });
}

// "half-texel/3": the lesson and its step, from 1.
task::OpenLesson lesson_of(const std::string& text) {
    const size_t slash = text.find('/');
    int step = 1;
    if (slash != text.npos) std::from_chars(text.data() + slash + 1, text.data() + text.size(), step);
    return {text.substr(0, slash), std::max(step - 1, 0)};
}

// The step of a lesson, or all that is shown. A picture from a file of this machine stays here.
void copy_link(AppState& state) {
    if (const auto& lesson = state.lesson.lesson) {
        const std::string text = fmt::format("lesson={}/{}", lesson->name, state.lesson.step + 1);
        EM_ASM({ Module.copyLink(UTF8ToString($0)); }, text.c_str());
        return;
    }
    const std::string session = session_to_json(session_of(state.scene, state.ui), "/files");
    EM_ASM({ Module.copySession(UTF8ToString($0)); }, session.c_str());
    const auto& documents = state.scene.documents;
    if (std::ranges::any_of(documents, [](const Document& each) { return !each.source.starts_with('@'); }))
        post(state.messages, Message::Level::info,
             "the link was copied; it has the view of your picture, not the picture, which stays on this machine");
    else post(state.messages, Message::Level::info, "the link was copied");
}

// Keys that browsers keep for themselves have others.
constexpr std::pair<const char*, const char*> other_keys[] = {{"file.close", "Alt+W"},
                                                              {"folder.previous-open", "Alt+PgUp"},
                                                              {"folder.next-open", "Alt+PgDn"},
                                                              {"file.reload", "Alt+R"}};

void adapt(std::vector<Action>& actions) {
    std::erase_if(actions, [](const Action& each) { return each.id == "file.quit" || each.id == "file.trash"; });
    for (Action& each : actions) {
        for (const auto& [id, key] : other_keys)
            if (each.id == id) each.shortcuts.assign(1, parse_shortcut(key));
        if (each.id == "file.open")
            each.tooltip =
                "Choose images or a session file of this machine. Dropping files on the page also opens them.";
        if (each.id == "edit.copy-picture") each.tooltip = "Copy the active pane's picture.";
        if (each.id == "edit.paste") each.tooltip = "Open the picture that another program has copied: press its keys.";
    }
    const auto after = std::ranges::find_if(actions, [](const Action& each) { return each.id == "file.save-session"; });
    actions.insert(
        after == actions.end() ? after : after + 1,
        Action{"file.copy-link", "Copy link", Menu::file, 2,
               "Copy the address that shows the same: the step of the lesson, or images, panes and views.", copy_link}
            .found_by("share, url, address, send"));
}

}  // namespace

extern "C" {

// Does what is to be done; returns the seconds until the next time: 0: with the next frame of the browser; below 0: when
// something has happened.
EMSCRIPTEN_KEEPALIVE double page_turn() {
    double patience = -1;
    guarded([&] {
        if (!viewer) return;
        viewer->window().take_turn(0);
        Dialogs& dialogs = viewer->state().ui.dialogs;
        if (dialogs.has(Dialog::browser)) {  // a page knows no folders: instead of ours, the browser's dialog opens
            dialogs.close(Dialog::browser);
            EM_ASM({ Module.chooseFile(); });
        }
        patience = viewer->window().patience();
    });
    return patience;
}

EMSCRIPTEN_KEEPALIVE int page_wants_text() { return viewer && viewer->window().gui().wants_keyboard(); }

// Two fingers: the point between them, by how many pixels it has moved, and how they have spread and turned.
EMSCRIPTEN_KEEPALIVE void page_pinched(double x, double y, double dx, double dy, double factor, double degrees) {
    GLFWwindow* const window = viewer ? viewer->window().window().handle() : nullptr;
    if (!window) return;
    auto& queue = *static_cast<InputQueue*>(glfwGetWindowUserPointer(window));
    queue.events.push_back(FingersMoved{x, y, dx, dy, factor, degrees});
    queue.woken = true;
    if (!queue.input_time) queue.input_time = glfwGetTime();
}

EMSCRIPTEN_KEEPALIVE void page_open_lesson(const char* text) {
    if (viewer) viewer->state().tasks.push_back(lesson_of(text));
    wake();
}

EMSCRIPTEN_KEEPALIVE void page_open_session(const char* path) {
    if (viewer) viewer->state().tasks.push_back(task::OpenSession{path});
    wake();
}

EMSCRIPTEN_KEEPALIVE void page_say(const char* sentence, int problem) {
    if (viewer) post(viewer->state().messages, problem ? Message::Level::error : Message::Level::info, sentence);
    wake();
}

EMSCRIPTEN_KEEPALIVE void page_paste() {
    if (viewer) viewer->state().tasks.push_back(task::Paste{});
    wake();
}

// Before the page is left.
EMSCRIPTEN_KEEPALIVE void page_keep_settings() {
    if (viewer) guarded([] { viewer->keep_settings(); });
}

// For tests: what is shown, as a line of JSON.
EMSCRIPTEN_KEEPALIVE const char* page_state() {
    static std::string text;
    text = viewer ? state_as_json(viewer->state(), viewer->window().gui().controls()) : "";
    return text.c_str();
}
}

// --lesson NAME/STEP, --session FILE, --log, or names of files.
int main(int argc, char** argv) {
    ::umask(022);  // Emscripten's would leave no rights at all
    guarded([&] {
        adapt_actions = adapt;
        ViewerOptions options;
        options.backend = BackendChoice::cpu;
        options.watches = false;  // nobody else changes the page's files
        bool log = false;
        for (int i = 1; i < argc; ++i) {
            const std::string word = argv[i];
            if (word == "--log") log = true;
            else if (word == "--lesson" && i + 1 < argc) {
                const task::OpenLesson lesson = lesson_of(argv[++i]);
                options.lesson = lesson.name;
                options.lesson_step = lesson.step;
            } else if (word == "--session" && i + 1 < argc) options.session = argv[++i];
            else options.images.push_back(word);
        }
        viewer = std::make_unique<Viewer>(options);
        if (log) viewer->window().gui().log_controls();
        viewer->window().begin();
        EM_ASM({ Module.ready(); });
    });
}
