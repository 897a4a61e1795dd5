#include "app/picture/frame/float_peaks.h"

#include <fmt/format.h>

#include "app/picture/source_cache.h"
#include "gpu/core/parallel.h"

namespace texelscope {
namespace {

std::string words_for(const std::string& problem) {
    return fmt::format("PSNR and SSIM refer to the range of all samples: {}", problem);
}

}  // namespace

bool FloatPeaks::needed_by(const Image& image) { return !image.in_memory() && !is_normalised(image.type()); }

FloatPeaks::Known FloatPeaks::at(const std::shared_ptr<const Image>& image) {
    if (!is_affordable(*image))
        return {.peak = 0,
                .why_not = fmt::format("PSNR and SSIM refer to the range of all samples, which is not looked for in "
                                       "more than {:.0f} GiB of floats; texelscope compare does it",
                                       most_ / 0x1p30)};
    if (const auto* made = peaks_.ask(image))
        return {.peak = made->value.value_or(0), .why_not = made->value ? "" : words_for(made->why())};
    return {.peak = 0, .why_not = "PSNR and SSIM refer to the range of all samples, which are still being read"};
}

void FloatPeaks::find(const std::shared_ptr<const Image>& image) try {
    if (!is_affordable(*image) || peaks_.find(image)) return;
    peaks_.put({image, peak_of(*image)});
} catch (const std::exception&) {
    peaks_.put({image, {}, std::current_exception()});
}

void FloatPeaks::follow() {
    peaks_.forget_if([](const WeakImage& image) { return image.expired(); });
    peaks_.take();
}

void FloatPeaks::begin() {
    peaks_.end_frame([](const WeakImage& of) {
        return [image = of.lock()](const std::stop_token& stop) {
            const StoppableLoops stoppable(stop);
            lower_priority();
            return peak_of(*image);
        };
    });
}

}  // namespace texelscope
