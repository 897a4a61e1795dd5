#include "app/viewer/loop/background_run.h"

#include "gpu/backend/device_choice.h"
#include "gpu/core/parallel.h"

namespace texelscope {

class BackgroundRun::Reporter : public ExperimentProgress {
public:
    explicit Reporter(BackgroundRun& run) : run_(run) {}

    void step(int done, int total, const std::string& now, const Image* picture) override {
        const std::shared_ptr<const Image> copy = picture ? std::make_shared<const Image>(*picture) : nullptr;
        const std::lock_guard lock(run_.mutex_);
        if (run_.stop_.stop_requested()) throw Cancelled("cancelled");
        run_.now_.done = done;
        run_.now_.total = total;
        run_.now_.words = now;
        if (copy) run_.now_.picture = copy;
    }

private:
    BackgroundRun& run_;
};

BackgroundRun::BackgroundRun(Work work, const BackendInfo& like, std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this, work = std::move(work), like] { run(work, like); }) {}

BackgroundRun::~BackgroundRun() {
    cancel();
    wait();
}

void BackgroundRun::wait() {
    if (thread_.joinable()) thread_.join();
}

void BackgroundRun::run(const Work& work, const BackendInfo& like) {
    try {
        Reporter reporter(*this);
        const StoppableLoops stoppable(stop_.get_token());
        const auto backend = make_backend_like(like);
        stay_on_device_of(*backend);
        work(backend, reporter);
    } catch (...) {
        failure_ = std::current_exception();
    }
    ended_ = true;
    if (wake_) wake_();
}

BackgroundRun::Now BackgroundRun::now() const {
    const std::lock_guard lock(mutex_);
    return now_;
}

bool BackgroundRun::cancel_for_certain() {
    const std::lock_guard lock(mutex_);
    stop_.request_stop();
    return !ended_ && now_.done < now_.total;
}

void BackgroundRun::check() const {
    if (failure_) std::rethrow_exception(failure_);
}

}  // namespace texelscope
