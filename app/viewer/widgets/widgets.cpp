#include "app/viewer/widgets/widgets.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>  // PushItemFlag, columns of tables, the window of the last item

#include "app/viewer/widgets/rich_text.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::gui {

bool tall(float units) { return ImGui::GetIO().DisplaySize.y >= px(units); }

bool roomy() {
    const float width = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
    return width >= px(270);
}

float column() { return px(96); }

bool pressed(const Shortcut& shortcut) {
    return std::ranges::any_of(theme().strokes, [&](const KeyStroke& stroke) { return shortcut.matches(stroke); });
}

void note(std::string_view id) {
    ControlLog* log = theme().control_log;
    if (!log || !ImGui::IsItemVisible()) return;
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    log->push_back({std::string(id), {a.x, a.y, b.x - a.x, b.y - a.y}});
}

bool check(const char* text, bool& on, std::string_view tip, std::string_view id) {
    const bool clicked = check(text, on);
    tooltip(tip);
    note(id);
    return clicked;
}

void note_cut(std::string_view words) {
    if (ControlLog* log = theme().control_log; log && !words.empty())
        log->push_back({"cut:" + std::string(words), {0, 0, 0, 0}});
}

void label(const char* text, std::string_view tip, float column_at) {
    if (ImGui::CalcTextSize(text).x > column_at) note_cut(text);
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(colour::secondary));
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    tooltip(tip);
    ImGui::SameLine(ImGui::GetWindowContentRegionMin().x + column_at);
    ImGui::SetNextItemWidth(-FLT_MIN);
}

void remark(std::string_view text, bool in_column) {
    if (in_column) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + column());
    wrapped_text(text, colour::secondary);
}

std::string broken(std::string_view text, float width) {
    return broken(text, width, [](const std::string& row) { return ImGui::CalcTextSize(row.c_str()).x; });
}

void wrapped_text(std::string_view text) {
    const std::string rows = broken(text, ImGui::GetContentRegionAvail().x);
    ImGui::TextUnformatted(rows.data(), rows.data() + rows.size());
}

void wrapped_text(std::string_view text, const ImVec4& ink) {
    ImGui::PushStyleColor(ImGuiCol_Text, ink);
    wrapped_text(text);
    ImGui::PopStyleColor();
}

void number(std::string_view text, const ImVec4& text_colour) {
    ImGui::PushFont(theme().mono);
    ImGui::PushStyleColor(ImGuiCol_Text, text_colour);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void number_at_right(std::string_view text, const ImVec4& text_colour) {
    const float width =
        theme().mono->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, text.data(), text.data() + text.size()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(ImGui::GetContentRegionAvail().x - width, 0.0f));
    number(text, text_colour);
}

void heading_at_right(const char* text) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x;  // as of the figures below
    ImGui::TableHeader((std::string("##") + text).c_str());
    const ImGuiStyle& style = ImGui::GetStyle();
    const bool sorted = ImGui::TableGetColumnFlags() & ImGuiTableColumnFlags_IsSorted;
    const float arrow =
        sorted ? std::floor(ImGui::GetFontSize() * 0.65f + style.FramePadding.x) : 0;  // as ImGui draws it
    const float width = ImGui::CalcTextSize(text).x, x = right - arrow - width;
    ImGui::GetWindowDrawList()->AddText({std::max(x, at.x), at.y}, packed(colour::text), text);
    // ImGui has not seen the words: a column without a width of its own has space for them.
    ImGuiTableColumn& column = ImGui::GetCurrentTable()->Columns[ImGui::TableGetColumnIndex()];
    column.ContentMaxXHeadersUsed = std::max(column.ContentMaxXHeadersUsed, at.x + width + arrow);
    column.ContentMaxXHeadersIdeal = std::max(column.ContentMaxXHeadersIdeal, at.x + width + arrow);
}

void figure(const char* name, std::string_view value, std::string_view tip) {
    label(name, tip);
    ImGui::AlignTextToFramePadding();
    number(value);
    tooltip(tip);
}

