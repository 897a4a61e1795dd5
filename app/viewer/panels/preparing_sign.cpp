// The sign in a pane whose smaller images or coefficients are being made: what it shows until then is something else. And in
// one that shows nothing, since its kernel is not computed.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/pane_places.h"
#include "app/viewer/panels/overlay_parts.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr const char* preparing_words = "preparing this picture …";

// With a capital.
std::string sentence(std::string words) {
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = char(words[0] - 'a' + 'A');
    return words;
}

double shown_in(const AppState& state) { return state.report.frame.preparing.since + loading_shown_after - state.now; }

void sign(const PixelRect& clip, const std::string& text_of, ImDrawList& draw) {
    const char* const words = text_of.c_str();
    const ImVec2 low = on_window(clip.x, clip.y), high = on_window(clip.x + clip.width, clip.y + clip.height);
    const float pad = gui::px(12), wrap = std::min(gui::px(420), high.x - low.x - gui::px(16) - 2 * pad);
    if (wrap < gui::px(60)) return;
    const ImVec2 text = ImGui::CalcTextSize(words, nullptr, false, wrap);
    const float width = text.x + 2 * pad, height = text.y + gui::px(12);
    if (high.x - low.x < width + gui::px(16) || high.y - low.y < 2 * height) return;
    const ImVec2 at{(low.x + high.x - width) / 2,
                    low.y + std::min(gui::px(72), (high.y - low.y - height) / 2)};  // below the chip
    const ImVec2 end{at.x + width, at.y + height};
    draw.AddRectFilled(at, end, gui::packed(gui::colour::panel, 0.94f), gui::px(6));
    draw.AddRect(at, end, gui::packed(gui::colour::line), gui::px(6), 0, gui::px(1));
    draw.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x + pad, at.y + gui::px(6)},
                 gui::packed(gui::colour::text), words, nullptr, wrap);
}

}  // namespace

void preparing_signs(const AppState& state, ImDrawList& draw) {
    const std::vector<int> in_view = panes_in_view(state);
    const auto is_in_view = [&](int pane) { return std::find(in_view.begin(), in_view.end(), pane) != in_view.end(); };
    for (const auto& [pane, why] : state.report.frame.not_computed)
        if (is_in_view(pane)) sign(pane_clip(state, pane), sentence(why), draw);
    if (state.loading || shown_in(state) > 0) return;
    for (const int pane : state.report.frame.preparing.panes)
        if (is_in_view(pane)) sign(pane_clip(state, pane), preparing_words, draw);
}

// Thin: the picture can be looked at meanwhile.
float sharpening_sign(const AppState& state, ImDrawList& draw, float taken) {
    const Preparing& preparing = state.report.frame.preparing;
    if (preparing.to_come == 0 || state.loading || shown_in(state) > 0) return taken;
    const int percent = int(100 * preparing.part_done);
    const std::string words = fmt::format(
        "{}sharpening · {} {} to come{}", preparing.of_file ? "smaller image of the file · " : "", preparing.to_come,
        preparing.to_come == 1 ? "part" : "parts", percent > 0 ? fmt::format(" · {} %", percent) : "");
    const float pad = gui::px(8);
    const ImVec2 text = ImGui::CalcTextSize(words.c_str()), size{text.x + 2 * pad, text.y + pad};
    const PixelRect& picture = state.report.frame.picture;
    const ImVec2 low = on_window(picture.x, picture.y), high = on_window(picture.x + picture.width, picture.y);
    const ImVec2 at = in_lower_left(state, picture, size, taken);
    if (high.x - low.x < size.x + 2 * pad || at.y < low.y) return taken;
    draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, gui::packed(gui::colour::panel, 0.85f), gui::px(4));
    draw.AddText({at.x + pad, at.y + pad / 2}, gui::packed(gui::colour::secondary), words.c_str());
    return on_window(0, picture.y + picture.height).y - gui::px(4) - at.y;
}

void wake_for_preparing(const AppState& state, WakeUp& wake_up) {
    if (state.report.frame.preparing.empty()) return;
    constexpr double every = 0.5;  // seconds, for a percentage that grows
    const double left = shown_in(state);
    if (left > 0) wake_up.draw_in(left);
    else if (state.report.frame.preparing.to_come > 0) wake_up.draw_in(every + std::fmod(left, every));
}

}  // namespace texelscope::panels
