// Actions on windows: panels, full screen, help.

#include "app/viewer/editing/action_groups.h"

namespace texelscope {
namespace {

// Closes the topmost thing; never the program.
void escape(AppState& state) {
    const auto dialog = state.ui.dialogs.topmost();
    const bool comparing = dialog == Dialog::restoring && state.report.background.dialog == dialog;
    if (comparing) state.tasks.push_back(task::CancelBackground{});
    else if (dialog) state.ui.dialogs.close(*dialog);
    else if (state.loading) state.loading->cancelled = true;
    else if (state.work) state.work->cancelled = true;
    else if (state.scene.selection) state.scene.selection.reset();
    else if (state.presenter.on) state.presenter.on = false;
    else state.tasks.push_back(task::LeaveFullscreen{});
}

}  // namespace

std::vector<Action> window_actions() {
    return {
        Action{"window.panels", "Panels", Menu::view, 5,
               "Show or hide everything but the picture and short labels of its panes.",
               [](AppState& s) { s.ui.panels = !s.ui.panels; }}
            .keys({"Tab"})
            .ticked_if([](const AppState& s) { return s.ui.panels; }),
        Action{
            "window.filmstrip", "Filmstrip", Menu::view, 5,
            "Show or hide small pictures of the shown file's folder, below the picture: a click shows one, the wheel "
            "scrolls.",
            [](AppState& s) { s.ui.filmstrip = !s.ui.filmstrip; }}
            .keys({"Ctrl+T"})
            .ticked_if([](const AppState& s) { return s.ui.filmstrip; })
            .found_by("thumbnails, previews, folder, browse"),
        Action{"window.fullscreen", "Full screen", Menu::view, 5, "Use the whole screen. Esc leaves full screen.",
               [](AppState& s) { s.tasks.push_back(task::ToggleFullscreen{}); }}
            .keys({"F11", "Alt+Enter"}),
        Action{"window.animate", "Animate zooming", Menu::view, 5, "Zoom smoothly over 150 ms instead of jumping.",
               [](AppState& s) { s.ui.animate = !s.ui.animate; }}
            .ticked_if([](const AppState& s) { return s.ui.animate; }),
        Action{"window.palette", "Command palette…", Menu::help, 0, "Type a few letters of any command.",
               [](AppState& s) { s.ui.dialogs.toggle(Dialog::palette); }}
            .keys({"Ctrl+Shift+P"})
            .opening(Dialog::palette),
        Action{"window.escape", "Close, clear, leave full screen, dismiss a message", Menu::view, -1, "", escape}.keys(
            {"Esc"}),
        Action{"help.keys", "Keys, mouse and words", Menu::help, 0,
               "All keys, mouse actions and commands, and a glossary: typing filters them.",
               [](AppState& s) { s.ui.dialogs.toggle(Dialog::keys); }}
            .keys({"F1", "?"})
            .opening(Dialog::keys)
            .ticked_if([](const AppState& s) { return s.ui.dialogs.has(Dialog::keys); }),
        Action{"help.numbers", "What do these numbers mean?", Menu::help, 0,
               "Explain every figure of the active pane: reference, PSNR, SSIM, RMSE, time, fetches, value under the "
               "cursor.",
               [](AppState& s) { s.ui.dialogs.toggle(Dialog::numbers); }}
            .keys({"Shift+F1"})
            .opening(Dialog::numbers)
            .only_if(has_document)
            .ticked_if([](const AppState& s) { return s.ui.dialogs.has(Dialog::numbers); }),
        Action{"debug.break-device", "Debug: make the GPU write to an illegal address", Menu::help, -1, "",
               [](AppState& s) { s.tasks.push_back(task::BreakDevice{}); }}
            .only_if([](const AppState& s) { return s.ui.debug_commands; }),
        Action{"help.about", "About this machine", Menu::help, 0, "Versions of the program, device and drivers in use.",
               [](AppState& s) { s.ui.dialogs.toggle(Dialog::about); }}
            .opening(Dialog::about)
            .ticked_if([](const AppState& s) { return s.ui.dialogs.has(Dialog::about); }),
    };
}

}  // namespace texelscope
