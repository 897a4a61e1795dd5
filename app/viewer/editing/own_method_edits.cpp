#include "app/viewer/editing/own_method_edits.h"

#include <fmt/format.h>

#include "app/files/bytes/embedded_files.h"
#include "app/state/messages.h"
#include "app/viewer/editing/method_edits.h"
#include "gpu/core/errors.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

const KernelMethod* active_kernel(const Scene& scene) { return kernel_of(*scene.spec().method); }

void show(KernelUi& ui, const KernelMethod& kernel) {
    ui = {};
    ui.text = kernel.text();
    ui.made = &kernel.info();
}

}  // namespace

void edit_kernel(AppState& state) {
    state.ui.dialogs.open(Dialog::kernel);
    if (const KernelMethod* kernel = active_kernel(state.scene); kernel && state.kernel.made != &kernel->info())
        show(state.kernel, *kernel);
    else if (state.kernel.text.empty())
        type_kernel(state.kernel, state.now, std::string(find_file(embedded_kernels(), "bilinear.cu")->text));
}

void type_kernel(KernelUi& ui, double now, const std::string& text) {
    ui.text = text;
    ui.said.clear();
    ui.at_once = false;
    ui.typed_at = now;
    ui.problems = parse_kernel(text).problems;
    ui.waits = ui.problems.empty();
}

void compile_now(KernelUi& ui) {
    if (!ui.problems.empty()) return;
    ui.waits = ui.at_once = true;
}

bool kernel_is_due(const KernelUi& ui, double now) {
    return ui.waits && (ui.at_once || now - ui.typed_at >= kernel_rest_seconds);
}

void use_kernel(AppState& state, const std::string& text, const MethodInfo& method, std::string said) {
    KernelUi& ui = state.kernel;
    if (ui.text != text) return;
    ui.said = std::move(said);
    ui.made = &method;
    if (state.machine.limits.compute_capability == 0) return;  // no GPU could run it
    MethodSpec& spec = state.scene.spec();
    const MethodParameters parameters = kept_parameters(spec, method);
    spec.method = &method;
    spec.parameters = parameters;
}

void refuse_kernel(KernelUi& ui, const std::string& text, std::vector<WeightProblem> problems) {
    if (ui.text == text) ui.problems = std::move(problems);
}

void follow_kernel(const Scene& scene, KernelUi& ui) {
    const KernelMethod* kernel = active_kernel(scene);
    if (!kernel || ui.made == &kernel->info() || ui.waits || ui.compiling) return;
    if (!ui.problems.empty() && ui.made) return;  // what is being typed is still wrong
    show(ui, *kernel);
}

bool has_formula_text(const MethodInfo& method) { return !is_polar(method) && !kernel_of(method); }

void edit_weights(AppState& state) {
    const MethodInfo& method = *state.scene.spec().method;
    if (is_polar(method))
        return post(
            state.messages, Message::Level::info,
            fmt::format("{} weighs by the distance in the plane; a formula is for the distances along the axes. Start "
                        "from another method.",
                        method.name));
    const std::string text = weights_text(state.scene.spec());
    state.ui.dock = Dock::formula;
    state.weights.made = state.scene.spec().method;
    type_weights(state.scene, state.weights, text);
}

void type_weights(Scene& scene, WeightsUi& ui, const std::string& text) {
    ui.text = text;
    ui.problems = parse_weights(text).problems;
    if (!ui.problems.empty()) return;
    MethodSpec& spec = scene.spec();
    try {
        const MethodInfo& method = custom_method(text);
        MethodParameters parameters = kept_parameters(spec, method);
        method.custom->weights(parameters);
        spec.method = ui.made = &method;
        spec.parameters = parameters;
    } catch (const WeightError& error) {
        ui.problems = {error.problem};
    } catch (const Error& error) {
        ui.problems = {{1, 1, error.what()}};
    }
}

void follow_weights(const Scene& scene, WeightsUi& ui) {
    const MethodSpec& spec = scene.spec();
    if (ui.made == spec.method) return;
    ui.made = spec.method;
    ui.problems.clear();
    ui.text = has_formula_text(*spec.method) ? weights_text(spec) : "";
}

void check_parameters(Scene& scene, Messages& messages, const MethodParameters& before) {
    MethodSpec& spec = scene.spec();
    if (!spec.method->custom || spec.parameters == before) return;
    try {
        spec.method->custom->weights(spec.parameters);
    } catch (const Error& error) {
        spec.parameters = before;
        post(messages, Message::Level::warning, error.what());
    }
}

}  // namespace texelscope
