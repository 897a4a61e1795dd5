#include "app/text/figures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace texelscope {

std::string figure_words(const Against& against, double psnr, double rmse) {
    switch (against.tells) {
        case Against::Tells::difference: return fmt::format("against {}: {} dB", against.name, psnr_text(psnr));
        case Against::Tells::arithmetic: return "arithmetic error " + arithmetic_text(rmse);
        case Against::Tells::nothing: return "is the reference";
    }
    return "";
}

Figure time_figure(double ms) {
    if (ms < 1) return {"", fmt::format("{:.3g}", ms * 1000), "µs", true};
    if (ms < 1000) return {"", fmt::format("{:.3g}", ms), "ms", true};
    return {"", fmt::format("{:.3g}", ms / 1000), "s", true};
}

std::string time_text(double milliseconds) {
    const Figure figure = time_figure(milliseconds);
    return figure.value + " " + figure.unit;
}

std::string psnr_text(double decibels) { return std::isfinite(decibels) ? fmt::format("{:.1f}", decibels) : "∞"; }

std::string ssim_text(double ssim) {
    if (std::isnan(ssim)) return "–";
    if (ssim == 1) return "1";
    // Near 1, as many digits as distinguish it from 1, up to six.
    const double gap = 1 - ssim;
    const int digits = gap < 1e-3 && gap >= 1e-6 ? std::min(int(std::ceil(-std::log10(gap))) + 1, 6) : 4;
    return fmt::format("{:.{}f}", ssim, digits);
}

std::string error_text(double error) {
    if (error == 0) return "0";
    return error < 100 ? fmt::format("{:#.3g}", error) : fmt::format("{:.4g}", error);
}

std::string arithmetic_text(double error) {
    std::string text = fmt::format("{:.2g}", error);
    const size_t exponent = text.find("e-0");
    if (exponent != text.npos) text.erase(exponent + 2, 1);
    return text;
}

}  // namespace texelscope
