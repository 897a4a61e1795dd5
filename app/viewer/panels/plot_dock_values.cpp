// Histogram of the pane under the cursor, statistics, profile.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/drawing/plot.h"
#include "app/picture/inspect/profile.h"
#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"
#include "app/text/glossary.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/panels/panels.h"
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

void counts_row(InspectUi& inspect) {
    gui::label("Counts", "Scale of the counts.");
    const gui::Segment segments[] = {{"Linear", "Linear counts, from zero."},
                                     {"Logarithmic", "Logarithmic counts, so that rare values show too."}};
    bool& logarithmic = inspect.histogram_logarithmic;
    const int clicked = gui::segmented("histogram", segments, logarithmic ? 1 : 0);
    if (clicked >= 0) logarithmic = clicked == 1;
    ImGui::Dummy({0, gui::px(4)});
}

void figures(const HistogramReport& h, const ValueScale& scale) {
    gui::figure("Pixels", fmt::format("{}", h.pixels),
                fmt::format("Number of pixels counted: those of the pane that lie on the image{}.",
                            h.of_selection ? " and in the selected region" : ""));
    const bool none = h.not_a_number + h.infinite >= h.pixels * h.channels;
    gui::figure("Range", none ? "–" : fmt::format("{} … {}", scale.between(h.least), scale.between(h.most)),
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
    const auto image = image_of(state.scene, h.pane);
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
        part_row(state.scene, state.ui.inspect, "The pixels in the selected region.", "Whole view",
                 "All pixels of the pane that lie on the image.");
        counts_row(state.ui.inspect);
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

// Statistics of the current image's stored samples, a column for each channel.

namespace {

struct Row {
    std::string name, tip;
    std::array<std::string, 4> values;
};

// NaN and infinities only where there are any.
std::vector<Row> rows_of(const SampleStatistics& s, const ValueScale& scale) {
    std::vector<Row> rows;
    const auto add = [&](std::string name, std::string tip, auto text) {
        Row row{std::move(name), std::move(tip), {}};
        for (int c = 0; c < s.channels; ++c) row.values[size_t(c)] = text(s.of[size_t(c)]);
        rows.push_back(std::move(row));
    };
    using Channel = ChannelStatistics;
    add("Mean", "Sum of the values divided by their number.", [&](const Channel& c) { return scale.between(c.mean); });
    add("Deviation", "Standard deviation: root of the mean squared distance from the mean.",
        [&](const Channel& c) { return scale.between(c.deviation); });
    add("Minimum", "Smallest value.", [&](const Channel& c) { return scale.stored(c.least); });
    for (size_t i = 0; i < percentiles_shown.size(); ++i) {
        const int p = percentiles_shown[i];
        add(p == 50 ? "Median" : fmt::format("{} %", p),
            fmt::format("{} % of the values are at most this; between two values, interpolated linearly.", p),
            [&](const Channel& c) { return scale.between(c.percentiles[i]); });
    }
    add("Maximum", "Largest value.", [&](const Channel& c) { return scale.stored(c.most); });
    const auto any = [&](int64_t ChannelStatistics::*count) {
        return std::any_of(s.of.begin(), s.of.end(), [&](const Channel& c) { return c.*count > 0; });
    };
    if (any(&Channel::not_a_number))
        add("NaN", "Values that are not a number; left out of all else.",
            [](const Channel& c) { return fmt::format("{}", c.not_a_number); });
    if (any(&Channel::infinite))
        add("±∞", "Infinite values; left out of all else.",
            [](const Channel& c) { return fmt::format("{}", c.infinite); });
    return rows;
}

std::string words_of(const SampleBox& box) {
    return fmt::format("x {} … {}, y {} … {}", box.x0, box.x1, box.y0, box.y1);
}

// Columns divided by tabs, as spreadsheets paste them.
std::string as_text(const Document& document, const SampleStatistics& s, const std::vector<Row>& rows, bool has_alpha) {
    std::string text = fmt::format("{}, {}\n", document.title(), words_of(s.box));
    for (int c = 0; c < s.channels; ++c) text += fmt::format("\t{}", channel_name(s.channels, has_alpha, c));
    for (const Row& row : rows) {
        text += "\n" + row.name;
        for (int c = 0; c < s.channels; ++c) text += "\t" + row.values[size_t(c)];
    }
    return text + "\n";
}

float widest_name(const std::vector<Row>& rows) {
    float widest = 0;
    for (const Row& row : rows) widest = std::max(widest, ImGui::CalcTextSize(row.name.c_str()).x);
    return widest;
}

float width_of(const std::string& value) {
    return gui::theme().mono->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, value.c_str()).x;
}

// The table of the channels from `first` to before `end`.
void table(const SampleStatistics& s, const std::vector<Row>& rows, bool has_alpha, int first, int end) {
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingStretchSame |
                                      ImGuiTableFlags_NoPadOuterX | ImGuiTableFlags_NoSavedSettings;
    if (!ImGui::BeginTable(fmt::format("##statistics{}", first).c_str(), end - first + 1, flags)) return;
    ImGui::TableSetupColumn("##name", ImGuiTableColumnFlags_WidthFixed, widest_name(rows));
    for (int c = first; c < end; ++c)
        ImGui::TableSetupColumn(channel_name(s.channels, has_alpha, c), ImGuiTableColumnFlags_WidthStretch, 1);
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (int c = first; c < end; ++c) {
        ImGui::TableSetColumnIndex(c - first + 1);
        gui::heading_at_right(channel_name(s.channels, has_alpha, c));
    }
    constexpr float rounding = 0.5f;
    for (const Row& row : rows) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        const float room = ImGui::GetContentRegionAvail().x + rounding;
        if (ImGui::CalcTextSize(row.name.c_str()).x > room) gui::note_cut(row.name);
        ImGui::TextUnformatted(row.name.c_str());
        gui::tooltip(row.tip);
        gui::note("statistics:" + row.name);
        for (int c = first; c < end; ++c) {
            ImGui::TableNextColumn();
            const std::string& value = row.values[size_t(c)];
            if (width_of(value) > ImGui::GetContentRegionAvail().x + rounding) gui::note_cut(value);
            gui::number_at_right(value);
        }
    }
    ImGui::EndTable();
}

// Several tables, one below the other, where a row has no room for all channels.
void tables(const SampleStatistics& s, const std::vector<Row>& rows, bool has_alpha) {
    float widest = 0;
    for (const Row& row : rows)
        for (int c = 0; c < s.channels; ++c) widest = std::max(widest, width_of(row.values[size_t(c)]));
    const float between = 2 * ImGui::GetStyle().CellPadding.x;
    const float room = ImGui::GetContentRegionAvail().x - widest_name(rows);
    const int fitting = std::clamp(int(room / (std::ceil(widest) + between)), 1, s.channels);
    const int parts = (s.channels + fitting - 1) / fitting, each = (s.channels + parts - 1) / parts;
    for (int first = 0; first < s.channels; first += each) {
        if (first) ImGui::Dummy({0, gui::px(6)});
        table(s, rows, has_alpha, first, std::min(first + each, s.channels));
    }
}

}  // namespace

