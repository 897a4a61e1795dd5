#include "app/studies/bench/paper.h"

#include <algorithm>

#include <fmt/format.h>

namespace texelscope {
namespace {

// Null if it was not measured.
const BenchResult* measured(const BenchReport& report, std::string_view view, std::string_view spec) {
    const BenchResult* result = report.find(fmt::format("paper/{}/f32x1/{}", view, spec));
    return result && result->time ? result : nullptr;
}

const BenchResult* faster_bilinear(const BenchReport& report, std::string_view view) {
    const BenchResult* best = nullptr;
    for (const std::string_view spec : paper_specs) {
        const BenchResult* one = spec.starts_with("bilinear") ? measured(report, view, spec) : nullptr;
        if (one && (!best || one->time->median_us < best->time->median_us)) best = one;
    }
    return best;
}

// The side of the table's output in this report.
int side_of(const BenchReport& report) {
    for (const BenchResult& result : report.results)
        if (result.section == BenchSection::paper && result.work == "render") return result.width;
    return 0;
}

}  // namespace

std::string paper_view(std::string_view what, int side) { return fmt::format("{}-{}", what, side); }

std::vector<int> paper_prefilter_sides(int side) {
    std::vector<int> sides;
    for (const PaperView& view : paper_views) sides.push_back(std::max(1, side / view.zoom));
    return sides;
}

std::optional<Timing> paper_prefilter_time(const BenchReport& report, int side, std::string_view prefilter) {
    const std::string spec = fmt::format("bspline:prefilter={}", prefilter);
    const BenchResult* result = measured(report, paper_view(paper_prefilter_view, side), spec);
    return result ? result->time : std::nullopt;
}

std::vector<PaperCost> paper_costs(const BenchReport& report) {
    std::vector<PaperCost> costs;
    const int side = side_of(report);
    for (const PaperView& view : paper_views)
        for (const std::string_view prefilter : paper_prefilters)
            for (const FetchPath path : {FetchPath::automatic, FetchPath::lookup, FetchPath::hardware}) {
                MethodSpec spec = default_spec(parse_method("bspline"));  // its coefficients cost the same to read
                spec.path = path;
                const BenchResult* interpolation = measured(report, view.id, short_text(spec));
                const BenchResult* bilinear = faster_bilinear(report, view.id);
                const auto filter = paper_prefilter_time(report, std::max(1, side / view.zoom), prefilter);
                if (!interpolation || !bilinear || !filter) continue;
                const double published = (prefilter == "iir" ? view.iir_ms : view.fir15_ms) / view.bilinear_ms;
                costs.push_back({&view, std::string(prefilter), std::string(name_of(path)), *filter,
                                 *interpolation->time, *bilinear->time, bilinear->over_copy().value_or(0), published});
            }
    return costs;
}

}  // namespace texelscope
