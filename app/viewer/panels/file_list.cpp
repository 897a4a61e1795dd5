#include "app/viewer/panels/file_list.h"

#include <ctime>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/text/search.h"
#include "app/viewer/panels/dialog.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

void sort(FileList& list) {
    sort_entries(list.listing.entries, list.order, list.descending);
    show_part(list, list.part);
}

// A sheet with a folded corner.
void file_icon() {
    const float side = ImGui::GetTextLineHeight(), fold = side * 0.26f;
    const ImVec2 at = ImGui::GetCursorScreenPos(), low{at.x + gui::px(2) + side * 0.14f, at.y + side * 0.1f},
                 high{low.x + side * 0.66f, at.y + side * 0.92f};
    const ImVec2 outline[] = {low, {high.x - fold, low.y}, {high.x, low.y + fold}, high, {low.x, high.y}};
    ImGui::GetWindowDrawList()->AddPolyline(outline, 5, gui::packed(gui::colour::mark), ImDrawFlags_Closed, gui::px(1));
}

void folder_icon() {
    const float side = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos(), low{at.x + gui::px(2), at.y + side * 0.18f},
                 high{low.x + side * 0.95f, at.y + side * 0.86f};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 ink = gui::packed(gui::colour::secondary);
    draw.AddRectFilled(low, {low.x + side * 0.45f, high.y}, ink, gui::px(2));
    draw.AddRectFilled({low.x, low.y + side * 0.13f}, high, ink, gui::px(2));
}

void keep_in_view() {
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    if (ImGui::GetItemRectMin().y < top) ImGui::SetScrollHereY(0);
    else if (ImGui::GetItemRectMax().y > bottom) ImGui::SetScrollHereY(1);
}

// Name, time, size.
FileListEvent entry_row(FileList& list, int row, bool with_time) {
    const FolderEntry& entry = list.entry(size_t(row));
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (entry.folder) folder_icon();
    else file_icon();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetTextLineHeight() + gui::px(8));
    const bool clicked = ImGui::Selectable(entry.name.c_str(), row == list.choice,
                                           ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick);
    gui::note("browser:" + entry.name);
    if (clicked) list.choice = row;
    if (row == list.choice && std::exchange(list.reveal, false)) keep_in_view();
    if (with_time) {
        ImGui::TableNextColumn();
        ImGui::TextDisabled("%s", time_text(entry.modified).c_str());
    }
    ImGui::TableNextColumn();
    if (!entry.folder) {
        const std::string size = size_text(entry.bytes);
        const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(size.c_str()).x;
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
        ImGui::TextDisabled("%s", size.c_str());
    }
    return {clicked, clicked && ImGui::IsMouseDoubleClicked(0)};
}

// Why the list is empty.
std::string nothing_words(const FileList& list) {
    if (!list.part.empty())
        return list.all_files ? fmt::format("Nothing in this folder has “{}” in its name.", list.part)
                              : fmt::format("No folder, session or image file here has “{}” in its name.", list.part);
    return list.all_files ? "This folder is empty." : "There is no folder, session or image file here.";
}

void nothing(const FileList& list) {
    if (!list.shown.empty() || !list.listing.problem.empty()) return;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::secondary));
    ImGui::TextWrapped("%s", nothing_words(list).c_str());
    ImGui::PopStyleColor();
    gui::note("browser-empty");
}

constexpr float time_from = 420;  // units: narrower lists leave the time out

// Clicking a heading sorts.
void headings(FileList& list, bool with_time) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthStretch, 0, ImGuiID(FolderOrder::name));
    if (with_time)
        ImGui::TableSetupColumn("Changed", ImGuiTableColumnFlags_WidthFixed, gui::px(136),
                                ImGuiID(FolderOrder::modified));
    ImGui::TableSetupColumn("Size", ImGuiTableColumnFlags_WidthFixed, gui::px(80), ImGuiID(FolderOrder::size));
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::secondary));
    ImGui::TableHeadersRow();
    ImGui::PopStyleColor();
    ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
    if (!specs || !specs->SpecsDirty || specs->SpecsCount == 0) return;
    specs->SpecsDirty = false;
    list.order = FolderOrder(specs->Specs[0].ColumnUserID);
    list.descending = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    sort(list);
}

}  // namespace

std::string size_text(uintmax_t bytes) {
    if (bytes < 1024) return fmt::format("{} B", bytes);
    const double kib = double(bytes) / 1024;
    return kib < 1024 ? fmt::format("{:.0f} KiB", kib) : fmt::format("{:.1f} MiB", kib / 1024);
}

std::string time_text(std::time_t time) {
    char text[32] = "";
    std::tm parts{};
    if (time != 0 && localtime_r(&time, &parts)) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
    return text;
}

void read_folder(FileList& list, const std::filesystem::path& folder) {
    list.folder = folder.lexically_normal();
    list.listing = list_folder(list.folder, list.all_files);
    list.part.clear();
    sort(list);
}

void show_part(FileList& list, const std::string& part) {
    list.part = part;
    list.shown.clear();
    list.choice = 0;
    for (size_t i = 0; i < list.listing.entries.size(); ++i) {
        const std::string& name = list.listing.entries[i].name;
        if (!contains_ignoring_case(name, part)) continue;
        if (name == part) list.choice = int(list.shown.size());
        list.shown.push_back(i);
    }
}

FileListEvent file_list(const AppState& state, Dialog which, FileList& list, float height) {
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_PadOuterX |
                                      ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_Sortable;
    FileListEvent event;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(gui::px(8), gui::px(3)));
    const float row_height = ImGui::GetTextLineHeight() + gui::px(6);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const bool with_time = width >= gui::px(time_from);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height}, gui::packed(gui::colour::field),
                                              gui::px(4));
    if (ImGui::BeginTable(with_time ? "##files-and-times" : "##files", with_time ? 3 : 2, flags, {0, height})) {
        headings(list, with_time);
        if (move_choice(state, which, list.choice, int(list.shown.size()),
                        int(ImGui::GetWindowHeight() / row_height) - 1))
            list.reveal = true;
        for (int row = 0; row < int(list.shown.size()); ++row) {
            const FileListEvent one = entry_row(list, row, with_time);
            event.clicked |= one.clicked;
            event.activated |= one.activated;
        }
        nothing(list);
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
    return event;
}

}  // namespace texelscope::panels
