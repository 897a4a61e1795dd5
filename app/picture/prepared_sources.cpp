#include "app/picture/prepared_sources.h"

#include <utility>

#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

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
    made_.emplace(wake, Unasked::forgotten,
                  [this](const Rendition& a, const Rendition& b) { return read_the_same(a, b); });
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
    if (!made_ || is_there(rendition)) return true;
    return (wanted || made_->find(rendition)) && made_->ask(rendition);
}

// What is read of one image is made together.
void PreparedSources::begin() {
    if (!made_) return;
    references_->begin(sources_);
    slow_->begin(sources_, *references_);
    const auto of_one_image = [](const Rendition& a, const Rendition& b) {
        return a.image == b.image && a.light == b.light;
    };
    made_->end_frame(of_one_image, [&](const std::vector<Rendition>& renditions) {
        Preparation next{renditions.front().image, renditions.front().light, {}};
        for (const Rendition& each : renditions)
            if (!each.formula) next.requests.push_back(each.float64 ? without_prefilter(each.request) : each.request);
        return [next = begin_preparing(std::move(next), sources_)](const std::stop_token& stop) {
            return prepared_source(next, stop);
        };
    });
}

void PreparedSources::keep(const Rendition& of, Source source) try {
    sources_.put(of.image, of.light, std::move(*source));
} catch (const std::exception&) {}  // said by whoever reads it

bool PreparedSources::take() {
    sources_.arrivals();
    if (!made_) return true;
    references_->follow();
    slow_->follow();
    made_->take([&](auto& made) {
        if (made.value) keep(made.key, std::exchange(*made.value, nullptr));
    });
    return true;
}

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

namespace {

bool is_small(const Image& image) { return SourcePreparer::samples_of(image) < SourcePreparer::few; }

}  // namespace

template <class Step> void ArrivingSource::attempt(Step step) {
    const std::lock_guard lock(mutex_);
    if (given_up_) return;
    try {
        step();
    } catch (const std::exception&) {
        given_up_ = true;
        source_.reset();
        upload_ = {};
        in_place_.reset();
        backend_.reset();
    }
}

void ArrivingSource::go_to(BackendInfo device) {
    {
        const std::lock_guard lock(mutex_);
        device_ = std::move(device);
    }
    known_.notify_all();
}

void ArrivingSource::begin(const Image& image) {
    if (begun_ || !device_) return;
    begun_ = true;
    if (is_small(image)) return;
    backend_ = make_backend_like(*device_);
    upload_ = backend_->begin_upload(image);
    if (backend_->reads_in_place(image)) in_place_ = std::make_shared<const Image>(image.over_same_samples());
}

void ArrivingSource::note(const Image& so_far, int rows) {
    attempt([&] {
        if (!samples_) samples_ = so_far.data();
        begin(so_far);
        if (upload_.image) upload_.copy_until(rows);
    });
}

std::optional<ArrivingSource::Rows> ArrivingSource::rows_for_thread() {
    std::optional<Rows> rows;
    attempt([&] {
        if (!in_place_ || !upload_.image) return;
        auto sources = std::make_shared<SourceCache>(make_backend_like(*device_));
        sources->put(in_place_, Light::stored, SourceImage(backend_, upload_.image).shared_on(sources->backend()));
        rows = Rows{std::exchange(in_place_, nullptr), std::move(sources)};
    });
    return rows;
}

void ArrivingSource::complete(const Image& image, const std::stop_token& stop) {
    {
        std::unique_lock lock(mutex_);
        if (image.data() != samples_ || is_small(image)) return;
        known_.wait(lock, stop, [&] { return device_ || given_up_; });
    }
    attempt([&] {
        begin(image);
        if (!upload_.image) return;
        const StoppableLoops stoppable(stop);
        upload_.copy_until(image.height());
        backend_->synchronize();
        source_ = std::make_shared<SourceImage>(backend_, std::exchange(upload_, {}).image);
    });
}

std::shared_ptr<SourceImage> ArrivingSource::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(source_, nullptr);
}

void ArrivingSource::give_up() {
    attempt([] { throw Cancelled("the device is left"); });
    known_.notify_all();
}

}  // namespace texelscope
