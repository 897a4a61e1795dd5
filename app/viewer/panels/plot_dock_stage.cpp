// The stage: a line of samples that are dragged, what a method makes of it, the parts of that, and the spectrum.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/inspect/curves.h"
#include "app/picture/inspect/profile.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr const char *first_samples = "@samples:0,0,0.2,1,0.6,0.6,-0.4,0.1,0,0",
                     *first_signal = "@signal:0..4@8:cos(2*pi*3*x)";

void line_buttons(Tasks& tasks, int in_row) {
    if (gui::row_button("Samples to drag", in_row, "Show ten samples that can be dragged."))
        tasks.push_back(task::Open{first_samples});
    gui::note("stage:samples");
    ImGui::SameLine();
    if (gui::row_button("A sampled wave", in_row, "Show a wave of 3 cycles per unit, sampled 8 times per unit."))
        tasks.push_back(task::Open{first_signal});
    gui::note("stage:signal");
}

// What was sampled, and how often.
void formula_rows(AppState& state, SampleLine line) {
    if (line.formula.empty()) return;
    const auto take = [&](const std::string& typed) {
        SampleLine changed = line;
        changed.formula = typed;
        try {
            change_line(state.scene, changed);
            return true;
        } catch (const Error& error) {
            post(state.messages, Message::Level::warning, error.what());
            return false;
        }
    };
    gui::label("f(x) =",
               "The formula that is sampled, in the words of weights files: sin, cos, exp, pow, pi, … Enter takes it.");
    ImGui::SetNextItemWidth(-1);
    gui::input_text("##stage-formula", line.formula, take);
    gui::note("stage:formula");
    gui::label("Rate",
               "Samples per unit of x. A wave of more than half as many cycles per unit looks like a slower one.");
    ImGui::SetNextItemWidth(-1);
    auto rate = float(line.rate);
    const double length = std::max(line.to - line.from, 1e-6),
                 most = std::min(32.0, double(SampleLine::most - 1) / length);
    if (gui::slider_float("##stage-rate", rate, 1, float(std::max(most, 2.0)), "%.3g")) {
        line.rate = std::round(double(rate) * 100) / 100;
        change_line(state.scene, line);
    }
    gui::note("stage:rate");
}

void edges_row(InspectUi& inspect) {
    const gui::Segment windows[] = {
        {"Faded", "Fades the line out towards its ends (the Hann window), so that they are not taken for a jump."},
        {"As it is", "No window: exact for a line that repeats."}};
    gui::label("Ends", "What is done to the ends of the line before the transform.");
    bool& windowed = inspect.spectrum_windowed;
    if (const int clicked = gui::segmented("stage-window", windows, windowed ? 0 : 1); clicked >= 0)
        windowed = clicked == 0;
}

// The line and its parts, with the same axes, so that they lie exactly above each other.
struct LinePlots {
    Plot line, parts;
    double first, last;  // where x ends
};

LinePlots line_plots(const AppState& state) {
    const StageReport& stage = state.report.findings.stage;
    const ValueScale scale = value_scale(state, state.scene.active);
    LinePlots plots{line_plot(stage, scale), parts_plot(stage, scale), stage.from - 0.5 / stage.rate,
                    stage.from + stage.line.end() / stage.rate};
    const double low = std::min(plots.line.y.minimum, plots.parts.y.minimum),
                 high = std::max(plots.line.y.maximum, plots.parts.y.maximum);
    for (Plot* plot : {&plots.line, &plots.parts}) {
        plot->y.minimum = low;
        plot->y.maximum = high;
    }
    return plots;
}

