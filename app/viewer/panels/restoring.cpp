// The window "Which is best for this picture?": the answer, what was done, the choices, the figures.

#include "app/viewer/panels/dialogs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include <fmt/format.h>
#include <imgui.h>

#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/many_pictures.h"
#include "app/studies/restoring/restoring.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr float least_rows = 9, least_low_rows = 4;  // of the table: headings and some methods

bool runs(const Report& report) { return report.background.dialog == Dialog::restoring; }

// Whether the result is one of the picture that the active pane shows now, or of its selected part.
bool of_this_picture(const AppState& state, const RestoringResult& result) {
    const Document* document = restored_document(state.scene);
    const RestoringPlan& plan = result.plan;
    const auto part = plan.whole ? std::optional(plan.part) : std::nullopt;
    return document && document->image == plan.picture() && part == restored_part(state.scene, state.ui.restoring);
}

// Whether the figures are of what is chosen now, and of this picture.
bool is_current(const AppState& state) {
    const RestoringReport& report = state.report.restoring;
    if (state.ui.restoring.choice.every_picture)
        return report.pictures && report.found_with == state.ui.restoring.choice;
    return report.result && report.found_with == state.ui.restoring.choice && of_this_picture(state, *report.result);
}

// The answer as it stands, then how far the comparison is: "Quintic B-spline is the best so far, 31.24 dB: 12 of 29
// methods are done."
std::string words_so_far(const RestoringResult& now) {
    const size_t done = now.methods.size(), all = now.plan.specs.size();
    const std::string far = done == all ? "now the worst spot is looked at"
                                        : fmt::format("{} of {} methods {} done", done, all, done == 1 ? "is" : "are");
    const std::string best = best_so_far(now);
    return fmt::format("{}{}{}.", best, best.empty() ? "" : ": ", far);
}

// The result, or why there is none, and how to get one.
void words_of_answer(AppState& state) {
    const RestoringReport& report = state.report.restoring;
    const Document* document = restored_document(state.scene);
    const bool current = is_current(state);
    if (runs(state.report)) {
        background_progress(state);
        return sentence(report.so_far ? words_so_far(*report.so_far)
                        : report.runs_with.every_picture
                            ? "Every method is measured on each picture; Esc keeps the pictures that are done."
                            : "The first method is being measured.",
                        gui::colour::text);
    }
    // In the row of the progress, so that nothing moves when it comes and goes.
    ImGui::BeginDisabled(!document || (report.problem.empty() && current));
    if (ImGui::Button("Compare", {gui::px(120), 0})) state.tasks.push_back(task::Restore{});
    ImGui::EndDisabled();
    gui::note("restoring:compare");
    gui::tooltip(document ? fmt::format("Compare the methods with {}.", document->title()) : "Open a picture first.");
    if (!report.problem.empty()) sentence(report.problem, gui::colour::warning);
    else if (current && report.pictures) sentence(verdict(*report.pictures), gui::colour::text);
    else if (current) sentence(verdict(*report.result), gui::colour::text);
    else if (report.result && !report.pictures)
        sentence(
            fmt::format("These figures are of {}, {}.", report.result->plan.source, done_words(report.result->plan)),
            gui::colour::warning);
}

// Always two rows of words, so that nothing below moves while methods come in.
void answer(AppState& state) {
    const float top = ImGui::GetCursorPosY();
    words_of_answer(state);
    const ImGuiStyle& style = ImGui::GetStyle();
    const float words = 2 * gui::theme().heading->FontSize + style.FramePadding.y + style.ItemSpacing.y;
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + ImGui::GetFrameHeightWithSpacing() + words));
}

// The method of a row, for the active pane, with its settings if the panes' were compared. It marks the row, wherever that will be.
void take(AppState& state, const RestoringResult& result, size_t which) {
    const MethodSpec& spec = result.methods[which].spec;
    state.ui.restoring.marked = spec;
    const RestoringReport& report = state.report.restoring;
    const RestoringChoice& asked = &result == report.so_far.get() ? report.runs_with : report.found_with;
    if (asked.panes_only) state.scene.spec() = spec;
    else choose_method(state.scene, *spec.method);
    look_closer(state, true);
}

