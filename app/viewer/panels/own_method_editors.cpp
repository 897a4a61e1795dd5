// The tabs of the dock in which users edit their own methods.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/files/bytes/embedded_files.h"
#include "app/picture/inspect/curves.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/code_field.h"
#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/kernels/kernel_code.h"
#include "gpu/method/kernel_method.h"

namespace texelscope::panels {

namespace {

// The buttons of an editor that open a text from a file and save it as one.
void file_buttons(AppState& state, const std::string& editor, int of) {
    if (gui::row_button("Open…", of, "Open a weight function (.weights) or a CUDA kernel (.cu) from a file."))
        state.ui.dialogs.open(Dialog::browser);
    gui::note(editor + ":open");
    ImGui::SameLine();
    if (gui::row_button("Save as…", of, "Save this text to a file, for --method-file and other windows."))
        save_method(state);
    gui::note(editor + ":save");
}

// Once the menu or list is closed that asked for the field.
bool takes_keyboard(UiState& ui) {
    const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    if (popup || ImGui::IsMouseDown(0) || ui.dialogs.keyboard_owner()) return false;
    return std::exchange(ui.dock_takes_keyboard, false);
}

}  // namespace

// CUDA kernel: its text, above what the compiler says of it.

namespace {

constexpr const char* words_tip =
    "float4 sample(Source s, double x, double y, Params p)\n\n"
    "s.tap(i, j): a sample, continued by the address mode · s.width, s.height · s.i, s.j: the output pixel · "
    "s.output_width, s.output_height · s.scale: samples from one pixel to the next\n"
    "whole(x), part(x) · lerp, clamp, luma, random(i, j, k) · Array<float, 9> a; a(0) · CUDA's mathematical functions\n"
    "//! name = …   //! parameter amount = 1 from 0 to 4, then p.amount\n\n"
    "There are no addresses, no [ ], no recursion; all loops of a pixel together have 65536 turns.";

// The lines with problems, which may be out of sight.
std::string lines_with_problems(const std::vector<WeightProblem>& problems) {
    std::string lines;
    int count = 0;
    for (const WeightProblem& problem : problems) {
        if (problem.line < 1) continue;
        lines += fmt::format("{}{}", lines.empty() ? "" : ", ", problem.line);
        ++count;
    }
    if (count == 0) return "";
    return fmt::format("Not compiled: see {} {}.", count == 1 ? "line" : "lines", lines);
}

// What the compiler said of a text that has been changed since stays until it has said more: otherwise the lines below would
// jump with the first key, and back again once typing rests.
gui::CodeErrors shown_errors(KernelUi& ui) {
    const auto unanswered = [&] { return ui.waits || ui.compiling || !parse_kernel(ui.text).problems.empty(); };
    if (!ui.earlier.empty() && (ui.text != ui.earlier_moved_to || !unanswered())) ui.earlier.clear();
    std::vector<WeightProblem> shown = ui.problems;
    for (const WeightProblem& earlier : ui.earlier)
        if (std::ranges::none_of(ui.problems, [&](const WeightProblem& p) { return p.line == earlier.line; }))
            shown.push_back(earlier);
    return code_errors(shown);
}

// Before the text is replaced by this one.
void keep_errors(KernelUi& ui, const std::string& text) {
    const bool by_compiler = !ui.problems.empty() && parse_kernel(ui.text).problems.empty();
    const gui::CodeErrors moved = gui::moved_along(code_errors(by_compiler ? ui.problems : ui.earlier), ui.text, text);
    ui.earlier.clear();
    for (const gui::CodeError& error : moved) ui.earlier.push_back({error.line, error.column, error.sentence});
    ui.earlier_moved_to = text;
}

constexpr int kernel_buttons = 3;

void examples(KernelUi& kernel, double now) {
    const float gaps = float(kernel_buttons - 1) * ImGui::GetStyle().ItemSpacing.x;
    ImGui::SetNextItemWidth((ImGui::GetContentRegionAvail().x - gaps) / kernel_buttons);
    if (!gui::begin_combo("##examples", "Examples")) {
        gui::tooltip(std::string("Replaces the text by an example. The words that there are:\n\n") + words_tip);
        gui::note("kernel:examples");
        return;
    }
    for (const EmbeddedFile& file : embedded_kernels()) {
        const std::string name = parse_kernel(file.text).file.name;
        if (gui::list_row("", name.c_str(), "", false)) {
            type_kernel(kernel, now, std::string(file.text));
            compile_now(kernel);
            ImGui::CloseCurrentPopup();
        }
        gui::tooltip(std::string(file.name));
        gui::note("kernel:example:" + std::string(file.name));
    }
    ImGui::EndCombo();
}

// What is wrong, or what came of it.
void log(const AppState& state) {
    const KernelUi& ui = state.kernel;
    problems_of_all(ui.problems, "kernel:problem");
    if (const std::string lines = lines_with_problems(ui.problems); !lines.empty()) {
        gui::remark(lines, false);
        gui::note("kernel:lines");
    }
    if (!ui.problems.empty()) return;
    const bool shown = kernel_of(*state.scene.spec().method);
    gui::remark(ui.compiling ? "Compiling…"
                : ui.waits   ? "Compiled once typing rests, or by Ctrl+Enter."
                : shown
                    ? ui.said
                    : fmt::format("Once it is changed, it is the method of pane {}.", pane_name(state.scene.active)),
                false);
    gui::note("kernel:said");
}

}  // namespace

void kernel_tab(AppState& state) {
    follow_kernel(state.scene, state.kernel);
    const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeyPadEnter, false);
    const bool now = ImGui::GetIO().KeyCtrl && enter && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
    const MethodSpec& spec = state.scene.spec();
    const size_t parameters = kernel_of(*spec.method) ? spec.method->parameters.size() : 0;
    const float below = float(1 + parameters) * ImGui::GetFrameHeightWithSpacing() + gui::px(48);
    const gui::CodeField field = {"##kernel", "kernel:text",
                                  std::max(ImGui::GetContentRegionAvail().y - below, gui::px(80)), "",
                                  takes_keyboard(state.ui)};
    gui::code_field(field, state.kernel.text, shown_errors(state.kernel), [&](const std::string& text) {
        keep_errors(state.kernel, text);
        type_kernel(state.kernel, state.now, text);
        return shown_errors(state.kernel);
    });
    if (now) compile_now(state.kernel);
    ImGui::BeginChild("##log", {0, gui::px(40)});
    log(state);
    ImGui::EndChild();
    examples(state.kernel, state.now);
    ImGui::SameLine();
    file_buttons(state, "kernel", kernel_buttons);
    if (parameters > 0) parameter_rows(state.scene, state.messages);
}

