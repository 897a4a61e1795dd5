// Actions of the Inspect menu.

#include <fmt/format.h>

#include "app/state/pane_images.h"
#include "app/state/pane_views.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/display_edits.h"

namespace texelscope {
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
        dock("inspect.spectrum", "Spectrum", Dock::spectrum, "Shift+C",
             "Show which frequencies the picture holds, in view or selected, and what each method makes of them.")
            .found_by("Fourier transform, FFT, frequency, power, radial profile, aliasing"),
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
