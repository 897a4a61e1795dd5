#pragma once
// The one legend of a picture area: what its colours and figures are against, and the colour bar of differences with the
// values at its ends. Lengths are window coordinates.

#include <functional>
#include <string>
#include <vector>

namespace texelscope::gui {

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
