#include "app/picture/reference_values.h"

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "app/picture/formula_values.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/core/available_memory.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope {

ReferenceValues::Entry* ReferenceValues::entry_of(const Rendition& rendition) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.rendition == rendition; });
    return found == entries_.end() ? nullptr : &*found;
}

bool ReferenceValues::computes(const Rendition& rendition) {
    return rendition.float64 && (rendition.formula || rendition.image->in_memory());
}

// An estimate. Zoomed out, the many taps of a pixel cost more than the coefficients.
double ReferenceValues::cost(const Rendition& rendition) const {
    if (!computes(rendition) || entry_of(rendition)) return 0;
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

bool ReferenceValues::ready(const Rendition& rendition) {
    if (!computes(rendition)) return true;
    if (Entry* entry = entry_of(rendition)) return entry->asked = true;
    if (std::find(wanted_.begin(), wanted_.end(), rendition) == wanted_.end()) wanted_.push_back(rendition);
    return false;
}

ReferenceValues::Values ReferenceValues::find(const Rendition& rendition) const {
    const Entry* entry = entry_of(rendition);
    return entry ? entry->values : nullptr;
}

ReferenceValues::Values ReferenceValues::at(const Rendition& rendition, SourceImage& source) {
    if (Values known = find(rendition)) return known;
    Values values = computed(rendition, &source);
    if (Entry* entry = entry_of(rendition)) entry->values = values;
    else entries_.push_back({rendition, values});
    return values;
}

ReferenceValues::Values ReferenceValues::computed(const Rendition& rendition, SourceImage* source) {
    const RenderRequest& request = rendition.request;
    const double count = double(request.width) * request.height * rendition.image->channels();
    const double bytes = count * sizeof(double);
    try {
        // A large vector is checked beforehand: see available_memory.h.
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
    std::erase_if(entries_, [](Entry& entry) { return !std::exchange(entry.asked, false); });
    const std::vector<Rendition> wanted = std::exchange(wanted_, {});
    const Question* now = work_.question();
    if (now && std::find(wanted.begin(), wanted.end(), now->rendition) != wanted.end()) return;
    work_.drop();
    if (wanted.empty()) return;
    const Rendition& next = wanted.front();
    std::shared_ptr<SourceImage> source;
    try {
        if (!next.formula) sources.at(next.image, next.light);
        if (!next.formula) source = sources.shared_on(make_cpu_backend(), next.image, next.light);
    } catch (const std::exception&) {
        entries_.push_back({next, nullptr});
        return;
    }
    work_.ask({next, source}, [](const Question& question, const std::stop_token& stop) {
        const StoppableLoops stoppable(stop);
        return computed(question.rendition, question.source.get());
    });
}

void ReferenceValues::follow() {
    if (auto result = work_.take())
        entries_.push_back({std::move(result->question.rendition), result->answer ? *result->answer : nullptr});
}

}  // namespace texelscope
