// By what restored pictures are ranked: figures, their words, and the sentence about several of them.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/studies/restoring/restoring.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

// The best by a judge, or null if nothing can be said.
const RestoredMethod* best_by(Judge judge, const std::vector<RestoredMethod>& methods) {
    const auto best = std::min_element(methods.begin(), methods.end(),
                                       [&](const auto& a, const auto& b) { return better(a, b, judge); });
    return best == methods.end() || std::isnan(figure_of(*best, judge)) ? nullptr : &*best;
}

}  // namespace

double figure_of(const RestoredMethod& method, Judge judge) {
    const RestoredFigures& f = method.inside;
    switch (judge) {
        case Judge::psnr: return std::isnan(f.metrics.psnr) ? not_known : std::min(f.metrics.psnr, most_counted_psnr);
        case Judge::ssim: return f.metrics.ssim;
        case Judge::delta_e: return f.colours ? f.colours->mean : not_known;
        case Judge::flip: return f.flip ? f.flip->mean : not_known;
        case Judge::gmsd: return f.gradient ? f.gradient->deviation : not_known;
    }
    return not_known;
}

double merit_of(const RestoredMethod& method, Judge judge) {
    // Not as it is counted: what is restored exactly is better than what is nearly.
    if (judge == Judge::psnr) return method.inside.metrics.psnr;
    const double figure = figure_of(method, judge);
    return more_is_better(judge) ? figure : -figure;
}

bool better(const RestoredMethod& a, const RestoredMethod& b, Judge judge) {
    const double merit_a = merit_of(a, judge), merit_b = merit_of(b, judge);
    return merit_a > merit_b || (std::isnan(merit_b) && !std::isnan(merit_a));
}

void sort_best_first(std::vector<RestoredMethod>& methods, Judge judge) {
    std::ranges::stable_sort(methods, [&](const auto& a, const auto& b) { return better(a, b, judge); });
}

std::string figure_text(Judge judge, double value) {
    if (std::isnan(value)) return "–";
    switch (judge) {
        case Judge::psnr: return psnr_text(value) + " dB";
        case Judge::ssim: return ssim_text(value);
        case Judge::delta_e: return fmt::format("{:.2f}", value);
        default: return fmt::format("{:.4f}", value);
    }
}

std::vector<Judge> parse_judges(std::string_view option, std::string_view text) {
    std::vector<Judge> judges;
    const auto add = [&](Judge judge) {
        if (std::find(judges.begin(), judges.end(), judge) == judges.end()) judges.push_back(judge);
    };
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(',', at), text.size());
        add(parse_choice<Judge>(option, text.substr(at, end - at)));
        at = end + 1;
    }
    add(Judge::psnr);
    return judges;
}

std::string why_no_judge(Judge judge, const Image& image) {
    if (judge == Judge::psnr || judge == Judge::ssim) return {};
    if (judge == Judge::delta_e)
        return has_colours(image) ? "" : fmt::format("ΔE2000 compares colours: {} has none", describe(image));
    const int colours = image.channels() - (image.alpha() == Alpha::none ? 0 : 1);
    return colours == 2 ? fmt::format("{} needs grey or three colours, not two channels", row_of(judge).label()) : "";
}

std::string judges_words(const std::vector<Judge>& judges, const std::vector<RestoredMethod>& methods) {
    std::vector<std::pair<Judge, const RestoredMethod*>> best;
    for (const Judge judge : judges)
        if (const RestoredMethod* method = best_by(judge, methods)) best.emplace_back(judge, method);
    if (best.empty()) return "";
    const auto figure = [](const auto& one) { return figure_text(one.first, figure_of(*one.second, one.first)); };
    std::string words;
    const bool agree =
        std::all_of(best.begin(), best.end(), [&](const auto& one) { return one.second == best[0].second; });
    for (size_t k = 0; k < best.size(); ++k) {
        words += k == 0 ? "" : k + 1 < best.size() ? ", " : agree ? " and " : ", ";
        const std::string_view name = row_of(best[k].first).label();
        if (agree) words += fmt::format("{} ({})", name, figure(best[k]));
        else if (k == 0)
            words += fmt::format("by {} it is {} ({})", name, name_among(*best[k].second, methods), figure(best[k]));
        else words += fmt::format("by {} {} ({})", name, name_among(*best[k].second, methods), figure(best[k]));
    }
    if (!agree) return fmt::format("Which is best depends on the figure: {}.", words);
    return fmt::format("{} is best by {}.", best[0].second->spec.method->name, words);
}

std::string best_so_far(const RestoringResult& result) {
    const auto& methods = result.methods;
    const Judge judge = result.plan.judges.front();
    const RestoredMethod* best = best_by(judge, methods);
    if (!best) return "";
    const auto same = std::count_if(methods.begin(), methods.end(),
                                    [&](const auto& other) { return other.spec.method == best->spec.method; });
    const std::string title = same > 1 ? words(best->spec) : std::string(best->spec.method->name);
    if (judge == Judge::psnr)
        return fmt::format("{} is the best so far, {} dB", title, fine_psnr_text(best->inside.metrics.psnr));
    return fmt::format("{} is the best so far, {} {}", title, row_of(judge).label(),
                       figure_text(judge, figure_of(*best, judge)));
}

std::string verdict(const RestoringResult& result) {
    const std::vector<Judge>& judges = result.plan.judges;
    if (judges.size() == 1 && judges[0] == Judge::psnr) return verdict(result.plan.restoration, result.methods);
    const std::string words = judges_words(judges, result.methods);
    return words.empty() ? verdict(result.plan.restoration, result.methods) : words;
}

}  // namespace texelscope
