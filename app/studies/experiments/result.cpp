#include "app/studies/experiments/result.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace texelscope {

bool ExperimentResult::all_agree() const {
    return std::none_of(verdicts.begin(), verdicts.end(),
                        [](const Verdict& v) { return v.outcome == Verdict::Outcome::differs; });
}

std::string number_text(double value, int digits) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
    if (value == 0 || digits == 0) return fmt::format("{:g}", value);
    const double size = std::abs(value);
    if (size < 1e-4 || size >= 1e6) return fmt::format("{:.{}e}", value, digits - 1);
    const int before = int(std::floor(std::log10(size))) + 1;  // digits before the point
    return fmt::format("{:.{}f}", value, std::max(0, digits - before));
}

std::string cell_text(const ResultCell& cell, const ResultColumn& column) {
    if (const double* number = std::get_if<double>(&cell)) return number_text(*number, column.digits);
    if (const std::string* words = std::get_if<std::string>(&cell)) return *words;
    return "–";
}

std::string heading(const ResultColumn& column) {
    return column.unit.empty() ? column.name : fmt::format("{} ({})", column.name, column.unit);
}

}  // namespace texelscope
