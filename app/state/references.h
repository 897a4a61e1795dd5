#pragma once
// The specs that panes are computed with, and those of their references.

#include <optional>

#include "app/state/app_state.h"

namespace texelscope {

// The spec on the screen: the pane's, or that of its reference while Shift is held. Without `pane`: of the focused one.
MethodSpec shown_spec(const AppState& state, std::optional<int> pane = {});

// Whether the pane is antialiased when it zooms out, ignoring drafts. Without `pane`: the focused one.
bool antialiases(const AppState& state, std::optional<int> pane = {});

// Whether its reference is on the screen instead of it: Shift is held over it.
bool shows_reference(const AppState& state, int pane);

// The pane that this one is compared with, or Pane::reference_pane: the scene's reference. Its figure and its difference
// are both against that.
int compared_with(const Scene& scene, int pane);

// The spec that a pane's reference, or the pane it is compared with, is computed with.
MethodSpec reference_spec(const Scene& scene, int pane);

// The method of `spec` computed with exact weights and exact coefficients.
MethodSpec reference_of(const MethodSpec& spec);

// Whether rendering with this spec differs from its reference only by float32's rounding: not with a prefilter that is
// cut off or missing, nor with the texture unit's weights, unless the weights come from a table (`widened`).
bool only_rounds(const MethodSpec& spec, bool widened);

// Whether a pane with spec `shown` computes the reference itself, except for that rounding.
bool is_reference(const MethodSpec& shown, const MethodSpec& reference, bool widened);

// The reference unless one is chosen, in the viewer and on the command line: the quintic B-spline, of order 6, as all that is
// written about figures has it.
Reference default_reference();

}  // namespace texelscope
