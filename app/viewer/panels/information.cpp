// What the shown file says of itself: rows of names and values, filtered by what is typed.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/metadata/metadata.h"
#include "app/text/search.h"
#include "app/viewer/panels/dialog.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

using Rows = std::vector<MetadataRow>;

constexpr float name_width = 220;  // units

// What is typed and chosen while the dialog is open.
using Search = PanelMemory::Search;

// Why there are no rows, if so.
std::string reason_for_none(const AppState& state) {
    const FileReport& file = state.report.file;
    if (!state.scene.document()) return "No picture is open.";
    if (file.source != state.scene.document()->source) return "Reading…";
    return file.problem.empty() ? "The file says nothing of itself." : file.problem;
}

Rows all_rows(const AppState& state) {
    const Document* document = state.scene.document();
    if (!document) return {};
    const FileReport& file = state.report.file;
    if (document->is_file()) return file.source == document->source ? file.facts.metadata : Rows{};
    if (!document->image) return {};
    const Image& image = *document->image;
    PictureFacts facts;
    facts.parts = {{"", image.width(), image.height(), usual_channel_names(image.channels(), image.alpha())}};
    facts.shape = {image.width(), image.height(), image.channels(), image.type(), image.alpha()};
    facts.frame = image.frame();
    facts.missing = image.missing();
    Rows rows = rows_of_picture(facts);
    rows.insert(rows.begin(), {"Picture", "Name", document->source});
    return rows;
}

Rows matching(const Rows& rows, const std::string& typed) {
    Rows found;
    std::ranges::copy_if(rows, std::back_inserter(found), [&](const MetadataRow& row) {
        return contains_ignoring_case(row.group, typed) || contains_ignoring_case(row.name, typed) ||
               contains_ignoring_case(row.value, typed);
    });
    return found;
}

void copy_row(AppState& state, const MetadataRow& row) {
    state.tasks.push_back(task::CopyText{fmt::format("{}: {}", row.name, row.value)});
}

void heading(const std::string& group) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::Dummy({0, gui::px(2)});
    ImGui::PushFont(gui::theme().heading);
    ImGui::TextUnformatted(group.c_str());
    ImGui::PopFont();
    ImGui::TableNextColumn();
}

// A click chooses it, two copy it. Long values are wrapped.
void show_row(AppState& state, const MetadataRow& row, int i, Search& search, bool reveal) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(i);
    const float width = ImGui::GetContentRegionAvail().x;
    const float wrap = ImGui::GetWindowContentRegionMax().x - gui::px(name_width) - gui::px(16);
    const ImVec2 place = ImGui::GetCursorPos(),
                 extent = ImGui::CalcTextSize(row.value.c_str(), nullptr, false, std::max(wrap, gui::px(80)));
    if (ImGui::Selectable("##row", i == search.choice,
                          ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick,
                          {0, std::max(extent.y, ImGui::GetTextLineHeight())})) {
        search.choice = i;
        if (ImGui::IsMouseDoubleClicked(0)) copy_row(state, row);
    }
    gui::tooltip("Enter or a double click copies the row.");
    gui::note("information:" + row.name);
    if (reveal && i == search.choice) ImGui::SetScrollHereY();
    ImGui::SetCursorPos(place);
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::secondary));
    ImGui::TextUnformatted(gui::shortened(row.name, width).c_str());
    ImGui::PopStyleColor();
    ImGui::TableNextColumn();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + std::max(wrap, gui::px(80)));
    ImGui::TextUnformatted(row.value.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopID();
}

void table(AppState& state, const Rows& rows, Search& search) {
    const bool moved = move_choice(state, Dialog::information, search.choice, int(rows.size()), 16);
    if (!ImGui::BeginTable("##rows", 2, ImGuiTableFlags_NoSavedSettings)) return;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, gui::px(name_width));
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
    for (size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].group != rows[i - 1].group) heading(rows[i].group);
        show_row(state, rows[i], int(i), search, moved);
    }
    ImGui::EndTable();
}

void buttons(AppState& state, const Rows& shown, const Search& search) {
    ImGui::BeginDisabled(shown.empty());
    if (gui::row_button("Copy row", 3, "Copy the chosen row as text. Enter"))
        copy_row(state, shown[size_t(search.choice)]);
    gui::note("information:copy-row");
    ImGui::SameLine();
    if (gui::row_button("Copy all", 3, "Copy all rows that are shown as text."))
        state.tasks.push_back(task::CopyText{text_of(shown), fmt::format("{} rows", shown.size())});
    gui::note("information:copy-all");
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (gui::row_button("Close", 3, "Esc")) state.ui.dialogs.close(Dialog::information);
}

}  // namespace

void information(AppState& state) {
    Search& search = state.ui.memory.information;
    if (!begin_dialog(state, Dialog::information)) return;
    if (ImGui::IsWindowAppearing()) search = {};
    const Rows all = all_rows(state);
    focus_here(state, Dialog::information);
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::InputTextWithHint("##find", "Find in names and values", &search.typed);
    if (ImGui::IsItemEdited()) search.choice = 0;
    gui::note("information:find");
    const Rows shown = matching(all, search.typed);
    search.choice = std::clamp(search.choice, 0, std::max(int(shown.size()) - 1, 0));
    ImGui::BeginChild("##list", {0, -ImGui::GetFrameHeightWithSpacing() - gui::px(4)});
    if (all.empty()) gui::remark(reason_for_none(state), false);
    else if (shown.empty()) gui::remark(fmt::format("No row contains “{}”.", search.typed), false);
    else table(state, shown, search);
    ImGui::EndChild();
    buttons(state, shown, search);
    if (!shown.empty() && key_pressed(state, Dialog::information, ImGuiKey_Enter))
        copy_row(state, shown[size_t(search.choice)]);
    end_dialog();
}

}  // namespace texelscope::panels
