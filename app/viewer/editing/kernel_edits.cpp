#include "app/viewer/editing/kernel_edits.h"

#include "app/files/bytes/embedded_files.h"
#include "app/viewer/editing/kept_parameters.h"
#include "gpu/method/kernel_method.h"

namespace texelscope {
namespace {

const KernelMethod* active_kernel(const AppState& state) { return kernel_of(*state.scene.spec().method); }

void show(AppState& state, const KernelMethod& kernel) {
    KernelUi& ui = state.kernel;
    ui = {};
    ui.text = kernel.text();
    ui.made = &kernel.info();
}

}  // namespace

void edit_kernel(AppState& state) {
    state.ui.dialogs.open(Dialog::kernel);
    if (const KernelMethod* kernel = active_kernel(state); kernel && state.kernel.made != &kernel->info())
        show(state, *kernel);
    else if (state.kernel.text.empty())
        type_kernel(state, std::string(find_file(embedded_kernels(), "bilinear.cu")->text));
}

void type_kernel(AppState& state, const std::string& text) {
    KernelUi& ui = state.kernel;
    ui.text = text;
    ui.said.clear();
    ui.at_once = false;
    ui.typed_at = state.now;
    ui.problems = parse_kernel(text).problems;
    ui.waits = ui.problems.empty();
}

void compile_now(AppState& state) {
    KernelUi& ui = state.kernel;
    if (!ui.problems.empty()) return;
    ui.waits = ui.at_once = true;
}

bool kernel_is_due(const AppState& state) {
    const KernelUi& ui = state.kernel;
    return ui.waits && (ui.at_once || state.now - ui.typed_at >= kernel_rest_seconds);
}

void use_kernel(AppState& state, const std::string& text, const MethodInfo& method, std::string said) {
    KernelUi& ui = state.kernel;
    if (ui.text != text) return;
    ui.said = std::move(said);
    ui.made = &method;
    if (state.report.machine.limits.compute_capability == 0) return;  // no GPU could run it
    MethodSpec& spec = state.scene.spec();
    const MethodParameters parameters = kept_parameters(spec, method);
    spec.method = &method;
    spec.parameters = parameters;
}

void refuse_kernel(AppState& state, const std::string& text, std::vector<WeightProblem> problems) {
    if (state.kernel.text == text) state.kernel.problems = std::move(problems);
}

void follow_kernel(AppState& state) {
    const KernelMethod* kernel = active_kernel(state);
    if (!kernel || state.kernel.made == &kernel->info() || state.kernel.waits || state.kernel.compiling) return;
    if (!state.kernel.problems.empty() && state.kernel.made) return;  // what is being typed is still wrong
    show(state, *kernel);
}

}  // namespace texelscope
