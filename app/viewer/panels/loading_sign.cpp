// The sign over the picture while another one is read: its name, its size, how far it has come, and a small preview.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/scene.h"
#include "app/viewer/panels/overlay_parts.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/machine.h"

namespace texelscope::panels {
namespace {

// "12 MiB · 6000×4000"
std::string size_words(const Loading& loading) {
    std::string text = loading.bytes > 0 ? words_of_bytes(loading.bytes) : "";
    if (loading.size.empty()) return text;
    return fmt::format("{}{}{}×{}", text, text.empty() ? "" : " · ", loading.size.width, loading.size.height);
}

std::string progress_words(const Loading& loading) {
    if (loading.stored >= 0) return fmt::format("storing it as tiles, {} %", loading.stored);
    if (loading.size.empty()) return "reading";
    if (loading.rows >= loading.size.height) return "almost ready";
    return fmt::format("{}row {}", loading.preview.name ? "preview · " : "", loading.rows);
}

// Of these rows, as large as fits.
void preview(const InterfacePicture& picture, ImVec2 at, ImVec2 room, ImDrawList& draw) {
    const float scale = std::min(room.x / float(picture.width), room.y / float(picture.height));
    const ImVec2 size{float(picture.width) * scale, float(picture.height) * scale};
    const ImVec2 low{at.x + (room.x - size.x) / 2, at.y + (room.y - size.y) / 2};
    draw.AddImage(reinterpret_cast<ImTextureID>(uintptr_t(picture.name)), low, {low.x + size.x, low.y + size.y});
}

}  // namespace

void loading_sign(const AppState& state, ImDrawList& draw) {
    if (!state.loading || !state.loading->shown) return;
    const Loading& loading = *state.loading;
    const PixelRect& picture = state.report.frame.picture;
    const ImVec2 low = on_window(picture.x, picture.y),
                 high = on_window(picture.x + picture.width, picture.y + picture.height);
    const float pad = gui::px(12), line = ImGui::GetFontSize() + gui::px(4), bar = gui::px(3);
    const float height = 3 * line + bar + 2 * pad, width = std::min(gui::px(400), high.x - low.x - gui::px(16));
    if (width < gui::px(120) || high.y - low.y < height) return;
    const ImVec2 at{(low.x + high.x - width) / 2, low.y + std::min(gui::px(56), (high.y - low.y - height) / 2)};
    const ImVec2 end{at.x + width, at.y + height};
    draw.AddRectFilled(at, end, gui::packed(gui::colour::panel, 0.94f), gui::px(6));
    draw.AddRect(at, end, gui::packed(gui::colour::line), gui::px(6), 0, gui::px(1));

    const ImVec2 room{width > gui::px(260) ? gui::px(96) : 0, height - 2 * pad};
    const float left = at.x + pad + (room.x > 0 ? room.x + pad : 0), inner = end.x - pad - left;
    if (room.x > 0 && loading.preview.name) preview(loading.preview, {at.x + pad, at.y + pad}, room, draw);
    Document named;
    named.source = loading.source;
    draw.AddText({left, at.y + pad}, gui::packed(gui::colour::text), gui::shortened(named.title(), inner).c_str());
    const ImU32 quiet = gui::packed(gui::colour::secondary);
    draw.AddText({left, at.y + pad + line}, quiet, gui::shortened(size_words(loading), inner).c_str());
    const char* const key = "Esc cancels";
    const float key_width = ImGui::CalcTextSize(key).x, third = at.y + pad + 2 * line;
    draw.AddText({left, third}, quiet,
                 gui::shortened(progress_words(loading), inner - key_width - gui::px(12)).c_str());
    draw.AddText({end.x - pad - key_width, third}, quiet, key);
    const float part = loading.stored >= 0    ? float(loading.stored) / 100
                       : loading.size.empty() ? 0
                                              : float(loading.rows) / float(loading.size.height);
    const ImVec2 track{left, at.y + pad + 3 * line};
    draw.AddRectFilled(track, {track.x + inner, track.y + bar}, gui::packed(gui::colour::line), bar / 2);
    draw.AddRectFilled(track, {track.x + inner * part, track.y + bar}, gui::packed(gui::colour::accent), bar / 2);
}

}  // namespace texelscope::panels
