#include "app/viewer/loop/kernel_compiler.h"

#include <fmt/format.h>

#include "app/viewer/editing/kernel_edits.h"
#include "gpu/core/stop_watch.h"
#include "gpu/method/kernel_method.h"

namespace texelscope {

bool KernelCompiler::follow(AppState& state) {
    KernelUi& ui = state.kernel;
    bool news = take(state);
    if (kernel_is_due(state)) {
        ui.waits = ui.at_once = false;
        ui.compiling = news = true;
        work_.ask(Question{ui.text, state.report.machine.limits.compute_capability}, [](const Question& question,
                                                                                        std::stop_token) {
            const StopWatch watch;
            const MethodInfo& method = kernel_method(question.text);
            const bool kept = kernel_of(method)->code(question.compute_capability)->was_kept;
            std::string said = kept ? "Compiled before." : fmt::format("Compiled in {:.0f} ms.", watch.ms());
            if (question.compute_capability == 0)
                said += " A kernel needs CUDA: this window computes on the CPU, so the picture stays as it is.";
            return Answer{&method, said};
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
        refuse_kernel(state, result->question.text, error.problems);
    } catch (const std::exception& error) {
        refuse_kernel(state, result->question.text, {{1, 1, error.what()}});
    }
    return true;
}

void KernelCompiler::wake(const AppState& state, WakeUp& wake_up) const {
    if (state.kernel.waits) wake_up.draw_in(std::max(0.0, state.kernel.typed_at + kernel_rest_seconds - state.now));
    work_.wake(wake_up, 0.05);
}

}  // namespace texelscope
