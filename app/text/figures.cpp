#include "app/text/figures.h"

#include <cmath>

#include <fmt/format.h>

namespace texelscope {

std::string against_words(const Against& against) {
    return (against.likeness ? "likeness to " : "against ") + against.name;
}

std::string figure_words(const Against& against, double psnr, double rmse, const ValueScale& scale) {
    switch (against.tells) {
        case Against::Tells::difference:
            if (std::isnan(psnr)) return fmt::format("{}: RMSE {}", against_words(against), scale.error(rmse));
            return fmt::format("{}: {} dB", against_words(against), psnr_text(psnr));
        case Against::Tells::arithmetic:
            return "arithmetic error " + arithmetic_text(rmse * scale.factor()) + scale.of_whole();
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

bool only_rounding(double decibels) { return decibels >= 120; }

std::string psnr_text(double decibels) {
    if (std::isnan(decibels)) return "–";
    if (!std::isfinite(decibels)) return "∞";
    return only_rounding(decibels) ? "> 120" : fmt::format("{:.1f}", decibels);
}

std::string fine_psnr_text(double decibels) {
    if (std::isnan(decibels)) return "–";
    return only_rounding(decibels) ? psnr_text(decibels) : fmt::format("{:.2f}", decibels);
}

std::string ssim_text(double ssim) { return std::isnan(ssim) ? "–" : fmt::format("{:.4f}", ssim); }

std::string error_text(double error) {
    if (error == 0) return "0";
    return error < 100 ? fmt::format("{:#.3g}", error) : fmt::format("{:.4g}", error);
}

std::string arithmetic_text(double error) {
    if (error >= 100) return fmt::format("{:.0f}", error);
    std::string text = fmt::format("{:.2g}", error);
    const size_t exponent = text.find("e-0");
    if (exponent != text.npos) text.erase(exponent + 2, 1);
    return text;
}

}  // namespace texelscope
