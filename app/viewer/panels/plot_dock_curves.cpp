// Curves: fetches, weight function and spectrum in float64, step response and kernel as the backend computes them.

#include <algorithm>
#include <cmath>

#include <imgui.h>

#include "app/drawing/pane_colours.h"
#include "app/picture/inspect/curves.h"
#include "app/picture/inspect/profile_plot.h"
#include "app/viewer/panels/plot_dock.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

using Method = CurvesReport::Method;

struct Kind {
    const char* id;
    const char* title;
    const char* tip;
    PlotAxis x, y;
    CurvesReport::Curve Method::*curve;
    bool fitted = true;  // the y axis follows the values
};

const Kind kinds[] = {
    {"##plot:weight",
     "Weight function",
     "Weight of a sample as a function of its distance, in float64. With a prefilter, these weight coefficients, not "
     "samples.",
     {.label = "distance (samples)", .minimum = -weight_reach, .maximum = weight_reach},
     {},
     &Method::weight},
    {"##plot:spectrum",
     "Spectrum",
     "Gain of the weight function with its prefilter by frequency, in float64. The ideal is 0 dB up to 1/2 and nothing "
     "beyond. 1/2 is the Nyquist frequency, the highest that samples can carry.",
     {.label = "frequency (cycles per sample)", .minimum = 0, .maximum = highest_frequency},
     {.label = "gain (dB)", .minimum = -80, .maximum = 10},
     &Method::spectrum,
     false},
    {"##plot:step",
     "Step response",
     "The backend's response to samples that are 0 up to index −1 and 1 from index 0, with the pane's path and "
     "prefilter.",
     {.label = "position (samples)", .minimum = -step_reach, .maximum = step_reach},
     {},
     &Method::step},
    {"##plot:impulse",
     "Weight function as measured",
     "The backend's response to a single sample that is 1, with the pane's path and prefilter. Zoom in to see the "
     "steps of 8-bit weights.",
     {.label = "distance (samples)", .minimum = -weight_reach, .maximum = weight_reach},
     {},
     &Method::impulse}};

// The samples of the two measured signals.
Series samples_of(const Kind& kind) {
    Series series{.name = "samples", .style = Series::Style::dots, .ink = Ink::grey};
    const bool step = kind.curve == &Method::step;
    for (double k = kind.x.minimum; k <= kind.x.maximum; ++k) {
        series.x.push_back(k);
        series.y.push_back(step ? k >= 0 : k == 0);
    }
    return series;
}

Plot plot_of(const Kind& kind, const CurvesReport& report) {
    Plot plot{.title = kind.title, .x = kind.x, .y = kind.y};
    for (const Method& method : report.methods) {
        const CurvesReport::Curve& curve = method.*kind.curve;
        plot.series.push_back({.name = pane_name(method.pane),
                               .x = curve.x,
                               .y = curve.y,
                               .style = pane_style(method.pane),
                               .ink = pane_ink(method.pane)});
    }
    if (kind.fitted) fit_axis(plot.y, plot.series, 1e-6);
    else plot.guides.push_back({Guide::Across::x, 0.5, "Nyquist"});
    if (kind.curve == &Method::step || kind.curve == &Method::impulse) plot.series.push_back(samples_of(kind));
    return plot;
}

// One for all plots of the tab.
std::vector<Series> legend_of(const CurvesReport& report) {
    std::vector<Series> entries;
    for (const Method& method : report.methods)
        entries.push_back(
            {.name = pane_name(method.pane), .style = pane_style(method.pane), .ink = pane_ink(method.pane)});
    entries.push_back({.name = "samples", .style = Series::Style::dots, .ink = Ink::grey});
    return entries;
}

}  // namespace

void curves_tab(AppState& state) {
    const CurvesReport& report = state.report.findings.curves;
    if (report.methods.empty()) {
        const std::string& why = state.report.findings.no_curves;
        if (!why.empty()) gui::remark(why, false);
        else if (!state.scene.document()) gui::remark("Open an image to see the curves of its methods.", false);
        return;  // computed once this frame is rendered
    }
    static gui::PlotFocus focus;
    focus.begin(pane_ink(state.scene.active));
    const float width = ImGui::GetContentRegionAvail().x;
    const gui::PlotLegend legend(legend_of(report), ImGui::GetCursorScreenPos(), 0, width, is_low());
    if (const auto ink = legend.hovered()) focus.light(*ink);
    ImGui::Dummy({width, legend.height()});
    gui::tooltip("The curves of all plots. Point at a name or at a curve to see it alone, with its value.");
    // If there is no space for all of them, the list scrolls; as many as are in view are whole.
    ImGui::BeginChild("##curves", {0, 0}, false);
    const float plots = 4 + fetch_plot_heights(report);
    const float room = ImGui::GetContentRegionAvail().y,
                in_view = std::clamp(std::round(room / gui::px(178)), 1.0f, plots), each = room / in_view - gui::px(8);
    fetch_plots(state, each, focus);
    for (int k = 0; k < 4; ++k)
        gui::plot_view(plot_of(kinds[k], report), {.id = kinds[k].id,
                                                   .zoom = state.ui.inspect.curves[size_t(k)],
                                                   .limits = {kinds[k].x.minimum, kinds[k].x.maximum},
                                                   .height = each,
                                                   .tip = kinds[k].tip,
                                                   .columns = &state.ui.plot_columns,
                                                   .legend = false,
                                                   .brief = true,
                                                   .focus = &focus});
    ImGui::EndChild();
    legend.draw(*ImGui::GetWindowDrawList(), focus);
}

}  // namespace texelscope::panels
