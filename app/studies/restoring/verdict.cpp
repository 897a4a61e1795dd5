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

bool as_good_as(const RestoredMethod& best, const RestoredMethod& other) { return psnr(best) - psnr(other) < as_good; }

// ", 7 others within 0.05 dB"; empty if the best is alone, or only `named` is near it, which the sentence names.
std::string others_near(const std::vector<RestoredMethod>& methods, const RestoredMethod* named) {
    const RestoredMethod& best = methods.front();
    const auto near = std::count_if(methods.begin() + 1, methods.end(),
                                    [&](const RestoredMethod& other) { return as_good_as(best, other); });
    if (near == 0 || (near == 1 && named && as_good_as(best, *named))) return "";
    return fmt::format(", {} within {} dB", near == 1 ? "one other" : fmt::format("{} others", near), as_good);
}

std::string distance_words(const RestoredMethod& best, const RestoredMethod& other) {
    if (as_good_as(best, other)) return "as good";
    return fmt::format("{:.1f} dB behind", psnr(best) - psnr(other));
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
    const RestoredMethod *other = cheaper(methods), &second = methods[1];
    const std::string text =
        fmt::format("{} this picture {}: {} dB against {}{}; ", does, two ? "better" : "best", psnr_text(psnr(best)),
                    reference_name(restoration), two ? "" : others_near(methods, other));
    if (other)
        return text + fmt::format("{} is {} with {:.4g} instead of {:.4g} fetches.", name_in_text(*other->spec.method),
                                  distance_words(best, *other), other->fetches, best.fetches);
    if (std::isnan(psnr(second))) return text + "nothing else can be judged.";
    const bool near = as_good_as(best, second);
    const std::string name(name_in_text(*second.spec.method));
    if (two) return text + fmt::format("{} {} {}.", name, near ? "is" : "follows", distance_words(best, second));
    if (near) return text + "nothing near it reads much less.";
    return text +
           fmt::format("{} follows {}, and nothing near it reads much less.", name, distance_words(best, second));
}

}  // namespace texelscope
