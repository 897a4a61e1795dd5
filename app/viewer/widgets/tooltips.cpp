#include "app/viewer/widgets/tooltips.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>  // the window of the last item

#include "app/viewer/widgets/widgets.h"

namespace texelscope::gui {

namespace {

bool would_cover(const TooltipPlace& at, const TooltipRequest& r, const TooltipBox& box) {
    return at.x < box.right() && at.x + r.width > box.x && at.y < box.bottom() && at.y + r.height > box.y;
}

// The places for it, the best first.
std::vector<TooltipPlace> tooltip_places(const TooltipRequest& r) {
    const float lowest = std::max(r.screen_y - r.height, 0.0f), rightmost = std::max(r.screen_x - r.width, 0.0f);
    const float beside = std::clamp(r.item.y, 0.0f, lowest), along = std::clamp(r.item.x, 0.0f, rightmost);
    std::vector<TooltipPlace> places;
    if (r.window.right() + r.gap + r.width <= r.screen_x) places.push_back({r.window.right() + r.gap, beside});
    if (r.window.x - r.gap - r.width >= 0) places.push_back({r.window.x - r.gap - r.width, beside});
    if (r.item.bottom() + r.gap + r.height <= r.screen_y) places.push_back({along, r.item.bottom() + r.gap});
    places.push_back({along, std::clamp(r.item.y - r.gap - r.height, 0.0f, lowest)});
    return places;
}

}  // namespace

TooltipPlace place_tooltip(const TooltipRequest& r) {
    const std::vector<TooltipPlace> places = tooltip_places(r);
    if (r.taken.width <= 0 || r.taken.height <= 0) return places.front();
    for (const TooltipPlace& at : places)
        for (const TooltipPlace& moved : {at, TooltipPlace{at.x, r.taken.y - r.gap - r.height}})
            if (moved.y >= 0 && !would_cover(moved, r, r.taken) && !would_cover(moved, r, r.item)) return moved;
    return places.front();
}

TooltipPlace free_corner(const TooltipBox& area, float width, float height, float margin, const TooltipBox& taken) {
    const float left = area.x + margin, right = area.right() - margin - width, top = area.y + margin,
                bottom = area.bottom() - margin - height;
    const TooltipPlace corners[] = {{right, bottom}, {right, top}, {left, bottom}, {left, top}};
    for (const TooltipPlace& at : corners)
        if (at.x >= taken.right() || at.x + width <= taken.x || at.y >= taken.bottom() || at.y + height <= taken.y)
            return at;
    return corners[0];
}

void HoverRest::begin_frame(bool mouse_moved) {
    ++frame_;
    moved_ = mouse_moved;
    hidden_ = hidden_ && !mouse_moved;
}

bool HoverRest::rested(uint32_t item, double now) {
    const bool same = item == item_ && frame_ <= item_frame_ + 1;
    if (!same || hidden_ || (moved_ && !shown_)) since_ = now;
    shown_ = same && !hidden_ && (shown_ || now - since_ >= seconds);
    item_ = item;
    item_frame_ = frame_;
    return shown_;
}

double HoverRest::left(double now) const {
    return item_frame_ == frame_ && !shown_ && !hidden_ ? std::max(seconds - (now - since_), 0.0) : -1;
}

namespace {

TooltipBox box_of(ImVec2 low, ImVec2 high) { return {low.x, low.y, high.x - low.x, high.y - low.y}; }

// The panel, list or menu as a whole: not a part of it that scrolls by itself.
TooltipBox current_window() {
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    while (window->ParentWindow && (window->Flags & ImGuiWindowFlags_ChildWindow) &&
           !(window->Flags & ImGuiWindowFlags_Popup))
        window = window->ParentWindow;
    return {window->Pos.x, window->Pos.y, window->Size.x, window->Size.y};
}

// The items of a dialog are there, and this one is not among them.
bool behind_dialog() {
    const WidgetMemory::DialogItems& items = memory().dialog_items;
    return items.depth == 0 && ImGui::GetFrameCount() - items.last_frame <= 1;
}

void show(std::string_view text, const TooltipBox& item, const TooltipBox& window) {
    if (behind_dialog()) return;
    const float ids[] = {item.x, item.y, item.width, item.height};
    if (!memory().rest.rested(ImHashData(ids, sizeof ids), ImGui::GetTime())) return;
    const ImVec2 padding(px(10), px(8)), screen = ImGui::GetIO().DisplaySize;
    const float gap = px(8), beside = std::max(screen.x - window.right(), window.x) - gap - 2 * padding.x;
    const float most = std::max(screen.x - 2 * padding.x, px(40));
    const float wrap = std::min(beside >= px(180) ? std::min(beside, px(340)) : px(340), most);
    ImGui::PushFont(theme().text);  // whatever the item's is
    std::string rows = broken(text, wrap);
    ImVec2 inner = ImGui::CalcTextSize(rows.c_str());
    if (inner.y + 2 * padding.y > screen.y) {  // rather over what it speaks of than cut off
        rows = broken(text, most);
        inner = ImGui::CalcTextSize(rows.c_str());
    }
    const WidgetMemory::Tooltip& taken = memory().kept_clear;
    const TooltipPlace at =
        place_tooltip({item, window, inner.x + 2 * padding.x, inner.y + 2 * padding.y, screen.x, screen.y, gap,
                       ImGui::GetFrameCount() - taken.frame <= 1 ? taken.box : TooltipBox{}});
    memory().tooltip = {{at.x, at.y, inner.x + 2 * padding.x, inner.y + 2 * padding.y}, ImGui::GetFrameCount()};
    if (ControlLog* log = theme().control_log)
        log->push_back(
            {fmt::format("tooltip:{}", text), {at.x, at.y, inner.x + 2 * padding.x, inner.y + 2 * padding.y}});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::SetNextWindowPos({at.x, at.y});
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(rows.c_str());
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
    ImGui::PopFont();
}

}  // namespace

TooltipBox shown_tooltip() {
    const WidgetMemory::Tooltip& last = memory().tooltip;
    return ImGui::GetFrameCount() - last.frame <= 1 ? last.box : TooltipBox{};
}

void keep_clear_of(const TooltipBox& box) { memory().kept_clear = {box, ImGui::GetFrameCount()}; }

void begin_dialog_items() {
    ++memory().dialog_items.depth;
    memory().dialog_items.last_frame = ImGui::GetFrameCount();
}
void end_dialog_items() { --memory().dialog_items.depth; }

void tooltip(std::string_view text) {
    if (!text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        show(text, box_of(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()), current_window());
}

void row_tooltip(std::string_view text) {
    if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    const TooltipBox item = box_of(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    show(text, item, {0, item.y, ImGui::GetIO().DisplaySize.x, item.height});
}

void area_tooltip(std::string_view text, ImVec2 low, ImVec2 high) { show(text, box_of(low, high), box_of(low, high)); }

double tooltip_wait() { return memory().rest.left(ImGui::GetTime()); }

}  // namespace texelscope::gui
