// Actions of the menus View and Inspect.

#include <fmt/format.h>

#include "app/state/messages.h"
#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/view_edits.h"

namespace texelscope {

// Actions of the View menu that change the view.

namespace {

// All of the picture, in which panes side by side may look alike.
auto seen_whole(void (*change)(AppState&)) {
    return [change](AppState& s) {
        change(s);
        if (panes_in_view(s.scene).size() > 1) look_closer(s, false);
    };
}

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
        Action{"view.fit", "Fit", Menu::view, 0,
               "The whole image, as large as the window allows, also when that changes.",
               seen_whole([](AppState& s) { keep_fit(s, true); })}
            .keys({"F", "Ctrl+0"})
            .only_if(has_document),
        Action{"view.keep-fit", "Keep fitting", Menu::view, 0, "Keep the image fitted when the window is resized.",
               [](AppState& s) { keep_fit(s, !s.scene.document()->keep_fit); }}
            .keys({"Shift+F"})
            .only_if(has_document)
            .ticked_if([](const Scene& scene) { return scene.document() && scene.document()->keep_fit; }),
        Action{"view.one-to-one", "100 %", Menu::view, 0, "One sample per screen pixel, on whole samples.",
               seen_whole(show_one_to_one)}
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
            .ticked_if([](const Scene& scene) { return scene.light_of(scene.active) == Light::linear; }),
        Action{"view.warp", "Next warp", Menu::view, 4,
               "none → swirl → barrel → ripple → plane: warps the image before the view is applied.", cycle_warp}
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
    const bool works = dialog && !row_of(*dialog).owns_keyboard && state.report.background.dialog == dialog;
    if (works) state.tasks.push_back(task::CancelBackground{});
    else if (dialog) state.ui.dialogs.close(*dialog);
    else if (state.loading) state.loading->cancelled = true;
    else if (state.work) state.work->cancelled = true;
    else if (state.scene.selection) state.scene.selection.reset();
    else if (state.presenter.on) state.presenter.on = false;
    else state.tasks.push_back(task::LeaveFullscreen{});
}

void toggle_filmstrip(AppState& state) {
    state.ui.filmstrip = !state.ui.filmstrip;
    const Document* document = state.scene.document();
    if (state.ui.filmstrip && !(document && document->is_file()))
        post(state.messages, Message::Level::info,
             "The filmstrip shows the pictures in a file's folder: it appears once a file is open");
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
            toggle_filmstrip}
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

// Actions of the Inspect menu.

namespace {

bool on_a_plane(const AppState& state) { return has_document(state.scene) && !shows_signal(state, state.scene.active); }

Action dock(std::string id, std::string title, Dock which, std::string_view key, std::string tooltip) {
    const auto run = [which](UiState& ui) { toggle_dock(ui, which); };
    return Action{std::move(id), std::move(title), Menu::inspect, 0, std::move(tooltip), run}.keys({key}).ticked_if(
        [which](const UiState& ui) { return ui.dock == which; });
}

Action along(std::string id, std::string title, ProfileLine::Along which, std::string tooltip) {
    const auto run = [which](AppState& s) {
        choose_along(s, which);
        s.ui.dock = Dock::profile;
    };
    return Action{std::move(id), std::move(title), Menu::inspect, 2, std::move(tooltip), run}
        .only_if(on_a_plane)
        .ticked_if([which](const Scene& scene) { return scene.profile.along == which; });
}

Action flag(std::string id, std::string title, bool UiState::*which, std::string_view key, std::string tooltip) {
    const auto run = [which](UiState& ui) { ui.*which = !(ui.*which); };
    return Action{std::move(id), std::move(title), Menu::inspect, 1, std::move(tooltip), run}.keys({key}).ticked_if(
        [which](const UiState& ui) { return ui.*which; });
}

std::string in_words(ValueUnit unit) {
    return unit == ValueUnit::hex    ? "Values in hexadecimal"
           : unit == ValueUnit::code ? "Values as stored integers"
                                     : fmt::format("Values from {}", unit == ValueUnit::levels ? "0 to 255" : "0 to 1");
}

std::vector<Action> unit_actions() {
    std::vector<Action> result;
    for (const ValueUnit unit : all_value_units)
        result.push_back(Action{
            fmt::format("inspect.values-{}", name_of(unit)), in_words(unit), Menu::inspect, 4,
            std::string(row_of(unit).meaning), [unit](UiState& ui) {
                choose_value_unit(ui, unit);
            }}.ticked_if([unit](const UiState& ui) { return ui.value_unit == unit; }));
    return result;
}

}  // namespace

std::vector<Action> inspect_actions() {
    using Along = ProfileLine::Along;
    std::vector<Action> result = {
        dock("inspect.profile", "Profile", Dock::profile, "I",
             "Show samples along a row, a column or a line as dots, and each pane's reconstruction as a curve."),
        dock("inspect.curves", "Curves", Dock::curves, "C",
             "Show weight function (in theory and as measured), spectrum and step response of all panes; also g and h "
             "of the hardware path."),
        dock("inspect.order", "Order", Dock::order, "Shift+Y",
             "Show the errors of all panes' methods on waves, by samples per period: their slope is the order."),
        dock("inspect.spectrum", "Spectrum", Dock::spectrum, "Shift+C",
             "Show which frequencies the picture holds, in view or selected, and what each method makes of them.")
            .found_by("Fourier transform, FFT, frequency, power, radial profile, aliasing"),
        dock(
            "inspect.stage", "Stage", Dock::stage, "Y",
            "Show a line of samples that can be dragged, the weighted functions beneath their sum, and the spectrum with "
            "its copies.")
            .found_by("one-dimensional, 1-D, signal, sampling, Nyquist, aliasing, reconstruction"),
        dock("inspect.histogram", "Histogram", Dock::histogram, "H",
             "Show how often values occur in the pane under the cursor."),
        dock("inspect.statistics", "Statistics", Dock::statistics, "Shift+H",
             "Show mean, deviation, extremes and percentiles of the stored samples, of all or of the selection."),
        Action{"inspect.taps", "Taps", Menu::inspect, 0,
               "Outline the texels that contribute to the pixel under the cursor, and list their weights.", toggle_taps}
            .keys({"T"})
            .ticked_if([](const UiState& ui) { return ui.taps; }),
        flag("inspect.grid", "Pixel grid", &UiState::pixel_grid, "Ctrl+G",
             "Show lines between the samples, which fade in from 800 % on."),
        flag("inspect.values", "Pixel values", &UiState::pixel_values, "Ctrl+P",
             "Show the stored samples as numbers, if there is space for them."),
        along("inspect.along-row", "Profile along the row", Along::row, "Follow the row under the cursor."),
        along("inspect.along-column", "Profile along the column", Along::column, "Follow the column under the cursor."),
        along("inspect.along-line", "Profile along a line", Along::line,
              "Follow your own line: drag on the picture with Ctrl held."),
        Action{"inspect.pin", "Pin the profile", Menu::inspect, 2, "Keep the current row or column.",
               [](AppState& s) { pin_profile(s.scene, s.report, !s.scene.profile.pinned); }}
            .only_if([](const Scene& scene) { return scene.profile.along != ProfileLine::Along::line; })
            .ticked_if([](const Scene& scene) { return scene.profile.pinned; }),
    };
    for (Action& action : unit_actions()) result.push_back(std::move(action));
    return result;
}

// Actions of the Inspect menu about how values become colours.

namespace {

Action exposure(std::string id, std::string title, std::string_view key, float stops, std::string tooltip) {
    const auto run = [stops](Scene& scene) { change_exposure(scene, stops); };
    return Action{std::move(id), std::move(title), Menu::inspect, 3, std::move(tooltip), run}.keys({key}).repeating();
}

Action auto_contrast(int percent) {
    return Action{
        fmt::format("display.auto-contrast-{}", percent),
        fmt::format("Auto contrast, {} %", percent),
        Menu::inspect,
        percent == 1 ? 3 : -1,
        fmt::format("Set black and white level so that {} % of the samples, or of the selected ones, are black and as "
                    "many white.",
                    percent),
        [percent](AppState& s) { set_auto_contrast(s, percent / 100.0); }}
        .only_if(has_document);
}

}  // namespace

std::vector<Action> display_actions() {
    std::vector<Action> result = {
        exposure("inspect.exposure-up", "Exposure +½ stop", "E", 0.5f, "Brighter: multiply values by √2."),
        exposure("inspect.exposure-down", "Exposure −½ stop", "Shift+E", -0.5f, "Darker: divide values by √2."),
        Action{
            "display.levels", "Levels from the data", Menu::inspect, 3,
            "Black and white where nearly all samples lie; off: 0 and 1. Images whose samples are no values from 0 to 1 "
            "open with such levels.",
            toggle_levels}
            .keys({"X"})
            .only_if(has_document)
            .ticked_if([](const Scene& scene) { return levels_of(scene, scene.active) != Levels{}; })
            .found_by("black, white, range, window, normalise, autoscale"),
        Action{"display.lock-levels", "Same levels for all images", Menu::inspect, -1,
               "Black and white level stay as they are when another image is shown.",
               [](Scene& scene) { lock_levels(scene, !scene.levels_locked); }}
            .only_if(has_document)
            .ticked_if([](const Scene& scene) { return scene.levels_locked; }),
        auto_contrast(1),
        Action{"display.invert", "Invert", Menu::inspect, 3, "Show 1 − value: white becomes black.",
               [](Scene& scene) { scene.display.invert = !scene.display.invert; }}
            .ticked_if([](const Scene& scene) { return scene.display.invert; })
            .found_by("negative"),
        Action{
            "inspect.display-reset", "Reset the display", Menu::inspect, 3,
            "The levels that the image opened with, exposure 0, gamma 1, all channels, no tone curve, no false colour.",
            reset_display}
            .only_if([](const Scene& scene) { return !is_display_usual(scene); }),
        Action{"display.by-profile", "Embedded colour profile", Menu::inspect, 3,
               "Convert colours as the file's profile describes them to those of the screen, for display only.",
               [](Scene& scene) { scene.display.by_profile = !scene.display.by_profile; }}
            .ticked_if([](const Scene& scene) { return scene.display.by_profile; })
            .found_by("ICC colour management"),
        auto_contrast(0),
        auto_contrast(5),
    };
    for (const ToneCurve curve : all_tone_curves)
        result.push_back(in_palette(Menu::inspect, fmt::format("display.tone-{}", name_of(curve)),
                                    fmt::format("Tone curve: {}", name_of(curve)),
                                    [curve](Scene& scene) { scene.display.curve = curve; }));
    for (const ColourMap map : all_colour_maps)
        result.push_back(in_palette(Menu::inspect, fmt::format("display.map-{}", name_of(map)),
                                    fmt::format("False colour: {}", map == ColourMap::channels ? "none" : name_of(map)),
                                    [map](AppState& s) { choose_false_colour(s.scene, s.messages, map); })
                             .found_by(std::string(row_of(map).meaning)));
    return result;
}

}  // namespace texelscope
