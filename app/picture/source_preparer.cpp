#include "app/picture/source_preparer.h"

#include <utility>

#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope {

Preparation begin_preparing(Preparation preparation, const SourceCache& cache) {
    preparation.device = cache.backend()->info();
    if (cache.has(preparation.image, preparation.light))
        preparation.shared = cache.shared_on(make_cpu_backend(), preparation.image, preparation.light);
    return preparation;
}

std::shared_ptr<SourceImage> prepared_source(const Preparation& asked, const std::stop_token& stop) {
    const StoppableLoops stoppable(stop);
    const auto source = asked.shared
                            ? asked.shared
                            : std::make_shared<SourceImage>(make_backend_like(asked.device), asked.image, asked.light);
    for (const RenderRequest& request : asked.requests) {
        if (stop.stop_requested()) throw Cancelled("preparing it was cancelled");
        source->prepare(request);
    }
    source->backend().synchronize();
    return source;
}

bool SourcePreparer::is_worth_it(const SourceCache& cache, const std::shared_ptr<const Image>& image,
                                 Light light) const {
    if (!image->in_memory()) return false;
    const bool in_place = light == Light::stored && cache.backend()->reads_in_place(*image);
    return samples_of(*image) >= few && !in_place && image != failed_ && !cache.has(image, light);
}

void SourcePreparer::prepare(Preparation preparation, const SourceCache& cache) {
    failed_.reset();
    work_.ask(begin_preparing(std::move(preparation), cache), prepared_source);
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