std::string shortened_in_middle(const std::string& text, float width) {
    const auto fits = [&](const std::string& s) { return ImGui::CalcTextSize(s.c_str()).x <= width; };
    if (fits(text)) return text;
    // Cut between whole UTF-8 characters: never before a continuation byte.
    const auto begins = [&](size_t i) { return i >= text.size() || (text[i] & 0xC0) != 0x80; };
    std::string shown = "…";
    for (size_t keep = 1; 2 * keep < text.size(); ++keep) {
        if (!begins(keep) || !begins(text.size() - keep)) continue;
        const std::string longer = text.substr(0, keep) + "…" + text.substr(text.size() - keep);
        if (!fits(longer)) break;
        shown = longer;
    }
    return shown;
}

void elided(const std::string& text, float width) {
    const std::string shown = shortened_in_middle(text, width);
    ImGui::TextUnformatted(shown.c_str());
    if (shown != text) tooltip(text);
}

std::string fitting(const std::vector<std::string>& texts, float width) {
    for (const std::string& text : texts)
        if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    return texts.empty() ? "" : shortened(texts.back(), width);
}

std::string shortened(const std::string& text, float width) {
    const std::string shorter = cut(text, width, [](const std::string& s) { return ImGui::CalcTextSize(s.c_str()).x; });
    if (shorter != text) note_cut(text);
    return shorter;
}

namespace {

// From the bar to the lower edge of the window.
float space_below_bar() { return ImGui::GetIO().DisplaySize.y - ImGui::GetFontSize() - px(10) - px(4); }

float entry_height() { return ImGui::GetFontSize() + ImGui::GetStyle().ItemSpacing.y; }
float line_height() { return ImGui::GetStyle().ItemSpacing.y + 1; }
float room() { return space_below_bar() - 2 * ImGui::GetStyle().WindowPadding.y; }
float height_of(int entries, int lines) { return float(entries) * entry_height() + float(lines) * line_height(); }

}  // namespace

bool begin_menu(const char* title, bool enabled) {
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, space_below_bar()});
    if (!ImGui::BeginMenu(title, enabled)) return false;
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID x = ImGui::GetID("##mouse-x"), y = ImGui::GetID("##mouse-y");
    const ImVec2 mouse = ImGui::GetIO().MousePos, low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (ImGui::IsWindowAppearing()) {
        kept.SetFloat(x, mouse.x);
        kept.SetFloat(y, mouse.y);
    }
    const bool moved = std::hypot(mouse.x - kept.GetFloat(x), mouse.y - kept.GetFloat(y)) > px(4),
               below = mouse.x >= low.x && mouse.y >= low.y && mouse.x < low.x + size.x && mouse.y < low.y + size.y;
    if (moved) kept.SetFloat(x, -FLT_MAX);  // also if it comes back
    ImGui::PushItemFlag(ImGuiItemFlags_Disabled, below && !moved);
    return true;
}

void end_menu() {
    ImGui::PopItemFlag();
    ImGui::EndMenu();
}

bool menu_item(const std::string& title, const std::string& keys, bool ticked, bool enabled) {
    return ImGui::MenuItemEx(title.c_str(), ticked ? "✓" : nullptr, keys.empty() ? nullptr : keys.c_str(), false,
                             enabled);
}

bool fits_one_column(int entries, int lines) { return height_of(entries, lines) <= room(); }

MenuColumns::MenuColumns(int entries, int lines) : rest_(height_of(entries, lines)) {
    left_ = std::max(1, int(std::ceil(rest_ / room())));
    if (left_ < 2) return;
    // The arrow of a menu within the menu ends a little to the right of its entry.
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding,
                        ImVec2(ImGui::GetFontSize() * 0.5f, ImGui::GetStyle().CellPadding.y));
    table_ = ImGui::BeginTable(
        "##columns", left_,
        ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoHostExtendX | ImGuiTableFlags_BordersInnerV);
    ImGui::PopStyleVar();
}

MenuColumns::~MenuColumns() {
    if (table_) ImGui::EndTable();
}

void MenuColumns::next(int group) {
    const float entry = entry_height(), line = group > 0 ? line_height() : 0;
    const bool is_full = used_ + entry > most_;
    // A group begins the next column rather than being cut, if what follows has space there.
    const bool would_be_cut = group > 0 && used_ + line + float(group) * entry > most_ && used_ > most_ / 2 &&
                              rest_ <= float(left_) * (room() - entry);
    if (table_ && left_ > 0 && (first_ || is_full || would_be_cut)) {
        ImGui::TableNextColumn();
        most_ = std::min(room(), rest_ / float(left_) + entry);
        --left_;
        used_ = 0;
    } else if (group > 0 && !first_) {
        ImGui::Separator();
        used_ += line;
    }
    first_ = false;
    used_ += entry;
    rest_ -= entry + line;
}

