#pragma once
// Figures as words: for sheets, tables and the viewer.

#include <string>

#include "app/text/value_text.h"

namespace texelscope {

// Negative numbers as they are shown: with a minus sign, not a hyphen.
inline std::string with_minus(std::string number) {
    if (number.starts_with('-')) number.replace(0, 1, "−");
    return number;
}

// Figures as words: for sheets, tables and the viewer.

// "RMSE" "0.0012" "", "PSNR" "58.2" "dB", "" "71" "µs".
struct Figure {
    std::string name, value, unit;
    bool is_cost = false;  // else an error
};

// What a pane is measured against, and so what its figures can tell.
struct Against {
    enum class Tells {
        difference,  // from another method or image: PSNR and SSIM say how large it is
        arithmetic,  // from its own method, exact: only what path, prefilter and float32 lose
        nothing      // it is the reference itself
    };
    Tells tells = Tells::difference;
    std::string name;  // of the reference, within a sentence: "cubic B-spline", "the original"
    // Both are widened, since the picture is shown smaller than it is: the reference has no more right than others, so
    // the figures tell how alike the two are and rank nothing.
    bool likeness = false;
};
inline constexpr const char* likeness_explained =
    "The picture is shown smaller than it is, and each method is widened against aliasing: figures say how much alike "
    "they are, not which is best. That is measured by Compare ▸ Which is best ▸ Reduce.";

// "against cubic B-spline", "likeness to cubic B-spline".
std::string against_words(const Against& against);

// "against cubic B-spline: 31.1 dB", "arithmetic error 2e-8", "is the reference". The RMSE of values in 0 … 1, or floats.
std::string figure_words(const Against& against, double psnr, double rmse, const ValueScale& scale = {});

Figure time_figure(double milliseconds);     // three digits in a suitable unit
std::string time_text(double milliseconds);  // "71.3 µs", "12 ms": three digits in a suitable unit
// "58.2", "∞". From 120 dB on, only the rounding of float32 is left, which ranks nothing: "> 120".
std::string psnr_text(double decibels);
std::string fine_psnr_text(double decibels);  // two decimals, where methods are closer than a tenth; "–" for NaN
bool only_rounding(double decibels);
std::string ssim_text(double ssim);         // four decimals: "0.9912"; "–" if there is none
std::string error_text(double error);       // three digits: "0.00120"
std::string arithmetic_text(double error);  // two digits, from 100 on all: "0.0012", "2e-8"

}  // namespace texelscope
