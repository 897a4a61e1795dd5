#include "app/picture/pane_figures.h"

#include <cmath>

#include <fmt/format.h>

#include "app/picture/pane_picture.h"
#include "app/picture/pane_words.h"
#include "app/picture/widening.h"
#include "app/state/pane_images.h"
#include "app/state/readout_text.h"
#include "app/state/references.h"

namespace texelscope {
namespace {

using Tells = Against::Tells;

// Unless they are hidden.
const Metrics* shown_metrics(const AppState& state, const PaneReport& report) {
    return state.ui.figures && report.metrics && report.metrics->pixels > 0 ? &*report.metrics : nullptr;
}

const Metrics* metrics_of(const PaneReport& report) {
    return report.metrics && report.metrics->pixels > 0 ? &*report.metrics : nullptr;
}

std::string measured_words(const Metrics& m, Tells tells, const ValueScale& scale) {
    const std::string rmse = fmt::format("RMSE {}", scale.error(m.rmse)),
                      largest =
                          fmt::format("largest error {} at pixel {}, {}", scale.error(m.max_abs), m.worst_x, m.worst_y);
    if (tells == Tells::difference)
        return fmt::format("PSNR {} dB\nSSIM {}\n{}\n{}\n", psnr_text(m.psnr), ssim_text(m.ssim), rmse, largest);
    const char* what = tells == Tells::nothing ? "This pane is the reference. What is left is rounding:"
                                               : "What its path, its prefilter and float32 lose:";
    return fmt::format("{}\n{}\n{}\n", what, rmse, largest);
}

}  // namespace

Against against_of(const AppState& state, int pane) {
    const Reference& reference = state.scene.reference;
    const MethodSpec& spec = state.scene.panes[size_t(pane)].spec;
    const bool widened = shown_reading(state, pane).widened();
    if (reference.kind == Reference::Kind::method && reference.spec.method) {
        if (is_reference(spec, reference_spec(state, pane), widened)) return {Tells::nothing, ""};
        return {Tells::difference, reference_name(state, pane)};
    }
    if (reference.kind == Reference::Kind::truth) return {Tells::difference, reference_name(state, pane)};
    if (reference.kind == Reference::Kind::image) {
        const Document* document = document_named(state, reference.source);
        if (!document || document->image != image_of(state, pane))
            return {Tells::difference, reference_name(state, pane)};
        if (only_rounds(spec, widened)) return {Tells::nothing, ""};
    }
    return {Tells::arithmetic, ""};
}

std::string truth_remarks(const Image& image, const Metrics& metrics) {
    std::string text;
    if (metrics.left_out > 0)
        text += fmt::format("Not measured: {} pixel{} above Nyquist, at a jump, or beyond the outermost samples.\n",
                            metrics.left_out, metrics.left_out == 1 ? "" : "s");
    const int bits = image.type() == SampleType::u8 ? 8 : image.type() == SampleType::u16 ? 16 : 0;
    if (bits > 0)  // the error of rounding is even, with a variance of 1/12 of a step
        text += fmt::format("The samples are rounded to {} bits, the formula is not: {:.1f} dB by that alone.\n", bits,
                            10 * std::log10(12 * std::pow((1 << bits) - 1, 2)));
    return text;
}

std::vector<std::string> chip_figures(const AppState& state, int pane) {
    const PaneReport* report = report_of(state, pane);
    const Metrics* m = report ? shown_metrics(state, *report) : nullptr;
    if (!m) return {};
    const std::string before = report->outdated ? "… " : "", part = state.scene.selection ? "selection · " : "",
                      words = figure_words(against_of(state, pane), m->psnr, m->rmse, value_scale(state, pane));
    return {before + part + words, before + words, before + short_figure(state, pane)};
}

std::string short_figure(const AppState& state, int pane) {
    const PaneReport* report = report_of(state, pane);
    const Metrics* m = report ? shown_metrics(state, *report) : nullptr;
    if (!m) return "";
    switch (against_of(state, pane).tells) {
        case Tells::difference: return psnr_text(m->psnr) + " dB";
        case Tells::arithmetic: return "error " + arithmetic_text(m->rmse * value_scale(state, pane).factor());
        case Tells::nothing: return "reference";
    }
    return "";
}

std::string figures_explained(const AppState& state, int pane) {
    const PaneReport* report = report_of(state, pane);
    std::string text = pane_label(state, pane);
    if (!report) return text;
    if (const Metrics* m = metrics_of(*report)) {
        text += fmt::format("\n\nAgainst {},\nover {}: {} pixels{}\n", reference_words(state),
                            state.scene.selection ? "the selected region" : "all of the image that this pane shows",
                            m->pixels, report->outdated ? ", before the last change" : "");
        text += measured_words(*m, against_of(state, pane).tells, value_scale(state, pane));
        if (state.scene.reference.kind == Reference::Kind::truth)
            if (const auto image = image_of(state, pane)) text += "\n" + truth_remarks(*image, *m);
    } else if (const std::string why = why_no_reference(state, pane); !why.empty()) {
        text += fmt::format("\n\nNot measured: {}.\n", why);
    } else if (report->metrics) {
        text += "\n\nNo pixel of it can be measured.\n";
    }
    constexpr const char* more = "\n\nRight click ▸ What do these numbers mean?";
    if (report->render_ms <= 0) return text + more;
    text += fmt::format("\n{}, {:.2f} Gpixel/s, {}{}", time_text(report->render_ms), report->gigapixels_per_second(),
                        count_words(report->cost), report->cost.fetches > 0 ? " per pixel" : "");
    return text + more;
}

}  // namespace texelscope
