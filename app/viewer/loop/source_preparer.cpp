#include "app/viewer/loop/source_preparer.h"

#include <utility>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr size_t large = size_t(1) << 20;  // samples: a few milliseconds

std::shared_ptr<SourceImage> prepared(const Preparation& asked, const std::stop_token& stop) {
    const auto source = std::make_shared<SourceImage>(make_cpu_backend(), asked.image, asked.light);
    for (const RenderRequest& request : asked.requests) {
        if (stop.stop_requested()) throw Cancelled("preparing it was cancelled");
        source->prepare(request);
    }
    return source;
}

}  // namespace

bool SourcePreparer::is_worth_it(const SourceCache& cache, const std::shared_ptr<const Image>& image,
                                 Light light) const {
    const size_t samples = size_t(image->width()) * size_t(image->height()) * size_t(image->channels());
    return cache.backend()->info().kind == BackendKind::cpu && samples >= large && image != failed_ &&
           !cache.has(image, light);
}

void SourcePreparer::prepare(Preparation preparation) {
    failed_.reset();
    work_.ask(std::move(preparation), prepared);
}

bool SourcePreparer::follow(SourceCache& cache) {
    auto result = work_.take();
    if (!result) return false;
    try {
        if (result->problem) std::rethrow_exception(result->problem);
        cache.put(result->question.image, result->question.light, std::move(**result->answer));
    } catch (const std::exception&) {
        failed_ = result->question.image;
    }
    return true;
}

}  // namespace texelscope
