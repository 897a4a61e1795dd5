#pragma once
// What a pane's label chip shows, by the size of the pane, and where. Lengths are window coordinates.

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace texelscope::gui {

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

// Where one of these has space at this level for no more than its shortest label, so have all: no method's id stands beside
// another's name.
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
    std::string mask;                // what hatching means; empty: nothing is hatched
    std::vector<std::string> marks;  // what single colours mean: "NaN"
    float text_size = 0;
    std::function<float(const std::string&)> width_of;
};

struct LegendPlan {
    struct Text {
        std::string text;
        float x = 0, y = 0;
        bool quiet = false;
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
