// Fetches: g and h of the panes on the `hardware` path, in float64.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <imgui.h>

#include "app/drawing/pane_colours.h"
#include "app/picture/inspect/profile_plot.h"
#include "app/viewer/panels/plot_dock.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

using Fetch = CurvesReport::Fetch;

constexpr float place_height =
    1.4f;  // height of the plot of h relative to that of g: it shows all taps, and h moves little

constexpr size_t most_named = 6;  // fetches; more are told apart by their panes' colours alone

// Fetches of a pane have its colour; dashes distinguish neighbours.
Series::Style fetch_style(int pane, size_t fetch) {
    const bool dashed = (pane_style(pane) == Series::Style::dashed) != (fetch % 2 == 1);
    return dashed ? Series::Style::dashed : Series::Style::line;
}

Plot fetch_plot(const CurvesReport& report, const char* letter, CurvesReport::Curve Fetch::*curve) {
    static constexpr const char* below[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇"};  // at most eight taps
    Plot plot{.title = fmt::format("Fetches {}", letter), .x = {.label = "t = x − floor(x) (samples)"}};
    for (const auto& method : report.methods)
        for (size_t i = 0; i < method.fetches.size(); ++i) {
            const CurvesReport::Curve& points = method.fetches[i].*curve;
            plot.series.push_back({.name = fmt::format("{} {}{}", pane_name(method.pane), letter, below[i]),
                                   .x = points.x,
                                   .y = points.y,
                                   .style = fetch_style(method.pane, i),
                                   .ink = pane_ink(method.pane)});
        }
    return plot;
}

Plot weight_plot(const CurvesReport& report) {
    Plot plot = fetch_plot(report, "g", &Fetch::weight);
    plot.y.label = "weight";
    fit_axis(plot.y, plot.series, 1e-6);
    plot.y.minimum = std::min(plot.y.minimum, -0.06);
    plot.y.maximum = std::max(plot.y.maximum, 1.06);
    return plot;
}

// All taps are on the axis, which shows that each fetch stays between its own taps.
Plot place_plot(const CurvesReport& report) {
    Plot plot = fetch_plot(report, "h", &Fetch::place);
    int first = std::numeric_limits<int>::max(), last = std::numeric_limits<int>::min();
    for (const auto& method : report.methods)
        for (const Fetch& fetch : method.fetches) {
            first = std::min(first, fetch.first);
            last = std::max(last, fetch.first + fetch.taps - 1);
        }
    plot.y = {.label = "position (samples from floor(x))", .minimum = first - 0.15, .maximum = last + 0.15};
    for (int tap = first; tap <= last; ++tap)
        plot.y.ticks.push_back({double(tap), fmt::format("{}{}", tap < 0 ? "−" : "", std::abs(tap))});
    return plot;
}

// Panes on this path whose methods have nothing to draw.
void point_filtered_remark(const CurvesReport& report) {
    std::string panes;
    for (const auto& method : report.methods)
        if (method.hardware && method.fetches.empty())
            panes += fmt::format("{}{}", panes.empty() ? "" : ", ", pane_name(method.pane));
    if (panes.empty()) return;
    gui::remark(fmt::format("{}: a single point-filtered fetch of the nearest sample, so there is no g or h.", panes),
                false);
    ImGui::Dummy({0, gui::px(4)});
}

}  // namespace

float fetch_plot_heights(const CurvesReport& report) {
    const auto drawn = [](const auto& method) { return !method.fetches.empty(); };
    return std::any_of(report.methods.begin(), report.methods.end(), drawn) ? 1 + place_height : 0;
}

void fetch_plots(AppState& state, float height, gui::PlotFocus& focus) {
    const CurvesReport& report = state.report.findings.curves;
    point_filtered_remark(report);
    if (fetch_plot_heights(report) == 0) return;
    PlotZoom& zoom = state.ui.inspect.curves[4];
    const Plot weights = weight_plot(report);
    const bool few = weights.series.size() <= most_named;
    gui::plot_view(weights,
                   {.id = "##plot:fetch-weight",
                    .zoom = zoom,
                    .limits = {0, 1},
                    .height = height,
                    .tip = "Hardware path, along one axis: the factor applied to each linear-filtered fetch. It is the "
                           "sum of the weights of the taps that the fetch carries; all g add up to 1. If antialiasing "
                           "widens the weight function, taps are read one by one instead.",
                    .columns = &state.ui.plot_columns,
                    .legend = few,
                    .focus = &focus});
    gui::plot_view(place_plot(report),
                   {.id = "##plot:fetch-place",
                    .zoom = zoom,
                    .limits = {0, 1},
                    .height = place_height * height,
                    .tip = "Hardware path, along one axis: the position of each fetch, with its exact fraction. Two "
                           "neighbouring taps share a fetch between them; a single tap is fetched exactly on its "
                           "sample.",
                    .columns = &state.ui.plot_columns,
                    .legend = few,
                    .focus = &focus});
}

}  // namespace texelscope::panels
