#include "app/picture/prepared_sources.h"

#include <algorithm>
#include <utility>

#include "gpu/core/errors.h"

namespace texelscope {

RenderRequest without_prefilter(RenderRequest request) {
    const AddressPair address = request.spec.address;
    request.spec = default_spec(parse_method("catmull-rom"));
    request.spec.address = address;
    return request;
}

void PreparedSources::make_beside(const std::function<void()>& wake) {
    sources_.show_live(wake);
    if (sources_.backend()->info().kind != BackendKind::cpu) return;
    preparer_.emplace(wake);
    references_.emplace(wake);
    slow_.emplace(wake);
}

bool PreparedSources::is_there(const Rendition& rendition) try {
    if (!rendition.image->in_memory()) return true;  // it shows what is there
    if (SourcePreparer::samples_of(*rendition.image) < SourcePreparer::few) return true;
    if (!sources_.has(rendition.image, rendition.light)) return false;
    if (rendition.formula) return true;
    const SourceImage& source = sources_.at(rendition.image, rendition.light);
    return source.unprepared(source.plan(rendition.request), rendition.float64) < SourcePreparer::few;
} catch (const Error&) {  // said by whoever reads it
    return true;
}

// Both are not ready, or were not.
bool PreparedSources::read_the_same(const Rendition& a, const Rendition& b) try {
    if (a.image != b.image || a.light != b.light) return false;
    if (!sources_.has(a.image, a.light)) return true;
    const SourceImage& source = sources_.at(a.image, a.light);
    return a.float64 == b.float64 && texelscope::read_the_same(source.plan(a.request), source.plan(b.request));
} catch (const Error&) {
    return false;
}

bool PreparedSources::ready(const Rendition& rendition, bool wanted) {
    if (!preparer_ || is_there(rendition)) return true;
    const auto same = [&](const Rendition& other) { return read_the_same(rendition, other); };
    if (std::any_of(answered_.begin(), answered_.end(), same)) {
        asked_.push_back(rendition);
        return true;
    }
    if (wanted && std::none_of(wanted_.begin(), wanted_.end(), same)) wanted_.push_back(rendition);
    return false;
}

void PreparedSources::begin() {
    if (!preparer_) return;
    references_->begin(sources_);
    slow_->begin(sources_);
    const std::vector<Rendition> wanted = std::exchange(wanted_, {}), asked = std::exchange(asked_, {});
    std::erase_if(answered_, [&](const Rendition& each) {
        return std::none_of(asked.begin(), asked.end(), [&](const Rendition& a) { return read_the_same(a, each); });
    });
    const bool still = std::any_of(making_.begin(), making_.end(), [&](const Rendition& each) {
        return std::any_of(wanted.begin(), wanted.end(), [&](const Rendition& w) { return read_the_same(w, each); });
    });
    if (still) return;
    preparer_->drop();
    making_.clear();
    if (wanted.empty()) return;
    Preparation next{wanted.front().image, wanted.front().light, {}};
    for (const Rendition& each : wanted) {
        if (each.image != next.image || each.light != next.light) continue;
        making_.push_back(each);
        if (!each.formula) next.requests.push_back(each.float64 ? without_prefilter(each.request) : each.request);
    }
    preparer_->prepare(std::move(next), sources_);
}

bool PreparedSources::take() {
    sources_.arrivals();
    if (!preparer_) return true;
    references_->follow();
    slow_->follow();
    if (!preparer_->has_news()) return true;
    preparer_->follow(sources_);
    answered_.insert(answered_.end(), making_.begin(), making_.end());
    making_.clear();
    return true;
}

}  // namespace texelscope
