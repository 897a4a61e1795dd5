// Histogram of the pane under the cursor.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/inspect/profile_plot.h"
#include "app/picture/pane_picture.h"
#include "app/state/pane_images.h"
#include "app/state/readout_text.h"
#include "app/viewer/panels/plot_dock.h"
#include "app/viewer/widgets/plot_view.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

Ink channel_ink(const HistogramReport& h, bool has_alpha, int channel) {
    constexpr Ink colours[] = {Ink::pink, Ink::green, Ink::blue};
    const int plain = h.channels - (has_alpha ? 1 : 0);
    if (plain == 1 || channel >= plain) return Ink::grey;
    return plain == 3 ? colours[channel] : channel == 0 ? Ink::blue : Ink::orange;
}

// One step per bin; zero counts lie below a logarithmic axis.
Series bars(const HistogramReport& h, int channel, double factor) {
    Series series{.style = Series::Style::area};
    const std::vector<int64_t>& bins = h.bins[size_t(channel)];
    const double width = (h.high - h.low) / double(bins.size());
    for (size_t k = 0; k < bins.size(); ++k)
        for (const size_t end : {k, k + 1}) {
            series.x.push_back(factor * (h.low + width * double(end)));
            series.y.push_back(double(bins[k]));
        }
    return series;
}

int64_t highest(const HistogramReport& h) {
    int64_t most = 1;
    for (int c = 0; c < h.channels; ++c)
        most = std::max(most, *std::max_element(h.bins[size_t(c)].begin(), h.bins[size_t(c)].end()));
    return most;
}

void counts_row(AppState& state) {
    gui::label("Counts", "Scale of the counts.");
    const gui::Segment segments[] = {{"Linear", "Linear counts, from zero."},
                                     {"Logarithmic", "Logarithmic counts, so that rare values show too."}};
    bool& logarithmic = state.ui.inspect.histogram_logarithmic;
    const int clicked = gui::segmented("histogram", segments, logarithmic ? 1 : 0);
    if (clicked >= 0) logarithmic = clicked == 1;
    ImGui::Dummy({0, gui::px(4)});
}

void figures(const HistogramReport& h, const ValueScale& scale) {
    gui::figure("Pixels", fmt::format("{}", h.pixels),
                fmt::format("Number of pixels counted: those of the pane that lie on the image{}.",
                            h.of_selection ? " and in the selected region" : ""));
    gui::figure("Range", fmt::format("{} … {}", scale.between(double(h.least)), scale.between(double(h.most))),
                "The smallest and the largest finite value on the axis.");
    gui::figure("NaN", fmt::format("{}", h.not_a_number), "Number of values that are not a number, over all channels.");
    gui::figure("±∞", fmt::format("{}", h.infinite), "Number of infinite values, over all channels.");
}

// What is not in the bins of a picture with alpha.
std::string left_out(const HistogramReport& h) {
    std::string text;
    if (h.transparent) text = fmt::format("the colour of {} transparent pixels", h.transparent);
    if (h.beyond) text += fmt::format("{}{} values beyond the axis", text.empty() ? "" : " and ", h.beyond);
    return text.empty() ? text : "Not counted: " + text + ".";
}

constexpr const char* why_left_out =
    "Colour is divided by alpha. Below 1/510, half a step of 8 bits, a pixel has no colour. The axis spans the colours of "
    "pixels with at least half of the largest alpha: where a method overshoots, others divide by next to nothing.";

}  // namespace

void histogram_tab(AppState& state) {
    const HistogramReport& h = state.report.findings.histogram;
    const auto image = image_of(state, h.pane);
    if (h.channels == 0 || !image) {
        const std::string& why = state.report.findings.no_histogram;
        gui::remark(why.empty() ? "Updated once the picture stops moving." : why, false);
        return;
    }
    const ValueScale scale = value_scale(state, h.pane);
    const double factor = scale.factor();
    const bool has_alpha = image->alpha() != Alpha::none;
    const bool low = is_low(), logarithmic = state.ui.inspect.histogram_logarithmic;
    const auto rows = [&] {
        part_row(state, "The pixels in the selected region.", "Whole view",
                 "All pixels of the pane that lie on the image.");
        counts_row(state);
    };
    if (!low) rows();

    Plot plot{.title = fmt::format("Pane {}", pane_name(h.pane)),
              .x = {.label = value_axis(scale), .minimum = factor * h.low, .maximum = factor * h.high},
              .y = {.label = "pixels", .minimum = 0, .maximum = double(highest(h)) * 1.05}};
    if (logarithmic) {
        plot.y.logarithmic = true;
        plot.y.minimum = 0.5;
        plot.y.maximum = double(highest(h)) * 1.5;
    }
    for (int c = 0; c < h.channels; ++c) {
        plot.series.push_back(bars(h, c, factor));
        plot.series.back().name = channel_name(h.channels, has_alpha, c);
        plot.series.back().ink = channel_ink(h, has_alpha, c);
    }
    // Kept in values, whatever the unit.
    PlotZoom& kept = state.ui.inspect.histogram;
    PlotZoom zoom{kept.from * factor, kept.to * factor};
    const std::string not_counted = left_out(h);
    const bool of_difference = shows_difference(state, h.pane);
    const float row = ImGui::GetFrameHeight() + gui::px(4);
    const float below = low ? gui::px(8)
                            : float(4 + (not_counted.empty() ? 0 : 2) + (of_difference ? 2 : 0)) * row + gui::px(16),
                least = gui::px(low ? 120 : 160);
    gui::plot_view(plot,
                   {.id = "##plot:histogram",
                    .zoom = zoom,
                    .height = std::clamp(ImGui::GetContentRegionAvail().y - below, least, gui::px(480)),
                    .tip = "Values of the pane's picture, with straight alpha, before exposure and gamma, in 256 bins.",
                    .columns = &state.ui.plot_columns,
                    .brief = low});
    ImGui::Dummy({0, gui::px(4)});
    if (low) rows();
    kept = {zoom.from / factor, zoom.to / factor};
    figures(h, scale);
    if (!not_counted.empty()) {
        gui::remark(not_counted, false);
        gui::tooltip(why_left_out);
    }
    if (of_difference) gui::remark("The pane shows a difference; these are the values of its own picture.", false);
}

}  // namespace texelscope::panels