void statistics_tab(AppState& state) {
    const Document* document = state.scene.document();
    if (!document || !document->image) {
        gui::remark("There is no image.", false);
        return;
    }
    if (!part_row(state.scene, state.ui.inspect, "The samples whose centres lie in the selected region.", "Whole image",
                  "All samples."))
        gui::remark("Of the whole image. A drag with the right button selects a region.", false);
    ImGui::Dummy({0, gui::px(4)});
    const StatisticsReport& report = state.report.findings.statistics;
    if (!report.done) {
        const std::string& why = state.report.findings.no_statistics;
        gui::remark(why.empty() ? "Computing …" : why, false);
        return;
    }
    const SampleStatistics& s = *report.done;
    if (s.box.empty()) {
        gui::remark("The selected region holds no sample.", false);
        return;
    }
    const bool has_alpha = document->image->alpha() != Alpha::none;
    const ValueScale scale(state.ui.value_unit, document->image->type());
    const std::vector<Row> rows = rows_of(s, scale);
    gui::figure("Samples",
                fmt::format("{} × {}{}", s.box.x1 - s.box.x0 + 1, s.box.y1 - s.box.y0 + 1, report.working ? " …" : ""),
                words_of(s.box) + ". Stored samples, before any interpolation, exposure or gamma.");
    ImGui::Dummy({0, gui::px(4)});
    tables(s, rows, has_alpha);
    ImGui::Dummy({0, gui::px(6)});
    if (ImGui::Button("Copy"))
        state.tasks.push_back(task::CopyText{as_text(*document, s, rows, has_alpha), "statistics"});
    gui::note("statistics:copy");
    gui::tooltip("Copy the table as text, with tabs between its columns.");
}

