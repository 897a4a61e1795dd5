#pragma once
// The figures of a pane as words: for sheets, tables and the viewer.

#include <string>
#include <vector>

#include "app/drawing/sheet.h"

namespace texelscope {

// "RMSE" "0.0012" "", "PSNR" "58.2" "dB", "" "71" "µs".
struct Figure {
    std::string name, value, unit;
    bool is_cost = false;  // else an error
};
std::vector<Figure> figures_of(const SheetPane& pane);

std::string time_text(double milliseconds);  // "71.3 µs", "12 ms": three digits in a suitable unit
std::string psnr_text(double decibels);  // "58.2", "∞"
std::string ssim_text(double ssim);      // "0.9912", "0.999987", "1", "–" if there is none
std::string error_text(double error);    // three digits: "0.00120"

// "signed difference", and the values at the ends of its colour map: "−0.125", "0.125".
struct LegendText {
    std::string title, low, middle, high;  // no middle: the map starts at 0
};
LegendText legend_text(const DifferenceSettings& difference);

}  // namespace texelscope
