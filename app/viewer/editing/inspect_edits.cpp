#include "app/viewer/editing/inspect_edits.h"

namespace texelscope {

void toggle_dock(AppState& state, Dock dock) { state.ui.dock = state.ui.dock == dock ? Dock::none : dock; }

void toggle_taps(AppState& state) {
    state.ui.taps = !state.ui.taps;
    if (state.ui.taps) state.ui.dock = Dock::taps;
    else if (state.ui.dock == Dock::taps) state.ui.dock = Dock::none;
}

void choose_along(AppState& state, ProfileLine::Along along) {
    using Along = ProfileLine::Along;
    ProfileLine& line = state.scene.profile;
    if (line.along == along) return;
    const ProfileReport& shown = state.report.findings.profile;
    if (shown.channels > 0 && along == Along::line && line.a == line.b) {
        line.a = shown.point(shown.from);
        line.b = shown.point(shown.to);
    } else if (shown.channels > 0 && along != Along::line) {
        line.a = shown.point((shown.from + shown.to) / 2);
    }
    line.along = along;
    line.pinned = along == Along::line;
    state.ui.inspect.profile = {};
}

void pin_profile(AppState& state, bool pinned) {
    ProfileLine& line = state.scene.profile;
    line.pinned = pinned;
    const ProfileReport& shown = state.report.findings.profile;
    if (pinned && shown.channels > 0) line.a = shown.point(shown.from);
}

void choose_value_unit(AppState& state, ValueUnit unit) { state.ui.value_unit = unit; }

}  // namespace texelscope
