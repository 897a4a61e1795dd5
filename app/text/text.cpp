#include "app/text/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "gpu/core/text.h"
#include "gpu/display/pixel.h"

namespace texelscope {

ValueScale::ValueScale(ValueUnit unit, SampleType type) {
    integers_ = is_integer(type);
    if (!is_normalised(type)) return;
    const bool wide = type == SampleType::u16;
    as_is_ = false;
    most_ = wide ? 65535 : 255;
    switch (unit) {
        case ValueUnit::levels:
            factor_ = 255;
            stored_decimals_ = wide ? 2 : 0;
            decimals_ = 2;
            break;
        case ValueUnit::fraction:
            stored_decimals_ = wide ? 5 : 3;
            decimals_ = wide ? 5 : 4;
            break;
        case ValueUnit::hex: digits_ = wide ? 4 : 2; [[fallthrough]];
        case ValueUnit::code:
            factor_ = most_;
            decimals_ = wide ? 1 : 2;
            break;
    }
}

std::string ValueScale::range() const { return as_is_ ? "" : fmt::format("0–{:.0f}", factor_); }
std::string ValueScale::of_whole() const { return factor_ > 1 ? fmt::format(" of {:.0f}", factor_) : ""; }

std::string ValueScale::number(double value, bool stored) const {
    const double v = value * factor_;
    if (!std::isfinite(v)) return fmt::format("{}", v);
    if (digits_) {
        const long long code = std::llround(v);
        return fmt::format("{}{:0{}X}", code < 0 ? "-" : "", std::llabs(code), digits_);
    }
    if (as_is_ && integers_) return stored ? fmt::format("{:.0f}", v) : fmt::format("{:.8g}", v);
    if (as_is_) return stored ? fmt::format("{:.4g}", v) : fmt::format("{:.5g}", v);
    const std::string text = fmt::format("{:.{}f}", v, stored ? stored_decimals_ : decimals_);
    const bool zero = text.find_first_not_of("-0.") == text.npos;
    return zero && text[0] == '-' ? text.substr(1) : text;
}

std::string ValueScale::stored(double value) const { return number(value, true); }
std::string ValueScale::stored(const StoredNumber& number) const {
    return std::visit(
        [&](auto value) {
            if constexpr (std::is_floating_point_v<decltype(value)>) return stored(double(value));
            else return as_is_ ? text_of(value) : stored(double(value) / most_);
        },
        number);
}
std::string ValueScale::stored(std::span<const StoredNumber> numbers) const {
    std::string text = "[";
    for (const StoredNumber& number : numbers) text += (text.size() > 1 ? " " : "") + stored(number);
    return text + "]";
}
std::string ValueScale::between(double value) const { return number(value, false); }
std::string ValueScale::error(double error) const { return error_text(error * factor_) + of_whole(); }

int ValueScale::fine_decimals() const { return factor_ > 1 ? 4 : 6; }

std::string ValueScale::list(std::span<const float> values, bool stored) const {
    std::string text = "[";
    for (const float v : values) {
        if (text.size() > 1) text += ' ';
        text += number(double(v), stored);
    }
    return text + "]";
}

int ValueScale::characters() const {
    if (digits_) return digits_;
    if (as_is_) return integers_ ? 9 : 7;
    const int whole = factor_ > 255 ? 5 : factor_ > 1 ? 3 : 1;
    return whole + 1 + decimals_;
}

double difference_unit(DifferenceKind kind, const ValueScale& scale) {
    switch (kind) {
        case DifferenceKind::squared: return scale.factor() * scale.factor();
        case DifferenceKind::signed_:
        case DifferenceKind::absolute: return scale.factor();
        default: return difference_range(kind);
    }
}

std::string difference_text(DifferenceKind kind, std::span<const double> values, std::span<const double> reference,
                            const ValueScale& scale) {
    std::string text = "[";
    for (size_t c = 0; c < values.size(); ++c) {
        const double d = difference_of(kind, values[c], reference[c]) * difference_unit(kind, scale);
        if (c > 0) text += ' ';
        const bool rounding = std::abs(values[c] - reference[c]) < 1e-12;
        text += std::isnan(d) ? "–" : rounding ? "0" : fmt::format("{:.3g}", d);
    }
    return text + "]";
}

std::string against_words(const Against& against) {
    return (against.likeness ? "likeness to " : "against ") + against.name;
}

std::string figure_words(const Against& against, double psnr, double rmse, const ValueScale& scale, int decimals) {
    switch (against.tells) {
        case Against::Tells::difference:
            if (std::isnan(psnr)) return fmt::format("{}: RMSE {}", against_words(against), scale.error(rmse));
            return fmt::format("{}: {} dB", against_words(against), psnr_text(psnr, decimals));
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

std::string psnr_text(double decibels, int decimals) {
    if (std::isnan(decibels)) return "–";
    if (!std::isfinite(decibels)) return "∞";
    return only_rounding(decibels) ? "> 120" : fmt::format("{:.{}f}", decibels, decimals);
}

std::string fine_psnr_text(double decibels) { return psnr_text(decibels, 2); }

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

size_t columns_of(std::string_view text) {
    // Bytes 10xxxxxx continue a character; combining marks (U+0300 … U+036F, lead bytes CC and CD) take no column.
    return size_t(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80 && (c & 0xfe) != 0xcc; }));
}

std::string padded(std::string_view text, size_t columns) {
    return std::string(text) + std::string(columns - std::min(columns, columns_of(text)), ' ');
}

std::string aligned(const std::vector<TextRow>& rows, size_t left) {
    std::vector<size_t> width(rows.empty() ? 0 : rows[0].size());
    for (const TextRow& row : rows)
        for (size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], columns_of(row[c]));
    std::string text;
    for (const TextRow& row : rows) {
        std::string line;
        for (size_t c = 0; c < row.size(); ++c) {
            const std::string blanks(width[c] - columns_of(row[c]), ' ');
            line += (c > 0 ? "  " : "") + (c < left ? row[c] + blanks : blanks + row[c]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string signed_number(double value, int decimals) {
    if (!std::isfinite(value)) return fmt::format("{}", value);
    return (std::signbit(value) && value != 0 ? "−" : "") + fmt::format("{:.{}f}", std::abs(value), decimals);
}

void NumberColumn::take(double value) {
    if (!std::isfinite(value)) {
        least = std::max(least, int(signed_number(value, 0).size()));
        return;
    }
    low = std::min(low, value);
    high = std::max(high, value);
}

int NumberColumn::characters() const {
    const size_t widest = std::max(columns_of(signed_number(low, decimals)), columns_of(signed_number(high, decimals)));
    return std::max(least, int(widest));
}

int characters_of(std::span<const NumberColumn> columns) {
    int sum = 0;
    for (const NumberColumn& column : columns) sum += column.characters();
    return sum;
}

void fit_decimals(std::span<NumberColumn> columns, int characters) {
    while (characters_of(columns) > characters) {
        NumberColumn* widest = nullptr;
        for (NumberColumn& column : columns) {
            const bool can_lose = column.decimals > column.fewest && column.characters() > column.least;
            if (can_lose && (!widest || column.characters() > widest->characters())) widest = &column;
        }
        if (!widest) return;
        --widest->decimals;
    }
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            default: result += c;
        }
    }
    return result;
}

bool contains_ignoring_case(std::string_view text, std::string_view needle) {
    return std::search(text.begin(), text.end(), needle.begin(), needle.end(),
                       [](char a, char b) { return lower_case(a) == lower_case(b); }) != text.end() ||
           needle.empty();
}

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = char(text[0] - 'a' + 'A');
    return text;
}

}  // namespace texelscope
