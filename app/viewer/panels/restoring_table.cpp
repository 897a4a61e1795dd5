// The methods with their figures. A click on a heading sorts, one on a row takes the method.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <imgui.h>

#include "app/studies/restoring/restored_columns.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/panels/dialog.h"
#include "app/viewer/panels/restoring.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

// What is asked first, for a table that has too little width for all: the others are to the right of the view.
constexpr std::array most_important = {"method", "spec", "PSNR", "fetches", "SSIM", "time"};

std::vector<RestoredColumn> columns_of(const AppState& state, const RestoringResult& result) {
    std::vector<RestoredColumn> columns =
        restored_columns(result, ValueScale(state.ui.value_unit, result.plan.image->type()));
    const auto with_settings = [&](const RestoredMethod& method) {
        return columns[1].text(method).find(':') != std::string::npos;
    };
    // The column of SPECs, only if a method alone does not name the row.
    if (std::none_of(result.methods.begin(), result.methods.end(), with_settings)) columns.erase(columns.begin() + 1);
    // PSNR says the same as RMSE, and the width is for the plot.
    std::erase_if(columns, [](const RestoredColumn& column) { return column.name == "RMSE"; });
    return columns;
}

void put_most_important_first(std::vector<RestoredColumn>& columns) {
    const auto rank = [](const RestoredColumn& column) {
        return std::find(most_important.begin(), most_important.end(), column.name) - most_important.begin();
    };
    std::stable_sort(columns.begin(), columns.end(),
                     [&](const RestoredColumn& a, const RestoredColumn& b) { return rank(a) < rank(b); });
}

// The rows in the order that the headings ask for: words by their letters, figures with those that are none at the end.
std::vector<size_t> sorted(const RestoringResult& result, const std::vector<RestoredColumn>& columns) {
    std::vector<size_t> order(result.methods.size());
    std::iota(order.begin(), order.end(), size_t(0));
    const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
    if (!specs || specs->SpecsCount == 0) return order;
    const RestoredColumn& column = columns[size_t(specs->Specs[0].ColumnIndex)];
    const bool down = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t k) {
        const RestoredMethod &a = result.methods[i], &b = result.methods[k];
        if (!column.value) return down ? column.text(a) > column.text(b) : column.text(a) < column.text(b);
        const double x = column.value(a), y = column.value(b);
        if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
        return down ? x > y : x < y;
    });
    return order;
}

// Of its heading, with the arrow that sorts, and of its widest text; ImGui measures only what is in view.
float width_of(const RestoredColumn& column, const RestoringResult& result) {
    float width = ImGui::CalcTextSize(column.heading().c_str()).x + gui::px(14);
    if (column.value) ImGui::PushFont(gui::theme().mono);
    for (const RestoredMethod& method : result.methods)
        width = std::max(width, ImGui::CalcTextSize(column.text(method).c_str()).x + (column.value ? 0 : gui::px(24)));
    if (column.value) ImGui::PopFont();
    return width;
}

void headings(const std::vector<RestoredColumn>& columns, const RestoringResult& result) {
    for (size_t c = 0; c < columns.size(); ++c) {
        const RestoredColumn& column = columns[c];
        ImGuiTableColumnFlags flags = column.more_is_better ? ImGuiTableColumnFlags_PreferSortDescending
                                                            : ImGuiTableColumnFlags_PreferSortAscending;
        if (column.name == "PSNR") flags |= ImGuiTableColumnFlags_DefaultSort;
        ImGui::TableSetupColumn(column.heading().c_str(), flags | ImGuiTableColumnFlags_WidthFixed,
                                width_of(column, result));
    }
    ImGui::TableSetupScrollFreeze(1, 1);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (size_t c = 0; c < columns.size(); ++c) {
        ImGui::TableSetColumnIndex(int(c));
        if (columns[c].value) gui::heading_at_right(columns[c].heading().c_str());
        else ImGui::TableHeader(columns[c].heading().c_str());
        gui::tooltip(columns[c].meaning + " Click to sort.");
        gui::note("restoring:sort-" + columns[c].name);
    }
}

// The method, with its settings if the panes' were compared.
void take(AppState& state, const RestoringResult& result, size_t which) {
    const MethodSpec& spec = result.methods[which].spec;
    const RestoringReport& report = state.report.restoring;
    const RestoringChoice& asked = &result == report.so_far.get() ? report.runs_with : report.found_with;
    if (asked.panes_only) state.scene.spec() = spec;
    else choose_method(state, *spec.method);
}

}  // namespace

float restoring_row_height() { return ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y; }

void restoring_table(AppState& state, const RestoringResult& result, float height) {
    std::vector<RestoredColumn> columns = columns_of(state, result);
    float all = ImGui::GetStyle().ScrollbarSize;
    for (const RestoredColumn& column : columns) all += width_of(column, result) + 2 * ImGui::GetStyle().CellPadding.x;
    const bool cut = all > ImGui::GetContentRegionAvail().x;
    if (cut) put_most_important_first(columns);
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollX |
                                      ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit |
                                      ImGuiTableFlags_Sortable | ImGuiTableFlags_NoSavedSettings;
    if (!ImGui::BeginTable(cut ? "##restored-cut" : "##restored", int(columns.size()), flags, {0, height})) return;
    headings(columns, result);
    const std::vector<size_t> order = sorted(result, columns);
    int& row = state.ui.restoring.row;
    row = std::clamp(row, 0, std::max(int(order.size()) - 1, 0));
    const bool free = !control_has_keys();
    const bool moved = free && move_choice(state, Dialog::restoring, row, int(order.size()), 12);
    if (free && key_pressed(state, Dialog::restoring, ImGuiKey_Enter)) take(state, result, order[size_t(row)]);
    for (int r = 0; r < int(order.size()); ++r) {
        const RestoredMethod& method = result.methods[order[size_t(r)]];
        ImGui::TableNextRow();
        for (size_t c = 0; c < columns.size(); ++c) {
            ImGui::TableNextColumn();
            const std::string text = columns[c].text(method);
            if (columns[c].value) gui::number_at_right(text);
            else if (c > 0) ImGui::TextUnformatted(text.c_str());
            if (c > 0) continue;
            const bool shown = method.spec.method == state.scene.spec().method;
            const std::string name = shown ? text + "  ✓" : text;
            if (ImGui::Selectable(fmt::format("{}##{}", name, order[size_t(r)]).c_str(), r == row,
                                  ImGuiSelectableFlags_SpanAllColumns)) {
                row = r;
                take(state, result, order[size_t(r)]);
            }
            if (moved && r == row) ImGui::SetScrollHereY();
            gui::tooltip(shown ? "The active pane shows this method."
                               : "Click to put this method into the active pane.");
            gui::note(fmt::format("restoring:row-{}", method.spec.method->id));
        }
    }
    ImGui::EndTable();
}

}  // namespace texelscope::panels