void sum_plot(AppState& state, const LinePlots& plots, float height) {
    const Plot& plot = plots.line;
    const StageReport& stage = state.report.findings.stage;
    const ValueScale scale = value_scale(state, state.scene.active);
    const bool movable = shown_line(state.scene).has_value();
    gui::PlotFocus focus = gui::shared_focus(pane_ink(state.scene.active));
    gui::PlotDrag drag{.series = plot.series.size() - 1};
    gui::plot_view(
        plot, {.id = "##plot:stage",
               .zoom = state.ui.inspect.stage,
               .limits = {plots.first, plots.last},
               .height = height,
               .tip = "Dots: the samples; drag them up and down. Lines: what each pane's method makes of them. Grey: "
                      "the function that was sampled.",
               .columns = &state.ui.plot_columns,
               .brief = true,
               .focus = &focus,
               .drag = movable ? &drag : nullptr});
    if (!drag.held) return;
    const double range = plot.y.maximum - plot.y.minimum;
    // Dots outside of the part that is zoomed into are not among those of the plot.
    const auto k = size_t(std::lround(stage.line.stored[*drag.held].at));
    move_sample(state.scene, k, drag.value / scale.factor(), range / scale.factor());
}

void parts_view(AppState& state, const LinePlots& plots, float height) {
    const StageReport& stage = state.report.findings.stage;
    if (stage.parts.empty()) {
        gui::remark("Zoom in to see the weighted functions, unless the method has no weight function.", false);
        return;
    }
    gui::plot_view(
        plots.parts,
        {.id = "##plot:stage-parts",
         .zoom = state.ui.inspect.stage,
         .limits = {plots.first, plots.last},
         .height = height,
         .tip = "What each sample adds: its value times the weight function of the active pane about it. With a "
                "prefilter, the coefficients do. At every x, they add up to the curve above.",
         .legend = stage.coefficients,
         .brief = true});
}

void spectrum_view(AppState& state, float height) {
    const StageReport& stage = state.report.findings.stage;
    gui::plot_view(
        amplitude_plot(stage),
        {.id = "##plot:stage-spectrum",
         .zoom = state.ui.inspect.stage_spectrum,
         .limits = {0, highest_frequency * stage.rate},
         .height = height,
         .tip = "Amplitudes of the samples' frequencies. Beyond the Nyquist frequency, half the rate, they repeat: "
                "copies. Dashed: the response of the active pane's method, 1 at frequency 0; in its colour, what "
                "the method makes of each amplitude.",
         .brief = true});
}

}  // namespace

void stage_tab(AppState& state) {
    const StageReport& stage = state.report.findings.stage;
    const auto line = shown_line(state.scene);
    if (!shows_signal(state) || stage.line.channels == 0) {
        const std::string& why = state.report.findings.no_stage;
        if (!why.empty()) gui::remark(why, false);
        else if (shows_signal(state)) return;  // computed once this frame is rendered
        else gui::remark("The stage shows one-dimensional signals: open one, or begin with one of these.", false);
        line_buttons(state.tasks, 2);
        return;
    }
    const bool controls = !state.presenter.on && !current_step(state.lesson),
               low = ImGui::GetContentRegionAvail().y < gui::px(440);
    if (controls && line) formula_rows(state, *line);
    const float row = ImGui::GetFrameHeightWithSpacing(), width = ImGui::GetContentRegionAvail().x, gap = gui::px(12);
    const float room = ImGui::GetContentRegionAvail().y - (controls ? 2 * row + gui::px(8) : 0);
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    LinePlots plots = line_plots(state);
    if (low && width >= gui::px(480)) {  // the spectrum beside
        ImGui::BeginChild("##stage-line", {(width - gap) * 0.55f, room}, false,
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        // The upper one's label is that of the plot below it, which is higher by half of that to be as large.
        const float label = stage.parts.empty() ? 0 : (ImGui::GetFontSize() + gui::px(4)) / 2;
        if (label > 0) plots.line.x.label.clear();
        sum_plot(state, plots, room / 2 - spacing - label);
        parts_view(state, plots, room / 2 - spacing + label);
        ImGui::EndChild();
        ImGui::SameLine(0, gap);
        ImGui::BeginChild("##stage-spectrum", {0, room}, false,
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        spectrum_view(state, room);
        ImGui::EndChild();
    } else {
        const float each = room / 3 - spacing;
        sum_plot(state, plots, each);
        parts_view(state, plots, each);
        spectrum_view(state, each);
    }
    if (!controls) return;
    edges_row(state.ui.inspect);
    line_buttons(state.tasks, 2);
}

}  // namespace texelscope::panels
