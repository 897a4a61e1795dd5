#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/drawing/plot.h"
#include "app/text/minus.h"

namespace texelscope {
namespace {

constexpr double slack = 1e-9;  // of the distance between two ticks: the ends of the axis have theirs

std::string power_of_ten(int exponent) {
    static constexpr const char* raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "10⁻" : "10";
    for (const char digit : std::to_string(std::abs(exponent))) text += raised[digit - '0'];
    return text;
}

std::vector<Tick> linear_ticks(const PlotAxis& axis, int wanted) {
    const double rough = (axis.maximum - axis.minimum) / std::max(wanted, 1);
    const int exponent = int(std::floor(std::log10(rough)));
    const double power = std::pow(10.0, exponent), mantissa = rough / power;
    const double factor = mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10;
    const double step = factor * power;
    const int decimals = std::max(0, -(factor == 10 ? exponent + 1 : exponent));
    const double largest = std::max(std::abs(axis.minimum), std::abs(axis.maximum));
    const bool plain = largest < 1e7 && decimals <= 7;
    const auto label = [&](double k) -> std::string {
        if (k == 0) return "0";
        return with_minus(plain ? fmt::format("{:.{}f}", k * step, decimals) : fmt::format("{:.6g}", k * step));
    };
    std::vector<Tick> ticks;
    for (double k = std::ceil(axis.minimum / step - slack); k * step <= axis.maximum + slack * step; ++k)
        ticks.push_back({k * step, label(k)});
    return ticks;
}

std::vector<Tick> logarithmic_ticks(const PlotAxis& axis, int wanted) {
    const double low = std::log10(axis.minimum), high = std::log10(axis.maximum);
    const int first = int(std::ceil(low - slack)), last = int(std::floor(high + slack));
    const int every = std::max(1, (last - first + wanted - 1) / std::max(wanted, 1));
    std::vector<Tick> ticks;
    const bool between = high - low < 2.5;
    for (int exponent = first - 1; exponent <= last; ++exponent)
        for (const int factor : {1, 2, 5}) {
            const double at = factor * std::pow(10.0, exponent);
            if (at < axis.minimum * (1 - slack) || at > axis.maximum * (1 + slack)) continue;
            if (between) ticks.push_back({at, fmt::format("{:g}", at)});
            else if (factor == 1 && (exponent - first) % every == 0) ticks.push_back({at, power_of_ten(exponent)});
        }
    // A narrow axis, such as 11 to 19, has its round values between the powers.
    return ticks.size() < 3 && between ? linear_ticks(axis, wanted) : ticks;
}

}  // namespace

std::vector<Tick> round_ticks(const PlotAxis& axis, int wanted) {
    return axis.logarithmic ? logarithmic_ticks(axis, wanted) : linear_ticks(axis, wanted);
}

}  // namespace texelscope
