#pragma once
// The panes: the images that they show, where they are, their views, the specs of theirs and of their references.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/app_state.h"

namespace texelscope {

// The images that panes show.

// The document a pane shows, and its image; null if there is none.
const Document* document_of(const Scene& scene, const Pane& pane);
const Document* document_named(const Scene& scene, const std::string& source);
std::shared_ptr<const Image> image_of(const Scene& scene, int pane);

// Size of a pane's image; empty if there is none. Without `pane`: of the focused one.
Extent image_extent(const AppState& state, std::optional<int> pane = {});

// Whether its image is a signal: a row without height, which fills the picture. Without `pane`: of the focused one.
bool shows_signal(const AppState& state, std::optional<int> pane = {});

// Where the panes are, with the images that they show.

// The panes in view, by index: all of them, the active one, or two under a wipe.
std::vector<int> panes_in_view(const Scene& scene);

// The pane that readouts refer to: under the cursor, or else the active one. Keys and the title refer to the active one.
int focused_pane(const AppState& state);

// What is known of a pane at this moment: its image, where its picture is, and under which view. To be asked for once, and
// not kept: it points into the scene.
struct PanePlace {
    const Document* document = nullptr;  // that it shows; null if there is none
    std::shared_ptr<const Image> image;  // of it; null if there is none

    // Framebuffer pixels; empty if the pane is not in view. All panes in view have the same size; under a wipe, the same
    // area, of which each one's visible part is one side of the divider.
    PixelRect rect, clip;

    // The pane's own view, or that of the current document with `offset`: now, as on the screen; at the end of any animation.
    View view, target;
    View offset;  // the pane's, and the ratio of the sizes of both images (see with_offset)

    Extent samples() const;  // of the image; empty if there is none
    Extent frame() const;    // that the image is seen in: its own unless it says otherwise
    Extent output() const { return {rect.width, rect.height}; }  // of its picture
    bool has_picture() const { return !samples().empty() && !rect.empty(); }
    bool signal() const { return image && image->one_dimensional(); }  // a row without height, which fills the picture
    Affine affine() const;  // output pixels to sample space under `view`, before any warp
};

// All panes. What is asked of the state's panes is found here, and handed on.
struct PaneLayout {
    std::vector<int> in_view;
    std::vector<PanePlace> panes;

    const PanePlace& operator[](int pane) const;           // an empty one if there is no such pane
    std::optional<int> pane_at(double x, double y) const;  // whose visible part is at these framebuffer pixels
};
PaneLayout lay_out_panes(const AppState& state, std::optional<int> only = {});  // `only`: all others are empty

// One pane, and its parts. The size of the output without `pane`: that of the focused one.
inline PanePlace place_of(const AppState& state, int pane) { return lay_out_panes(state, pane)[pane]; }
inline PixelRect pane_rect(const AppState& state, int pane) { return place_of(state, pane).rect; }
inline PixelRect pane_clip(const AppState& state, int pane) { return place_of(state, pane).clip; }
Extent output_extent(const AppState& state, std::optional<int> pane = {});

// The position of the wipe's divider: columns (rows) of the picture that show A.
int wipe_at(const AppState& state);

// The views of panes: which sample-space points their pixels show. Without `pane`: of the focused one.

// The view on the screen at this moment: the document's, or the animation towards it.
View shown_view(const AppState& state);

// A pane's view on the screen (PanePlace::view).
View pane_view(const AppState& state, std::optional<int> pane = {});

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
DisplaySettings display_of(const Scene& scene, const Document* shown);  // null: none

// Whether the pane's levels are those that were found in its data.
bool shows_levels_of_data(const Scene& scene, int pane);

// The specs that panes are computed with, and those of their references.

// The spec on the screen: the pane's, or that of its reference while Shift is held. Without `pane`: of the focused one.
MethodSpec shown_spec(const AppState& state, std::optional<int> pane = {});

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

// The colours that a kind of difference begins with: those of maps of errors are of one number, from 0 on.
DifferenceSettings usual_difference(DifferenceKind kind);

// Where a pane's picture is, when the view has left it.

// From the middle of the visible part of a pane to the nearest point of its picture, output pixels.
struct WayToPicture {
    double x = 0, y = 0;
    double length() const;
};

// Empty if some of the picture is in view, or the image is extended beyond its edges, or warped, or there is none.
std::optional<WayToPicture> way_to_picture(const AppState& state, int pane);

}  // namespace texelscope
