// Actions of the View menu that change the view.

#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/position_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "gpu/core/colour.h"

namespace texelscope {
namespace {

constexpr double arrow_step = 64;  // output pixels per press

Action pan(std::string id, std::string title, std::string_view key, double dx, double dy, bool by_window) {
    auto run = [=](AppState& s) {
        const Extent output = output_extent(s, s.scene.active);
        const double x = by_window ? output.width : arrow_step, y = by_window ? output.height : arrow_step;
        pan_by(s, dx * x, dy * y, true);
    };
    return Action{std::move(id), std::move(title), Menu::view, -1, "", run}
        .keys({key})
        .only_if(has_document)
        .repeating();
}

std::vector<Action> pan_actions() {
    std::vector<Action> result;
    struct Direction {
        const char* name;
        double dx, dy;
    };
    // The arrow moves the window over the picture, so the picture moves the other way.
    for (Direction d : {Direction{"Left", 1, 0}, {"Right", -1, 0}, {"Up", 0, 1}, {"Down", 0, -1}}) {
        const std::string name = d.name;
        result.push_back(pan("view.pan-" + name, "Pan " + name, name, d.dx, d.dy, false));
        result.push_back(pan("view.page-" + name, "Pan " + name + " by a window", "Shift+" + name, d.dx, d.dy, true));
    }
    return result;
}

std::vector<Action> size_actions() {
    return {
        Action{"view.fit", "Fit", Menu::view, 0, "The whole image, as large as the window allows.", fit}
            .keys({"F", "Ctrl+0"})
            .only_if(has_document),
        Action{"view.keep-fit", "Keep fitting", Menu::view, 0, "Keep the image fitted when the window is resized.",
               [](AppState& s) { keep_fit(s, !s.scene.document()->keep_fit); }}
            .keys({"Shift+F"})
            .only_if(has_document)
            .ticked_if([](const Scene& scene) { return scene.document() && scene.document()->keep_fit; }),
        Action{"view.one-to-one", "100 %", Menu::view, 0, "One sample per screen pixel, on whole samples.",
               show_one_to_one}
            .keys({"Ctrl+1"})
            .only_if(has_document),
        Action{"view.reset", "Reset", Menu::view, 0, "Translate 0, scale 1, rotate 0.", reset_view}.keys({"R"}).only_if(
            has_document),
        Action{"view.zoom-in", "Zoom in", Menu::view, 1, "To the next power of two, about the window's centre.",
               [](AppState& s) { zoom_power_of_two(s, +1); }}
            .keys({"+", "="})
            .only_if(has_document)
            .repeating(),
        Action{"view.zoom-out", "Zoom out", Menu::view, 1, "To the previous power of two, about the window's centre.",
               [](AppState& s) { zoom_power_of_two(s, -1); }}
            .keys({"-"})
            .only_if(has_document)
            .repeating(),
        Action{"view.zoom-selection", "Zoom to selection", Menu::view, 1,
               "Fill the window with the region dragged with the right button.", zoom_to_selection}
            .keys({"Enter"})
            .only_if([](const Scene& scene) { return scene.selection.has_value(); }),
        Action{"view.go-to", "Go to…", Menu::view, 1,
               "Type coordinates in samples, also fractional ones, into the status bar: the view and the cursor move "
               "there, and value, taps and formula are shown. In the palette: go 120.5 80.25.",
               type_position}
            .keys({"Ctrl+L"})
            .only_if([](const AppState& s) { return has_document(s.scene) && !s.presenter.on; })
            .found_by("coordinates, position, pixel, sample, jump, value at"),
    };
}

std::vector<Action> rotation_actions() {
    return {
        Action{"view.rotate-less", "Rotate 10° clockwise", Menu::view, 2,
               "Turn the picture clockwise about the window's centre: the angle of the view decreases by 10°.",
               [](AppState& s) { rotate_by(s, -10); }}
            .keys({"["})
            .only_if(has_document)
            .repeating(),
        Action{"view.rotate-more", "Rotate 10° anticlockwise", Menu::view, 2,
               "Turn the picture anticlockwise about the window's centre: the angle of the view increases by 10°.",
               [](AppState& s) { rotate_by(s, 10); }}
            .keys({"]"})
            .only_if(has_document)
            .repeating(),
        Action{"view.reset-rotation", "Reset rotation", Menu::view, 2, "Rotate 0°.",
               [](AppState& s) { rotate_to(s, 0); }}
            .keys({"\\"})
            .only_if(has_document),
    };
}

std::vector<Action> sampling_actions() {
    return {
        Action{"view.extend", "Extend beyond the edges", Menu::view, 3,
               "Extend the image beyond its samples by its address modes.",
               [](Scene& scene) {
                   scene.outside = scene.outside == Outside::extend ? Outside::background : Outside::extend;
               }}
            .ticked_if([](const Scene& scene) { return scene.outside == Outside::extend; }),
        Action{"view.antialias", "Antialias (no moiré)", Menu::view, 4, antialias_tip, toggle_antialias}
            .keys({"M"})
            .ticked_if([](const Scene& scene) { return scene.antialias; }),
        Action{"view.linear-light", "Linear light", Menu::view, 4, linear_light_tip, toggle_linear_light}
            .keys({"L"})
            .ticked_if([](const Scene& scene) { return scene.light == Light::linear; }),
        Action{"view.warp", "Next warp", Menu::view, 4,
               "none → swirl → barrel → ripple: warps the image before the view is applied.", cycle_warp}
            .keys({"W"})
            .only_if([](const AppState& s) { return !shows_signal(s, s.scene.active); }),
    };
}

}  // namespace

std::vector<Action> view_actions() {
    std::vector<Action> result;
    for (auto group : {size_actions(), rotation_actions(), sampling_actions(), pan_actions()})
        result.insert(result.end(), group.begin(), group.end());
    return result;
}

// Actions on windows: panels, full screen, help.

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
               [](UiState& ui) { ui.panels = !ui.panels; }}
            .keys({"Tab"})
            .ticked_if([](const UiState& ui) { return ui.panels; }),
        Action{"window.toolbar", "Toolbar", Menu::view, 5, "Show or hide the row of buttons below the menus.",
               [](UiState& ui) { ui.toolbar = !ui.toolbar; }}
            .ticked_if([](const UiState& ui) { return ui.toolbar; })
            .found_by("buttons, icons"),
        Action{
            "window.filmstrip", "Filmstrip", Menu::view, 5,
            "Show or hide small pictures of the shown file's folder, below the picture: a click shows one, the wheel "
            "scrolls.",
            [](UiState& ui) { ui.filmstrip = !ui.filmstrip; }}
            .keys({"Ctrl+T"})
            .ticked_if([](const UiState& ui) { return ui.filmstrip; })
            .found_by("thumbnails, previews, folder, browse"),
        Action{"window.fullscreen", "Full screen", Menu::view, 5, "Use the whole screen. Esc leaves full screen.",
               [](Tasks& tasks) { tasks.push_back(task::ToggleFullscreen{}); }}
            .keys({"F11", "Alt+Enter"}),
        Action{"window.animate", "Animate zooming", Menu::view, 5, "Zoom smoothly over 150 ms instead of jumping.",
               [](UiState& ui) { ui.animate = !ui.animate; }}
            .ticked_if([](const UiState& ui) { return ui.animate; }),
        Action{"window.palette", "Command palette…", Menu::help, 0, "Type a few letters of any command.",
               [](UiState& ui) { ui.dialogs.toggle(Dialog::palette); }}
            .keys({"Ctrl+Shift+P"})
            .opening(Dialog::palette),
        Action{"window.escape", "Close, clear, leave full screen, dismiss a message", Menu::view, -1, "", escape}.keys(
            {"Esc"}),
        Action{"help.keys", "Keys, mouse and words", Menu::help, 0,
               "All keys, mouse actions and commands, and a glossary: typing filters them.",
               [](UiState& ui) { ui.dialogs.toggle(Dialog::keys); }}
            .keys({"F1", "?"})
            .opening(Dialog::keys)
            .ticked_if([](const UiState& ui) { return ui.dialogs.has(Dialog::keys); }),
        Action{"help.numbers", "What do these numbers mean?", Menu::help, 0,
               "Explain every figure of the active pane: reference, PSNR, SSIM, RMSE, time, fetches, value under the "
               "cursor.",
               [](UiState& ui) { ui.dialogs.toggle(Dialog::numbers); }}
            .keys({"Shift+F1"})
            .opening(Dialog::numbers)
            .only_if(has_document)
            .ticked_if([](const UiState& ui) { return ui.dialogs.has(Dialog::numbers); }),
        Action{"debug.break-device", "Debug: make the GPU write to an illegal address", Menu::help, -1, "",
               [](Tasks& tasks) { tasks.push_back(task::BreakDevice{}); }}
            .only_if([](const UiState& ui) { return ui.debug_commands; }),
        Action{"help.about", "About this machine", Menu::help, 0, "Versions of the program, device and drivers in use.",
               [](UiState& ui) { ui.dialogs.toggle(Dialog::about); }}
            .opening(Dialog::about)
            .ticked_if([](const UiState& ui) { return ui.dialogs.has(Dialog::about); }),
    };
}

}  // namespace texelscope
