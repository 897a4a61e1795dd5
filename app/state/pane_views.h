#pragma once
// The views of panes: which sample-space points their pixels show. Without `pane`: of the focused one.

#include <optional>

#include "app/state/app_state.h"

namespace texelscope {

// The view on the screen at this moment: the document's, or the animation towards it.
View shown_view(const AppState& state);

// The relation of a linked pane's view to that of the current document (see with_offset): its offset, and the sizes of
// both images.
View view_offset(const Scene& scene, int pane);

// A pane's view: that of the current document with the pane's offset, or its own. target_view: at the end of any
// animation.
View pane_view(const AppState& state, std::optional<int> pane = {});
View target_view(const Scene& scene, int pane);

// Output pixels to sample space under its view, before any warp.
Affine shown_affine(const AppState& state, std::optional<int> pane = {});

// Output pixels to the sample space of the current image, whatever image the pane shows: for regions and lines.
Affine current_affine(const AppState& state, std::optional<int> pane = {});

// shown_affine as rendered: every row of a signal's picture reads its only row.
Affine read_affine(const AppState& state, std::optional<int> pane = {});

// The scene's warp; none for a signal, which has no plane to warp.
Warp acting_warp(const AppState& state, std::optional<int> pane = {});

// The sample-space point that an output pixel reads, warped if there is a warp.
Point shown_point(const AppState& state, double i, double j, std::optional<int> pane = {});

// How a pane's values become colours: the scene's settings, with the levels of the image that the pane shows.

// Levels of a document: the user's, else those of its data, else 0 and 1.
Levels levels_of(const Document& document);

// Settings that act on a pane: the locked levels, or those of its image; marks only if there is something to mark.
Levels levels_of(const Scene& scene, int pane);
DisplaySettings display_of(const Scene& scene, int pane);

// Whether the pane's levels are those that were found in its data.
bool shows_levels_of_data(const Scene& scene, int pane);

}  // namespace texelscope
