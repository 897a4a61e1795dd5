#include "app/state/tap_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/state/pane_images.h"
#include "app/state/readout_text.h"
#include "app/state/references.h"

namespace texelscope {
namespace {

constexpr int weight_digits = 6;

// Whole numbers without decimals: most samples are.
std::string factor_text(double value, const ValueScale& scale) {
    const double shown = value * scale.factor();
    if (std::isfinite(shown) && scale.factor() > 1 && std::abs(shown - std::round(shown)) < 1e-4)
        return with_minus(fmt::format("{:.0f}", std::round(shown) + 0.0));
    return with_minus(fmt::format("{:.{}f}", shown, scale.fine_decimals()));
}

std::string total_text(double value, const ValueScale& scale) {
    return with_minus(fmt::format("{:.{}f}", value * scale.factor(), scale.fine_decimals()));
}

}  // namespace

std::string formula_text(const TapReport& taps, int channel, const ValueScale& scale, size_t most) {
    const auto c = size_t(channel);
    std::string text;
    size_t terms = 0, left_out = 0;
    for (const Tap& tap : taps.taps) {
        if (tap.weight == 0) continue;
        if (terms == most) {
            ++left_out;
            continue;
        }
        const char* const sign = tap.weight < 0 ? (terms ? " − " : "−") : terms ? " + " : "";
        const std::string texel = factor_text(double(tap.texel[c]), scale);
        const bool negative = texel.starts_with("−");
        text += fmt::format("{}{:.{}f}·{}{}{}", sign, std::abs(tap.weight), weight_digits, negative ? "(" : "", texel,
                            negative ? ")" : "");
        ++terms;
    }
    if (left_out) text += fmt::format(" + … {} more", left_out);
    if (terms == 0) text = "0";
    text += " = " + total_text(taps.sum[c], scale);
    if (taps.linear_light) text += ", in sRGB " + total_text(double(taps.result[c]), scale);
    return text;
}

int shown_channel(const AppState& state, const TapReport& taps) {
    return std::clamp(state.ui.inspect.channel, 0, std::max(taps.channels - 1, 0));
}

std::string copied_formula(const AppState& state) {
    const auto& taps = state.report.findings.taps;
    if (!taps || taps->outside || !image_of(state.scene, taps->pane)) return {};
    const int channel = shown_channel(state, *taps);
    const std::string of = taps->channels > 1 ? fmt::format(", channel {}", channel + 1) : "";
    return fmt::format("{:.6f}, {:.6f}{}: {} ({})", taps->position.x, taps->position.y, of,
                       formula_text(*taps, channel, value_scale(state, taps->pane)),
                       shown_spec_text(shown_spec(state, taps->pane)));
}

}  // namespace texelscope
