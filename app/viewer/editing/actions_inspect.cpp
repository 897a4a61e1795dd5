// Actions of the Inspect menu.

#include <fmt/format.h>

#include "app/state/pane_images.h"
#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/inspect_edits.h"

namespace texelscope {
namespace {

bool on_a_plane(const AppState& state) { return has_document(state) && !shows_signal(state, state.scene.active); }

Action dock(std::string id, std::string title, Dock which, std::string_view key, std::string tooltip) {
    const auto run = [which](AppState& s) { toggle_dock(s, which); };
    return Action{std::move(id), std::move(title), Menu::inspect, 0, std::move(tooltip), run}.keys({key}).ticked_if(
        [which](const AppState& s) { return s.ui.dock == which; });
}

Action along(std::string id, std::string title, ProfileLine::Along which, std::string tooltip) {
    const auto run = [which](AppState& s) {
        choose_along(s, which);
        s.ui.dock = Dock::profile;
    };
    return Action{std::move(id), std::move(title), Menu::inspect, 2, std::move(tooltip), run}
        .only_if(on_a_plane)
        .ticked_if([which](const AppState& s) { return s.scene.profile.along == which; });
}

Action flag(std::string id, std::string title, bool UiState::*which, std::string_view key, std::string tooltip) {
    const auto run = [which](AppState& s) { s.ui.*which = !(s.ui.*which); };
    return Action{std::move(id), std::move(title), Menu::inspect, 1, std::move(tooltip), run}.keys({key}).ticked_if(
        [which](const AppState& s) { return s.ui.*which; });
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
            std::string(row_of(unit).meaning), [unit](AppState& s) {
                choose_value_unit(s, unit);
            }}.ticked_if([unit](const AppState& s) { return s.ui.value_unit == unit; }));
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
        dock("inspect.histogram", "Histogram", Dock::histogram, "H",
             "Show how often values occur in the pane under the cursor."),
        dock("inspect.statistics", "Statistics", Dock::statistics, "Shift+H",
             "Show mean, deviation, extremes and percentiles of the stored samples, of all or of the selection."),
        Action{"inspect.taps", "Taps", Menu::inspect, 0,
               "Outline the texels that contribute to the pixel under the cursor, and list their weights.", toggle_taps}
            .keys({"T"})
            .ticked_if([](const AppState& s) { return s.ui.taps; }),
        flag("inspect.grid", "Pixel grid", &UiState::pixel_grid, "Ctrl+G",
             "Show lines between the samples, which fade in from 800 % on."),
        flag("inspect.values", "Pixel values", &UiState::pixel_values, "Ctrl+P",
             "Show the stored samples as numbers, if there is space for them."),
        along("inspect.along-row", "Profile along the row", Along::row, "Follow the row under the cursor."),
        along("inspect.along-column", "Profile along the column", Along::column, "Follow the column under the cursor."),
        along("inspect.along-line", "Profile along a line", Along::line,
              "Follow your own line: drag on the picture with Ctrl held."),
        Action{"inspect.pin", "Pin the profile", Menu::inspect, 2, "Keep the current row or column.",
               [](AppState& s) { pin_profile(s, !s.scene.profile.pinned); }}
            .only_if([](const AppState& s) { return s.scene.profile.along != ProfileLine::Along::line; })
            .ticked_if([](const AppState& s) { return s.scene.profile.pinned; }),
    };
    for (Action& action : unit_actions()) result.push_back(std::move(action));
    return result;
}

}  // namespace texelscope
