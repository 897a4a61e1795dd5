#include "app/picture/arriving_source.h"

#include <utility>

#include "app/picture/prepared_sources.h"
#include "gpu/core/parallel.h"

namespace texelscope {

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
