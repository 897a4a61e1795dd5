// The tables of "Which is best for this picture?": methods with their figures, and the same over all open pictures.

#include "app/viewer/panels/dialogs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/many_pictures.h"
#include "app/studies/restoring/restoring.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {

void take_restored(AppState& state, const RestoringResult& result, size_t which) {
    const MethodSpec& spec = result.methods[which].spec;
    state.ui.restoring.marked = spec;
    const RestoringReport& report = state.report.restoring;
    const RestoringChoice& asked = &result == report.so_far.get() ? report.runs_with : report.found_with;
    if (asked.panes_only) state.scene.spec() = spec;
    else choose_method(state.scene, *spec.method);
    look_closer(state, true);
}

// The methods with their figures. A click on a heading sorts, one on a row takes the method, and so does Enter.

namespace {

// What is asked first.
constexpr std::array most_important = {"method", "PSNR", "ΔE mean", "SSIM", "fetches", "time"};

std::vector<RestoredColumn> columns_of(const UiState& ui, const RestoringResult& result) {
    std::vector<RestoredColumn> columns =
        restored_columns(result, ValueScale(ui.value_unit, result.plan.image->type()));
    // SPECs are for the command line: here, settings follow the name of the method.
    columns[0].text = [name = columns[0].text, spec = columns[1].text](const RestoredMethod& method) {
        return spec(method).find(':') == std::string::npos ? name(method) : words(method.spec);
    };
    columns.erase(columns.begin() + 1);
    // PSNR says the same as RMSE, and the width is for the plot.
    std::erase_if(columns, [](const RestoredColumn& column) { return column.name == "RMSE"; });
    std::ranges::stable_sort(columns, {}, [](const RestoredColumn& column) {
        return std::find(most_important.begin(), most_important.end(), column.name) - most_important.begin();
    });
    return columns;
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

std::string heading_of(const RestoredColumn& column) { return column.plain.empty() ? column.heading() : column.plain; }

constexpr float most_for_names = 200;  // units
constexpr float air = 12;              // units; left of figures, which are at the right of their column

// The width of its heading, with the arrow that sorts, or of its widest text; ImGui measures only what is in view.
float width_of(const RestoredColumn& column, const RestoringResult& result) {
    float width = ImGui::CalcTextSize(heading_of(column).c_str()).x + gui::px(14);
    if (column.value) ImGui::PushFont(gui::theme().mono);
    for (const RestoredMethod& method : result.methods)
        width = std::max(width, ImGui::CalcTextSize(column.text(method).c_str()).x);
    if (column.value) return ImGui::PopFont(), width + gui::px(air);
    for (const MethodSpec& spec : result.plan.specs)  // those to come as well, with a mark
        width = std::max(width, ImGui::CalcTextSize(column.text({.spec = spec}).c_str()).x + gui::px(24));
    return width;
}

// What is left of the table's width for the names, if they are wider than that.
float width_for_names(std::span<const RestoredColumn> columns, const RestoringResult& result) {
    const ImGuiStyle& style = ImGui::GetStyle();
    float left = ImGui::GetContentRegionAvail().x - style.ScrollbarSize - 2 * style.CellPadding.x;
    for (const RestoredColumn& column : columns.subspan(1)) left -= width_of(column, result) + 2 * style.CellPadding.x;
    return std::max(std::min(width_of(columns[0], result), left), gui::px(60));
}

void headings(const std::vector<RestoredColumn>& columns, const RestoringResult& result, float names) {
    for (size_t c = 0; c < columns.size(); ++c) {
        const RestoredColumn& column = columns[c];
        ImGuiTableColumnFlags flags = column.more_is_better ? ImGuiTableColumnFlags_PreferSortDescending
                                                            : ImGuiTableColumnFlags_PreferSortAscending;
        if (column.name == "PSNR") flags |= ImGuiTableColumnFlags_DefaultSort;
        ImGui::TableSetupColumn(heading_of(column).c_str(), flags | ImGuiTableColumnFlags_WidthFixed,
                                c == 0 ? names : width_of(column, result));
    }
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (size_t c = 0; c < columns.size(); ++c) {
        ImGui::TableSetColumnIndex(int(c));
        if (columns[c].value) gui::heading_at_right(heading_of(columns[c]).c_str());
        else ImGui::TableHeader(heading_of(columns[c]).c_str());
        gui::tooltip(columns[c].meaning + " Click to sort.");
        gui::note("restoring:sort-" + columns[c].name);
    }
}

// The method of the row that is marked: taken last, or the best.
size_t marked_method(const AppState& state, const RestoringResult& result) {
    for (size_t k = 0; k < result.methods.size(); ++k)
        if (result.methods[k].spec == state.ui.restoring.marked) return k;
    return 0;
}

// How many have room: nothing scrolls sideways, a method's row says the others when it is pointed at. The figure that
// ranks is never left out; names are cut for it, and those of commands, which are long, for the others too.
size_t with_room(const std::vector<RestoredColumn>& columns, const RestoringResult& result, float width) {
    const ImGuiStyle& style = ImGui::GetStyle();
    float left = width - style.ScrollbarSize;
    const auto without = std::ranges::find_if(columns, [&](const RestoredColumn& column) {
        const float own = width_of(column, result);
        left -= (column.value ? own : std::min(own, gui::px(most_for_names))) + 2 * style.CellPadding.x;
        return left < 0;
    });
    return std::max(size_t(without - columns.begin()), std::min<size_t>(2, columns.size()));
}

std::string row_tip(const RestoredMethod& method, bool shown, std::span<const RestoredColumn> others) {
    std::string tip = shown ? "The active pane shows this method." : "Click to put this method into the active pane.";
    for (const RestoredColumn& column : others) tip += fmt::format("\n{}: {}", heading_of(column), column.text(method));
    return tip;
}

}  // namespace

float restoring_row_height() { return ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y; }

bool restoring_table_has_times(const UiState& ui, const RestoringResult& result, float width) {
    const std::vector<RestoredColumn> columns = columns_of(ui, result);
    const auto shown = std::span(columns).first(with_room(columns, result, width));
    return std::ranges::any_of(shown, [](const RestoredColumn& column) { return column.name == "time"; });
}

void restoring_table(AppState& state, const RestoringResult& result, float height) {
    std::vector<RestoredColumn> columns = columns_of(state.ui, result);
    const size_t count = with_room(columns, result, ImGui::GetContentRegionAvail().x);
    const std::vector<RestoredColumn> others(columns.begin() + std::ptrdiff_t(count), columns.end());
    columns.resize(count);
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollY |
                                      ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_Sortable |
                                      ImGuiTableFlags_NoSavedSettings;
    const std::string id =
        fmt::format("##restored-{}", columns.size());  // ImGui keeps the widths of each set of columns
    const float names = width_for_names(columns, result);
    if (!ImGui::BeginTable(id.c_str(), int(columns.size()), flags, {0, height})) return;
    headings(columns, result, names);
    const std::vector<size_t> order = sorted(result, columns);
    const size_t marked = marked_method(state, result);
    if (entered(state.ui, Dialog::restoring)) take_restored(state, result, marked);
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
            const std::string mark = shown ? "  ✓" : "",
                              name = gui::shortened(text, names - ImGui::CalcTextSize(mark.c_str()).x) + mark;
            if (ImGui::Selectable(fmt::format("{}##{}", name, order[size_t(r)]).c_str(), order[size_t(r)] == marked,
                                  ImGuiSelectableFlags_SpanAllColumns))
                take_restored(state, result, order[size_t(r)]);
            gui::tooltip(row_tip(method, shown, others));
            gui::note(fmt::format("restoring:row-{}", method.spec.method->id));
        }
    }
    ImGui::EndTable();
}

