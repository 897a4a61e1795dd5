#pragma once
// Where the panes are, with the images that they show.

#include <memory>
#include <optional>
#include <vector>

#include "app/state/app_state.h"

namespace texelscope {

// The panes in view, by index: all of them, the active one, or two under a wipe.
std::vector<int> panes_in_view(const Scene& scene);

// The pane that readouts refer to: under the cursor, or else the active one. Keys and the title refer to the active one.
int focused_pane(const AppState& state);

// What layout and image say of a pane, whatever its view.
struct PanePlace {
    std::shared_ptr<const Image> image;  // null if there is none

    // Framebuffer pixels; empty if the pane is not in view. All panes in view have the same size; under a wipe, the same
    // area, of which each one's visible part is one side of the divider.
    PixelRect rect, clip;

    Extent samples() const;  // of the image; empty if there is none
    Extent frame() const;    // that the image is seen in: its own unless it says otherwise
    Extent output() const { return {rect.width, rect.height}; }  // of its picture
    bool has_picture() const { return !samples().empty() && !rect.empty(); }
    bool signal() const { return image && image->one_dimensional(); }  // a row without height, which fills the picture
};

// The places of all panes, for those who look at several of them or several times.
struct PaneLayout {
    std::vector<int> in_view;
    std::vector<PanePlace> panes;

    const PanePlace& operator[](int pane) const;           // an empty one if there is no such pane
    std::optional<int> pane_at(double x, double y) const;  // whose visible part is at these framebuffer pixels
};
PaneLayout lay_out_panes(const AppState& state);

// The place of one pane, and its parts. The size of the output without `pane`: that of the focused one.
PanePlace place_of(const AppState& state, int pane);
PixelRect pane_rect(const AppState& state, int pane);
PixelRect pane_clip(const AppState& state, int pane);
Extent output_extent(const AppState& state, std::optional<int> pane = {});

// The position of the wipe's divider: columns (rows) of the picture that show A.
int wipe_at(const AppState& state);

}  // namespace texelscope
