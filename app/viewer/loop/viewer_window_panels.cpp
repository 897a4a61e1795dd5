// Where the parts of the viewer's window are, and what is in them.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/panes.h"
#include "app/state/view_math.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/viewer_window.h"
#include "app/viewer/panels/panels.h"

namespace texelscope {
namespace {

// In presenter mode, the toolbar comes when the mouse touches the upper edge, and stays while it is there or a menu is open.
bool reaches_toolbar(const gui::Box& shown, float width) {
    const ImVec2 at = ImGui::GetIO().MousePos;
    const float reach = shown.empty() ? gui::px(4) : shown.height;
    if (ImGui::IsMousePosValid(&at) && at.x >= 0 && at.x < width && at.y >= 0 && at.y < reach) return true;
    return !shown.empty() && ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

PixelRect on_framebuffer(const gui::Box& box, float pixel_ratio) {
    if (box.empty()) return {};
    const auto pixels = [&](float length) { return int(std::lround(length * pixel_ratio)); };
    return {pixels(box.x), pixels(box.y), pixels(box.width), pixels(box.height)};
}

}  // namespace

void ViewerWindow::lay_out() {
    const Extent size = window_.size(), pixels = window_.framebuffer();
    const Document* document = state_.scene.document();
    const Image* image = document ? document->image.get() : nullptr;
    const gui::Theme& look = gui_.look();
    gui::LayoutRequest request = panels::layout_request(state_, float(size.width), float(size.height));
    request.toolbar_over = reaches_toolbar(layout_.toolbar, float(size.width));
    request.image = image ? frame_size(*image) : Extent{};
    // Long messages wrap: their height depends on the width that there is.
    const ImVec2 messages = panels::messages_size(state_, gui::lay_out(request).messages.width);
    request.messages_width = messages.x;
    request.messages_height = messages.y;
    layout_ = gui::lay_out(request);
    state_.places.messages = on_framebuffer(layout_.messages, look.pixel_ratio);
    state_.places.toolbar = state_.presenter.on ? on_framebuffer(layout_.toolbar, look.pixel_ratio) : PixelRect{};
    state_.places.tools = on_framebuffer(layout_.tools, look.pixel_ratio);
    state_.places.picture = layout_.picture;
    state_.places.framebuffer_width = pixels.width;
    state_.places.framebuffer_height = pixels.height;
    state_.places.active = pane_clip(state_, state_.scene.active);
    update_views(state_);
}

void ViewerWindow::build_panels() {
    panels::menu_bar(state_, layout_.menu);
    panels::toolbar(state_, layout_.toolbar);
    if (panels::shows_lesson_panel(state_.lesson)) panels::lesson_panel(state_, layout_.panel);
    else panels::side_panel(state_, layout_.panel);
    panels::panel_edge(state_.ui, state_.lesson, layout_.panel);
    panels::panel_handle(state_.ui, layout_.handle);
    panels::caption(state_, layout_.caption);
    panels::status_bar(state_, layout_.status);
    panels::messages(state_, layout_.messages);
    panels::filmstrip(state_, layout_.filmstrip);
    panels::plot_dock(state_, layout_.dock);
    panels::inspect_overlay(state_);
    panels::picture_overlay(state_);
    panels::empty_panes(state_);
    panels::pane_menu(state_);
    panels::work(state_, layout_.messages);
    for (const auto draw : panels::dialog_windows) draw(state_);
    panels::raise_messages();
    panels::presenter_overlay(state_);
}

std::string window_title(const AppState& state) {
    const Document* document = state.scene.panes.empty() ? nullptr : document_of(state.scene, state.scene.pane());
    if (!document) return "texelscope";
    const RecordingReport& recording = state.report.recording;
    const std::string file = std::filesystem::path(recording.path).filename().string();
    const std::string sign =
        recording.active ? fmt::format("{} {} – ", recording.stopped ? "writing…" : "● REC", file) : "";
    const int pane = state.scene.active;
    const FolderView& folder = state.folder;
    const bool placed = folder.is_placed() && document == state.scene.document();
    const std::string place = placed ? fmt::format(" ({}/{} in {})", folder.position + 1, folder.count(),
                                                   std::filesystem::path(folder.folder).filename().string())
                                     : "";
    return fmt::format("{}{}{} – {} – {}", sign, document->title(), place, shown_spec(state, pane).method->name,
                       zoom_text(pane_view(state, pane).zoom()));
}

}  // namespace texelscope
