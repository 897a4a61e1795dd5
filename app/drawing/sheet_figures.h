#pragma once
// The figures and the legend of a pane on a sheet.

#include <string>
#include <vector>

#include "app/drawing/sheet.h"
#include "app/text/figures.h"

namespace texelscope {

std::vector<Figure> figures_of(const SheetPane& pane);

// "signed difference", and the values at the ends of its colour map: "−0.125", "0.125".
struct LegendText {
    std::string title, low, middle, high;  // no middle: the map starts at 0
};
LegendText legend_text(const DifferenceSettings& difference, const ValueScale& scale = {});

}  // namespace texelscope
