#include "app/picture/pane_picture.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "app/picture/rendition.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "gpu/compare/compared_pixel.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/output.h"
#include "gpu/method/position.h"

namespace texelscope {
namespace {

using Tells = Against::Tells;

// Unless they are hidden.
const Metrics* shown_metrics(const UiState& ui, const PaneReport& report) {
    return ui.figures && report.metrics && report.metrics->pixels > 0 ? &*report.metrics : nullptr;
}

const Metrics* metrics_of(const PaneReport& report) {
    return report.metrics && report.metrics->pixels > 0 ? &*report.metrics : nullptr;
}

std::string measured_words(const Metrics& m, Tells tells, const ValueScale& scale, int decimals,
                           const std::string& place) {
    const std::string rmse = fmt::format("RMSE {}", scale.error(m.rmse)),
                      largest = fmt::format("largest error {} at {}", scale.error(m.max_abs), place);
    if (tells == Tells::difference)
        return fmt::format("PSNR {} dB\nSSIM {}\n{}\n{}\n", psnr_text(m.psnr, decimals), ssim_text(m.ssim), rmse,
                           largest);
    const char* what = tells == Tells::nothing ? "This pane is the reference. What is left is rounding:"
                                               : "What its path, its prefilter and float32 lose:";
    return fmt::format("{}\n{}\n{}\n", what, rmse, largest);
}

// Whether a pane shows only a part of its image, and figures are against an original: another figure of it, of the whole
// image, may be known from elsewhere.
bool of_visible_part(const AppState& state, int pane) {
    const auto image = image_of(state.scene, pane);
    const Reference& reference = state.scene.reference;
    if (!image || reference.kind != Reference::Kind::image || state.scene.selection) return false;
    if (const Document* document = document_named(state.scene, reference.source); !document || document->image == image)
        return false;
    if (compared_with(state.scene, pane) != Pane::reference_pane || acting_warp(state, pane).kind != Warp::Kind::none)
        return false;
    const PixelRect place = pane_rect(state, pane);
    const Affine positions = current_affine(state, pane);
    for (const double x : {0.0, image->width() - 1.0})
        for (const double y : {0.0, image->height() - 1.0}) {
            const Point at = apply_inverse(positions, {x, y});
            if (at.x < -1 || at.x > place.width || at.y < -1 || at.y > place.height) return true;
        }
    return false;
}

constexpr const char* outside_formula = "above Nyquist, at a jump, or beyond the outermost samples";

std::string not_measured(int64_t pixels, const char* which) {
    return fmt::format("Not measured: {} pixel{} {}.", pixels, pixels == 1 ? "" : "s", which);
}

bool against_truth(const Scene& scene, int pane) {
    return scene.reference.kind == Reference::Kind::truth && compared_with(scene, pane) == Pane::reference_pane;
}

// As when measured: without the half sample at its edges, where values are extended.
bool on_image(const Rendition& rendition, const Affine& positions, int i, int j) {
    const int width = rendition.image->width(), height = rendition.image->height();
    const RenderRequest& request = rendition.request;
    if (request.outside == Outside::extend) return true;
    const Point p = warped(request.warp, apply(positions, i, j), width, height);
    return !is_outside_axis(Outside::nan, p.x, width) &&
           (rendition.image->one_dimensional() || !is_outside_axis(Outside::nan, p.y, height));
}

// Pixels to be measured, whatever their values; unknown before they are, or where a smaller image is read.
std::optional<int64_t> pixels_on_image(const AppState& state, int pane) {
    const PaneReport* report = report_of(state.report, pane);
    const auto reference = reference_rendition(state, pane);
    if (!report || report->outdated || !reference || shown_reading(state, pane).widened()) return {};
    const Rendition shown = pane_rendition(state, pane);
    const auto selection = measured_selection(state, pane);
    const auto positions = [](const Rendition& r) {
        return positions_of(r.request, r.image->width(), r.image->height());
    };
    const Affine here = positions(shown), there = positions(*reference);
    int64_t pixels = 0;
    for (int j = 0; j < shown.request.height; ++j)
        for (int i = 0; i < shown.request.width; ++i)
            pixels += (!selection || is_selected(*selection, i, j)) && on_image(shown, here, i, j) &&
                      on_image(*reference, there, i, j);
    return pixels;
}

}  // namespace

std::string place_of_largest(const AppState& state, int pane, const Metrics& m) {
    const Point p = shown_point(state, m.worst_x, m.worst_y, pane);
    const auto rounded = [](double x) { return std::round(x * 100) / 100 + 0.0; };
    return fmt::format("{:.8g}, {:.8g}", rounded(p.x), rounded(p.y));
}

Against against_of(const AppState& state, int pane) {
    const Reference& reference = state.scene.reference;
    const MethodSpec& spec = state.scene.panes[size_t(pane)].spec;
    if (compared_with(state.scene, pane) != Pane::reference_pane)
        return {Tells::difference, reference_name(state.scene, pane)};
    const bool widened = shown_reading(state, pane).widened();
    if (reference.kind == Reference::Kind::method && reference.spec.method) {
        if (is_reference(spec, reference_spec(state.scene, pane), widened)) return {Tells::nothing, ""};
        return {Tells::difference, reference_name(state.scene, pane), widened};
    }
    if (reference.kind == Reference::Kind::truth) return {Tells::difference, reference_name(state.scene, pane)};
    if (reference.kind == Reference::Kind::image) {
        const Document* document = document_named(state.scene, reference.source);
        if (!document || document->image != image_of(state.scene, pane))
            return {Tells::difference, reference_name(state.scene, pane)};
        if (only_rounds(spec, widened)) return {Tells::nothing, ""};
    }
    if (kernel_of(*spec.method)) return {Tells::nothing, ""};  // it has no exact form
    return {Tells::arithmetic, ""};
}

std::string truth_remarks(SampleType samples, const Metrics& metrics) {
    std::string text;
    if (metrics.left_out > 0) text += not_measured(metrics.left_out, outside_formula) + "\n";
    const int bits = samples == SampleType::u8 ? 8 : samples == SampleType::u16 ? 16 : 0;
    if (bits > 0)  // the error of rounding is even, with a variance of 1/12 of a step
        text += fmt::format("The samples are rounded to {} bits, the formula is not: {:.1f} dB by that alone.\n", bits,
                            10 * std::log10(12 * std::pow((1 << bits) - 1, 2)));
    return text;
}

std::string left_out_words(const AppState& state, int pane, const Metrics& metrics) {
    if (metrics.left_out == 0) return "";
    if (against_truth(state.scene, pane)) return not_measured(metrics.left_out, outside_formula);
    const auto image = image_of(state.scene, pane);
    if (!image || is_integer(image->type())) return "";  // all are finite
    constexpr const char* not_finite = "whose value, here or in the reference, is infinite or not a number (NaN)";
    const std::optional<int64_t> on_image = pixels_on_image(state, pane);
    if (!on_image) return fmt::format("Not measured: pixels {}.", not_finite);
    return *on_image > metrics.pixels ? not_measured(*on_image - metrics.pixels, not_finite) : "";
}

std::string shared_reference(const AppState& state, bool figures) {
    std::string shared;
    for (const int pane : panes_in_view(state.scene)) {
        if (!image_of(state.scene, pane)) continue;
        const bool measured = figures && state.ui.figures && against_of(state, pane).tells == Tells::difference;
        if (!measured && !shows_difference(state, pane)) continue;
        const std::string name = reference_name(state.scene, pane);
        if (!shared.empty() && name != shared) return "";
        shared = name;
    }
    return shared;
}

// "FLIP mean 0.0312": of a pane that shows a map of errors; empty if it shows none, or nothing is known of it.
std::string map_figure(const AppState& state, int pane) {
    const PaneReport* report = report_of(state.report, pane);
    if (!report || !report->map || report->map->pixels == 0 || !shows_difference(state, pane)) return "";
    const Figure figure = map_figures(state.scene.difference.kind, *report->map).front();
    return figure.name + " " + figure.value;
}

// "FLIP, 67 pixels per degree: mean 0.0312, weighted median 0.0871 (half of all errors are in smaller ones), largest 0.61".
std::string map_explained(const DifferenceSettings& difference, const MapFigures& map) {
    std::string text = map_words(difference) + ": ";
    for (const Figure& figure : map_figures(difference.kind, map))
        text += fmt::format("{} {}, ", figure.name, figure.value);
    return text + fmt::format("largest {} at {}, {}\n", map_number_text(difference.kind, map.largest), map.worst_x,
                              map.worst_y);
}

std::vector<std::string> chip_figures(const AppState& state, int pane, Named named) {
    const PaneReport* report = report_of(state.report, pane);
    const Metrics* m = report ? shown_metrics(state.ui, *report) : nullptr;
    if (!m) return {};
    const std::string before = report->outdated ? "… " : "",
                      part = state.scene.selection          ? "selection · "
                             : of_visible_part(state, pane) ? "visible part · "
                                                            : "",
                      words = figure_words(against_of(state, pane), m->psnr, m->rmse, value_scale(state, pane),
                                           psnr_decimals(state));
    if (const std::string map = map_figure(state, pane); !map.empty())
        return {before + part + map + " · " + words, before + part + map, before + map};
    std::vector<std::string> figures = {before + part + words, before + words};
    if (named == Named::elsewhere || against_of(state, pane).tells != Tells::difference)
        figures.push_back(before + short_figure(state, pane));
    return figures;
}

std::vector<std::string> comparison_words(const AppState& state, bool differences, bool figures) {
    const std::string reference = shared_reference(state, figures);
    if (reference.empty()) {
        if (!differences) return {};
        return {"differences from what each label names", "differences"};
    }
    if (!differences && !figures) return {};
    const DifferenceKind kind = state.scene.difference.kind;
    const std::string difference = kind == DifferenceKind::signed_ ? "difference"
                                   : is_map(kind)                  ? std::string(row_of(kind).formula)
                                                                   : fmt::format("{} difference", name_of(kind)),
                      what = !differences ? "dB"
                             : figures    ? difference + " and dB"
                                          : difference;
    const std::vector<int> panes = panes_in_view(state.scene);
    const auto partly = [&](int pane) { return of_visible_part(state, pane); };
    if (figures && std::any_of(panes.begin(), panes.end(), partly))
        return {fmt::format("{} of the visible part against {}", what, reference),
                fmt::format("{} against {}", what, reference), fmt::format("against {}", reference)};
    if (figures && std::any_of(panes.begin(), panes.end(), [&](int pane) { return against_of(state, pane).likeness; }))
        return differences ? std::vector{fmt::format("{} against {}: likeness, not quality", what, reference),
                                         fmt::format("difference, likeness to {}", reference),
                                         fmt::format("against {}", reference)}
                           : std::vector{fmt::format("{} against {}: likeness, not quality", what, reference),
                                         fmt::format("likeness to {}", reference)};
    return {fmt::format("{} against {}", what, reference), fmt::format("against {}", reference)};
}

int psnr_decimals(const AppState& state) {
    constexpr int most = 3;
    std::vector<double> known;
    for (const int pane : panes_in_view(state.scene)) {
        const PaneReport* report = report_of(state.report, pane);
        const Metrics* m = report ? shown_metrics(state.ui, *report) : nullptr;
        if (m && !std::isnan(m->psnr) && against_of(state, pane).tells == Tells::difference) known.push_back(m->psnr);
    }
    const auto texts = [&](int decimals) {
        std::set<std::string> all;
        for (const double psnr : known) all.insert(psnr_text(psnr, decimals));
        return all.size();
    };
    int decimals = 1;
    while (decimals < most && texts(decimals) < texts(most)) ++decimals;
    return decimals;
}

std::string short_figure(const AppState& state, int pane) {
    const PaneReport* report = report_of(state.report, pane);
    const Metrics* m = report ? shown_metrics(state.ui, *report) : nullptr;
    if (!m) return "";
    switch (against_of(state, pane).tells) {
        case Tells::difference:
            if (std::isnan(m->psnr)) return "RMSE " + value_scale(state, pane).error(m->rmse);
            return psnr_text(m->psnr, psnr_decimals(state)) + " dB";
        case Tells::arithmetic: return "error " + arithmetic_text(m->rmse * value_scale(state, pane).factor());
        case Tells::nothing: return "reference";
    }
    return "";
}

std::string figures_explained(const AppState& state, int pane) {
    const PaneReport* report = report_of(state.report, pane);
    std::string text = pane_label(state, pane);
    if (!report) return text;
    if (const Metrics* m = metrics_of(*report)) {
        text += fmt::format("\n\nAgainst {},\nover {}: {} pixels{}\n", reference_words(state, pane),
                            state.scene.selection ? "the selected region" : "all of the image that this pane shows",
                            m->pixels, report->outdated ? ", before the last change" : "");
        if (report->map && report->map->pixels > 0 && shows_difference(state, pane))
            text += map_explained(state.scene.difference, *report->map);
        text += measured_words(*m, against_of(state, pane).tells, value_scale(state, pane), psnr_decimals(state),
                               place_of_largest(state, pane, *m));
        if (const std::string& why = state.report.findings.no_psnr; std::isnan(m->psnr) && !why.empty())
            text += why + ".\n";
        if (against_of(state, pane).likeness) text += fmt::format("\n{}\n", likeness_explained);
        const auto image = image_of(state.scene, pane);
        if (image && against_truth(state.scene, pane)) text += "\n" + truth_remarks(image->type(), *m);
        else if (const std::string left_out = left_out_words(state, pane, *m); !left_out.empty())
            text += left_out + "\n";
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
