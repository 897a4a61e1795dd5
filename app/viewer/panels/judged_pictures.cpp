// "Which is best for these pictures?": the table over all open pictures.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/studies/restoring/many_pictures.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
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
