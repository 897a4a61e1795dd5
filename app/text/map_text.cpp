// Maps of errors in words.

#include <cmath>

#include <fmt/format.h>

#include "app/text/text.h"
#include "gpu/compare/error_map.h"
#include "gpu/display/display.h"

namespace texelscope {

std::string map_words(const DifferenceSettings& difference) {
    const std::string_view formula = row_of(difference.kind).formula;
    if (difference.kind != DifferenceKind::flip) return std::string(formula);
    return fmt::format("{}, {:.4g} pixels per degree", formula, difference.pixels_per_degree);
}

std::string map_number_text(DifferenceKind kind, double value) {
    if (std::isnan(value)) return "–";
    return fmt::format("{:.{}f}", value, kind == DifferenceKind::delta_e ? 2 : 4);
}

std::string map_value_text(DifferenceKind kind, double value) {
    const bool similarity = kind == DifferenceKind::ssim || kind == DifferenceKind::gradient;
    const std::string_view name = kind == DifferenceKind::delta_e ? "ΔE"
                                  : kind == DifferenceKind::flip  ? "FLIP"
                                  : kind == DifferenceKind::ssim  ? "SSIM"
                                                                  : "GMS";
    if (std::isnan(value)) return fmt::format("{} –", name);
    return fmt::format("{} {:.{}f}", name, similarity ? 1 - value : value, kind == DifferenceKind::delta_e ? 2 : 3);
}

std::vector<Figure> map_figures(DifferenceKind kind, const MapFigures& figures) {
    const auto figure = [&](const char* name, double value) { return Figure{name, map_number_text(kind, value), ""}; };
    switch (kind) {
        case DifferenceKind::flip:
            return {figure("FLIP mean", figures.mean), figure("weighted median", figures.weighted_median)};
        case DifferenceKind::delta_e: return {figure("ΔE mean", figures.mean), figure("95 %", figures.percentile_95)};
        case DifferenceKind::gradient: return {figure("GMSD", figures.deviation), figure("1 − GMS mean", figures.mean)};
        default: return {figure("1 − SSIM mean", figures.mean), figure("95 %", figures.percentile_95)};
    }
}

}  // namespace texelscope