// The rows of the list of methods that begin a custom method.
void own_method_rows(AppState& state) {
    const MethodSpec& spec = state.scene.spec();
    const bool formula = has_formula_text(*spec.method);
    const std::string copy =
        spec.method->custom ? "Edit the weight function…" : fmt::format("Edit a copy of {}…", spec.method->name);
    ImGui::BeginDisabled(!formula);
    if (gui::list_row("+", formula ? copy.c_str() : "Edit a copy…", "", false)) {
        edit_weights(state);
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndDisabled();
    gui::tooltip(formula ? "The weight function as a formula, to be changed; the picture follows at once."
                         : "Only methods with weights along the axes can be written as a formula.");
    gui::note("weights:edit");
    if (gui::list_row("+", kernel_of(*spec.method) ? "Edit the CUDA kernel…" : "CUDA kernel…", "", false)) {
        edit_kernel(state);
        ImGui::CloseCurrentPopup();
    }
    gui::tooltip(find_action("method.kernel")->tooltip);
    gui::note("kernel:write");
}

// Formula: a weight function as text, beside its curves and what follows from it.

namespace {

// Found once for each function that is shown, not for each frame.
const WeightsUi::Facts& known_facts(AppState& state) {
    const MethodSpec& spec = state.scene.spec();
    WeightsUi::Facts& known = state.weights.facts;
    if (known.method == spec.method && known.parameters == spec.parameters) return known;
    known = {spec.method, spec.parameters, {}, {}};
    if (!spec.method->custom) return known;
    known.warning = unequal_sum(spec);
    for (CustomFact& fact : custom_facts(spec)) known.rows.emplace_back(std::move(fact.label), std::move(fact.text));
    return known;
}

// About how many rows a wrapped text of this width has.
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
        "normalise = yes · prefilter = none, poles -0.3 or taps -0.2, 1.4, -0.2\nx, pi, abs, min, max, sin, cos, sinc, exp, sqrt, pow, ? : and comparisons.",
        takes_keyboard(state.ui)};
    gui::code_field(field, state.weights.text, code_errors(state.weights.problems), [&](const std::string& text) {
        type_weights(state.scene, state.weights, text);
        return code_errors(state.weights.problems);
    });
    problems_of_all(state.weights.problems, "weights:problem");
}

// At the formula, since the picture may hide it.
void sum_row(const WeightsUi::Facts& known) {
    if (known.warning.empty()) return;
    gui::wrapped_text(known.warning, gui::colour::warning);
    gui::note("formula:unequal-sum");
    gui::tooltip(
        "Seen in the picture at 100 % and above. Where it is reduced and antialiased, the widened weights are divided by "
        "their sum, as those of every method are.");
}

// Facts of the last function that was right: dimmed while the text is wrong.
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
        gui::wrapped_text(text);
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
    sum_row(known);
    ImGui::PopStyleVar();
    file_buttons(state, "weights", 4);
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, dims ? 0.4f : 1.0f);
    parameter_rows(state.scene, state.messages);
    const float rest = ImGui::GetContentRegionAvail().y;
    if (!beside) function_and_spectrum(state, std::clamp(rest / 3, gui::px(150), gui::px(260)));
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
