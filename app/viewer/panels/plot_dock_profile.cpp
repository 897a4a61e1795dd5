// Profile: stored samples as dots, every pane's reconstruction as a curve through them.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/drawing/pane_colours.h"
#include "app/picture/inspect/profile.h"
#include "app/picture/inspect/profile_plot.h"
#include "app/state/readout_text.h"
#include "app/text/spec_words.h"
#include "app/viewer/editing/inspect_edits.h"
#include "app/viewer/editing/save_choice.h"
#include "app/viewer/panels/plot_dock.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

void along_row(AppState& state, const ProfileReport& profile) {
    using Along = ProfileLine::Along;
    const ProfileLine& line = state.scene.profile;
    const bool plane = profile.channels == 0 || profile.has_y;
    const gui::Segment segments[] = {
        {"Row", "Along the row under the cursor."},
        {"Column", "Along the column under the cursor.", plane},
        {"Line", "Along your own line: drag on the picture with Ctrl held and the left button.", plane}};
    gui::label("Along", "The line of the profile through the image.");
    const int clicked = gui::segmented("along", segments, plane ? int(line.along) : 0);
    if (clicked >= 0) choose_along(state, Along(clicked));
    if (line.along == Along::line && plane) return;
    constexpr const char* tip = "Keep this row or column. Off: the one under the cursor.";
    gui::label("", "");
    bool pinned = line.pinned;
    if (gui::check("pinned", pinned)) pin_profile(state, pinned);
    gui::tooltip(tip);
    gui::note("profile:pinned");
}

// If there is space for them: few panes, much height.
void name_methods(const AppState& state, const ProfileReport& profile, Plot& plot) {
    constexpr size_t few = 4;
    if (profile.curves.size() > few || ImGui::GetContentRegionAvail().y < gui::px(300)) return;
    for (size_t k = 0; k < profile.curves.size(); ++k)
        if (const size_t index = size_t(profile.curves[k].pane); index < state.scene.panes.size()) {
            const Pane& pane = state.scene.panes[index];
            plot.series[k].name += "  " + (pane.label.empty() ? words(pane.spec) : pane.label);
        }
}

void foot(AppState& state) {
    if (gui::row_button("Save as CSV…", 2,
                        "Save the points of the plot as a table: position, stored sample, each pane's channels.")) {
        toggle_save_window(state, UiState::Saving::profile);
    }
    gui::note("profile:save");
    ImGui::SameLine();
    ImGui::BeginDisabled(!state.ui.inspect.profile.active());
    if (gui::row_button("Visible part", 2,
                        "Show the part of the line that is in view. A double click on the plot does the same."))
        state.ui.inspect.profile = {};
    ImGui::EndDisabled();
    gui::note("profile:reset");
    gui::remark("wheel zooms · drag pans", false);
}

}  // namespace

void profile_tab(AppState& state) {
    const ProfileReport& profile = state.report.findings.profile;
    const auto controls = [&] {
        along_row(state, profile);
        if (profile.channels > 0) channel_row(state, profile.channels, profile.has_alpha, true);
        ImGui::Dummy({0, gui::px(4)});
    };
    const bool low = profile.channels > 0 && is_low();
    if (!low) controls();
    if (profile.channels == 0) {
        const bool line = state.scene.profile.along == ProfileLine::Along::line;
        const std::string& why = state.report.findings.no_profile;
        if (!why.empty()) gui::remark(why, false);
        else if (line) gui::remark("Drag a line on the picture with Ctrl held and the left button.", false);
        else if (!state.scene.document()) gui::remark("Open an image to see its profile.", false);
        return;  // computed once this frame is rendered
    }
    const float below = low || state.presenter.on ? gui::px(8) : 2 * ImGui::GetFrameHeight() + gui::px(16),
                least = gui::px(low ? 120 : 160);
    Plot plot = profile_plot(profile, state.ui.inspect.channel, value_scale(state, state.scene.active));
    name_methods(state, profile, plot);
    static gui::PlotFocus focus;
    focus.begin(pane_ink(state.scene.active));
    gui::plot_view(plot, {.id = "##plot:profile",
                          .zoom = state.ui.inspect.profile,
                          .limits = {profile.first, profile.end()},
                          .height = std::max(ImGui::GetContentRegionAvail().y - below, least),
                          .tip = "Dots: stored samples. Lines: each pane's reconstruction at unit scale, neither "
                                 "antialiased nor warped. Point at a line or at its name to see it alone.",
                          .columns = &state.ui.plot_columns,
                          .brief = low,
                          .focus = &focus});
    if (low) controls();
    if (!state.presenter.on) foot(state);
}

}  // namespace texelscope::panels
