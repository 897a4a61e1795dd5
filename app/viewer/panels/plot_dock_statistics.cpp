// Statistics of the current image's stored samples, a column for each channel.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/readout_text.h"
#include "app/viewer/panels/plot_dock.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
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

// Of the channels from `first` to before `end`.
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
    if (!part_row(state, "The samples whose centres lie in the selected region.", "Whole image", "All samples."))
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

}  // namespace texelscope::panels
