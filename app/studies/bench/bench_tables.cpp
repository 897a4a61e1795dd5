#include "app/studies/bench/result.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/text/text.h"

namespace texelscope {
namespace {

// "8.42", "71.2", "10400": three digits or more.
std::string three_digits(double value) {
    return fmt::format("{:.{}f}", value, value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0);
}

std::string percent(const std::optional<double>& share) {
    return share ? fmt::format("{} %", three_digits(100 * *share)) : "–";
}

std::string times(const std::optional<double>& ratio) { return ratio ? fmt::format("{:.2f}", *ratio) : "–"; }

std::string spread(const Timing& time) {
    return fmt::format("{}–{}", three_digits(time.lower_us), three_digits(time.upper_us));
}

std::string method_of(const BenchResult& result) {
    std::string text = result.method.empty() ? result.name : short_text(parse_spec(result.method));
    if (result.simple) text += ", simple";
    return text;
}

TextRow row_of(const BenchReport& report, const BenchResult& result) {
    if (!result.time) return {"  " + method_of(result), "–", "–", "–", "–", "–", "–", "–"};
    const bool rendered = result.work == "render";
    return {"  " + method_of(result),
            three_digits(result.time->median_us),
            spread(*result.time),
            three_digits(result.gigapixels_per_second()),
            three_digits(result.bytes * 1e-6),
            percent(report.share_of_copy(result)),
            rendered ? times(result.over_bilinear) : "–",
            times(result.over_copy())};
}

std::string heading(const BenchResult& result) {
    const std::string source = fmt::format("{}×{}", result.source_width, result.source_height);
    if (result.section == BenchSection::prefilter) return fmt::format("prefilter, {} {}", result.format, source);
    return fmt::format("{}, {} {} to {}×{}", result.view, result.format, source, result.width, result.height);
}

// Consecutive results share a heading; all columns have the same widths.
std::string case_table(const BenchReport& report, BenchSection section) {
    std::vector<TextRow> rows = {{"", "µs", "quartiles", "Gpixel/s", "MB", "of copy", "× bilinear", "× copy"}};
    std::string notes, last;
    for (const BenchResult& result : report.results) {
        if (result.section != section) continue;
        if (const std::string title = heading(result); title != last) {
            rows.push_back({title, "", "", "", "", "", "", ""});
            last = title;
        }
        rows.push_back(row_of(report, result));
        if (!result.time) notes += fmt::format("{}: not measured: {}\n", result.name, result.skipped);
    }
    return rows.size() == 1 ? "" : fmt::format("\n{}{}", aligned(rows, 1), notes);
}

// The cost of panning a large image, relative to panning one of 16 million pixels.
std::string pan_table(const BenchReport& report) {
    std::vector<TextRow> rows = {{"", "image", "µs", "× pan"}};
    for (const BenchResult& large : report.results) {
        constexpr std::string_view prefix = "render/pan-large/";
        if (!large.name.starts_with(prefix) || !large.time) continue;
        const BenchResult* small = report.find("render/pan/" + large.name.substr(prefix.size()));
        if (!small || !small->time) continue;
        rows.push_back({fmt::format("  {} {}", large.format, method_of(large)),
                        fmt::format("{}×{}", large.source_width, large.source_height),
                        three_digits(large.time->median_us), times(large.time->median_us / small->time->median_us)});
    }
    return rows.size() == 1
               ? ""
               : "\npanning the largest image over one of " + std::string("16 million pixels\n") + aligned(rows, 1);
}

// The table of a section of stages.
std::string stage_table(const BenchReport& report, BenchSection section) {
    std::vector<TextRow> rows = {{"", "", "µs", "quartiles"}};
    std::string title;
    for (const BenchResult& result : report.results) {
        if (result.section != section) continue;
        if (!result.time) return fmt::format("\n{}: not measured: {}\n", name_of(section), result.skipped);
        title = fmt::format("{}, {}×{}, {}", name_of(section), result.width, result.height, result.view);
        rows.push_back({"  " + result.name.substr(name_of(section).size() + 1), result.note,
                        three_digits(result.time->median_us), spread(*result.time)});
    }
    return title.empty() ? "" : fmt::format("\n{}\n{}", title, aligned(rows, 2));
}

std::string turn_words(const BenchReport& report) {
    double least = 0;
    for (const BenchResult& result : report.results)
        if (result.section == BenchSection::render && result.bytes_in_turn > 0)
            least = least == 0 ? result.bytes_in_turn : std::min(least, result.bytes_in_turn);
    if (least == 0) return "";
    return fmt::format(
        "reuse   pictures take turns: at least {} MB are touched before any memory is read or written again\n",
        three_digits(least * 1e-6));
}

// Published tables beside those of this machine. Empty if the report does not contain their cases.

std::string ms(double microseconds) { return fmt::format("{:.4g}", microseconds / 1000); }

std::string ms(const std::optional<Timing>& time) { return time ? ms(time->median_us) : "–"; }

std::string prefilter_table(const BenchReport& report) {
    std::vector<TextRow> rows = {{"prefilter", "size", "GTX 260M", "Tesla C2050", "here"}};
    for (const PaperPrefilter& row : paper_prefilter_times)
        rows.push_back({"  " + std::string(row.prefilter), fmt::format("{0}×{0}", row.side),
                        fmt::format("{}", row.gtx260m_ms), fmt::format("{}", row.c2050_ms),
                        ms(paper_prefilter_time(report, row.side, row.prefilter))});
    return "\nTable 1: prefilter, ms\n" + aligned(rows, 1);
}

std::string directions_table(const BenchReport& report) {
    std::vector<TextRow> rows = {{"prefilter", "C2050 rows", "C2050 columns", "C2050 both", "both here"}};
    for (const PaperDirections& row : paper_directions)
        rows.push_back({"  " + std::string(row.prefilter), fmt::format("{}", row.row_ms),
                        fmt::format("{}", row.column_ms), fmt::format("{}", row.total_ms),
                        ms(paper_prefilter_time(report, paper_side, row.prefilter))});
    return "\nTable 2: its two directions at 2048×2048, ms\n" + aligned(rows, 1);
}

std::string costs_table(const std::vector<PaperCost>& costs) {
    std::vector<TextRow> rows = {{"prefilter and interpolation", "bilinear ms", "× copy", "prefilter ms",
                                  "interpolation ms", "× bilinear", "C2050 × bilinear"}};
    const PaperView* last = nullptr;
    for (const PaperCost& cost : costs) {
        if (cost.view != last) rows.push_back({std::string(cost.view->name), "", "", "", "", "", ""});
        last = cost.view;
        rows.push_back({fmt::format("  {}, {} path", cost.prefilter, cost.path), ms(cost.bilinear.median_us),
                        fmt::format("{:.2f}", cost.bilinear_over_copy), ms(cost.prefiltering.median_us),
                        ms(cost.interpolation.median_us), fmt::format("{:.2f}", cost.ratio()),
                        fmt::format("{:.2f}", cost.published_ratio)});
    }
    return "\nTable 3: cubic B-spline over bilinear (by its faster path)\n" + aligned(rows, 1);
}

std::string paper_tables(const BenchReport& report) {
    const std::vector<PaperCost> costs = paper_costs(report);
    if (costs.empty()) return "";
    const BenchResult* first = report.find("paper/rotate/f32x1/bilinear");
    return fmt::format("\nChampagnat & Le Sant 2011, published figures beside this machine's; f32x1, output {}×{}\n",
                       first ? first->width : 0, first ? first->height : 0) +
           prefilter_table(report) + directions_table(report) + costs_table(costs);
}

std::string article_table(const BenchReport& report) {
    std::vector<TextRow> rows = {{"", "work", "ms", "quartiles ms", "published ms"}};
    for (const BenchResult& result : report.results) {
        if (result.section != BenchSection::resize || !result.time) continue;
        std::string published = "–";
        if (result.work == "whole-call")
            for (const ArticleRow& row : article_rows)
                if (parse_spec(result.method).method->id == row.method)
                    published = fmt::format("{}", result.backend == BackendKind::cuda ? row.cuda_ms : row.cpu_ms);
        rows.push_back({fmt::format("  {} {}", name_of(result.backend), short_text(parse_spec(result.method))),
                        result.work, ms(result.time->median_us),
                        fmt::format("{}–{}", ms(result.time->lower_us), ms(result.time->upper_us)), published});
    }
    if (rows.size() == 1) return "";
    return fmt::format("\nresize {}×{} u8x1 by {} (a whole call uploads, resizes and reads back)\n", article_width,
                       article_height, article_factor) +
           aligned(rows, 2);
}

}  // namespace

std::string bench_tables(const BenchReport& report) {
    std::string text =
        fmt::format("device  {} ({}), {}\ncopy    {} GB/s: {} MB read and written in {} µs\n", report.device,
                    name_of(report.backend), report.detail, three_digits(report.copy_gigabytes_per_second()),
                    three_digits(report.copy_bytes * 1e-6), three_digits(report.copy.median_us));
    text += turn_words(report);
    text += case_table(report, BenchSection::render) + pan_table(report) + case_table(report, BenchSection::prefilter);
    return text + article_table(report) + paper_tables(report) + stage_table(report, BenchSection::frame) +
           stage_table(report, BenchSection::tiles);
}

std::string regression_table(const Regression& regression, const std::string& name) {
    std::vector<TextRow> rows = {{"", "before µs", "now µs", "ratio"}};
    auto sorted = regression.rows;
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.ratio > b.ratio; });
    for (const RegressionRow& row : sorted) {
        if (!regression.is_slower(row) && !regression.is_faster(row)) continue;
        rows.push_back({fmt::format("  {}  {}", regression.is_slower(row) ? "slower" : "faster", row.name),
                        three_digits(row.before_us), three_digits(row.now_us), times(row.ratio)});
    }
    return fmt::format(
        "\nagainst {}, relative to each run's own copy\n{}{} cases compared: {} slower and {} faster by more than {} "
        "%; {} "
        "only there, {} only here\n",
        name, rows.size() == 1 ? "" : aligned(rows, 1), regression.rows.size(), regression.slower(),
        regression.faster(), 100 * regression.threshold, regression.only_before, regression.only_now);
}

}  // namespace texelscope
