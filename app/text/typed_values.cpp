#include "app/text/typed_values.h"

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "gpu/core/text.h"

namespace texelscope {
namespace {

// Width or height of an output: only digits, 1 … max_image_side.
std::optional<int> parse_side(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > max_image_side) return {};
    return value;
}

void check_factor(std::string_view option, double value, std::string_view text) {
    if (!(value >= 1.0 / max_image_side && value <= double(max_image_side)))
        throw UsageError(
            fmt::format("{} must be from 1/{} to {}, not '{}'", option, max_image_side, max_image_side, text));
}

}  // namespace

double parse_real(std::string_view option, std::string_view text) {
    std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
        throw UsageError(fmt::format("{} must be a finite number, not '{}'", option, text));
    return value;
}

double parse_positive(std::string_view option, std::string_view text) {
    const double value = parse_real(option, text);
    if (!(value > 0)) throw UsageError(fmt::format("{} must be above 0, not '{}'", option, text));
    return value;
}

double parse_factor(std::string_view option, std::string_view text) {
    const double value = parse_real(option, text);
    check_factor(option, value, text);
    return value;
}

Point parse_pair(std::string_view option, std::string_view text) {
    const size_t comma = text.find(',');
    if (comma != text.rfind(','))
        throw UsageError(fmt::format("{} must be one number, or two separated by a comma, not '{}'", option, text));
    const double first = parse_real(option, text.substr(0, comma));
    return {first, comma == text.npos ? first : parse_real(option, text.substr(comma + 1))};
}

Point parse_factors(std::string_view option, std::string_view text) {
    const Point factors = parse_pair(option, text);
    for (const double factor : {factors.x, factors.y}) check_factor(option, factor, text);
    return factors;
}

Extent parse_size(std::string_view option, std::string_view text) {
    const size_t cross = text.find_first_of("xX");
    if (cross != text.npos) {
        const auto width = parse_side(text.substr(0, cross));
        const auto height = parse_side(text.substr(cross + 1));
        if (width && height) return {*width, *height};
    }
    throw UsageError(fmt::format("{} must be WIDTHxHEIGHT with sides from 1 to {}, for example 640x480, not '{}'",
                                 option, max_image_side, text));
}

bool parse_on_off(std::string_view option, std::string_view text) {
    if (text != "on" && text != "off") throw UsageError(fmt::format("{} must be on or off, not '{}'", option, text));
    return text == "on";
}

Warp parse_warp(std::string_view option, std::string_view text) {
    const size_t colon = text.find(':');
    const auto kind = parse_choice<Warp::Kind>(option, text.substr(0, colon), std::span(all_warps).subspan(1));
    const WarpInfo info = info_of(kind);
    if (colon == text.npos) return {kind, info.standard};
    const double strength = parse_real(fmt::format("{} {}", option, info.name), text.substr(colon + 1));
    if (!(strength >= info.minimum && strength <= info.maximum))
        throw UsageError(fmt::format("{} {}: the strength must be from {} to {}{}{}, not '{}'", option, info.name,
                                     info.minimum, info.maximum, info.unit.empty() ? "" : " ", info.unit,
                                     text.substr(colon + 1)));
    return {kind, strength};
}

std::string warp_help() {
    std::string text;
    for (const Warp::Kind kind : std::span(all_warps).subspan(1)) {
        const WarpInfo info = info_of(kind);
        text += fmt::format("{}{} ({}{}{} to {}, default {})", text.empty() ? "" : ", ", info.name, info.unit,
                            info.unit.empty() ? "" : ", ", info.minimum, info.maximum, info.standard);
    }
    return text;
}

std::string either(std::span<const std::string_view> words) {
    std::string text;
    for (size_t i = 0; i < words.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
    return text;
}

void throw_unknown_choice(std::string_view option, std::string_view text, std::span<const std::string_view> words) {
    throw UsageError(fmt::format("{} must be {}, not '{}'", option, either(words), text));
}

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
