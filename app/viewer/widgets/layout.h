#pragma once
// The positions of bars, panel and picture, and of the labels and legends of panes. Window coordinates; the picture in
// framebuffer pixels.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/state/interface.h"
#include "app/state/view_math.h"

namespace texelscope::gui {

// The positions of bars, panel and picture. Window coordinates; the picture in framebuffer pixels.

struct Box {
    float x = 0, y = 0, width = 0, height = 0;
    float right() const { return x + width; }
    float bottom() const { return y + height; }
    bool empty() const { return width < 1 || height < 1; }
    bool contains(const Box& other) const {
        return other.x >= x && other.y >= y && other.right() <= right() && other.bottom() <= bottom();
    }
    bool operator==(const Box&) const = default;
};

inline constexpr float min_panel_width = 280, min_dock_width = 320, min_picture_width = 200;  // units

// The largest share of the height for the text of a lesson below the picture.
inline constexpr float most_caption = 0.45f;

struct LayoutRequest {
    float width = 0, height = 0;  // of the window
    float scale = 1;              // window coordinates per unit
    float pixel_ratio = 1;
    float row_height = 26;     // of a menu or status bar, window coordinates
    float toolbar_height = 0;  // window coordinates; 0: none
    float panel_width = 320;   // units; it narrows if the picture would have less than half of the window
    float dock_width = 0;      // units, of the plots at the right, which narrow before the panel does; 0: none.
                               // In a window without space for either, they are over the picture
    float dock_least = min_dock_width;  // units; rather than that they are narrower, the panel is hidden
    bool panels = true;
    bool presenting = false;    // neither bars nor panel; plots and caption stay
    bool toolbar_over = false;  // then the toolbar is over the picture
    bool panel_first =
        false;  // if there is no space for panel and plots, the plots are hidden; in an upright window without
                // space for the panel, that is below the picture
    bool panel_over = false;    // a panel without space is over the picture; else it is hidden
    bool filmstrip = false;     // below the picture; hidden if the picture would have less than half of the height
    float caption_height = 0;   // window coordinates, below everything; 0: none
    float messages_width = 0;   // window coordinates, over the lower edge of the picture
    float messages_height = 0;  // over the lower edge of the picture; 0: none
    bool dialog = false;        // open: messages are at the lower edge of the window, and it gives way to them
    Box tool;                   // a tool window, which stays where it is: messages keep clear of it; empty: none
    Extent image;               // for the parity of the picture area
};

struct Layout {
    Box menu, toolbar, panel, dock, status, caption;  // empty: not shown
    Box filmstrip;                                    // as wide as the picture
    Box tools;                                        // between the bars and above the caption
    Box messages;  // over the picture, which they never resize, or over the lower edge
    Box handle;    // left of the picture: opens and closes a panel over it; empty if that has space
    PixelRect picture;
};

// The filmstrip's height with names, and without them in a low window.
inline constexpr float filmstrip_height = 112, bare_filmstrip_height = 92;  // units

Layout lay_out(const LayoutRequest& request);

// How a dialog gives way to messages: upwards, and lower if it must, as long as there are some: they hide nothing of it. Then
// back to where it was, unless it was moved since; but nothing moves away under the mouse.
class WayGiven {
public:
    // Where to put it, if it is elsewhere `now`. `lowest`: where messages begin; `pointed`: the mouse is on it.
    std::optional<Box> place(const Box& now, float highest, float lowest, bool messages, bool pointed);

private:
    Box before_;
    std::optional<Box> put_;
};

// What a pane's label chip shows, by the size of the pane, and where. Lengths are window coordinates.

struct ChipRequest {
    float width = 0, height = 0;       // of the visible part of the pane
    float scale = 1;                   // window coordinates per unit
    std::string badge;                 // "A"
    std::vector<std::string> labels;   // for less and less space
    std::vector<std::string> figures;  // the same; empty: none
    std::vector<std::string> values;   // the same, of the interpolated value; empty: not of interest
    bool at_cursor = false;            // the values are to be seen; else their space is kept free
    struct Font {
        float size = 0;
        std::function<float(const std::string&)> width;
    };
    Font text, small;  // small: in fixed width
};

struct ChipRow {
    std::string text;
    bool value = false;
    float y = 0, width = 0, height = 0;  // y from the upper edge of the pane
};

// The chip is at (inset, inset); its rows are below it.
struct ChipPlan {
    float inset = 0;
    bool compact = false;  // the label in the small font
    std::string label;     // cut at its end if none fits; may be empty
    float badge_width = 0, width = 0, height = 0, padding = 0;
    std::vector<ChipRow> rows;
    bool empty() const { return width <= 0; }
    float lowest() const { return rows.empty() ? inset + height : rows.back().y + rows.back().height; }
    float widest() const;
};

// How much a chip shows: 0, label, figure and value, for large panes; then a short label and one row, which is the value
// while the cursor is on the picture; the same in the small font; then only the label; then only the badge.
inline constexpr int chip_levels = 5;

// The first level with which it covers at most a fifth of the pane. The panes of a window share the highest of theirs.
int chip_level(const ChipRequest& request);
ChipPlan plan_chip(const ChipRequest& request, int level);

// Where one of these has space at this level for no more than its shortest label, so have all: labels of one kind stand beside
// each other.
void share_shortest_label(std::span<ChipRequest* const> requests, int level);

// The share of the pane that chip and rows cover, with the row of the value.
float covered_share(const ChipRequest& request, const ChipPlan& plan);

// The one legend of a picture area: what its colours and figures are against, and the colour bar of differences with the
// values at its ends. Lengths are window coordinates.

struct LegendRequest {
    float width = 0, height = 0;     // of the picture area
    float scale = 1;                 // window coordinates per unit
    std::vector<std::string> words;  // for less and less space
    std::string low, high;           // of the colour bar; empty: no bar
    std::vector<std::string> mask;   // what hatching means, for less and less space; empty: nothing is hatched
    std::vector<std::string> marks;  // what single colours mean: "NaN"
    float text_size = 0;
    std::function<float(const std::string&)> width_of;
};

struct LegendPlan {
    struct Text {
        std::string text;
        float x = 0, y = 0;
    };
    float width = 0, height = 0;
    std::vector<Text> texts;  // from the legend's upper left corner, like the bar
    float bar_x = 0, bar_y = 0, bar_width = 0, bar_height = 0;
    struct Swatch {
        float x = 0, y = 0, side = 0;
    };
    std::vector<Swatch> swatches;  // one for each mark
    bool empty() const { return width <= 0; }
};

// One row if there is space for it, else one for each part; never wider than the picture area. In a low one the mask goes
// first, then the words; the bar, its values and the marks are always there. Empty only without any of them.
LegendPlan plan_legend(const LegendRequest& request);

}  // namespace texelscope::gui
