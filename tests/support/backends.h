#pragma once
// One test body, every backend: suites are value-parameterised and instantiated as Cpu/… and Cuda/…; the latter skip
// with the reason on machines without CUDA.

#include <cstddef>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/backend/backend.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/error_map.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/image.h"
#include "gpu/display/display.h"

namespace texelscope {  // how GoogleTest prints the parameters of a suite

inline void PrintTo(BackendKind kind, std::ostream* out) { *out << name_of(kind); }
inline void PrintTo(FetchPath path, std::ostream* out) { *out << name_of(path); }
inline void PrintTo(const MethodInfo* method, std::ostream* out) { *out << method->id; }
inline void PrintTo(const MethodSpec& spec, std::ostream* out) {
    *out << to_string(spec) << ", " << to_string(spec.prefilter);
}

}  // namespace texelscope

namespace texelscope::test {

// One backend of each kind for the whole test program; null if it cannot be made.
std::shared_ptr<Backend> shared_backend(BackendKind kind);

// A CUDA backend that keeps to the limits of one of known_cards(); null without CUDA.
std::shared_ptr<Backend> backend_like(const KnownCard& card);

// A suite with TEST_P bodies that take only the backend.
class OnBackend : public ::testing::TestWithParam<BackendKind> {
protected:
    void SetUp() override;
    std::shared_ptr<Backend> backend_;
};

// A suite with TEST_P bodies that take a backend, a method and a fetch path.
using MethodCase = std::tuple<texelscope::BackendKind, const texelscope::MethodInfo*, texelscope::FetchPath>;

class OnMethod : public ::testing::TestWithParam<MethodCase> {
protected:
    void SetUp() override;
    const MethodInfo& method() const { return *std::get<1>(GetParam()); }
    FetchPath path() const { return std::get<2>(GetParam()); }
    MethodSpec spec() const;  // the method's default settings on this path
    std::shared_ptr<Backend> backend_;
};

// One method of each kind of taps, fetches, weight function and prefilter, and all others, which run the same code with
// other weights.
std::vector<const MethodInfo*> one_of_each_kind();
std::vector<const MethodInfo*> all_others();

// With the address sanitizer, which takes fifteen times as long: of all methods one of each kind, and of the paths not
// auto, which is global on the CPU.
std::vector<const MethodInfo*> every_method();
std::vector<FetchPath> every_path();   // global, lookup, hardware; auto is one of the exact paths
std::vector<FetchPath> exact_paths();  // auto, global, lookup: each has its own kernels on a GPU
std::vector<FetchPath> auto_and_every_path();
std::vector<FetchPath> hardware_path();
std::vector<FetchPath> auto_path();  // for facts that another suite carries over to the other paths
std::string backend_name(const ::testing::TestParamInfo<BackendKind>& info);
std::string method_case_name(const ::testing::TestParamInfo<MethodCase>& info);

std::vector<AddressPair> all_address_pairs();

// none, fir3 … fir31, iir for a method with poles; only none for the others.
std::vector<Prefilter> all_prefilters(const MethodInfo& method);

// Calls check(a, b, …) for one in `share` combinations of a value of each list: those whose places in the lists, and
// `places`, add up to a multiple of it. Each pair of values occurs if the other lists' places add up to all remainders.
template <class Check> void for_share(int share, int places, const Check& check) {
    if (places % share == 0) check();
}
template <class Check, class Value, class... Lists>
void for_share(int share, int places, const Check& check, const std::vector<Value>& list, const Lists&... lists) {
    for (const Value& value : list)
        for_share(
            share, places++, [&](const auto&... others) { check(value, others...); }, lists...);
}

Prefilter fir(int taps);

// "bspline:…" as in SPEC; short for tests.
MethodSpec spec_of(std::string_view text);

}  // namespace texelscope::test

#define ON_EVERY_BACKEND(Suite)                                                             \
    INSTANTIATE_TEST_SUITE_P(Cpu, Suite, ::testing::Values(texelscope::BackendKind::cpu),   \
                             texelscope::test::backend_name);                               \
    INSTANTIATE_TEST_SUITE_P(Cuda, Suite, ::testing::Values(texelscope::BackendKind::cuda), \
                             texelscope::test::backend_name)

// paths: every_path(), exact_paths(), hardware_path() or auto_path(); evaluated once the methods have registered themselves.
#define WITH_METHODS(Instance, Suite, kind, methods, paths)                                                    \
    INSTANTIATE_TEST_SUITE_P(                                                                                  \
        Instance, Suite,                                                                                       \
        ::testing::Combine(::testing::Values(kind), ::testing::ValuesIn(methods), ::testing::ValuesIn(paths)), \
        texelscope::test::method_case_name)

