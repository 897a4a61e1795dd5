// Actions of the Inspect menu about how values become colours.

#include <fmt/format.h>

#include "app/state/pane_display.h"
#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/display_edits.h"

namespace texelscope {
namespace {

Action exposure(std::string id, std::string title, std::string_view key, float stops, std::string tooltip) {
    const auto run = [stops](AppState& s) { change_exposure(s, stops); };
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
            .ticked_if([](const AppState& s) { return levels_of(s, s.scene.active) != Levels{}; })
            .found_by("black, white, range, window, normalise, autoscale"),
        Action{"display.lock-levels", "Same levels for all images", Menu::inspect, -1,
               "Black and white level stay as they are when another image is shown.",
               [](AppState& s) { lock_levels(s, !s.scene.levels_locked); }}
            .only_if(has_document)
            .ticked_if([](const AppState& s) { return s.scene.levels_locked; }),
        auto_contrast(1),
        Action{"display.invert", "Invert", Menu::inspect, 3, "Show 1 − value: white becomes black.",
               [](AppState& s) { s.scene.display.invert = !s.scene.display.invert; }}
            .ticked_if([](const AppState& s) { return s.scene.display.invert; })
            .found_by("negative"),
        Action{
            "inspect.display-reset", "Reset the display", Menu::inspect, 3,
            "The levels that the image opened with, exposure 0, gamma 1, all channels, no tone curve, no false colour.",
            reset_display}
            .only_if([](const AppState& s) { return !is_display_usual(s); }),
        Action{"display.by-profile", "Embedded colour profile", Menu::inspect, 3,
               "Convert colours as the file's profile describes them to those of the screen, for display only.",
               [](AppState& s) { s.scene.display.by_profile = !s.scene.display.by_profile; }}
            .ticked_if([](const AppState& s) { return s.scene.display.by_profile; })
            .found_by("ICC colour management"),
        auto_contrast(0),
        auto_contrast(5),
    };
    for (const ToneCurve curve : all_tone_curves)
        result.push_back(in_palette(Menu::inspect, fmt::format("display.tone-{}", name_of(curve)),
                                    fmt::format("Tone curve: {}", name_of(curve)),
                                    [curve](AppState& s) { s.scene.display.curve = curve; }));
    for (const ColourMap map : all_colour_maps)
        result.push_back(in_palette(Menu::inspect, fmt::format("display.map-{}", name_of(map)),
                                    fmt::format("False colour: {}", map == ColourMap::channels ? "none" : name_of(map)),
                                    [map](AppState& s) { choose_false_colour(s, map); }));
    return result;
}

}  // namespace texelscope
