#include "app/state/readout_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/text/text.h"
#include "gpu/core/half.h"

namespace texelscope {

std::string position_text(Point position, bool signal) {
    return signal ? fmt::format("{:.2f}", position.x) : fmt::format("{:.2f}, {:.2f}", position.x, position.y);
}

namespace {

// The type of the integers that a picture was shrunk from; empty for any other.
std::optional<SampleType> type_before_shrinking(const Scene& scene, int pane) {
    const Document* document = document_of(scene, scene.panes[size_t(pane)]);
    const auto shrunk = document ? parse_shrunk_source(document->source) : std::nullopt;
    const Document* original = shrunk ? document_named(scene, shrunk->original) : nullptr;
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
    if (const auto type = type_before_shrinking(state.scene, pane)) {
        // Its values lie between the levels of 8 bits: they take the decimals of 16.
        if (unit == ValueUnit::code && *type == SampleType::u8) return {ValueUnit::levels, SampleType::u16};
        const bool decimals = unit == ValueUnit::levels || unit == ValueUnit::fraction;
        return {unit, decimals ? SampleType::u16 : *type};
    }
    const auto image = image_of(state.scene, pane);
    return {unit, image ? image->type() : SampleType::u8};
}

std::string stored_text(const Readout& readout, const ValueScale& scale, Alpha alpha) {
    if (is_transparent(readout.stored, readout, alpha)) return "transparent";
    if (!readout.numbers.empty()) return scale.stored(readout.numbers);
    return scale.stored(std::span<const float>(readout.stored).first(size_t(readout.channels)));
}

std::string interpolated_text(const Readout& readout, const ValueScale& scale, Alpha alpha) {
    if (is_transparent(readout.interpolated, readout, alpha)) return "transparent";
    return scale.between(std::span(readout.interpolated).first(size_t(readout.channels)));
}

std::string difference_text(const Scene& scene, const Readout& readout, const ValueScale& scale) {
    const DifferenceKind kind = scene.difference.kind;
    if (is_map(kind)) return readout.map ? map_value_text(kind, double(*readout.map)) : "";
    if (!readout.compared) return {};
    const size_t channels = size_t(readout.channels);
    return fmt::format("{} {}", row_of(kind).formula,
                       difference_text(kind, std::span(readout.compared->value).first(channels),
                                       std::span(readout.compared->reference).first(channels), scale));
}

namespace {

// A channel's stored number, or the closest that is known, for types other than u8, u16 and half floats.
StoredNumber number_at(const Readout& readout, int channel, SampleType type) {
    if (!readout.numbers.empty()) return readout.numbers[size_t(channel)];
    const float value = readout.stored[size_t(channel)];
    if (type == SampleType::f64) return double(value);
    if (is_float(type)) return value;
    return int64_t(std::clamp(value, -0x1p62f, 0x1p62f));
}

std::string bits_text(const StoredNumber& number, SampleType type) {
    const uint64_t bits = std::visit(
        [&](auto value) -> uint64_t {
            if constexpr (std::is_same_v<decltype(value), float>) return std::bit_cast<uint32_t>(value);
            else if constexpr (std::is_same_v<decltype(value), double>) return std::bit_cast<uint64_t>(value);
            else return uint64_t(value);
        },
        number);
    const int digits = 2 * bytes_per_sample(type);
    return fmt::format("{:0{}X}", digits < 16 ? bits & ((uint64_t(1) << 4 * digits) - 1) : bits, digits);
}

}  // namespace

std::string integers_text(const Readout& readout) {
    if (readout.numbers.empty() || !std::holds_alternative<int64_t>(readout.numbers.front())) return {};
    std::string text;
    for (const StoredNumber& number : readout.numbers) text += (text.empty() ? "" : " ") + text_of(number);
    return text;
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
            default: text += bits_text(number_at(readout, c, type), type); break;
        }
    }
    return type == SampleType::u8 ? "#" + text : text;
}

void report_focused_readout(AppState& state) {
    Findings& findings = state.report.findings;
    const int focused = focused_pane(state);
    findings.readout = findings.panes[size_t(focused)].readout;
    if (findings.readout)
        findings.last_readout =
            LastReadout{focused, image_of(state.scene, focused), shown_spec(state, focused), *findings.readout};
}

namespace {

struct CopiedReadout {
    int pane = 0;
    const Readout* readout = nullptr;
};

CopiedReadout readout_to_copy(const AppState& state) {
    const Findings& findings = state.report.findings;
    if (findings.readout) return {focused_pane(state), &*findings.readout};
    const auto& last = findings.last_readout;
    if (!last || state.pointer.inside) return {};
    const auto image = last->image.lock();
    const bool same =
        image && image == image_of(state.scene, last->pane) && shown_spec(state, last->pane) == last->spec;
    return same ? CopiedReadout{last->pane, &last->readout} : CopiedReadout{};
}

}  // namespace

std::string copied_text(const AppState& state) {
    const auto [pane, readout] = readout_to_copy(state);
    if (!readout) return {};
    const std::string y = shows_signal(state, pane) ? "" : fmt::format(", {:.6f}", readout->position.y);
    const ValueScale scale = value_scale(state, pane);
    const std::string difference = difference_text(state.scene, *readout, scale);
    return fmt::format("{:.6f}{}: {}{}stored {} interpolated {}{} ({})", readout->position.x, y, difference,
                       difference.empty() ? "" : " ", stored_text(*readout, scale), interpolated_text(*readout, scale),
                       scale.of_whole(), shown_spec_text(shown_spec(state, pane)));
}

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

const char* resting_word(const AppState& state) {
    const Report& report = state.report;
    return report.frame.preparing.to_come > 0      ? "reading"
           : !report.frame.preparing.panes.empty() ? "preparing"
           : report.saving.running() || state.work ? "saving"
           : report.background.running()           ? "working"
           : report.findings.measuring             ? "measuring"
                                                   : "idle";
}

}  // namespace texelscope