// Profile: stored samples as dots, every pane's reconstruction as a curve through them.

namespace {

void along_row(AppState& state, const ProfileReport& profile) {
    using Along = ProfileLine::Along;
    const ProfileLine& line = state.scene.profile;
    const bool plane = profile.channels == 0 || profile.has_y;
    const gui::Segment segments[] = {
        {"Row", "Along the row under the cursor."},
        {"Column", "Along the column under the cursor.", plane},
        {"Line", "Along your own line: drag on the picture with Ctrl held and the left button.", plane}};
    gui::label("Along", "The line of the profile through the image.");
    const int clicked = gui::segmented("along", segments, plane ? int(line.along) : 0);
    if (clicked >= 0) choose_along(state, Along(clicked));
    if (line.along == Along::line && plane) return;
    constexpr const char* tip = "Keep this row or column. Off: the one under the cursor.";
    gui::label("", "");
    bool pinned = line.pinned;
    if (gui::check("pinned", pinned, tip, "profile:pinned")) pin_profile(state.scene, state.report, pinned);
}

// If there is space for them: few panes, much height.
void name_methods(const Scene& scene, const ProfileReport& profile, Plot& plot) {
    constexpr size_t few = 4;
    if (profile.curves.size() > few || ImGui::GetContentRegionAvail().y < gui::px(300)) return;
    for (size_t k = 0; k < profile.curves.size(); ++k)
        if (const size_t index = size_t(profile.curves[k].pane); index < scene.panes.size()) {
            const Pane& pane = scene.panes[index];
            plot.series[k].name += "  " + (pane.label.empty() ? words(pane.spec) : pane.label);
        }
}

void foot(const Scene& scene, UiState& ui) {
    if (gui::row_button("Save as CSV…", 2,
                        "Save the points of the plot as a table: position, stored sample, each pane's channels.")) {
        toggle_save_window(scene, ui, UiState::Saving::profile);
    }
    gui::note("profile:save");
    ImGui::SameLine();
    ImGui::BeginDisabled(!ui.inspect.profile.active());
    if (gui::row_button("Visible part", 2,
                        "Show the part of the line that is in view. A double click on the plot does the same."))
        ui.inspect.profile = {};
    ImGui::EndDisabled();
    gui::note("profile:reset");
    gui::remark("wheel zooms · drag pans", false);
}

}  // namespace

void profile_tab(AppState& state) {
    const ProfileReport& profile = state.report.findings.profile;
    const auto controls = [&] {
        along_row(state, profile);
        if (profile.channels > 0) channel_row(state.ui.inspect, profile.channels, profile.has_alpha, true);
        ImGui::Dummy({0, gui::px(4)});
    };
    const bool low = profile.channels > 0 && is_low();
    if (!low) controls();
    if (profile.channels == 0) {
        const bool line = state.scene.profile.along == ProfileLine::Along::line;
        const std::string& why = state.report.findings.no_profile;
        if (!why.empty()) gui::remark(why, false);
        else if (line) gui::remark("Drag a line on the picture with Ctrl held and the left button.", false);
        else if (!state.scene.document()) gui::remark("Open an image to see its profile.", false);
        return;  // computed once this frame is rendered
    }
    const float below = low || state.presenter.on ? gui::px(8) : 2 * ImGui::GetFrameHeight() + gui::px(16),
                least = gui::px(low ? 120 : 160);
    Plot plot = profile_plot(profile, state.ui.inspect.channel, value_scale(state, state.scene.active));
    name_methods(state.scene, profile, plot);
    gui::PlotFocus focus = gui::shared_focus(pane_ink(state.scene.active));
    gui::plot_view(plot, {.id = "##plot:profile",
                          .zoom = state.ui.inspect.profile,
                          .limits = {profile.first, profile.end()},
                          .height = std::max(ImGui::GetContentRegionAvail().y - below, least),
                          .tip = "Dots: stored samples. Lines: each pane's reconstruction at unit scale, neither "
                                 "antialiased nor warped. Point at a line or at its name to see it alone.",
                          .columns = &state.ui.plot_columns,
                          .brief = low,
                          .focus = &focus});
    if (state.presenter.on) return;  // what does not fit is not needed there
    if (low) controls();
    foot(state.scene, state.ui);
}

}  // namespace texelscope::panels
