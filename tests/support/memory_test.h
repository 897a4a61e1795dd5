#pragma once
// What tests of a backend's memory share.

#include <cstring>
#include <memory>
#include <utility>

#include "gpu/backend/backend.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/compare/metrics.h"
#include "gpu/display/display.h"
#include "tests/support/backends.h"

namespace texelscope::test {

// A backend that counts what is computed once and kept.
class CountingBackend : public Backend {
public:
    explicit CountingBackend(std::shared_ptr<Backend> backend) : on_(std::move(backend)) {}

    int uploads = 0, prefilters = 0, reductions = 0, differences = 0;

    const BackendInfo& info() const override { return on_->info(); }
    std::shared_ptr<const ResidentImage> upload(const Image& image) override {
        ++uploads;
        return on_->upload(image);
    }
    std::shared_ptr<const ResidentImage> upload(const std::shared_ptr<const Image>& image) override {
        ++uploads;
        return on_->upload(image);
    }
    Upload begin_upload(const Image& image) override {
        ++uploads;
        return on_->begin_upload(image);
    }
    std::shared_ptr<const ResidentImage> adopt(const ImageView& image) override { return on_->adopt(image); }
    void take_over(const ResidentImage& image) override { on_->take_over(image); }
    std::shared_ptr<const ResidentImage> prefilter(const ResidentImage& samples, const MethodSpec& spec) override {
        ++prefilters;
        return on_->prefilter(samples, spec);
    }
    std::shared_ptr<const ResidentImage> reduce(const ResidentImage& samples, const AddressPair& address,
                                                Reduction axes) override {
        ++reductions;
        return on_->reduce(samples, address, axes);
    }
    std::shared_ptr<const ResidentImage> minus(const ResidentImage& samples, const BorderPixel& border) override {
        ++differences;
        return on_->minus(samples, border);
    }
    void add_border(const ResidentImage& source, const Resampling& request, const BorderTerm& term,
                    const RenderTarget& target) override {
        on_->add_border(source, request, term, target);
    }
    std::shared_ptr<const ResidentImage> reduce_part(const ResidentImage& window, const AddressPair& window_address,
                                                     const AddressPair& address, Reduction axes,
                                                     const ReducedPart& part) override {
        return on_->reduce_part(window, window_address, address, axes, part);
    }
    void resample(const ResidentImage& source, const Resampling& request, const RenderTarget& target) override {
        on_->resample(source, request, target);
    }
    void resample_reference(const ResidentImage& samples, const Resampling& request, double* values) override {
        on_->resample_reference(samples, request, values);
    }
    void display(DisplayJob job) override { on_->display(job); }
    void compare(const MeasureJob& job, ComparisonSums* sums) override { on_->compare(job, sums); }
    void compare_colours(const ColourJob& job, BothColours* sums) override { on_->compare_colours(job, sums); }
    void write_warped_points(const WarpedGrid& grid, double* points) override {
        on_->write_warped_points(grid, points);
    }
    void synchronize() override { on_->synchronize(); }
    MemoryBudget& memory() override { return on_->memory(); }
    std::shared_ptr<void> allocate(size_t bytes) override { return on_->allocate(bytes); }
    void write(void* memory, const void* host, size_t bytes) override { on_->write(memory, host, bytes); }
    void read_back(void* host, const void* memory, size_t bytes) override { on_->read_back(host, memory, bytes); }
    void copy(void* to, const void* from, size_t bytes) override { on_->copy(to, from, bytes); }
    double time_ms(const std::function<void()>& enqueue) override { return on_->time_ms(enqueue); }
    CUstream_st* stream() const override { return on_->stream(); }
    void timed(int timer, const std::function<void()>& enqueue) override { on_->timed(timer, enqueue); }
    std::optional<double> last_render_ms(int timer) override { return on_->last_render_ms(timer); }
    std::optional<double> last_prefilter_ms() override { return on_->last_prefilter_ms(); }
    void check_memory(const void* memory, std::string_view name) const override { on_->check_memory(memory, name); }
    void check_host_memory(const void* memory, std::string_view name) const override {
        on_->check_host_memory(memory, name);
    }

private:
    std::shared_ptr<Backend> on_;
};

// What tests of a backend's memory share.
inline constexpr size_t mebibyte = size_t(1) << 20;

// Each test has its own backend, whose memory it may fill.
class MemoryTest : public OnBackend {
protected:
    void SetUp() override {
        OnBackend::SetUp();
        if (!backend_) return;
        const bool on_cpu = GetParam() == BackendKind::cpu;
        backend_ = std::make_shared<CountingBackend>(make_backend(on_cpu ? BackendChoice::cpu : BackendChoice::cuda));
    }
    CountingBackend& counts() { return static_cast<CountingBackend&>(*backend_); }
    MemoryBudget& memory() { return backend_->memory(); }

    // Limits the memory to what is left.
    void leave(size_t bytes) { memory().set_capacity(memory().taken() + bytes); }
    void leave_all() { memory().set_capacity(MemoryBudget::unlimited); }
};

inline bool same_bits(const Image& a, const Image& b) {
    return a.size_bytes() == b.size_bytes() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

}  // namespace texelscope::test
