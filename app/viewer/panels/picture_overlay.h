#pragma once
// Parts of what is drawn over the picture. Internal to this folder.

#include <array>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/state/app_state.h"

namespace texelscope::panels {

// Framebuffer pixels to window coordinates.
ImVec2 on_window(double x, double y);

// Where something of this size begins in the lower left corner of an area, `taken` above its lower edge; above messages, the bar of
// what is under way, and minimap if those are in the way. Except for the area, all in window coordinates.
ImVec2 in_lower_left(const AppState& state, const PixelRect& area, ImVec2 size, float taken);

// Whether a difference is to be seen in the pane.
bool has_difference(const AppState& state, int pane);

// What labels leave it to the legend to say: what their figures are against, or that they show values instead.
struct LeftToLegend {
    bool figures = false, values = false;
};

// The label chips of all panes in view, in the upper left corners of their visible parts.
LeftToLegend draw_chips(const AppState& state, ImDrawList& draw);

// The legend in a lower left corner, of the picture area or of the first pane that shows a difference if others do not:
// the colours of differences, what these and the figures are against. `taken`: window coordinates of that corner's height
// that something else has.
void comparison_legend(const AppState& state, ImDrawList& draw, LeftToLegend left, float taken);

// In the lower left corner: how much of the picture is still to become sharper. Returns what is `taken` then.
float sharpening_sign(const AppState& state, ImDrawList& draw, float taken);

// The sign of a picture that is being read, once that takes longer than a moment.
void loading_sign(const AppState& state, ImDrawList& draw);

// The signs in panes that are being prepared, once that takes longer than a moment.
void preparing_signs(const AppState& state, ImDrawList& draw);

// From the samples of a pane's image to the window, for drawing over the picture.

// Indices of samples: x0 … x1, y0 … y1, ends included; empty if x1 < x0 or y1 < y0.
struct SampleRange {
    int x0 = 0, y0 = 0, x1 = -1, y1 = -1;
    bool empty() const { return x1 < x0 || y1 < y0; }
    int64_t count() const { return empty() ? 0 : int64_t(x1 - x0 + 1) * (y1 - y0 + 1); }
};

// A box from its upper left to its lower right corner, window coordinates.
using ScreenBox = std::pair<ImVec2, ImVec2>;

// The parts of a box that others do not cover, as adjoining boxes.
std::vector<ScreenBox> free_parts(ImVec2 low, ImVec2 high, const std::vector<ScreenBox>& covers);

class PaneMap {
public:
    // `affine`: output pixels of the pane to the samples in question, see shown_affine and current_affine.
    PaneMap(const AppState& state, int pane, const Affine& affine);

    // Window coordinates of a sample-space point, limited to what a draw list can take.
    ImVec2 at(Point sample) const;
    ImVec2 at_pixel(double i, double j) const;  // the same for a position in the picture; pixel i has its middle at i

    // The corners of the box x0 … x1, y0 … y1 of sample space, rotated with the view.
    std::array<ImVec2, 4> corners(double x0, double y0, double x1, double y1) const;

    // A box around the samples of a w × h image that the pane shows.
    SampleRange in_view(Extent image) const;

    float sample_size() const { return sample_size_; }  // window coordinates
    double reach() const { return reach_; }             // samples: from any point of the pane to beyond its edges

    // The visible part of the pane: under a wipe not all of it. Window coordinates.
    ImVec2 clip_low() const { return clip_low_; }
    ImVec2 clip_high() const { return clip_high_; }

    // Boxes that cover the picture: minimap and loupe show other samples.
    const std::vector<ScreenBox>& covers() const { return covers_; }

private:
    Affine affine_;
    PixelRect rect_;
    float ratio_, sample_size_;
    double reach_;
    ImVec2 clip_low_, clip_high_;
    std::vector<ScreenBox> covers_;
};

// Over the picture, for the pane under the cursor: the taps of its pixel.
void draw_taps(const AppState& state, ImDrawList& draw);

// Samples of the pane, as (x, y) in increasing order, on which numbers of taps are drawn instead of stored values.
std::vector<std::pair<int, int>> samples_with_tap_text(const AppState& state, int pane);

}  // namespace texelscope::panels
