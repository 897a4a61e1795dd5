#include "app/text/typed_number.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "gpu/core/ascii.h"

namespace texelscope {
namespace {

std::string words(double value, const NumberRange& range) {
    return fmt::format("{}{:g}{}", value < 0 ? "−" : "", std::abs(value), range.unit);
}

}  // namespace

std::optional<double> number_in(std::string_view text) {
    text = trimmed(text);
    constexpr std::string_view minus = "−";
    if (text.starts_with(minus)) {
        const auto rest = number_in(text.substr(minus.size()));
        return rest ? std::optional(-*rest) : std::nullopt;
    }
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
    return value;
}

TypedNumber typed_number(std::string_view text, const NumberRange& range) {
    text = trimmed(text);
    const std::string limits = fmt::format("from {} to {}{}", words(range.low, range), words(range.high, range),
                                           range.zero ? "" : ", but not 0");
    const std::optional<double> value = number_in(text);
    if (!value || (range.whole && *value != std::round(*value)))
        return {
            {},
            fmt::format("“{}” is no {}; type a {}number {}.", text, range.name, range.whole ? "whole " : "", limits)};
    if (!(*value >= range.low && *value <= range.high) || (*value == 0 && !range.zero))
        return {{}, fmt::format("The {} can be {}.", range.name, limits)};
    return {value, ""};
}

}  // namespace texelscope
