// Curves: fetches, weight function and spectrum in float64, step response and kernel as the backend computes them.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/drawing/plot.h"
#include "app/picture/inspect/curves.h"
#include "app/picture/inspect/profile.h"
#include "app/text/glossary.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/errors.h"

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

const Kind curve_kinds[] = {
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
std::vector<Series> legend_of(const CurvesReport& report, bool samples = true) {
    std::vector<Series> entries;
    for (const Method& method : report.methods)
        entries.push_back(
            {.name = pane_name(method.pane), .style = pane_style(method.pane), .ink = pane_ink(method.pane)});
    if (samples) entries.push_back({.name = "samples", .style = Series::Style::dots, .ink = Ink::grey});
    return entries;
}

void curve_plot(AppState& state, int k, float height, gui::PlotFocus& focus) {
    const Kind& kind = curve_kinds[k];
    gui::plot_view(plot_of(kind, state.report.findings.curves), {.id = kind.id,
                                                                 .zoom = state.ui.inspect.curves[size_t(k)],
                                                                 .limits = {kind.x.minimum, kind.x.maximum},
                                                                 .height = height,
                                                                 .tip = kind.tip,
                                                                 .columns = &state.ui.plot_columns,
                                                                 .legend = false,
                                                                 .brief = true,
                                                                 .focus = &focus});
}

// The plots as they are seen, with the methods' names.
std::vector<Plot> plots_to_save(const AppState& state) {
    const CurvesReport& report = state.report.findings.curves;
    std::vector<Plot> plots;
    for (size_t k = 0; k < std::size(curve_kinds); ++k) {
        Plot& plot = plots.emplace_back(plot_of(curve_kinds[k], report));
        if (const PlotZoom& zoom = state.ui.inspect.curves[k]; zoom.active()) {
            plot.x.minimum = zoom.from;
            plot.x.maximum = zoom.to;
        }
        for (size_t i = 0; i < report.methods.size(); ++i)
            if (const auto pane = size_t(report.methods[i].pane); pane < state.scene.panes.size())
                plot.series[i].name += "  " + words(state.scene.panes[pane].spec);
        plot.width = 640;
        plot.height = 320;
    }
    return plots;
}

void save_curves_row(AppState& state) {
    std::string& path = state.ui.curves_path;
    if (path.empty()) path = path_beside(state.scene.document(), "-curves.svg");
    const char* const tip =
        "Path of the new file, an .svg: the four plots as they are zoomed, to be edited or printed.";
    gui::label("SVG", tip);
    const float button = gui::px(72);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - gui::px(8));
    ImGui::InputText("##curves-path", &path);
    gui::tooltip(tip);
    gui::note("curves:path");
    ImGui::SameLine();
    if (ImGui::Button("Save", {button, 0}) && !path.empty()) try {
            request_writing(state, path, task::SaveCurves{path, to_svg(plots_to_save(state))});
        } catch (const Error& error) {
            post(state.messages, Message::Level::warning, error.what());
        }
    gui::tooltip("Save the plots. An existing file is replaced only if you agree.");
    gui::note("curves:save");
}

}  // namespace

void function_and_spectrum(AppState& state, float height) {
    if (state.report.findings.curves.methods.empty()) return;  // computed once this frame is rendered
    gui::PlotFocus focus = gui::shared_focus(pane_ink(state.scene.active));
    const float width = ImGui::GetContentRegionAvail().x, gap = gui::px(12);
    const bool one_row = width >= gui::px(480);
    std::vector<Series> panes = legend_of(state.report.findings.curves, false);
    if (panes.size() < 2) panes.clear();
    const gui::PlotLegend legend(panes, ImGui::GetCursorScreenPos(), 0, width, true);
    if (const auto ink = legend.hovered()) focus.light(*ink);
    if (!panes.empty()) {
        ImGui::Dummy({width, legend.height()});
        height = std::max(height - legend.height() / (one_row ? 1 : 2), gui::px(150));
    }
    for (const int k : {0, 1}) {
        if (one_row && k > 0) ImGui::SameLine(0, gap);
        ImGui::BeginChild(curve_kinds[k].id,
                          {one_row ? (width - gap) / 2 : 0, height + ImGui::GetStyle().ItemSpacing.y}, false,
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        curve_plot(state, k, height, focus);
        ImGui::EndChild();
    }
    legend.draw(*ImGui::GetWindowDrawList(), focus);
}

void curves_tab(AppState& state) {
    const CurvesReport& report = state.report.findings.curves;
    if (report.methods.empty()) {
        const std::string& why = state.report.findings.no_curves;
        if (!why.empty()) gui::remark(why, false);
        else if (!state.scene.document()) gui::remark("Open an image to see the curves of its methods.", false);
        return;  // computed once this frame is rendered
    }
    gui::PlotFocus focus = gui::shared_focus(pane_ink(state.scene.active));
    const float width = ImGui::GetContentRegionAvail().x;
    const gui::PlotLegend legend(legend_of(report), ImGui::GetCursorScreenPos(), 0, width, is_low());
    if (const auto ink = legend.hovered()) focus.light(*ink);
    ImGui::Dummy({width, legend.height()});
    gui::tooltip("The curves of all plots. Point at a name or at a curve to see it alone, with its value.");
    // If there is no space for all of them, the list scrolls; as many as are in view are whole.
    const bool saves = !state.presenter.on;
    ImGui::BeginChild("##curves", {0, saves ? -ImGui::GetFrameHeightWithSpacing() : 0}, false);
    const float fetches = fetch_plot_heights(report), plots = 4 + fetches, room = ImGui::GetContentRegionAvail().y,
                rows = std::clamp(std::round(room / gui::px(178)), 1.0f, plots),
                in_view = rows < 2 || fetches == 0 ? rows : std::min(rows - 2 + fetches, plots),
                each = room / in_view - gui::px(8);
    fetch_plots(state, each, focus);
    for (int k = 0; k < 4; ++k) curve_plot(state, k, each, focus);
    ImGui::EndChild();
    if (saves) save_curves_row(state);
    legend.draw(*ImGui::GetWindowDrawList(), focus);
}

void order_tab(AppState& state) {
    const CurvesReport& report = state.report.findings.curves;
    if (report.methods.empty()) {
        gui::remark(state.scene.document() ? state.report.findings.no_curves : "Open an image to see its methods.",
                    false);
        return;
    }
    gui::PlotFocus focus = gui::shared_focus(pane_ink(state.scene.active));
    gui::plot_view(
        order_plot(report),
        {.id = "##plot:order",
         .zoom = state.ui.inspect.order,
         .limits = {least_period, largest_period},
         .height = std::clamp(ImGui::GetContentRegionAvail().y - gui::px(8), gui::px(150), gui::px(420)),
         .tip = "The largest error of each method, prefilter included, on a wave of amplitude 1, at any place between "
                "two samples, in float64. For twice the samples a method of order L has 1/2^L of the error: the "
                "order is the slope.",
         .columns = &state.ui.plot_columns,
         .brief = is_low(),
         .focus = &focus});
}

// Fetches: g and h of the panes on the `hardware` path, in float64.

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
    Plot weights = weight_plot(report);
    const bool low = height < gui::px(170);
    if (low) weights.x.label.clear();  // that of the plot below it
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
                    .brief = low,
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
                    .brief = low,
                    .focus = &focus});
}

}  // namespace texelscope::panels
