// Maps of errors in words, and maps of coordinates as they are typed.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    const Figure median = figure("weighted median", figures.weighted_median),
                 most = figure("95 %", figures.percentile_95);
    switch (kind) {
        case DifferenceKind::flip: return {figure("FLIP mean", figures.mean), median};
        case DifferenceKind::delta_e: return {figure("ΔE mean", figures.mean), most, median};
        case DifferenceKind::gradient:
            return {figure("GMSD", figures.deviation), figure("1 − GMS mean", figures.mean), median};
        default: return {figure("1 − SSIM mean", figures.mean), most, median};
    }
}

// Warps as they are typed.

Warp parse_homography(std::string_view option, std::string_view text) {
    Warp warp{.kind = Warp::Kind::homography};
    size_t count = 0;
    for (size_t first = 0; first <= text.size() && count <= std::size(warp.matrix); ++count) {
        const size_t comma = std::min(text.find(',', first), text.size());
        const double number = parse_real(option, text.substr(first, comma - first));
        if (count < std::size(warp.matrix)) warp.matrix[count] = number;
        first = comma + 1;
    }
    const double* const m = warp.matrix;
    const double area =
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    if (count != std::size(warp.matrix) || !std::isfinite(area) || area == 0)
        throw UsageError(
            fmt::format("{} must be nine numbers A,B,C,D,E,F,G,H,I of a map that has an inverse, for example "
                        "1,0,0,0,1,0,0,0.002,1, not '{}'",
                        option, text));
    return warp;
}

std::string homography_text(const Warp& warp) { return fmt::format("{}", fmt::join(warp.matrix, ",")); }

Warp parse_warp(std::string_view option, std::string_view text) {
    const size_t colon = text.find(':');
    const auto kind = parse_choice<Warp::Kind>(option, text.substr(0, colon), std::span(all_warps).subspan(1));
    if (kind == Warp::Kind::homography) return parse_homography(option, text.substr(std::min(text.size(), colon + 1)));
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
        if (kind == Warp::Kind::homography) {
            text += ", homography:A,B,C,D,E,F,G,H,I";
            continue;
        }
        text += fmt::format("{}{} ({}{}{} to {}, default {})", text.empty() ? "" : ", ", info.name, info.unit,
                            info.unit.empty() ? "" : ", ", info.minimum, info.maximum, info.standard);
    }
    return text;
}

}  // namespace texelscope
