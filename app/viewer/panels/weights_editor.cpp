#include "app/viewer/panels/weights_editor.h"

#include <imgui.h>

#include <algorithm>

#include <fmt/format.h>

#include "app/picture/inspect/method_facts.h"
#include "app/viewer/editing/kernel_edits.h"
#include "app/viewer/editing/weights_edits.h"
#include "app/viewer/panels/panel_parts.h"
#include "app/viewer/widgets/code_field.h"
#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/method/kernel_method.h"

namespace texelscope::panels {
namespace {

// Computed once for each function that is shown, not for each frame.
const std::vector<CustomFact>& facts_of(const MethodSpec& spec) {
    static struct {
        const MethodInfo* method = nullptr;
        MethodParameters parameters;
        std::vector<CustomFact> facts;
    } known;
    if (known.method != spec.method || !(known.parameters == spec.parameters)) {
        known.facts = custom_facts(spec);
        known.method = spec.method;
        known.parameters = spec.parameters;
    }
    return known.facts;
}

void text_field(AppState& state) {
    const auto lines = 1 + std::count(state.weights.text.begin(), state.weights.text.end(), '\n');
    const int errors = std::min(int(state.weights.problems.size()), 3);
    const gui::CodeField field = {
        "##weights", "weights:text", gui::code_height(int(std::clamp<long>(lines, 3, 9)), errors),
        "The weight at distance x, in samples, as a formula.\nradius: up to 8 · parameter a = 0.5 from 0 to 1 · "
        "normalise = yes · prefilter = none\nx, pi, abs, min, max, sin, cos, sinc, exp, sqrt, pow, ? : and comparisons."};
    gui::code_field(field, state.weights.text, code_errors(state.weights.problems), [&](const std::string& text) {
        type_weights(state, text);
        return code_errors(state.weights.problems);
    });
    problems_of_all(state.weights.problems, "weights:problem");
}

void facts(const MethodSpec& spec) {
    for (const CustomFact& fact : facts_of(spec)) {
        gui::label(fact.label.c_str(), fact.text);
        gui::elided(fact.text, ImGui::GetContentRegionAvail().x);
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
    follow_weights(state);
    if (!state.weights.open) {
        if (!gui::tall(780)) return;  // in the list of methods then
        if (gui::row_button(edit_label(spec), 1, edit_tip(spec))) edit_weights(state);
        gui::note("weights:edit");
        return;
    }
    text_field(state);
    if (custom) facts(spec);
    if (gui::row_button("Close the formula", 1, "The method stays as it is.")) state.weights.open = false;
    gui::note("weights:close");
}

}  // namespace texelscope::panels
