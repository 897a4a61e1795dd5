#include "app/picture/comparison.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/picture/widening.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/quantile.h"
#include "gpu/core/stop_watch.h"

namespace texelscope {
namespace {

// A median of at least this many renderings, more if they are short.
constexpr size_t least_runs = 5, most_runs = 101;
constexpr double wanted_ms = 300, patience_ms = 2000;
constexpr int own_timer = 31;  // the panes of a window keep theirs

}  // namespace

double Comparison::median_ms(const Rendition& rendition) {
    SourceImage& source = sources_.at(rendition.image, rendition.light);
    Backend& backend = source.backend();
    const size_t row_bytes = size_t(rendition.request.width) * 4;
    const auto memory = backend.allocate(row_bytes * size_t(rendition.request.height));
    const auto render = [&] {
        source.render(rendition.request, {memory.get(), row_bytes, RenderTarget::Format::rgba8, own_timer});
        backend.synchronize();
        return backend.last_render_ms(own_timer).value_or(0);
    };
    render();  // upload, prefilter and warm up
    std::vector<double> times;
    const StopWatch watch;
    do times.push_back(render());
    while (times.size() < most_runs && watch.ms() < (times.size() < least_runs ? patience_ms : wanted_ms));
    std::sort(times.begin(), times.end());
    return quantile(times, 0.5);
}

PaneCost cost_of(const Resampling& resampling, bool signal) {
    const MethodSpec& spec = resampling.spec;
    if (resampling.plain())
        return {double(fetches(*spec.method, spec.path, signal)), spec.path == FetchPath::automatic, false};
    if (resampling.reading.local_stretch) return {0, true, true};
    return {widened_taps(*spec.method, resampling.reading, signal), true, true};
}

PaneCost Comparison::cost(const Rendition& rendition) {
    const SourceImage& source = sources_.at(rendition.image, rendition.light);
    return cost_of(source.plan(rendition.request).resampling, rendition.image->one_dimensional());
}

PaneFigures Comparison::figures_untimed(const ComparedPane& pane) {
    PaneFigures figures;
    const RenderRequest& request = pane.picture.shown.request;
    figures.pixels = double(request.width) * request.height;
    figures.cost = cost(pane.picture.shown);
    if (pane.reference) figures.metrics = panes_.measure(pane.picture.shown, *pane.reference, pane.selection);
    return figures;
}

PaneFigures Comparison::figures(const ComparedPane& pane) {
    PaneFigures figures = figures_untimed(pane);
    figures.milliseconds = median_ms(pane.picture.shown);
    return figures;
}

SheetPane Comparison::sheet_pane(const ComparedPane& pane, const PaneFigures& figures) {
    SheetPane sheet;
    sheet.picture = panes_.render_to_rgba8(pane.picture);
    sheet.index = pane.index;
    sheet.badge = pane_name(pane.index);
    sheet.label = pane.label;
    sheet.metrics = figures.metrics;
    sheet.against = pane.against;
    sheet.scale = pane.scale;
    sheet.milliseconds = figures.milliseconds;
    sheet.fetches = figures.cost.fetches;
    sheet.taps = figures.cost.taps;
    if (pane.picture.against) sheet.difference = pane.picture.difference;
    return sheet;
}

}  // namespace texelscope