void buttons(AppState& state, const RestoringResult& result) {
    const RestoringReport& report = state.report.restoring;
    const bool enlarged = report.small != nullptr;
    const std::string best = fmt::format("Use {}", result.methods.front().spec.method->name);
    {
        const gui::PrimaryButton primary;
        if (ImGui::Button(best.c_str())) take(state, result, 0);
    }
    gui::note("restoring:use");
    gui::tooltip("The best method becomes that of the active pane. A click on a row of the table takes another one.");
    ImGui::SameLine();
    ImGui::BeginDisabled(!enlarged);
    if (ImGui::Button("Show the best four", {gui::px(160), 0})) state.tasks.push_back(task::ShowBest{});
    ImGui::EndDisabled();
    gui::note("restoring:show-best");
    gui::tooltip(
        !enlarged ? "Only for the test Enlarge: what the other tests made of the picture is not kept; see Worst spot."
                  : "Four panes: the shrunk picture enlarged by the four best methods, at the spot where the "
                    "best one errs most, with the original as the reference. Ctrl+Z brings your panes back.");
}

// What the plot's x axis is.
void cost_choice(RestoringUi& restoring) {
    const std::array<gui::Segment, 2> segments = {
        {{"Fetches", "Reads of memory or texture per pixel: the same on every run and every machine."},
         {"Time", "What was measured on this machine: it differs a little from run to run."}}};
    bool& by_time = restoring.by_time;
    ImGui::BeginChild("##cost", {std::min(gui::px(200), ImGui::GetContentRegionAvail().x), ImGui::GetFrameHeight()});
    const int clicked = gui::segmented("restoring:cost", segments, by_time ? 1 : 0);
    ImGui::EndChild();
    if (clicked < 0 || (clicked == 1) == by_time) return;
    by_time = clicked == 1;
    restoring.zoom = {};
}

void cost_plot(RestoringUi& restoring, const RestoringResult& result) {
    auto plot = quality_plot(result, restoring.by_time ? Cost::time : Cost::fetches);
    if (!plot) return;
    cost_choice(restoring);
    plot->title.clear();  // the axes say it, and need the width
    gui::plot_view(*plot, {.id = "##plot:restoring",
                           .zoom = restoring.zoom,
                           .height = ImGui::GetContentRegionAvail().y,
                           .tip = "Each method's PSNR against what it costs; the mouse names a point. A dashed line "
                                  "joins those that no other method beats in both. The wheel zooms, dragging pans."});
}

using Part = RestoringUi::Part;

constexpr float widest_table = 880, least_plot = 320, beside_table = 16;  // units

bool plot_fits_beside() {
    return ImGui::GetContentRegionAvail().x >= gui::px(widest_table + least_plot + beside_table);
}

// Table and plot, side by side if there is space.
void figures(AppState& state, const RestoringResult& result, float height) {
    const bool beside = plot_fits_beside();
    if (beside || state.ui.restoring.part == Part::figures) {
        ImGui::BeginChild("##table", {beside ? gui::px(widest_table) : 0, height});
        restoring_table(state, result, height);
        ImGui::EndChild();
    }
    if (beside) ImGui::SameLine(0, gui::px(beside_table));
    if (!beside && state.ui.restoring.part != Part::plot) return;
    ImGui::BeginChild("##plot", {0, height});
    cost_plot(state.ui.restoring, result);
    ImGui::EndChild();
}

// Which of them is shown.
void choose_shown(AppState& state) {
    const bool spots = !state.report.restoring.spots.empty(), beside = plot_fits_beside();
    const std::array<gui::Segment, 3> segments = {
        {{"Figures", "The table of all methods."},
         {"Plot", "How good each method is, over what it costs."},
         {"Worst spot",
          "The part of the picture where the best method errs most: the original beside what the best "
          "methods made of it.",
          spots}}};
    Part& part = state.ui.restoring.part;
    if ((part == Part::pictures && !spots) || (part == Part::plot && beside)) part = Part::figures;
    const float width = std::min(gui::px(beside ? 280 : 320), ImGui::GetContentRegionAvail().x);
    ImGui::BeginChild("##parts", {width, ImGui::GetFrameHeight()});
    if (beside) {  // the plot is beside the figures
        const std::array<gui::Segment, 2> two = {segments[0], segments[2]};
        const int clicked = gui::segmented("restoring:part", two, part == Part::pictures ? 1 : 0);
        if (clicked >= 0) part = clicked == 1 ? Part::pictures : Part::figures;
    } else if (const int clicked = gui::segmented("restoring:part", segments, int(part)); clicked >= 0) {
        part = Part(clicked);
    }
    ImGui::EndChild();
}

