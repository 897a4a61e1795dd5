#include "app/viewer/loop/kernel_compiler.h"

#include <fmt/format.h>

#include "app/viewer/editing/own_method_edits.h"
#include "gpu/core/timing.h"
#include "gpu/method/kernel_method.h"

namespace texelscope {

namespace {

std::string compiled(const MethodInfo& method, int compute_capability) {
    const StopWatch watch;
    const bool kept = kernel_of(method)->code(compute_capability)->was_kept;
    return kept ? "Compiled before." : fmt::format("Compiled in {:.0f} ms.", watch.ms());
}

// On a machine without CUDA a compiler may be missing as well: that is no fault of the text.
std::string compiled_without_cuda(const MethodInfo& method) {
    std::string said;
    try {
        said = compiled(method, 0);
    } catch (const Unavailable&) {
        said = "Not compiled.";
    }
    return said + " A kernel needs CUDA: this window computes on the CPU, so the picture stays as it is.";
}

}  // namespace

bool KernelCompiler::poll(AppState& state) {
    KernelUi& ui = state.kernel;
    bool news = take(state);
    if (kernel_is_due(state.kernel, state.now)) {
        ui.waits = ui.at_once = false;
        ui.compiling = news = true;
        work_.ask(Question{ui.text, state.machine.limits.compute_capability},
                  [](const Question& question, std::stop_token) {
                      const MethodInfo& method = kernel_method(question.text);
                      const int target = question.compute_capability;
                      return Answer{&method, target == 0 ? compiled_without_cuda(method) : compiled(method, target)};
                  });
    }
    return news;
}

bool KernelCompiler::take(AppState& state) {
    const auto result = work_.take();
    if (!result) return false;
    state.kernel.compiling = false;
    if (result->answer) {
        use_kernel(state, result->question.text, *result->answer->method, result->answer->said);
        return true;
    }
    try {
        std::rethrow_exception(result->problem);
    } catch (const KernelError& error) {
        refuse_kernel(state.kernel, result->question.text, error.problems);
    } catch (const std::exception& error) {
        refuse_kernel(state.kernel, result->question.text, {{0, 0, error.what()}});
    }
    return true;
}

void KernelCompiler::wake(const AppState& state, WakeUp& wake_up) const {
    if (state.kernel.waits) wake_up.draw_in(std::max(0.0, state.kernel.typed_at + kernel_rest_seconds - state.now));
    work_.wake(wake_up, 0.05);
}

}  // namespace texelscope
