// Published tables beside those of this machine.

#include <fmt/format.h>

#include "app/cli/bench_output.h"
#include "app/studies/bench/paper.h"
#include "app/studies/bench/resize_article.h"
#include "app/text/table.h"

namespace texelscope {
namespace {

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

}  // namespace

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

}  // namespace texelscope