void found(AppState& state, const RestoringResult& result) {
    choose_shown(state);
    const bool one_row = ImGui::GetContentRegionMax().x >= gui::px(760);
    const bool low = ImGui::GetWindowHeight() < gui::px(420);
    const float below = (one_row || low ? 1 : 2) * ImGui::GetFrameHeightWithSpacing() + gui::px(low ? 0 : 8);
    // Without the space for it, all of it scrolls.
    const float least =
        low ? least_low_rows * restoring_row_height() : std::max(least_rows * restoring_row_height(), gui::px(150));
    const float height = std::max(ImGui::GetContentRegionAvail().y - below, least);
    if (state.ui.restoring.part == Part::pictures) {
        ImGui::BeginChild("##pictures", {0, height});
        ImGui::BeginDisabled(runs(state.report));  // of the last comparison, until the new ones come
        restoring_pictures(state.report.restoring, height);
        ImGui::EndDisabled();
        ImGui::EndChild();
    } else {
        figures(state, result, height);
    }
    ImGui::BeginDisabled(runs(state.report));
    buttons(state, result);
    if (one_row) ImGui::SameLine(0, gui::px(24));
    restoring_save_row(state);
    ImGui::EndDisabled();
}

// In the place of other words, and at least as high, so that no field moves while one types.
void warning(const std::string& text, const std::string& instead_of) {
    const float top = ImGui::GetCursorPosY(), width = ImGui::GetContentRegionAvail().x;
    const float height = ImGui::CalcTextSize(gui::broken(instead_of, width).c_str()).y;
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::warning));
    gui::wrapped_text(text);
    ImGui::PopStyleColor();
    gui::note("restoring:refused");
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + height + ImGui::GetStyle().ItemSpacing.y));
}

// What is done to the picture, in a sentence, and the choices.
void test(AppState& state) {
    const Document* document = restored_document(state.scene);
    const RestoringChoice& choice = state.ui.restoring.choice;
    const std::string which = choice.every_picture ? "Each open picture: " : document ? document->title() + ": " : "";
    const std::string words = which + restoring_words(choice);
    if (const std::string& refused = state.ui.restoring.refused; !refused.empty()) warning(refused, words);
    else gui::remark(words, false);
    if (restoring_choices(state.scene, state.ui.restoring)) state.tasks.push_back(task::Restore{});
}

}  // namespace

void restoring(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::restoring)) return;
    if (begins_anew(state.ui, Dialog::restoring)) state.ui.restoring.refused.clear();
    answer(state);
    // A low window leaves its space to the figures.
    if (ImGui::GetWindowHeight() >= gui::px(500) ||
        gui::section("Test###restoring-test", false, {restoring_summary(state.scene, state.ui.restoring)}))
        test(state);
    ImGui::Dummy({0, gui::px(4)});
    const RestoringReport& report = state.report.restoring;
    const bool waits = state.ui.restoring.part == Part::pictures && !report.so_far;  // with the last ones in view
    const auto shown = runs(state.report) && !waits ? report.so_far : report.result;
    ImGui::BeginDisabled(!runs(state.report) && !is_current(state));  // greyed while there is no newer one
    if (state.ui.restoring.choice.every_picture) {
        if (report.pictures) judged_pictures(state, *report.pictures);
    } else if (shown) {
        found(state, *shown);
    }
    ImGui::EndDisabled();
    end_dialog();
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
        return spec(method).find(':') == std::string::npos ? name(method) : method_words(method.spec);
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

constexpr float air = 12;  // units; left of figures, which are at the right of their column

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
// ranks is never left out; names are cut for it.
size_t with_room(const std::vector<RestoredColumn>& columns, const RestoringResult& result) {
    const ImGuiStyle& style = ImGui::GetStyle();
    float left = ImGui::GetContentRegionAvail().x - style.ScrollbarSize;
    const auto without = std::ranges::find_if(columns, [&](const RestoredColumn& column) {
        left -= width_of(column, result) + 2 * style.CellPadding.x;
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

void restoring_table(AppState& state, const RestoringResult& result, float height) {
    std::vector<RestoredColumn> columns = columns_of(state.ui, result);
    const size_t count = with_room(columns, result);
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
    if (entered(state.ui, Dialog::restoring)) take(state, result, marked);
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
                take(state, result, order[size_t(r)]);
            gui::tooltip(row_tip(method, shown, others));
            gui::note(fmt::format("restoring:row-{}", method.spec.method->id));
        }
    }
    ImGui::EndTable();
}

}  // namespace texelscope::panels
