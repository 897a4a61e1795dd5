#include "app/state/readout_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/references.h"
#include "app/state/shrunk_source.h"
#include "app/text/difference_text.h"
#include "gpu/core/half.h"

namespace texelscope {
std::string position_text(Point position, bool signal) {
    return signal ? fmt::format("{:.2f}", position.x) : fmt::format("{:.2f}, {:.2f}", position.x, position.y);
}

namespace {

// Of the integers that a picture was shrunk from; null for any other.
std::optional<SampleType> type_before_shrinking(const AppState& state, int pane) {
    const Document* document = document_of(state, state.scene.panes[size_t(pane)]);
    const auto shrunk = document ? parse_shrunk_source(document->source) : std::nullopt;
    const Document* original = shrunk ? document_named(state, shrunk->original) : nullptr;
    if (!original || !original->image) return {};
    const SampleType type = original->image->type();
    return is_normalised(type) ? std::optional(type) : std::nullopt;
}

bool is_transparent(const std::array<float, 4>& values, const Readout& readout, Alpha alpha) {
    return alpha != Alpha::none && readout.channels > 0 && values[size_t(readout.channels) - 1] == 0;
}

}  // namespace

ValueScale value_scale(const AppState& state, int pane) {
    const ValueUnit unit = state.ui.value_unit;
    if (const auto type = type_before_shrinking(state, pane)) {
        // Its values lie between the levels of 8 bits: they take the decimals of 16.
        const bool decimals = unit == ValueUnit::levels || unit == ValueUnit::fraction;
        return {unit, decimals ? SampleType::u16 : *type};
    }
    const auto image = image_of(state, pane);
    return {unit, image ? image->type() : SampleType::u8};
}

std::string stored_text(const Readout& readout, const ValueScale& scale, Alpha alpha) {
    if (is_transparent(readout.stored, readout, alpha)) return "transparent";
    return scale.stored(std::span(readout.stored).first(size_t(readout.channels)));
}

std::string interpolated_text(const Readout& readout, const ValueScale& scale, Alpha alpha) {
    if (is_transparent(readout.interpolated, readout, alpha)) return "transparent";
    return scale.between(std::span(readout.interpolated).first(size_t(readout.channels)));
}

std::string difference_text(const AppState& state, const Readout& readout, const ValueScale& scale) {
    if (!readout.compared) return {};
    const DifferenceKind kind = state.scene.difference.kind;
    const size_t channels = size_t(readout.channels);
    return fmt::format("{} {}", difference_formula(kind),
                       difference_text(kind, std::span(readout.compared->value).first(channels),
                                       std::span(readout.compared->reference).first(channels), scale));
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
            default: text += fmt::format("{:08X}", std::bit_cast<uint32_t>(v)); break;
        }
    }
    return type == SampleType::u8 ? "#" + text : text;
}

std::string copied_text(const AppState& state) {
    const auto& readout = state.report.findings.readout;
    if (!readout) return {};
    const std::string y = shows_signal(state) ? "" : fmt::format(", {:.6f}", readout->position.y);
    const ValueScale scale = value_scale(state, focused_pane(state));
    const std::string difference = difference_text(state, *readout, scale);
    return fmt::format("{:.6f}{}: {}{}stored {} interpolated {}{} ({})", readout->position.x, y, difference,
                       difference.empty() ? "" : " ", stored_text(*readout, scale), interpolated_text(*readout, scale),
                       scale.of_whole(), shown_spec_text(shown_spec(state)));
}

}  // namespace texelscope
