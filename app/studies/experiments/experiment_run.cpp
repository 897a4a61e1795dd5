#include "app/studies/experiments/experiment_run.h"

#include "gpu/backend/device_choice.h"

namespace texelscope {

class ExperimentRun::Reporter : public ExperimentProgress {
public:
    explicit Reporter(ExperimentRun& run) : run_(run) {}

    void step(int done, int total, const std::string& now, const Image* picture) override {
        if (run_.cancelled_) throw Cancelled("cancelled");
        const std::shared_ptr<const Image> copy = picture ? std::make_shared<const Image>(*picture) : nullptr;
        const std::lock_guard lock(run_.mutex_);
        run_.now_.done = done;
        run_.now_.total = total;
        run_.now_.words = now;
        if (copy) run_.now_.picture = copy;
    }

private:
    ExperimentRun& run_;
};

ExperimentRun::ExperimentRun(const Experiment& experiment, ExperimentOptions options, const BackendInfo& like)
    : thread_([this, &experiment, options = std::move(options), like] { run(experiment, options, like); }) {}

ExperimentRun::~ExperimentRun() {
    cancel();
    wait();
}

void ExperimentRun::wait() {
    if (thread_.joinable()) thread_.join();
}

void ExperimentRun::run(const Experiment& experiment, const ExperimentOptions& options, const BackendInfo& like) {
    try {
        const BackendChoice choice = like.kind == BackendKind::cuda ? BackendChoice::cuda : BackendChoice::cpu;
        Reporter reporter(*this);
        const int device = like.kind == BackendKind::cuda ? like.device_index : any_device;
        const auto backend = make_backend(choice, {.device = device});
        stay_on_device_of(*backend);
        result_ = run_experiment(experiment, options, backend, reporter);
    } catch (...) {
        failure_ = std::current_exception();
    }
    ended_ = true;
}

ExperimentRun::Now ExperimentRun::now() const {
    const std::lock_guard lock(mutex_);
    return now_;
}

ExperimentResult ExperimentRun::take_result() {
    if (failure_) std::rethrow_exception(failure_);
    return std::move(result_);
}

}  // namespace texelscope