// For what holds by a method's own weights.
#define ON_EVERY_BACKEND_AND_METHOD(Suite, paths)                                                    \
    WITH_METHODS(Cpu, Suite, texelscope::BackendKind::cpu, texelscope::test::every_method(), paths); \
    WITH_METHODS(Cuda, Suite, texelscope::BackendKind::cuda, texelscope::test::every_method(), paths)

// For what holds by the code that methods of a kind share: on the CPU, all but one of each kind are slow tests.
#define ON_EVERY_BACKEND_AND_KIND(Suite, paths)                                                          \
    WITH_METHODS(Cpu, Suite, texelscope::BackendKind::cpu, texelscope::test::one_of_each_kind(), paths); \
    WITH_METHODS(SlowCpu, Suite, texelscope::BackendKind::cpu, texelscope::test::all_others(), paths);   \
    WITH_METHODS(Cuda, Suite, texelscope::BackendKind::cuda, texelscope::test::every_method(), paths)

namespace texelscope::test {

// What tests of a backend's memory share.

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
    bool prefilter_into(const ResidentImage& samples, const MethodSpec& spec, const RenderTarget& target) override {
        return on_->prefilter_into(samples, spec, target);
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
    void map_errors(const ErrorMapJob& job, float* map) override { on_->map_errors(job, map); }
    void sum_map(const MapSumJob& job, BothMapSums* sums) override { on_->sum_map(job, sums); }
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

// Renderings as values, and images in memory of a backend.

// Renderings as values: float64 references read back, and values handed to a backend.

// The request's float64 reference, channels() values per pixel.
inline std::vector<double> reference_values(SourceImage& source, const RenderRequest& request) {
    std::vector<double> values(size_t(request.width) * size_t(request.height) * size_t(source.samples().channels()));
    Backend& backend = source.backend();
    const std::shared_ptr<void> memory = backend.allocate(values.size() * sizeof(double));
    source.render_reference(request, static_cast<double*>(memory.get()));
    backend.read_back(values.data(), memory.get(), values.size() * sizeof(double));
    return values;
}

// Floats or doubles in the backend's memory.
class Plane {
public:
    template <class Number> Plane(Backend& backend, const std::vector<Number>& values) {
        memory_ = backend.allocate(values.size() * sizeof(Number));
        backend.write(memory_.get(), values.data(), values.size() * sizeof(Number));
        view_ = {memory_.get(), sizeof(Number) == sizeof(double)};
    }
    operator ValuePlane() const { return view_; }

private:
    std::shared_ptr<void> memory_;
    ValuePlane view_;
};

// The pixels that the backend displays: `job` without pixels and rows.
inline std::vector<uint32_t> displayed(Backend& backend, DisplayJob job) {
    std::vector<uint32_t> pixels(size_t(job.width) * size_t(job.height));
    const std::shared_ptr<void> memory = backend.allocate(pixels.size() * sizeof(uint32_t));
    job.pixels = static_cast<uint32_t*>(memory.get());
    job.row_bytes = size_t(job.width) * sizeof(uint32_t);
    backend.display(job);
    backend.read_back(pixels.data(), memory.get(), pixels.size() * sizeof(uint32_t));
    return pixels;
}

// Images in memory of a backend, rows anywhere apart.

// An image in memory of a backend that ends with its last sample. All bytes around it are 0xff, which is NaN in both float
// formats.
struct Placed {
    std::shared_ptr<void> memory;
    ImageView view;
};

inline Placed placed(Backend& backend, const Image& image, size_t row_bytes, size_t before) {
    const size_t bytes = before + row_bytes * size_t(image.height() - 1) + image.row_bytes();
    std::vector<unsigned char> content(bytes, 0xff);
    for (int y = 0; y < image.height(); ++y)
        std::memcpy(content.data() + before + size_t(y) * row_bytes, image.row(y), image.row_bytes());
    Placed result{backend.allocate(bytes), view_of(image)};
    backend.write(result.memory.get(), content.data(), bytes);
    result.view.samples = static_cast<const char*>(result.memory.get()) + before;
    result.view.row_bytes = row_bytes;
    return result;
}

// CUDA as used by a caller of the library, without a CUDA header: memory of every kind, and the current device.

enum class CudaMemoryKind { device, managed, pinned, registered };

// `bytes` of zeros; registered: pageable memory of the host, registered with CUDA. Fails the test and returns null if
// it is unavailable.
std::shared_ptr<void> cuda_memory(CudaMemoryKind kind, size_t bytes, int device = 0);

// Zero in builds without CUDA.
int cuda_devices();

// For the calling thread.
int current_cuda_device();
void set_current_cuda_device(int device);

// What cudaPeekAtLastError returns; empty for no error. Waits for the device first, which finds errors of kernels.
std::string pending_cuda_error();

}  // namespace texelscope::test
