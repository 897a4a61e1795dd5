#pragma once
// From the state to pictures: what a pane shows, and a frame of all panes, with how it is drawn.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/rendition.h"
#include "app/state/app_state.h"
#include "app/state/panes.h"
#include "app/text/text.h"
#include "gpu/backend/request.h"

namespace texelscope {

// A pane's rendering: the state must have its image and a picture area, and what its figure and its difference are against: the scene's reference, or another pane. Empty
// if the image of that is not available (yet), or if the pane has none.
Rendition pane_rendition(const AppState& state, const PanePlace& place, int pane);
inline Rendition pane_rendition(const AppState& state, int pane) {
    return pane_rendition(state, place_of(state, pane), pane);
}
std::optional<Rendition> reference_rendition(const AppState& state, int pane);
inline RenderRequest pane_request(const AppState& state, int pane) { return pane_rendition(state, pane).request; }

// Whether the pane's image is the samples of a function.
bool has_formula(const Scene& scene, int pane);

// Why a pane has no reference, one sentence: its image is no function, or shows another field; empty if it has one.
std::string why_no_reference(const AppState& state, int pane);

// The visible content of a pane: the rendering itself, a difference, or its reference while Shift is held.
PanePicture pane_picture(const AppState& state, const PaneLayout& layout, int pane);
inline PanePicture pane_picture(const AppState& state, int pane) {
    return pane_picture(state, lay_out_panes(state), pane);
}

// Whether the pane is to show its difference: not if it is what others are compared with, the first of two that are
// compared with each other, or the reference itself, unless it is alone in view. Then it keeps its picture.
bool shows_difference(const AppState& state, int pane);

// Why a pane cannot show its difference; empty if it can, or if it shows none.
std::string why_no_difference(const AppState& state, int pane);

// The selected region for measuring a pane; empty: the whole picture.
std::optional<MeasureJob::Selection> measured_selection(const AppState& state, int pane);

// The whole image, small, in a corner of the picture while the view is zoomed in.

struct Minimap {
    int pane = 0;           // the pane whose image it shows
    PixelRect place;        // framebuffer pixels
    RenderRequest request;  // of the whole image
};

// Empty if it is switched off, the whole image is in view, or there is no space. `pixel_scale`: framebuffer pixels per
// unit of the interface.
std::optional<Minimap> minimap_of(const AppState& state, const PaneLayout& layout, float pixel_scale);
inline std::optional<Minimap> minimap_of(const AppState& state, float pixel_scale) {
    return minimap_of(state, lay_out_panes(state), pixel_scale);
}

// The sample-space point of the image under a framebuffer position.
Point image_point(const Minimap& minimap, Extent image, double x, double y);

// The inverse: framebuffer position of a sample-space point.
Point map_point(const Minimap& minimap, Extent image, Point p);

// The corners of the part of the image that its pane shows, framebuffer pixels. However far the view has gone and however
// deep it is, at least so many pixels of it are on the minimap in each direction.
std::array<Point, 4> seen_on_minimap(const AppState& state, const Minimap& minimap, double least);

// A frame: what to render, and how to draw it.

// One picture in the pixel buffer.
struct PlacedPicture {
    PanePicture picture;
    size_t offset = 0;  // bytes into the pixel buffer
    int pane = 0;       // its pane and timer; minimap: those of the minimap

    // Where it is drawn, framebuffer pixels.
    PixelRect place;  // of the picture's size
    PixelRect clip;   // the visible part; under a wipe not all of it

    static constexpr int minimap = max_panes;
    size_t bytes() const { return size_t(picture.shown.request.width) * size_t(picture.shown.request.height) * 4; }

    // Whether the buffer holds the same, however it is drawn.
    bool operator==(const PlacedPicture&) const = default;
    bool same_pixels(const PlacedPicture& other) const { return offset == other.offset && picture == other.picture; }
};

// The loupe over a picture.
struct Loupe {
    int x = 0, y = 0;  // output pixel of each pane
    int radius = 0;    // output pixels; 0: none
    int magnification = 8;
    bool operator==(const Loupe&) const = default;
};

struct FramePlan {
    std::vector<PlacedPicture> pictures;  // drawn in this order; empty: only the background
    Loupe loupe;
    bool draft = false;  // for a moment, while the picture moves

