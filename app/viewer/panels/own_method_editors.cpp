// The window in which a CUDA kernel is written, beside the picture.

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/files/bytes/embedded_files.h"
#include "app/viewer/editing/own_method_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panel_parts.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/code_field.h"
#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/kernels/kernel_code.h"
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
    if (gui::primary_row_button("Compile", 3, "Ctrl+Enter, or wait until typing rests.")) compile_now(state.kernel);
    ImGui::EndDisabled();
    gui::note("kernel:compile");
    ImGui::SameLine();
    if (gui::row_button("Close", 3, "Esc. The method stays as it is.")) state.ui.dialogs.close(Dialog::kernel);
    gui::note("kernel:close");
    end_dialog();
}

// What begins a method of one's own, in the list of methods.
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
    gui::tooltip("A method of one's own, written in CUDA C++ and compiled at once. It needs CUDA to run.");
    gui::note("kernel:write");
}

}  // namespace texelscope::panels
