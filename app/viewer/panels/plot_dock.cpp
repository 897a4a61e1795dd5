// The plots at the right of the picture: a header with its tabs, the chosen one, and an edge to drag.

#include "app/viewer/panels/plot_dock.h"

#include <algorithm>
#include <span>
#include <vector>

#include <imgui.h>

#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/layout.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

struct Tab {
    Dock dock;
    const char* title;
    const char* tip;
    void (*show)(AppState&);
};

const Tab tabs[] = {
    {Dock::profile, "Profile",
     "Profile: stored samples along a row, a column or a drawn line, and every pane's reconstruction. Key I.",
     profile_tab},
    {Dock::curves, "Curves",
     "Weight function (in theory and as measured), spectrum and step response of the panes in view; for the hardware "
     "path, also g and h of the fetches. Key C.",
     curves_tab},
    {Dock::histogram, "Histogram", "Histogram of the values in the pane under the cursor. Key H.", histogram_tab},
    {Dock::statistics, "Statistics",
     "Mean, deviation, extremes and percentiles of the stored samples, of all or of the selection. Key Shift+H.",
     statistics_tab},
    {Dock::taps, "Taps",
     "The texels that contribute to the pixel under the cursor, with their weights. Key T outlines them on "
     "the picture.",
     taps_tab},
    {Dock::source, "Source", "Source code that belongs to the lesson's step.", source_tab}};

bool is_there(const AppState& state, const Tab& tab) { return tab.dock != Dock::source || has_source_tab(state); }

void drag_width(AppState& state, const gui::Box& box) {
    if (!gui::drag_edge("dock-edge", box.x, box.y, box.height)) return;
    float& dock_width = state.ui.dock == Dock::source ? state.ui.source_width : state.ui.dock_width;
    dock_width = std::max(gui::min_dock_width, (box.x + box.width - ImGui::GetIO().MousePos.x) / gui::theme().scale);
}

// In one row, or in two where they would be cut.
void tab_row(AppState& state) {
    std::vector<gui::Segment> segments;
    std::vector<Dock> docks;
    for (const Tab& tab : tabs) {
        if (!is_there(state, tab)) continue;
        segments.push_back({tab.title, tab.tip});
        docks.push_back(tab.dock);
    }
    const float button = ImGui::GetFrameHeight(), gap = gui::px(6), line = gui::px(2);
    const float width = ImGui::GetContentRegionAvail().x - button - gap;
    const size_t rows = gui::least_segments_width(segments) > width ? 2 : 1;
    const size_t in_row = (segments.size() + rows - 1) / rows;
    ImGui::BeginChild("##tabs", {width, float(rows) * button + float(rows - 1) * line}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, line});
    for (size_t first = 0; first < segments.size(); first += in_row) {
        const std::span row = std::span(segments).subspan(first, std::min(in_row, segments.size() - first));
        const auto chosen =
            std::find(docks.begin() + long(first), docks.end(), state.ui.dock) - docks.begin() - long(first);
        const int clicked = gui::segmented("dock", row, int(chosen));
        if (clicked >= 0) state.ui.dock = docks[first + size_t(clicked)];
    }
    ImGui::PopStyleVar();
    ImGui::EndChild();
    ImGui::SameLine(0, gap);
    if (gui::close_button("##close", button)) state.ui.dock = Dock::none;
    gui::note("dock:close");
    gui::tooltip("Close the plots.");
    ImGui::Dummy({0, gui::px(4)});
}

}  // namespace

const char* channel_name(int channels, bool has_alpha, int channel) {
    static constexpr const char* colours[] = {"R", "G", "B", "A"};
    const int plain = channels - (has_alpha ? 1 : 0);
    if (channel < 0) return "Luma";
    if (has_alpha && channel == channels - 1) return "A";
    if (plain == 1) return "v";
    if (plain == 2) return channel == 0 ? "re" : "im";
    return colours[std::clamp(channel, 0, 3)];
}

bool is_low() { return ImGui::GetContentRegionAvail().y < gui::px(320); }

bool part_row(AppState& state, const char* of_selection, const char* all, const char* of_all) {
    if (!state.scene.selection) return false;
    gui::label("Of", "What is counted.");
    const gui::Segment segments[] = {{"Selection", of_selection}, {all, of_all}};
    bool& chosen = state.ui.inspect.statistics_of_all;
    const int clicked = gui::segmented("part", segments, chosen ? 1 : 0);
    if (clicked >= 0) chosen = clicked == 1;
    return true;
}

void channel_row(AppState& state, int channels, bool has_alpha, bool with_luma) {
    int& channel = state.ui.inspect.channel;
    const bool luma = with_luma && channels - (has_alpha ? 1 : 0) == 3;
    if (channel >= channels) channel = -1;
    if (channels < 2) return;
    std::vector<gui::Segment> segments;
    const int first = luma ? -1 : 0;
    for (int c = first; c < channels; ++c)
        segments.push_back(
            {channel_name(channels, has_alpha, c),
             c < 0 ? "0.2126 R + 0.7152 G + 0.0722 B of the values as they are (Rec. 709)." : "Only this channel."});
    gui::label("Channel", "Channel to show.");
    const int clicked = gui::segmented("channel", segments, std::max(channel - first, 0));
    if (clicked >= 0) channel = clicked + first;
}

void plot_dock(AppState& state, const gui::Box& box) {
    if (box.empty() || state.ui.dock == Dock::none) return;
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gui::px(12), gui::px(10)));
    ImGui::Begin("##dock", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::GetWindowDrawList()->AddLine({box.x + 0.5f, box.y}, {box.x + 0.5f, box.y + box.height},
                                        gui::packed(gui::rgb(0x18191b)));
    tab_row(state);
    for (const Tab& tab : tabs)
        if (tab.dock == state.ui.dock) tab.show(state);
    ImGui::End();
    ImGui::PopStyleVar(3);
    drag_width(state, box);
}

}  // namespace texelscope::panels
