#pragma once
// Edits of a CUDA kernel's text. Compiling it is for the loop (KernelCompiler).

#include "app/state/app_state.h"

namespace texelscope {

// Opens the editor with the kernel of the active pane; with another method there, what was last typed, or the simplest
// example.
void edit_kernel(AppState& state);

// The text was changed: what can be said without a compiler is said at once, the rest once typing rests.
void type_kernel(KernelUi& ui, double now, const std::string& text);

// Does not wait for that.
void compile_now(KernelUi& ui);

// Whether it is time to compile.
bool kernel_is_due(const KernelUi& ui, double now);
inline constexpr double kernel_rest_seconds = 0.6;

// The compiler has answered for a text. The active pane gets the kernel, with parameters of the same name as before; if the
// text has changed since, only what comes of that counts.
void use_kernel(AppState& state, const std::string& text, const MethodInfo& method, std::string said);
void refuse_kernel(KernelUi& ui, const std::string& text, std::vector<WeightProblem> problems);

// The editor shows the kernel of the active pane, if that has another one now.
void follow_kernel(const Scene& scene, KernelUi& ui);

// Edits of the active pane's weight function as a text.

// Whether its weights along an axis can be written as a formula: not those of polar methods and kernels.
bool has_formula_text(const MethodInfo& method);

// Opens the editor with the text of the active pane's method; a built-in one becomes a copy.
void edit_weights(AppState& state);

// The text was changed: the pane gets the new function, or keeps the last good one while something is wrong.
void type_weights(Scene& scene, WeightsUi& ui, const std::string& text);

// The editor shows the text of the active pane's method, if that is another one now. Of a built-in method, typing makes a
// copy.
void follow_weights(const Scene& scene, WeightsUi& ui);

// Parameters for which the formula has no weights are put back to `before`, with a message.
void check_parameters(Scene& scene, Messages& messages, const MethodParameters& before);

}  // namespace texelscope
