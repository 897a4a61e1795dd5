#include "app/studies/restoring/verdict.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/text/spec_words.h"

namespace texelscope {
namespace {

constexpr double as_good = 0.05;      // dB: the same in the sentence's digits
constexpr double much_cheaper = 0.7;  // of the best one's time: beyond the spread of timings
constexpr double worth_naming = 6;    // dB: half the precision; what is further behind is no alternative

double psnr(const RestoredMethod& method) { return method.inside.metrics.psnr; }

std::string share_words(double share) {
    struct Named {
        double share;
        const char* words;
    };
    for (const Named& named : {Named{1.0 / 2, "half"}, Named{1.0 / 3, "a third"}, Named{1.0 / 4, "a quarter"},
                               Named{1.0 / 5, "a fifth"}, Named{1.0 / 10, "a tenth"}})
        if (std::abs(share - named.share) < 0.08 * named.share) return named.words;
    return fmt::format("{:.0f} %", std::max(1.0, 100 * share));
}

// The best of those that are much cheaper; null if none comes near.
const RestoredMethod* cheaper(const std::vector<RestoredMethod>& methods) {
    const RestoredMethod& best = methods.front();
    for (const RestoredMethod& method : methods)  // best first
        if (method.milliseconds <= much_cheaper * best.milliseconds && psnr(best) - psnr(method) <= worth_naming)
            return &method;
    return nullptr;
}

}  // namespace

std::string verdict(const Restoration& restoration, const std::vector<RestoredMethod>& methods) {
    if (methods.empty() || std::isnan(psnr(methods.front())))
        return "No method can be judged: the picture has no finite values to compare.";
    const RestoredMethod& best = methods.front();
    const std::string does = fmt::format("{} {}", best.spec.method->name,
                                         restoration.kind == Restoration::Kind::reduce ? "reduces" : "restores");
    if (std::isinf(psnr(best))) return fmt::format("{} this picture exactly.", does);
    if (methods.size() == 1)
        return fmt::format("{} this picture with {:.1f} dB against {}.", does, psnr(best), reference_name(restoration));
    const std::string text =
        fmt::format("{} this picture best: {:.1f} dB against {}; ", does, psnr(best), reference_name(restoration));
    if (const RestoredMethod* other = cheaper(methods)) {
        const double behind = psnr(best) - psnr(*other);
        return text + fmt::format("{} is {} at {} of the cost.", name_in_text(*other->spec.method),
                                  behind < as_good ? "as good" : fmt::format("{:.1f} dB behind", behind),
                                  share_words(other->milliseconds / best.milliseconds));
    }
    const RestoredMethod& second = methods[1];
    if (std::isnan(psnr(second))) return text + "nothing else can be judged.";
    return text + fmt::format("{} follows {:.1f} dB behind, and nothing near it is much cheaper.",
                              name_in_text(*second.spec.method), psnr(best) - psnr(second));
}

}  // namespace texelscope
