// The sign in a pane whose smaller images or coefficients are being made: what it shows until then is something else.

#include <algorithm>

#include <imgui.h>

#include "app/state/pane_places.h"
#include "app/viewer/panels/overlay_parts.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr const char* words = "preparing this picture …";

double shown_in(const AppState& state) { return state.report.frame.preparing.since + loading_shown_after - state.now; }

void sign(const PixelRect& clip, ImDrawList& draw) {
    const ImVec2 low = on_window(clip.x, clip.y), high = on_window(clip.x + clip.width, clip.y + clip.height);
    const ImVec2 text = ImGui::CalcTextSize(words);
    const float pad = gui::px(12), width = text.x + 2 * pad, height = text.y + gui::px(12);
    if (high.x - low.x < width + gui::px(16) || high.y - low.y < 2 * height) return;
    const ImVec2 at{(low.x + high.x - width) / 2,
                    low.y + std::min(gui::px(72), (high.y - low.y - height) / 2)};  // below the chip
    const ImVec2 end{at.x + width, at.y + height};
    draw.AddRectFilled(at, end, gui::packed(gui::colour::panel, 0.94f), gui::px(6));
    draw.AddRect(at, end, gui::packed(gui::colour::line), gui::px(6), 0, gui::px(1));
    draw.AddText({at.x + pad, at.y + gui::px(6)}, gui::packed(gui::colour::text), words);
}

}  // namespace

void preparing_signs(const AppState& state, ImDrawList& draw) {
    if (state.loading || shown_in(state) > 0) return;
    const std::vector<int> in_view = panes_in_view(state);
    for (const int pane : state.report.frame.preparing.panes)
        if (std::find(in_view.begin(), in_view.end(), pane) != in_view.end()) sign(pane_clip(state, pane), draw);
}

void wake_for_preparing(const AppState& state, WakeUp& wake_up) {
    if (state.report.frame.preparing.panes.empty()) return;
    if (const double left = shown_in(state); left > 0) wake_up.draw_in(left);
}

}  // namespace texelscope::panels
