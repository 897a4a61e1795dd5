#include "app/picture/frame/float_peaks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/picture/source_cache.h"
#include "gpu/core/parallel.h"

namespace texelscope {

bool FloatPeaks::needed_by(const Image& image) { return !image.in_memory() && !is_normalised(image.type()); }

const FloatPeaks::Entry* FloatPeaks::entry_of(const std::shared_ptr<const Image>& image) const {
    for (const Entry& entry : entries_)
        if (entry.image.lock() == image) return &entry;
    return nullptr;
}

FloatPeaks::Known FloatPeaks::at(const std::shared_ptr<const Image>& image) {
    if (!is_affordable(*image))
        return {.peak = 0,
                .why_not = fmt::format("PSNR and SSIM refer to the range of all samples, which is not looked for in "
                                       "more than {:.0f} GiB of floats; texelscope compare does it",
                                       most_ / 0x1p30)};
    if (const Entry* const entry = entry_of(image)) return entry->known;
    wanted_.push_back(image);
    return {.peak = 0, .why_not = "PSNR and SSIM refer to the range of all samples, which are still being read"};
}

namespace {

std::string words_for(const std::string& problem) {
    return fmt::format("PSNR and SSIM refer to the range of all samples: {}", problem);
}

}  // namespace

void FloatPeaks::find(const std::shared_ptr<const Image>& image) try {
    if (!is_affordable(*image) || entry_of(image)) return;
    work_.drop();
    entries_.push_back({image, {peak_of(*image), {}}});
} catch (const std::exception& error) {
    entries_.push_back({image, {0, words_for(error.what())}});
}

void FloatPeaks::follow() {
    std::erase_if(entries_, [](const Entry& entry) { return entry.image.expired(); });
    auto result = work_.take();
    if (!result) return;
    if (result->answer) entries_.push_back({result->question, {*result->answer, {}}});
    else entries_.push_back({result->question, {0, words_for(result->why())}});
}

void FloatPeaks::begin() {
    const auto wanted = std::exchange(wanted_, {});
    const auto* const now = work_.question();
    if (now && std::find(wanted.begin(), wanted.end(), *now) != wanted.end()) return;
    work_.drop();
    if (wanted.empty()) return;
    work_.ask(wanted.front(), [](const std::shared_ptr<const Image>& image, const std::stop_token& stop) {
        const StoppableLoops stoppable(stop);
        lower_priority();
        return peak_of(*image);
    });
}

}  // namespace texelscope
