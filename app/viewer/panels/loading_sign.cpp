// The sign over the picture while another one is read: its name, its size, how far it has come.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/scene.h"
#include "app/viewer/panels/overlay_parts.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/available_memory.h"

namespace texelscope::panels {
namespace {

// "12 MiB · 6000×4000 · 40 %"
std::string facts(const Loading& loading) {
    std::string text = loading.bytes > 0 ? words_of_bytes(loading.bytes) : "";
    const auto add = [&text](const std::string& fact) { text += (text.empty() ? "" : " · ") + fact; };
    if (loading.size.empty()) {
        add("reading");
        return text;
    }
    add(fmt::format("{}×{}", loading.size.width, loading.size.height));
    add(loading.rows < loading.size.height ? fmt::format("row {}", loading.rows) : "almost ready");
    return text;
}

}  // namespace

void loading_sign(const AppState& state, ImDrawList& draw) {
    if (!state.loading || state.now - state.loading->since < loading_shown_after) return;
    const Loading& loading = *state.loading;
    const PixelRect& picture = state.report.frame.picture;
    const ImVec2 low = on_window(picture.x, picture.y),
                 high = on_window(picture.x + picture.width, picture.y + picture.height);
    const float pad = gui::px(12), line = ImGui::GetFontSize() + gui::px(4), bar = gui::px(3);
    const float width = std::min(gui::px(380), high.x - low.x - gui::px(16)), height = 2 * line + bar + 2 * pad;
    if (width < gui::px(60) || high.y - low.y < height) return;
    const ImVec2 at{(low.x + high.x - width) / 2, low.y + std::min(gui::px(56), (high.y - low.y - height) / 2)};
    const ImVec2 end{at.x + width, at.y + height};
    const float inner = width - 2 * pad;
    draw.AddRectFilled(at, end, gui::packed(gui::colour::panel, 0.94f), gui::px(6));
    draw.AddRect(at, end, gui::packed(gui::colour::line), gui::px(6), 0, gui::px(1));
    Document named;
    named.source = loading.source;
    draw.AddText({at.x + pad, at.y + pad}, gui::packed(gui::colour::text),
                 gui::shortened(named.title(), inner).c_str());
    const char* const key = "Esc cancels";
    const float key_width = ImGui::CalcTextSize(key).x;
    const ImU32 quiet = gui::packed(gui::colour::secondary);
    draw.AddText({at.x + pad, at.y + pad + line}, quiet,
                 gui::shortened(facts(loading), inner - key_width - gui::px(12)).c_str());
    draw.AddText({end.x - pad - key_width, at.y + pad + line}, quiet, key);
    const float part = loading.size.empty() ? 0 : float(loading.rows) / float(loading.size.height);
    const ImVec2 track{at.x + pad, at.y + pad + 2 * line};
    draw.AddRectFilled(track, {track.x + inner, track.y + bar}, gui::packed(gui::colour::line), bar / 2);
    draw.AddRectFilled(track, {track.x + inner * part, track.y + bar}, gui::packed(gui::colour::accent), bar / 2);
}

}  // namespace texelscope::panels