    size_t bytes() const { return pictures.empty() ? 0 : pictures.back().offset + pictures.back().bytes(); }
    bool operator==(const FramePlan&) const = default;
    bool same_pixels(const FramePlan& other) const;
};

// `pixel_scale`: framebuffer pixels per unit of the interface.
FramePlan plan_frame(const AppState& state, float pixel_scale);

// Panes in words.

// The contents of a pane in full, by default of the focused one:
// "Cubic B-spline · exact prefilter · antialiased · swirl 180°".
std::string shown_words(const AppState& state, std::optional<int> pane = {});

// What a pane's figure and difference are against, within a sentence: "quintic B-spline", "the original", "its exact
// result"; the name of another pane, "A".
std::string reference_name(const Scene& scene, int pane);

// What is on the screen while Shift is held over a pane: "reference · the formula"; or that it has none, and why.
std::string reference_label(const AppState& state, int pane);

// What a pane's figure and difference are against, in full: "quintic B-spline, exact, in float64".
std::string reference_words(const AppState& state, int pane);

// What the value of a pane's difference means: a sentence.
std::string difference_meaning(const AppState& state, int pane);

// The scene's reference in full, whatever a pane is against instead; an image as the active pane sees it.
std::string scene_reference_words(const Scene& scene);

// The method with what matters: settings that are not its default, or in which panes in view differ. "Cubic B-spline",
// "Cubic B-spline · no prefilter", "Bilinear · antialiased" beside one that is not; or the label given to it. The whole
// is in shown_words().
std::string pane_label(const AppState& state, int pane);

// Only what tells panes apart while the panels are hidden: "Cubic B-spline", "difference · Bilinear", or the label given
// to it.
std::string short_label(const AppState& state, int pane);

// Names of a pane for less and less space: pane_label; of that, what not all panes have in common; short_label.
std::vector<std::string> pane_labels(const AppState& state, int pane);

// What is read at the cursor. A lesson sets it to a position, which is seldom the middle of a pixel; the mouse points at a
// pixel.

// How far the cursor is from the middle of that pixel of the pane, in pixels; 0, 0 for a mouse, and for a pane that shows
// something else there.
Point cursor_in_pixel(const AppState& state, int pane, int i, int j);

// Moves what all pixels of a picture read by so many of them.
void move_pixels(PanePicture& picture, Point by);

// The figures of panes in words, always with what they are measured against.

// What the pane is measured against.
Against against_of(const AppState& state, int pane);

// "12.5, 40": where the pane's picture has its largest error, in samples of the image.
std::string place_of_largest(const AppState& state, int pane, const Metrics& metrics);

// What all panes in view that show a difference, or with `figures` also those with a figure, are against:
// "quintic B-spline". Empty if there is none, or if they are not all against the same.
std::string shared_reference(const AppState& state, bool figures);

// A pane's figure for less and less space: "against cubic B-spline: 31.1 dB", "31.1 dB". The latter only if what that
// is against is named elsewhere. Zoomed out: "likeness to cubic B-spline: 31.1 dB". Empty before it is known.
enum class Named { here, elsewhere };
std::vector<std::string> chip_figures(const AppState& state, int pane, Named named);

// What colours and decibels of the panes mean, for less and less space: "Difference and dB against quintic B-spline",
// zoomed out "dB against quintic B-spline: likeness, not quality".
// Empty if there is nothing to say.
std::vector<std::string> comparison_words(const AppState& state, bool differences, bool figures);

// How many decimals the PSNR of all panes has: one; two or three if panes in view that differ would read alike with fewer.
int psnr_decimals(const AppState& state);

// The one figure that tells most: "40.3 dB", "error 2e-8", "reference"; empty before it is known.
std::string short_figure(const AppState& state, int pane);

// What is to be known of figures against the formula of an image: pixels that are not measured, and that its samples are
// rounded while the formula is not. Whole sentences, one per line; empty if there is nothing to say.
std::string truth_remarks(SampleType samples, const Metrics& metrics);

// Which pixels of the image in the pane are left out of its figures: one sentence, empty if there are none.
std::string left_out_words(const AppState& state, int pane, const Metrics& metrics);

// Several lines: what was measured, against which reference, over which part and how many pixels; time and cost.
std::string figures_explained(const AppState& state, int pane);

}  // namespace texelscope
