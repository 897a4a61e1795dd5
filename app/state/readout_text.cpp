#include "app/state/readout_text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "app/state/pane_images.h"
#include "app/state/references.h"
#include "gpu/core/half.h"

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

std::string hex_text(const Readout& readout, SampleType type) {
    const auto rounded = [](float v, unsigned most) {
        return v == v ? unsigned(std::lround(double(std::clamp(v, 0.0f, 1.0f)) * most)) : 0u;
    };
    std::string text;
    for (int c = 0; c < readout.channels; ++c) {
        const float v = readout.stored[size_t(c)];
        if (c && type != SampleType::u8) text += ' ';
        switch (type) {
            case SampleType::u8: text += fmt::format("{:02X}", rounded(v, 255)); break;
            case SampleType::u16: text += fmt::format("{:04X}", rounded(v, 65535)); break;
            case SampleType::f16: text += fmt::format("{:04X}", float_to_half(v)); break;
            case SampleType::f32: text += fmt::format("{:08X}", std::bit_cast<uint32_t>(v)); break;
        }
    }
    return type == SampleType::u8 ? "#" + text : text;
}

std::string copied_text(const AppState& state) {
    const auto& readout = state.report.findings.readout;
    if (!readout) return {};
    const std::string y = shows_signal(state) ? "" : fmt::format(", {:.6f}", readout->position.y);
    return fmt::format("{:.6f}{}: stored {} interpolated {} ({})", readout->position.x, y,
                       value_text(readout->stored, readout->channels),
                       bracketed(readout->interpolated, readout->channels, 1, 6), to_string(shown_spec(state)));
}

}  // namespace texelscope
