#include "app/text/value_text.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

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
        case DifferenceKind::relative: return 1;
        default: return scale.factor();
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

std::string figure_words(const Against& against, double psnr, double rmse, const ValueScale& scale, bool fine) {
    switch (against.tells) {
        case Against::Tells::difference:
            if (std::isnan(psnr)) return fmt::format("{}: RMSE {}", against_words(against), scale.error(rmse));
            return fmt::format("{}: {} dB", against_words(against), fine ? fine_psnr_text(psnr) : psnr_text(psnr));
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
