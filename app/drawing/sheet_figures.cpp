#include "app/drawing/sheet_figures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/text/difference_text.h"

namespace texelscope {
namespace {

std::vector<Figure> figures_of(const Metrics& m, const Against& against, const ValueScale& scale) {
    switch (against.tells) {
        case Against::Tells::nothing: return {{"is the reference", "", ""}};
        case Against::Tells::arithmetic:

            return {{"arithmetic error", arithmetic_text(m.rmse * scale.factor()) + scale.of_whole(), ""},
                    {"max", arithmetic_text(m.max_abs * scale.factor()), ""}};
        case Against::Tells::difference: break;
    }
    std::vector<Figure> figures = {{"RMSE", scale.error(m.rmse), ""},
                                   {against.name.empty() ? "PSNR" : against_words(against), psnr_text(m.psnr), "dB"},
                                   {"max", error_text(m.max_abs * scale.factor()), ""}};
    if (!against.name.empty()) std::swap(figures[0], figures[1]);
    if (!std::isnan(m.ssim)) figures.push_back({"SSIM", ssim_text(m.ssim), ""});
    return figures;
}

}  // namespace

std::vector<Figure> figures_of(const SheetPane& pane) {
    std::vector<Figure> figures;
    if (const auto& m = pane.metrics) {
        if (m->pixels > 0) figures = figures_of(*m, pane.against, pane.scale);
        else figures.push_back({"no pixel to compare", "", ""});
    }
    if (pane.milliseconds > 0) figures.push_back(time_figure(pane.milliseconds));
    if (pane.fetches > 0) {
        const bool one = pane.fetches == 1;
        const char* unit = pane.taps ? (one ? "tap" : "taps") : (one ? "fetch" : "fetches");
        figures.push_back({"", fmt::format("{:.3g}", pane.fetches), unit, true});
    }
    return figures;
}

LegendText legend_text(const DifferenceSettings& difference, const ValueScale& scale) {
    LegendText text;
    text.title = fmt::format("{} difference  {}", name_of(difference.kind), row_of(difference.kind).formula);
    const std::string end = fmt::format("{:.3g}", difference_unit(difference.kind, scale) / double(difference.gain));
    const bool both_signs = difference.kind == DifferenceKind::signed_;
    text.low = both_signs ? "−" + end : "0";
    if (both_signs) text.middle = "0";
    text.high = "≥ " + end;
    if (both_signs) text.low = "≤ " + text.low;
    return text;
}

}  // namespace texelscope
