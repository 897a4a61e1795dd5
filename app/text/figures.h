#pragma once
// Figures as words: for sheets, tables and the viewer.

#include <string>

namespace texelscope {

// "RMSE" "0.0012" "", "PSNR" "58.2" "dB", "" "71" "µs".
struct Figure {
    std::string name, value, unit;
    bool is_cost = false;  // else an error
};

Figure time_figure(double milliseconds);     // three digits in a suitable unit
std::string time_text(double milliseconds);  // "71.3 µs", "12 ms": three digits in a suitable unit
std::string psnr_text(double decibels);      // "58.2", "∞"
std::string ssim_text(double ssim);          // "0.9912", "0.999987", "1", "–" if there is none
std::string error_text(double error);        // three digits: "0.00120"

}  // namespace texelscope