// All open pictures: a row for each method, and clicks that open its best and its worst picture.

namespace {

// A cell that names a picture, which a click opens.
void picture_cell(AppState& state, const std::string& text, const char* which, size_t picture, size_t method,
                  const MethodSpec& spec) {
    if (ImGui::Selectable(fmt::format("{}##{}{}", text, which, method).c_str()))
        state.tasks.push_back(task::ShowJudged{picture, method});
    gui::tooltip(
        "Click to see this picture restored by this method, at the spot where it errs most, beside the best one.");
    gui::note(fmt::format("restoring:{}-{}", which, spec.method->id));
}

// What is asked first, where the window is narrow; the rest is a scroll away.
std::vector<size_t> by_importance(const ResultTable& table) {
    const std::string mean = table.columns[3].name;  // of the figure that ranks
    const std::array<std::string, 8> first = {"method", mean,     "worst picture", "best picture",
                                              "median", "spread", "wins",          "rank"};
    std::vector<size_t> order;
    for (const std::string& name : first)
        for (size_t c = 0; c < table.columns.size(); ++c)
            if (table.columns[c].name == name) order.push_back(c);
    for (size_t c = 0; c < table.columns.size(); ++c)
        if (std::find(order.begin(), order.end(), c) == order.end()) order.push_back(c);
    return order;
}

}  // namespace

void judged_pictures(AppState& state, const PicturesResult& result) {
    std::string left_out;
    for (const JudgedPicture& picture : result.pictures)
        if (!picture.judged()) left_out += (left_out.empty() ? "Left out: " : "; ") + picture.problem;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float words = left_out.empty() ? 0
                                         : ImGui::CalcTextSize(gui::broken(left_out, room.x).c_str()).y +
                                               ImGui::GetStyle().ItemSpacing.y;
    const float height =
        std::max(room.y - words - ImGui::GetFrameHeightWithSpacing() - gui::px(8), 4 * restoring_row_height());
    const ResultTable table = summary_table(result);
    if (result.methods.empty()) return;
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollX |
                                      ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit |
                                      ImGuiTableFlags_NoSavedSettings;
    if (!ImGui::BeginTable("##judged", int(table.columns.size()), flags, {0, height})) return;
    const std::vector<size_t> order = by_importance(table);
    for (const size_t c : order) ImGui::TableSetupColumn(heading(table.columns[c]).c_str());
    ImGui::TableSetupScrollFreeze(1, 1);
    ImGui::TableHeadersRow();
    for (size_t m = 0; m < table.rows.size(); ++m) {
        const MethodSummary& method = result.methods[m];
        ImGui::TableNextRow();
        for (const size_t c : order) {
            if (!ImGui::TableNextColumn()) continue;
            const std::string text = cell_text(table.rows[m][c], table.columns[c]);
            const std::string& name = table.columns[c].name;
            if (name == "best picture") picture_cell(state, text, "best", method.best, m, method.average.spec);
            else if (name == "worst picture") picture_cell(state, text, "worst", method.worst, m, method.average.spec);
            else if (std::holds_alternative<double>(table.rows[m][c])) gui::number_at_right(text);
            else ImGui::TextUnformatted(text.c_str());
        }
    }
    ImGui::EndTable();
    gui::note("restoring:judged");
    if (!left_out.empty()) gui::remark(left_out, false);
    restoring_save_row(state);
}

}  // namespace texelscope::panels
