#include "app/picture/reference_values.h"

#include <new>

#include <fmt/format.h>

#include "app/picture/formula_values.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/core/errors.h"
#include "gpu/core/machine.h"
#include "gpu/core/parallel.h"

namespace texelscope {

bool ReferenceValues::computes(const Rendition& rendition) {
    return rendition.float64 && (rendition.formula || rendition.image->in_memory());
}

// An estimate. Zoomed out, the many taps of a pixel cost more than the coefficients.
double ReferenceValues::cost(const Rendition& rendition) const {
    if (!computes(rendition) || values_.find(rendition)) return 0;
    const RenderRequest& request = rendition.request;
    const MethodInfo& method = *request.spec.method;
    constexpr double widest = 4;  // beyond, a smaller image is read
    const bool widened = request.antialias && request.view.scale > 1;
    const double along = method.taps * (widened ? std::min(request.view.scale, widest) : 1);
    const double pixels = double(request.width) * request.height, channels = rendition.image->channels();
    const double samples = double(rendition.image->width()) * rendition.image->height();
    const bool filters = method.has_prefilter() && !widened && !rendition.formula;
    constexpr double per_sample = 16;  // of two recursions along each axis
    return channels * (pixels * along * along + (filters ? samples * per_sample : 0));
}

bool ReferenceValues::ready(const Rendition& rendition) { return !computes(rendition) || values_.ask(rendition); }

ReferenceValues::Values ReferenceValues::find(const Rendition& rendition) const {
    const auto* made = values_.find(rendition);
    return made ? made->value.value_or(nullptr) : nullptr;
}

ReferenceValues::Values ReferenceValues::at(const Rendition& rendition, SourceImage& source) {
    if (Values known = find(rendition)) return known;
    Values values = computed(rendition, &source);
    values_.put({rendition, values});
    return values;
}

ReferenceValues::Values ReferenceValues::computed(const Rendition& rendition, SourceImage* source) {
    const RenderRequest& request = rendition.request;
    const double count = double(request.width) * request.height * rendition.image->channels();
    const double bytes = count * sizeof(double);
    try {
        // A large vector is checked beforehand: see machine.h.
        if (bytes >= 0x1p24 && bytes > double(available_host_memory())) throw std::bad_alloc();
        if (rendition.formula) return std::make_shared<const std::vector<double>>(formula_values(rendition));
        const auto values = std::make_shared<std::vector<double>>(size_t(count));
        source->render_reference(request, values->data());
        source->backend().synchronize();
        return values;
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(fmt::format("no memory for the reference: its {}×{} pixels take {:.0f} MiB in float64",
                                      request.width, request.height, bytes / 0x1p20));
    }
}

void ReferenceValues::begin(SourceCache& sources) {
    values_.end_frame([&](const Rendition& next) {
        std::shared_ptr<SourceImage> source;
        if (!next.formula) {
            sources.at(next.image, next.light);
            source = sources.shared_on(make_cpu_backend(), next.image, next.light);
        }
        return [next, source](const std::stop_token& stop) {
            const StoppableLoops stoppable(stop);
            return computed(next, source.get());
        };
    });
}

}  // namespace texelscope
