// Formula: a weight function as text, beside its curves and what follows from it.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/inspect/curves.h"
#include "app/viewer/editing/own_method_edits.h"
#include "app/viewer/panels/panel_parts.h"
#include "app/viewer/panels/plot_dock.h"
#include "app/viewer/widgets/code_field.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/method/kernel_method.h"

namespace texelscope::panels {
namespace {

// Found once for each function that is shown, not for each frame.
const WeightsUi::Facts& known_facts(AppState& state) {
    const MethodSpec& spec = state.scene.spec();
    WeightsUi::Facts& known = state.weights.facts;
    if (known.method == spec.method && known.parameters == spec.parameters) return known;
    known = {spec.method, spec.parameters, {}};
    if (!spec.method->custom) return known;
    for (CustomFact& fact : custom_facts(spec)) known.rows.emplace_back(std::move(fact.label), std::move(fact.text));
    return known;
}

// Of a text of this width, wrapped: about.
int rows_of(std::string_view text, float width) {
    ImGui::PushFont(gui::theme().mono);
    const int in_row = std::max(int((width - gui::px(40)) / ImGui::CalcTextSize("0").x), 8);
    ImGui::PopFont();
    int rows = 0;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        rows += 1 + int(end - at) / in_row;
        at = end + 1;
    }
    return rows;
}

void text_field(AppState& state, int least_rows) {
    const int rows = rows_of(state.weights.text, ImGui::GetContentRegionAvail().x);
    const int errors = std::min(int(state.weights.problems.size()), 3);
    const gui::CodeField field = {
        "##weights", "weights:text", gui::code_height(std::clamp(rows, least_rows, 16), errors),
        "The weight at distance x, in samples, as a formula.\nradius: up to 8 · parameter a = 0.5 from 0 to 1 · "
        "normalise = yes · prefilter = none\nx, pi, abs, min, max, sin, cos, sinc, exp, sqrt, pow, ? : and comparisons."};
    gui::code_field(field, state.weights.text, code_errors(state.weights.problems), [&](const std::string& text) {
        type_weights(state.scene, state.weights, text);
        return code_errors(state.weights.problems);
    });
    problems_of_all(state.weights.problems, "weights:problem");
}

// Of the last function that was right: dimmed while the text is wrong.
void facts(const WeightsUi::Facts& known) {
    if (known.rows.empty() || !ImGui::BeginTable("##facts", 2, ImGuiTableFlags_NoSavedSettings)) return;
    float widest = 0;
    for (const auto& [label, text] : known.rows) widest = std::max(widest, ImGui::CalcTextSize(label.c_str()).x);
    ImGui::TableSetupColumn("fact", ImGuiTableColumnFlags_WidthFixed, widest + gui::px(12));
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
    for (const auto& [label, text] : known.rows) {
        ImGui::TableNextColumn();
        ImGui::TextDisabled("%s", label.c_str());
        ImGui::TableNextColumn();
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(text.c_str());
        ImGui::PopTextWrapPos();
        gui::note("formula:" + label);
    }
    ImGui::EndTable();
}

}  // namespace

void formula_tab(AppState& state) {
    follow_weights(state.scene, state.weights);
    const MethodInfo& method = *state.scene.spec().method;
    if (!has_formula_text(method))
        return gui::remark(kernel_of(method) ? "This method is a CUDA kernel: Method ▸ CUDA kernel… edits it."
                                             : "This method weighs by the distance in the plane; a formula is for the "
                                               "distances along the axes. Choose another method to start from.",
                           false);
    if (!method.custom)
        gui::remark(fmt::format("The formula of {}. Change it, and the pane gets a method of your own.", method.name),
                    false);
    const WeightsUi::Facts& known = known_facts(state);
    const float width = ImGui::GetContentRegionAvail().x;
    const bool beside = width >= gui::px(700);
    ImGui::BeginChild("##formula", {beside ? width * 0.56f : 0, 0});
    text_field(state, beside ? 8 : 5);
    const bool dims = !state.weights.problems.empty();
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, dims ? 0.4f : 1.0f);
    parameter_rows(state.scene, state.messages);
    if (!beside) function_and_spectrum(state, gui::px(150));
    facts(known);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    if (!beside) return;
    ImGui::SameLine(0, gui::px(12));
    ImGui::BeginChild("##formula-curves", {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, dims ? 0.4f : 1.0f);
    function_and_spectrum(state,
                          std::clamp(ImGui::GetContentRegionAvail().y / 2 - gui::px(8), gui::px(150), gui::px(280)));
    ImGui::PopStyleVar();
    ImGui::EndChild();
}

}  // namespace texelscope::panels
