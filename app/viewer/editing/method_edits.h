#pragma once
// Edits of methods, for keys and panels: the active pane's, and the texts of one's own.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/app_state.h"
#include "app/state/scene.h"
#include "gpu/method/spec.h"

namespace texelscope {

// Edits of the active pane's method, for keys and panels.

// Keeps path, address and prefilter; parameters take the method's defaults.
void choose_method(Scene& scene, const MethodInfo& method);
void cycle_path(AppState& state);
void cycle_prefilter(Scene& scene);  // none → fir → iir; nothing if the method has none

// Sets it for the active pane, or for all if they are kept the same, and extends beyond the edges.
void choose_address(Scene& scene, const AddressPair& address);
void cycle_address(Scene& scene);  // both axes together

// A border value in the unit of the screen's values, `factor` of them to 1: "51 102 153". What is typed sets that of the
// active pane, or of all; if it will not do, a message says so, and the result is false.
std::string border_text(const BorderValue& border, double factor);
bool type_border(Scene& scene, Messages& messages, std::string_view text, double factor);

// Why a path cannot be used here; empty if it can.
std::string why_no_path(const AppState& state, FetchPath path);

// Parameters of the same name keep their value, if it is in their range; the others have their default.
MethodParameters kept_parameters(const MethodSpec& before, const MethodInfo& now);

// Edits of sampling for all methods: antialiasing, linear light, a warp under the view.

void toggle_antialias(Scene& scene);
void toggle_linear_light(Scene& scene);  // of all panes, to what the active one does not have

// At its default strength; the same kind again changes nothing.
void choose_warp(Scene& scene, Warp::Kind kind);
void cycle_warp(Scene& scene);  // none → swirl → barrel → ripple → plane

// The effects of antialiasing and linear light, for tooltips.
extern const char* const antialias_tip;
extern const char* const linear_light_tip;

// What follows a value in a list, the first after the last one; the first if the value is not in it.
template <class Range, class T> T next_in(const Range& all, T value) {
    const auto at = std::find(all.begin(), all.end(), value);
    return at == all.end() || at + 1 == all.end() ? all.front() : *(at + 1);
}

// Edits of a CUDA kernel's text. Compiling it is for the loop (KernelCompiler).

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

// Opens the editor with the text of the active pane's method. A built-in one becomes a copy; the pane that is not in view, B,
// shows the method itself. Offers to zoom to where they differ.
void edit_weights(AppState& state);

// The text was changed: the pane gets the new function, or keeps the last good one while something is wrong.
void type_weights(Scene& scene, WeightsUi& ui, const std::string& text);

// The editor shows the text of the active pane's method, if that is another one now. Of a built-in method, typing makes a
// copy.
void follow_weights(const Scene& scene, WeightsUi& ui);

// The text of the kernel in the editor while that is open, else that of the active pane's method, as typed; empty if the
// method is polar.
std::string own_method_text(const AppState& state);
bool has_own_text(const AppState& state);

// The path, with the ending of own_method_text() if it has none of a method.
std::string method_file(const AppState& state, const std::string& path);

// A path beside the active document, named after the active pane's method.
std::string method_path(const Scene& scene);

// Opens the window for the method of the active pane, or the kernel in the editor, with a path named after it.
void save_method(AppState& state);

// The active pane gets the weight function or the kernel of a file. The editor opens, and says what is wrong. Throws Error if
// that is no text, or if the editor cannot show it.
void open_method(AppState& state, const std::string& path);

// Parameters for which the formula has no weights are put back to `before`, with a message.
void check_parameters(Scene& scene, Messages& messages, const MethodParameters& before);

// Edits for the dialogs "How was this made?" and "Explain the difference": which images and recipes they are about, and what
// they found as panes.

// The open images that may have been resized or be a result: not those that were made here of others.
std::vector<const Document*> resizable_documents(const Scene& scene);

// Opens the dialog, and asks at once if it can.
void ask_how_it_was_made(AppState& state);
void ask_for_the_difference(AppState& state);

// Once per frame while the dialog is open: guesses the pair again when images have come or gone, unless it was chosen, and
// asks for the samples of those that have not been read. The image that the active pane shows is one of the pair; the other
// one shows the same, or was opened last. The smaller one is the result.
void follow_pair(AppState& state);

// Why it cannot be found out how the result was made, a sentence; empty if it can.
std::string why_no_pair(const Scene& scene, const IdentifyUi& pair);

// The image that recipes are compared on: the one that the active pane shows, or that it was made of.
const Document* explained_document(const Scene& scene);

// What the typed texts stand for.
struct ExplainedPair {
    std::string from, to;  // whole recipes
    Extent size;
    std::string problem = {};  // why they stand for nothing, a sentence
};
ExplainedPair explained_pair(const Scene& scene, const ExplainUi& ui);

// A picture that was made of an open image. Without samples, they are made when it is shown.
struct ResizedPicture {
    ResizedSource source;
    std::string label;
    std::shared_ptr<const Image> image = {};
};

// Pane A is the result, pane B the other picture as its difference to that, pixel by pixel. `largest`: difference, of 1; the
// colours of differences end there, unless it is 0.
void show_beside_result(AppState& state, const std::string& result, const ResizedPicture& made, double largest);

// A pane for each of these pictures, measured against the first.
void show_rungs(AppState& state, const std::vector<ResizedPicture>& rungs);

// The active pane shows the original by these weights.
void use_measured_weights(AppState& state, const std::string& original, const std::string& weights, bool antialiased);

// The first of the usual four methods, then of the menu, that no pane has; null if all have one.
const MethodInfo* method_without_pane(const Scene& scene);

}  // namespace texelscope
