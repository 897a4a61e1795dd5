// The program as a page: main() opens the window on the canvas, and page.js asks for its turns. What the menus have only
// here, and what only here is not, is said to the table of actions.

#include <algorithm>
#include <charconv>
#include <fstream>
#include <memory>
#include <string>

#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <fmt/format.h>
#include <imgui_internal.h>
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

// "half-texel/3": the lesson and its step, from 1.
task::OpenLesson lesson_of(const std::string& text) {
    const size_t slash = text.find('/');
    int step = 1;
    if (slash != text.npos) std::from_chars(text.data() + slash + 1, text.data() + text.size(), step);
    return {text.substr(0, slash), std::max(step - 1, 0)};
}

// What is shown: "half-texel/3", the step of a lesson, or a session, JSON, whose pictures of this machine are names.
std::string shown_lesson(const AppState& state) {
    const auto& lesson = state.lesson.lesson;
    return lesson ? fmt::format("{}/{}", lesson->name, state.lesson.step + 1) : "";
}
std::string shown_session(const AppState& state) {
    return session_to_json(session_of(state.scene, state.ui), "/files");
}

void copy_link(AppState& state) {
    if (const std::string lesson = shown_lesson(state); !lesson.empty()) {
        EM_ASM({ Module.copyLink("lesson=" + UTF8ToString($0)); }, lesson.c_str());
        return;
    }
    EM_ASM({ Module.copySession(UTF8ToString($0)); }, shown_session(state).c_str());
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

// The panel under a finger that a vertical drag scrolls; null: none.
ImGuiWindow* scrolled = nullptr;
ImGuiWindow* scrolls_at(ImVec2 at) {
    const ImGuiContext& gui = *ImGui::GetCurrentContext();
    for (int i = gui.Windows.Size - 1; i >= 0; --i) {  // the uppermost first
        ImGuiWindow* window = gui.Windows[i];
        constexpr int passed_by = ImGuiWindowFlags_NoMouseInputs | ImGuiWindowFlags_Tooltip;
        if (!window->WasActive || window->Hidden || (window->Flags & passed_by) != 0 ||
            !window->OuterRectClipped.Contains(at))
            continue;
        while (window && (window->ScrollMax.y <= 0 || !window->InnerRect.Contains(at)))
            window = (window->Flags & ImGuiWindowFlags_ChildWindow) != 0 ? window->ParentWindow : nullptr;
        return window;
    }
    return nullptr;
}

// The queue of the window's events; null without a window.
InputQueue* input_queue() {
    GLFWwindow* const window = viewer ? viewer->window().window().handle() : nullptr;
    return window ? static_cast<InputQueue*>(glfwGetWindowUserPointer(window)) : nullptr;
}

void draw_again() {
    if (InputQueue* queue = input_queue()) queue->woken = true;
    EM_ASM({ Module.wake(); });
}

bool logs = false;                            // for tests: where controls are
constexpr const char* kept = "/files/.kept";  // the session in which the program was left, unless in a lesson
std::string left_lesson;

void begin(const ViewerOptions& options) {
    viewer = std::make_unique<Viewer>(options);
    if (logs) viewer->window().gui().log_controls();
    viewer->window().begin();
    EM_ASM({ Module.ready(); });
}

ViewerOptions first_options() {
    ViewerOptions options;
    options.backend = BackendChoice::cpu;
    options.watches = false;  // nobody else changes the page's files
    return options;
}

void set_lesson(ViewerOptions& options, const std::string& text) {
    const task::OpenLesson lesson = lesson_of(text);
    options.lesson = lesson.name;
    options.lesson_step = lesson.step;
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
    InputQueue* const queue = input_queue();
    if (!queue) return;
    queue->events.push_back(FingersMoved{x, y, dx, dy, factor, degrees});
    queue->woken = true;
    if (!queue->input_time) queue->input_time = glfwGetTime();
}

// Whether a finger that moves up or down from here scrolls a panel; then by how much it has moved.
EMSCRIPTEN_KEEPALIVE int page_scrolls(double x, double y) {
    scrolled = nullptr;
    if (viewer) {
        const float ratio = viewer->window().window().pixel_ratio();
        scrolled = scrolls_at({float(x) / ratio, float(y) / ratio});
    }
    return scrolled != nullptr;
}
EMSCRIPTEN_KEEPALIVE void page_scroll(double dy) {
    if (!viewer || !scrolled) return;
    const float to = scrolled->Scroll.y - float(dy) / viewer->window().window().pixel_ratio();
    ImGui::SetScrollY(scrolled, std::clamp(to, 0.0f, scrolled->ScrollMax.y));
    draw_again();
}

// The browser has taken its graphics memory back, and gives it again. Opened pictures are still there, as files.
EMSCRIPTEN_KEEPALIVE void page_lost() {
    guarded([] {
        if (!viewer) return;
        viewer->keep_settings();
        left_lesson = shown_lesson(viewer->state());
        std::ofstream(kept) << shown_session(viewer->state());
        scrolled = nullptr;
        viewer.reset();
    });
}
EMSCRIPTEN_KEEPALIVE void page_restored() {
    guarded([] {
        ViewerOptions options = first_options();
        if (left_lesson.empty()) options.session = kept;
        else set_lesson(options, left_lesson);
        begin(options);
    });
}

// What is shown, to be shown again: "#lesson=…", or a session.
EMSCRIPTEN_KEEPALIVE const char* page_shown() {
    static std::string text;
    text = viewer ? shown_lesson(viewer->state()) : "";
    if (!text.empty()) text = "#lesson=" + text;
    else if (viewer) text = shown_session(viewer->state());
    return text.c_str();
}

EMSCRIPTEN_KEEPALIVE void page_open_lesson(const char* text) {
    if (viewer) viewer->state().tasks.push_back(lesson_of(text));
    draw_again();
}

EMSCRIPTEN_KEEPALIVE void page_say(const char* sentence, int problem) {
    if (viewer) post(viewer->state().messages, problem ? Message::Level::error : Message::Level::info, sentence);
    draw_again();
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
        ViewerOptions options = first_options();
        for (int i = 1; i < argc; ++i) {
            const std::string word = argv[i];
            if (word == "--log") logs = true;
            else if (word == "--lesson" && i + 1 < argc) set_lesson(options, argv[++i]);
            else if (word == "--session" && i + 1 < argc) options.session = argv[++i];
            else options.images.push_back(word);
        }
        begin(options);
    });
}
