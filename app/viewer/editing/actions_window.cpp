// Actions on windows: panels, full screen, help.

#include "app/viewer/editing/action_groups.h"

namespace texelscope {
namespace {

// Closes the topmost thing; never the program.
void escape(AppState& state) {
    UiState& ui = state.ui;
    if (state.work) {
        state.work->cancelled = true;
        return;
    }
    if (ui.palette) {
        ui.palette = false;
        ui.palette_text.clear();
        return;
    }
    for (bool* window : {&ui.keys, &ui.about, &ui.browser, &ui.save, &ui.experiments.open})
        if (*window) {
            *window = false;
            return;
        }
    if (state.scene.selection) state.scene.selection.reset();
    else if (state.presenter.on) state.presenter.on = false;
    else state.tasks.push_back(task::LeaveFullscreen{});
}

}  // namespace

std::vector<Action> window_actions() {
    return {
        {"window.panels",
         "Panels",
         Menu::view,
         5,
         shortcuts({"Tab"}),
         "Show or hide everything but the picture.",
         [](AppState& s) { s.ui.panels = !s.ui.panels; },
         {},
         [](const AppState& s) { return s.ui.panels; }},
        {"window.fullscreen", "Full screen", Menu::view, 5, shortcuts({"F11", "Alt+Enter"}),
         "Use the whole screen. Esc leaves full screen.",
         [](AppState& s) { s.tasks.push_back(task::ToggleFullscreen{}); }},
        {"window.animate",
         "Animate zooming",
         Menu::view,
         5,
         {},
         "Zoom smoothly over 150 ms instead of jumping.",
         [](AppState& s) { s.ui.animate = !s.ui.animate; },
         {},
         [](const AppState& s) { return s.ui.animate; }},
        {"window.palette", "Command palette…", Menu::help, 0, shortcuts({"Ctrl+Shift+P"}),
         "Type a few letters of any command.", [](AppState& s) { s.ui.palette = !s.ui.palette; }},
        {"window.escape", "Close, clear, leave full screen", Menu::view, -1, shortcuts({"Esc"}), "", escape},
        {"help.keys",
         "Keys and mouse",
         Menu::help,
         0,
         shortcuts({"F1", "?"}),
         "All keys and mouse actions.",
         [](AppState& s) { s.ui.keys = !s.ui.keys; },
         {},
         [](const AppState& s) { return s.ui.keys; }},
        {"debug.break-device",
         "Debug: make the GPU write to an illegal address",
         Menu::help,
         -1,
         {},
         "",
         [](AppState& s) { s.tasks.push_back(task::BreakDevice{}); },
         [](const AppState& s) { return s.ui.debug_commands; }},
        {"help.about",
         "About this machine",
         Menu::help,
         0,
         {},
         "Versions of the program, device and drivers in use.",
         [](AppState& s) { s.ui.about = !s.ui.about; },
         {},
         [](const AppState& s) { return s.ui.about; }},
    };
}

}  // namespace texelscope
