#include "app/picture/numbers.h"

#include <cmath>

#include <fmt/format.h>

#include "app/picture/pane_figures.h"
#include "app/picture/pane_words.h"
#include "app/state/readout_text.h"
#include "app/state/references.h"
#include "app/text/glossary.h"
#include "app/text/value_text.h"

namespace texelscope {
namespace {

using Tells = Against::Tells;

// Of the picture on the screen; null if nothing was measured.
const Metrics* measured(const AppState& state, int pane) {
    const PaneReport* report = report_of(state, pane);
    return report && report->metrics && report->metrics->pixels > 0 ? &*report->metrics : nullptr;
}

std::string meaning(std::string_view term) { return std::string(find_term(term)->meaning); }

void add_error_figures(std::vector<NumberMeaning>& lines, const Metrics& m, bool differs, const ValueScale& scale) {
    if (differs) {
        const double rmse = m.rmse * scale.factor(), peak = rmse * std::pow(10, m.psnr / 20);
        const std::string here = std::isfinite(m.psnr) && !only_rounding(m.psnr)
                                     ? fmt::format(" Here: 20 log₁₀ ({:.4g} / {:.3g}) = {:.1f}.", peak, rmse, m.psnr)
                                     : "",
                          rounding = only_rounding(m.psnr) ? " Both are the same but for rounding: at 100 %, methods "
                                                             "that interpolate show the stored samples."
                                                           : "";
        lines.push_back({"PSNR", psnr_text(m.psnr) + " dB", meaning("PSNR") + here + rounding});
        lines.push_back({"SSIM", ssim_text(m.ssim), meaning("SSIM")});
    }
    lines.push_back({"RMSE", scale.error(m.rmse), meaning("RMSE")});
    lines.push_back(
        {"Largest error", scale.error(m.max_abs),
         fmt::format("{} It is at pixel {}, {} of the pane.", meaning("largest error"), m.worst_x, m.worst_y)});
    lines.push_back({"ΔE", "–", meaning("ΔE") + " Panes do not show it; tables of restored pictures do."});
}

void add_cost(std::vector<NumberMeaning>& lines, const AppState& state, const PaneReport& report) {
    lines.push_back({"Time", time_text(report.render_ms),
                     fmt::format("The time that the {} needed for this pane's last rendering.",
                                 state.machine.on_gpu ? "GPU" : "CPU")});
    const bool taps = report.cost.taps;
    lines.push_back({taps ? "Taps" : "Fetches", count_words(report.cost),
                     std::string(count_meaning(report.cost)) + " " + meaning(taps ? "tap" : "fetch")});
}

void add_value(std::vector<NumberMeaning>& lines, const AppState& state, int pane, const ValueScale& scale) {
    const PaneReport* report = report_of(state, pane);
    const std::string unit =
        std::string(row_of(state.ui.value_unit).meaning) + " Inspect ▸ Values … chooses another unit.";
    const auto known = report ? report->readout : std::nullopt;
    if (!known) {
        lines.push_back(
            {"Value under the cursor", "–",
             "Point at the picture: the status bar shows the position in samples, the interpolated value and the "
             "nearest stored sample. " +
                 unit});
        return;
    }
    if (!known->on_image && state.scene.outside == Outside::background) {
        lines.push_back({"Value under the cursor", "outside",
                         "The cursor is outside the image. The picture shows its background there, no value of the "
                         "image. Choosing an address mode extends the image."});
        return;
    }
    lines.push_back({"Value under the cursor", interpolated_text(*known, scale),
                     fmt::format("The interpolated value at {}, between the samples; the nearest stored one is {}. {}",
                                 position_text(known->position, false), stored_text(*known, scale), unit)});
}

}  // namespace

std::string numbers_in_short(const AppState& state, int pane) {
    const std::string name = pane_name(pane);
    std::string text =
        fmt::format("Pane {} shows {}.", name, name_in_text(*state.scene.panes[size_t(pane)].spec.method));
    const Metrics* m = measured(state, pane);
    const ValueScale scale = value_scale(state, pane);
    const Against against = against_of(state, pane);
    if (!m) {
        const std::string& why = state.report.findings.no_metrics;
        return text + " " + (why.empty() ? "Its figures are being measured." : "It has no figures: " + why);
    }
    switch (against.tells) {
        case Tells::difference:
            if (std::isnan(m->psnr))
                return text + fmt::format(" Its values differ from {} by {} (root mean square). {}.", against.name,
                                          scale.error(m->rmse), state.report.findings.no_psnr);
            return text +
                   fmt::format(" Against {} it reaches {} dB: its values differ from that by {} (root mean square).",
                               against.name, psnr_text(m->psnr), scale.error(m->rmse)) +
                   (against.likeness ? std::string(" ") + likeness_explained : "");
        case Tells::nothing:
            return text +
                   " It is the reference that other panes are measured against, so it has no decibels of its "
                   "own: a picture compared with itself says nothing.";
        case Tells::arithmetic:
            return text + fmt::format(
                              " It is measured against the same method computed exactly, so its arithmetic error of {} "
                              "is what path, prefilter and float32 lose; it does not say how good the method is.",
                              arithmetic_text(m->rmse * scale.factor()) + scale.of_whole());
    }
    return text;
}

std::vector<NumberMeaning> numbers_explained(const AppState& state, int pane) {
    const ValueScale scale = value_scale(state, pane);
    const Against against = against_of(state, pane);
    std::vector<NumberMeaning> lines;
    lines.push_back(
        {"Label", pane_label(state, pane),
         "The method, then its prefilter (none, fir or iir) if it has one, how it reads the image (the fetch "
         "path), and what else is done to the picture."});
    const std::string reference = against.tells == Tells::nothing      ? "this pane"
                                  : against.tells == Tells::arithmetic ? "its own method, exact"
                                                                       : against.name;
    lines.push_back(
        {"Reference", reference,
         meaning("reference") + " Compare ▸ Reference chooses it, and holding Shift over a pane shows it."});
    if (const Metrics* m = measured(state, pane)) {
        const std::string left_out = left_out_words(state, pane, *m);
        lines.push_back({"Measured over", fmt::format("{} pixels", m->pixels),
                         (state.scene.selection
                              ? "The selected region. Esc clears it."
                              : "All of the image that the pane shows. Drag with the right button to measure a part.") +
                             (left_out.empty() ? "" : " " + left_out)});
        add_error_figures(lines, *m, against.tells == Tells::difference, scale);
    }
    if (const PaneReport* report = report_of(state, pane); report && report->render_ms > 0)
        add_cost(lines, state, *report);
    add_value(lines, state, pane, scale);
    return lines;
}

}  // namespace texelscope
