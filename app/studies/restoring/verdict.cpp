#include "app/studies/restoring/verdict.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/text/figures.h"
#include "app/text/spec_words.h"

namespace texelscope {
namespace {

constexpr double as_good = 0.05;      // dB: the same in the sentence's digits
constexpr double much_cheaper = 0.7;  // of the best one's fetches
constexpr double worth_naming = 6;    // dB: half the precision; what is further behind is no alternative

double psnr(const RestoredMethod& method) { return method.inside.metrics.psnr; }

// The best of those that read much less; null if none comes near. Times would name another one on every run of a busy
// machine.
const RestoredMethod* cheaper(const std::vector<RestoredMethod>& methods) {
    const RestoredMethod& best = methods.front();
    for (const RestoredMethod& method : methods)  // best first
        if (method.fetches <= much_cheaper * best.fetches && psnr(best) - psnr(method) <= worth_naming) return &method;
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
        return fmt::format("{} this picture with {} dB against {}.", does, psnr_text(psnr(best)),
                           reference_name(restoration));
    const bool two = methods.size() == 2;
    const std::string text = fmt::format("{} this picture {}: {} dB against {}; ", does, two ? "better" : "best",
                                         psnr_text(psnr(best)), reference_name(restoration));
    if (const RestoredMethod* other = cheaper(methods)) {
        const double behind = psnr(best) - psnr(*other);
        return text + fmt::format("{} is {} with {:.4g} instead of {:.4g} fetches.", name_in_text(*other->spec.method),
                                  behind < as_good ? "as good" : fmt::format("{:.1f} dB behind", behind),
                                  other->fetches, best.fetches);
    }
    const RestoredMethod& second = methods[1];
    if (std::isnan(psnr(second))) return text + "nothing else can be judged.";
    const std::string follows =
        fmt::format("{} follows {:.1f} dB behind", name_in_text(*second.spec.method), psnr(best) - psnr(second));
    return text + follows + (two ? "." : ", and nothing near it reads much less.");
}

}  // namespace texelscope