BoxWindow::BoxWindow(const char* name, const Box& box, const Style& style) {
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    if (style.padding) ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, *style.padding), ++pushed_;
    if (style.any_size) ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1)), ++pushed_;
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | style.flags);
}

BoxWindow::~BoxWindow() {
    ImGui::End();
    ImGui::PopStyleVar(pushed_);
}

std::optional<Box> place_of_window(const char* title) {
    const ImGuiWindow* window = ImGui::FindWindowByName(title);
    if (!window || !window->WasActive || window->Hidden) return {};
    return Box{window->Pos.x, window->Pos.y, window->Size.x, window->Size.y};
}

void raise_window(const char* title) {
    if (ImGuiWindow* window = ImGui::FindWindowByName(title); window && window->Active)
        ImGui::BringWindowToDisplayFront(window);
}

void raise_popups() {
    for (const ImGuiPopupData& popup : ImGui::GetCurrentContext()->OpenPopupStack)
        if (popup.Window) ImGui::BringWindowToDisplayFront(popup.Window);
}

// Tooltips: when they appear, and where.

namespace {

bool would_cover(const TooltipPlace& at, const TooltipRequest& r, const Box& box) {
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

TooltipPlace free_corner(const Box& area, float width, float height, float margin, const Box& taken) {
    const float left = area.x + margin, right = area.right() - margin - width, top = area.y + margin,
                bottom = area.bottom() - margin - height;
    const TooltipPlace corners[] = {{right, bottom}, {right, top}, {left, bottom}, {left, top}};
    for (const TooltipPlace& at : corners)
        if (at.x >= taken.right() || at.x + width <= taken.x || at.y >= taken.bottom() || at.y + height <= taken.y)
            return at;
    return corners[0];
}

namespace {

Box box_of(ImVec2 low, ImVec2 high) { return {low.x, low.y, high.x - low.x, high.y - low.y}; }

// The panel, list or menu as a whole: not a part of it that scrolls by itself.
Box current_window() {
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

void show(std::string_view text, const Box& item, const Box& window) {
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
                       ImGui::GetFrameCount() - taken.frame <= 1 ? taken.box : Box{}});
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

Box shown_tooltip() {
    const WidgetMemory::Tooltip& last = memory().tooltip;
    return ImGui::GetFrameCount() - last.frame <= 1 ? last.box : Box{};
}

void keep_clear_of(const Box& box) { memory().kept_clear = {box, ImGui::GetFrameCount()}; }

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
    const Box item = box_of(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    show(text, item, {0, item.y, ImGui::GetIO().DisplaySize.x, item.height});
}

void area_tooltip(std::string_view text, ImVec2 low, ImVec2 high) { show(text, box_of(low, high), box_of(low, high)); }

double tooltip_wait() { return memory().rest.left(ImGui::GetTime()); }

void begin_tab_stops() { ImGui::PushItemFlag(ImGuiItemFlags_Inputable, true); }

void end_tab_stops() {
    ImGui::PopItemFlag();
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    ImGuiWindow* window = context.NavWindow;
    if (!memory().on_tab_stop || !window || window->RootWindow != ImGui::GetCurrentWindow()) return;
    ImRect frame = ImGui::WindowRectRelToAbs(window, window->NavRectRel[context.NavLayer]);
    if (ControlLog* log = theme().control_log)
        log->push_back({"tab-stop", {frame.Min.x, frame.Min.y, frame.GetWidth(), frame.GetHeight()}});
    frame.Expand(3);  // where ImGui frames those that it knows as buttons
    ImDrawList& draw = *window->DrawList;
    draw.PushClipRect(window->OuterRectClipped.Min, window->OuterRectClipped.Max);
    draw.AddRect(frame.Min, frame.Max, packed(colour::accent), ImGui::GetStyle().FrameRounding, 0, 2);
    draw.PopClipRect();
}

}  // namespace texelscope::gui
