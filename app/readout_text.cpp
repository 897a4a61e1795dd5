#include "app/readout_text.h"

#include <cmath>

#include <fmt/format.h>

namespace texelscope {
namespace {

std::string bracketed(const std::array<float, 4>& value, int channels, double factor, int decimals) {
    std::string text = "[";
    for (int c = 0; c < channels; ++c) {
        const double v = value[size_t(c)] * factor;
        const bool plain = std::abs(v) < 99999.5 || !std::isfinite(v);
        text += (c ? " " : "") + (plain ? fmt::format("{:.{}f}", v, decimals) : fmt::format("{:.3e}", v));
    }
    return text + "]";
}

}  // namespace

std::string position_text(Point position, bool signal) {
    return signal ? fmt::format("{:.2f}", position.x) : fmt::format("{:.2f}, {:.2f}", position.x, position.y);
}

std::string value_text(const std::array<float, 4>& value, int channels) { return bracketed(value, channels, 1, 3); }

std::string native_value_text(const std::array<float, 4>& value, int channels, SampleType type) {
    switch (type) {
        case SampleType::u8: return bracketed(value, channels, 255, 2);
        case SampleType::u16: return bracketed(value, channels, 65535, 1);
        default: return bracketed(value, channels, 1, 6);
    }
}

std::string copied_text(const AppState& state) {
    const auto& readout = state.report.readout;
    if (!readout) return {};
    const std::string y = shows_signal(state) ? "" : fmt::format(", {:.6f}", readout->position.y);
    return fmt::format("{:.6f}{}: stored {} interpolated {} ({})", readout->position.x, y,
                       value_text(readout->stored, readout->channels),
                       bracketed(readout->interpolated, readout->channels, 1, 6), to_string(shown_spec(state)));
}

}  // namespace texelscope
