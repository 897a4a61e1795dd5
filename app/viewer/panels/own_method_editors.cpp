// The window in which a CUDA kernel is written, beside the picture.

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/files/bytes/embedded_files.h"
#include "app/picture/inspect/curves.h"
#include "app/viewer/editing/own_method_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panel_parts.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/code_field.h"
#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/kernels/kernel_file.h"
#include "gpu/method/kernel_method.h"

namespace texelscope::panels {
namespace {

constexpr const char* words_tip =
    "float4 sample(Source s, double x, double y, Params p)\n\n"
    "s.tap(i, j): a sample, continued by the address mode · s.width, s.height · s.i, s.j: the output pixel · "
    "s.output_width, s.output_height · s.scale: samples from one pixel to the next\n"
    "whole(x), part(x) · lerp, clamp, luma, random(i, j, k) · Array<float, 9> a; a(0) · CUDA's mathematical functions\n"
    "//! name = …   //! parameter amount = 1 from 0 to 4, then p.amount\n\n"
    "There are no addresses, no [ ], no recursion; all loops of a pixel together have 65536 turns.";

// They may be out of sight.
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

void examples(KernelUi& kernel, double now) {
    ImGui::SetNextItemWidth((ImGui::GetContentRegionAvail().x - 2 * ImGui::GetStyle().ItemSpacing.x) / 3);
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
void log(const KernelUi& ui) {
    problems_of_all(ui.problems, "kernel:problem");
    if (const std::string lines = lines_with_problems(ui.problems); !lines.empty()) {
        gui::remark(lines, false);
        gui::note("kernel:lines");
    }
    if (!ui.problems.empty()) return;
    gui::remark(ui.compiling ? "Compiling…"
                : ui.waits   ? "Compiled once typing rests, or by Ctrl+Enter."
                             : ui.said,
                false);
    gui::note("kernel:said");
}

}  // namespace

void kernel_editor(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::kernel)) return;
    follow_kernel(state.scene, state.kernel);
    const ImGuiIO& io = ImGui::GetIO();
    const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeyPadEnter, false);
    const bool now = io.KeyCtrl && enter && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
    const float below = ImGui::GetFrameHeightWithSpacing() + gui::px(48);
    const gui::CodeField field = {"##kernel", "kernel:text",
                                  std::max(ImGui::GetContentRegionAvail().y - below, gui::px(80)), "",
                                  gives_keyboard(state.ui, Dialog::kernel)};
    gui::code_field(field, state.kernel.text, shown_errors(state.kernel), [&](const std::string& text) {
        keep_errors(state.kernel, text);
        type_kernel(state.kernel, state.now, text);
        return shown_errors(state.kernel);
    });
    if (now) compile_now(state.kernel);
    ImGui::BeginChild("##log", {0, gui::px(40)});
    log(state.kernel);
    ImGui::EndChild();
    examples(state.kernel, state.now);
    ImGui::SameLine();
    ImGui::BeginDisabled(!state.kernel.problems.empty());
    if (gui::row_button("Compile", 3, "Ctrl+Enter, or wait until typing rests.")) compile_now(state.kernel);
    ImGui::EndDisabled();
    gui::note("kernel:compile");
    ImGui::SameLine();
    if (gui::row_button("Close", 3, "Esc. The method stays as it is.")) state.ui.dialogs.close(Dialog::kernel);
    gui::note("kernel:close");
    end_dialog();
}

namespace {

void text_field(Scene& scene, WeightsUi& weights) {
    const auto lines = 1 + std::count(weights.text.begin(), weights.text.end(), '\n');
    const int errors = std::min(int(weights.problems.size()), 3);
    const gui::CodeField field = {
        "##weights", "weights:text", gui::code_height(int(std::clamp<long>(lines, 3, 9)), errors),
        "The weight at distance x, in samples, as a formula.\nradius: up to 8 · parameter a = 0.5 from 0 to 1 · "
        "normalise = yes · prefilter = none\nx, pi, abs, min, max, sin, cos, sinc, exp, sqrt, pow, ? : and comparisons."};
    gui::code_field(field, weights.text, code_errors(weights.problems), [&](const std::string& text) {
        type_weights(scene, weights, text);
        return code_errors(weights.problems);
    });
    problems_of_all(weights.problems, "weights:problem");
}

void facts(WeightsUi::Facts& known, const MethodSpec& spec) {
    if (known.method != spec.method || known.parameters != spec.parameters) {
        std::vector<std::pair<std::string, std::string>> rows;
        for (CustomFact& fact : custom_facts(spec)) rows.emplace_back(std::move(fact.label), std::move(fact.text));
        known = {spec.method, spec.parameters, std::move(rows)};
    }
    for (const auto& [label, text] : known.rows) {
        gui::label(label.c_str(), text);
        gui::elided(text, ImGui::GetContentRegionAvail().x);
    }
}

const char* edit_label(const MethodSpec& spec) { return spec.method->custom ? "Edit the formula" : "Edit a copy"; }

const char* edit_tip(const MethodSpec& spec) {
    return spec.method->custom ? "Shows the formula of this method, to be changed."
                               : "Starts a method of one's own from the formula of this one.";
}

void kernel_button(AppState& state) {
    if (gui::row_button("Edit the kernel", 1, "Opens the editor of CUDA kernels.")) edit_kernel(state);
    gui::note("kernel:edit");
}

}  // namespace

void weights_row(AppState& state) {
    const MethodSpec& spec = state.scene.spec();
    ImGui::Separator();
    if (gui::list_row("", kernel_of(*spec.method) ? "Edit the kernel" : "Write a CUDA kernel", "", false)) {
        edit_kernel(state);
        ImGui::CloseCurrentPopup();
    }
    gui::tooltip("A method of one's own, written in CUDA C++ and compiled at once. It needs CUDA to run.");
    gui::note("kernel:write");
    if (state.weights.open || kernel_of(*spec.method)) return;
    if (gui::list_row("", edit_label(spec), "", false)) {
        edit_weights(state);
        ImGui::CloseCurrentPopup();
    }
    gui::tooltip(edit_tip(spec));
    gui::note("weights:edit");
}

void weights_editor(AppState& state) {
    const MethodSpec& spec = state.scene.spec();
    if (kernel_of(*spec.method)) {
        state.weights.open = false;
        return kernel_button(state);
    }
    const bool custom = spec.method->custom != nullptr;
    follow_weights(state.scene, state.weights);
    if (!state.weights.open) {
        if (!gui::tall(780)) return;  // in the list of methods then
        if (gui::row_button(edit_label(spec), 1, edit_tip(spec))) edit_weights(state);
        gui::note("weights:edit");
        return;
    }
    text_field(state.scene, state.weights);
    if (custom) facts(state.weights.facts, spec);
    if (gui::row_button("Close the formula", 1, "The method stays as it is.")) state.weights.open = false;
    gui::note("weights:close");
}

}  // namespace texelscope::panels
