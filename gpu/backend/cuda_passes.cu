#include "gpu/backend/cuda_passes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <list>

#include <cuda_runtime.h>
#include <fmt/format.h>

#include "gpu/backend/job.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/core/cuda_check.h"
#include "gpu/kernels/kernel_code.h"
#include "gpu/method/cuda_grid.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/output.h"
#include "gpu/method/position.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/method/tap_source.h"

namespace texelscope {
namespace {

template <class Sample, int C> __global__ void minus_kernel(MinusJob job) {
    const auto [x, y] = detail::grid_pixel();
    if (x < job.samples.width && y < job.samples.height) write_difference<Sample, C>(job, x, y);
}

template <int C> __global__ void add_border_kernel(BorderJob job) {
    const ResampleOutput& out = job.job.output;
    const auto [i, j] = detail::grid_pixel();
    if (i < out.width && j < out.height) write_with_border<C>(job, i, j);
}

}  // namespace

// Images of a batch one by one.
void launch_minus(const MinusJob& batch, CUstream_st* stream) {
    const detail::PixelGrid grid = detail::pixel_grid(batch.samples.width, batch.samples.height);
    for (int k = 0; k < batch.samples.images; ++k) {
        MinusJob job = batch;
        job.samples = image_of(batch.samples, k);
        job.texels = static_cast<char*>(batch.texels) + size_t(k) * batch.difference.image_bytes;
        detail::for_texel_type(job.samples, [&]<class Sample, int C>() {
            launch_kernel(work::border, minus_kernel<Sample, C>, grid.blocks, grid.block, 0, stream, job);
        });
    }
}

void launch_add_border(const BorderJob& batch, CUstream_st* stream) {
    const detail::PixelGrid grid = detail::pixel_grid(batch.job.output);
    for (int k = 0; k < batch.job.source.images; ++k) {
        BorderJob job{image_of(batch.job, k), batch.term};
        job.term.values += size_t(k) * batch.job.output.image_bytes / sizeof(float);
        for_border_channels(job, [&]<int C>() {
            launch_kernel(work::border, add_border_kernel<C>, grid.blocks, grid.block, 0, stream, job);
        });
    }
}

namespace {

__global__ void warp_kernel(WarpedGrid grid, double* points) {
    const auto [i, j] = detail::grid_pixel();
    if (i < grid.width && j < grid.height) write_warped_point(grid, i, j, points);
}

}  // namespace

void launch_warped_points(const WarpedGrid& grid, double* points, CUstream_st* stream) {
    const detail::PixelGrid threads = detail::pixel_grid(grid.width, grid.height);
    launch_kernel(work::warp, warp_kernel, threads.blocks, threads.block, 0, stream, grid, points);
}

// The launches of kernels of one's own. The text's kernel only turns positions into values; where these come from and go to
// is decided by the same code as everywhere.

namespace {

constexpr WorkName kernel_positions{"own kernel, positions"}, own_kernel{"own kernel"},
    kernel_output{"own kernel, output"};

static_assert(all_address_modes.size() == 5 && int(AddressMode::mirror) == 3,
              "ts_addressed() in kernel_program.cpp knows these five");

struct Pixels {
    long long first;
    int count;
};

// The reduced position of each pixel; NaN for those that are not interpolated.
__global__ void positions_kernel(ResampleJob job, Pixels pixels, double* positions) {
    const int k = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= pixels.count) return;
    const long long pixel = pixels.first + k;
    const TexelArray& a = job.source;
    const Point p = position_of(job, int(pixel % job.output.width), int(pixel / job.output.width));
    double x = reduced_position(p.x, a.address.x, a.width, a.margin_x);
    const double y = a.one_dimensional ? 0 : reduced_position(p.y, a.address.y, a.height, a.margin_y);
    if (is_outside(job, p)) x = nan("");
    positions[2 * k] = x;
    positions[2 * k + 1] = y;
}

template <int C>
__global__ void output_kernel(ResampleJob job, Pixels pixels, const double* positions, const float4* values) {
    const int k = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= pixels.count) return;
    const long long pixel = pixels.first + k;
    const int i = int(pixel % job.output.width), j = int(pixel / job.output.width);
    if (is_outside(job, position_of(job, i, j))) {
        write_outside<C>(job, i, j);
        return;
    }
    const bool inside = positions[2 * k] == positions[2 * k] && positions[2 * k + 1] == positions[2 * k + 1];
    write_pixel(job.output, i, j, inside ? pixel_of<C>(values[k]) : Pixel<C>::nan());
}

// What one job writes: to the GPU's memory, and to the host's.
struct Slot {
    const KernelMethod* method = nullptr;  // null: nothing runs, or it has been looked at
    MethodParameters parameters;
};

struct DeviceSlot {
    unsigned long long started;
    int stopped;
};

#if CUDART_VERSION >= 12080
struct Library {
    std::shared_ptr<const KernelCode> code;
    cudaLibrary_t library = nullptr;
    cudaKernel_t kernel = nullptr;
};
#endif

}  // namespace

struct KernelRunner::State {
    static constexpr int slot_count = 64;
    static constexpr size_t most_libraries = 16;
    std::array<Slot, slot_count> slots;
    int next = 0;
    KernelStop* stops = nullptr;  // one a slot, in pinned memory
    std::shared_ptr<void> device_slots;
    Scratch positions, values;
#if CUDART_VERSION >= 12080
    std::list<Library> libraries;  // the last used first
#endif
};

KernelRunner::KernelRunner(BackendMemory& backend) : backend_(backend) {}

KernelRunner::~KernelRunner() {
    if (!state_) return;
#if CUDART_VERSION >= 12080
    for (const Library& each : state_->libraries) cuda_ignore(cudaLibraryUnload(each.library));
#endif
    if (state_->stops) cuda_ignore(cudaFreeHost(state_->stops));
}

#if CUDART_VERSION < 12080

void KernelRunner::run(const ResampleJob&, const BorderPixel&, const DeviceQueue&) {
    throw Unavailable(fmt::format("this program was built with CUDA {}.{}: a kernel of one's own needs 12.8 or newer",
                                  CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10));
}

#else

namespace {

void unload(const Library& of, cudaStream_t stream) {
    cuda_check(cudaStreamSynchronize(stream), "the GPU stopped with an error");
    cuda_check(cudaLibraryUnload(of.library), "cannot unload a kernel");
}

cudaKernel_t loaded(std::list<Library>& libraries, size_t most, const std::shared_ptr<const KernelCode>& code,
                    cudaStream_t stream) {
    const auto found =
        std::find_if(libraries.begin(), libraries.end(), [&](const Library& l) { return l.code == code; });
    if (found != libraries.end()) {
        libraries.splice(libraries.begin(), libraries, found);
        return libraries.front().kernel;
    }
    Library made{code, nullptr, nullptr};
    cuda_check(cudaLibraryLoadData(&made.library, code->bytes.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
               "the GPU's driver cannot load the compiled kernel");
    const cudaError_t error = cudaLibraryGetKernel(&made.kernel, made.library, kernel_entry);
    if (error != cudaSuccess) cuda_ignore(cudaLibraryUnload(made.library));
    cuda_check(error, "the GPU's driver cannot find the compiled kernel");
    cudaFuncAttributes attributes{};
    cuda_check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(made.kernel)),
               "the GPU's driver does not know what the compiled kernel needs");
    if (attributes.localSizeBytes > kernel_stack_bytes) {
        cuda_check(cudaLibraryUnload(made.library), "cannot unload a kernel");
        throw Error(fmt::format("the kernel needs {} bytes for each pixel: at most {} are given, so use smaller Arrays",
                                attributes.localSizeBytes, kernel_stack_bytes));
    }
    libraries.push_front(made);
    if (libraries.size() > most) {
        const Library last = libraries.back();
        libraries.pop_back();
        unload(last, stream);
    }
    return made.kernel;
}

KernelArguments arguments_of(const ResampleJob& job, const BorderPixel& border) {
    const TexelArray& a = job.source;
    KernelArguments arguments;
    arguments.texels = a.texels;
    arguments.row_bytes = a.row_bytes;
    arguments.most_ns = (unsigned long long)(kernel_launch_seconds * 1e9);
    arguments.type = int(a.type);
    arguments.channels = a.channels;
    arguments.image_channels = job.output.channels;
    arguments.has_alpha = job.output.has_alpha;
    arguments.address_x = int(a.address.x);
    arguments.address_y = int(a.address.y);
    arguments.one_dimensional = a.one_dimensional;
    std::ranges::copy(border_tap(border, job.output.channels, job.output.has_alpha).v, arguments.border);
    const KernelPicture picture = kernel_picture(job);
    arguments.width = picture.width;
    arguments.height = picture.height;
    arguments.output_width = picture.output_width;
    arguments.output_height = picture.output_height;
    arguments.scale = picture.scale;
    std::ranges::copy(picture.parameters, arguments.parameters);
    return arguments;
}

auto output_kernel_of(int channels) {
    return channels == 1 ? output_kernel<1> : channels == 2 ? output_kernel<2> : output_kernel<4>;
}

}  // namespace

void KernelRunner::run(const ResampleJob& job, const BorderPixel& border, const DeviceQueue& queue) {
    if (job.source.images > 1) {
        for (int k = 0; k < job.source.images; ++k) run(image_of(job, k), border, queue);
        return;
    }
    const KernelMethod& method = *kernel_of(*job.spec.method);
    if (const std::string why = method.why_stopped(job.spec.parameters); !why.empty()) throw Error(why);
    const auto code = method.code(queue.limits.compute_capability);
    if (!state_) state_ = std::make_unique<State>();
    State& s = *state_;
    if (!s.stops)
        cuda_check(cudaHostAlloc(reinterpret_cast<void**>(&s.stops), State::slot_count * sizeof(KernelStop),
                                 cudaHostAllocMapped),
                   "cannot get pinned memory");
    if (!s.device_slots) s.device_slots = backend_.allocate(State::slot_count * sizeof(DeviceSlot));
    const cudaKernel_t kernel = loaded(s.libraries, State::most_libraries, code, queue.stream);

    // Slots are used in turn; before the first one again, all must have ended.
    if (s.next == State::slot_count) {
        cuda_check(cudaStreamSynchronize(queue.stream), "the GPU stopped with an error");
        s.next = 0;
    }
    if (Slot& before = s.slots[size_t(s.next)]; before.method && s.stops[s.next].reason != KernelStop::none)
        before.method->note_stop(before.parameters, s.stops[s.next]);
    const int slot = s.next++;
    s.slots[size_t(slot)] = {&method, job.spec.parameters};
    s.stops[slot] = {};
    auto* const words = static_cast<DeviceSlot*>(s.device_slots.get()) + slot;
    cuda_check(cudaMemsetAsync(words, 0, sizeof(DeviceSlot), queue.stream), "cannot clear the GPU's memory");

    const long long pixels = (long long)(job.output.width) * job.output.height;
    const size_t most = size_t(std::min<long long>(pixels, kernel_launch_pixels));
    const std::shared_ptr<void> positions = s.positions.at_least(backend_, most * 2 * sizeof(double));
    const std::shared_ptr<void> values = s.values.at_least(backend_, most * sizeof(float4));
    KernelArguments arguments = arguments_of(job, border);
    arguments.positions = static_cast<const double*>(positions.get());
    arguments.values = static_cast<float*>(values.get());
    arguments.started = &words->started;
    arguments.stopped = &words->stopped;
    cuda_check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&arguments.stop), &s.stops[slot], 0),
               "cannot share memory with the GPU");
    for (long long first = 0; first < pixels; first += kernel_launch_pixels) {
        const Pixels part{first, int(std::min<long long>(pixels - first, kernel_launch_pixels))};
        const dim3 blocks(unsigned((part.count + kernel_block - 1) / kernel_block)), threads(kernel_block);
        arguments.first = part.first;
        arguments.count = part.count;
        launch_kernel(kernel_positions, positions_kernel, blocks, threads, 0, queue.stream, job, part,
                      static_cast<double*>(positions.get()));
        cuda_check(cudaMemsetAsync(&words->started, 0, sizeof words->started, queue.stream),
                   "cannot clear the GPU's memory");
        cudaLaunchConfig_t config{};
        config.gridDim = blocks;
        config.blockDim = threads;
        config.stream = queue.stream;
        void* launched[] = {&arguments};
        check_launch(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), launched), own_kernel);
        launch_kernel(kernel_output, output_kernel_of(job.source.channels), blocks, threads, 0, queue.stream, job, part,
                      static_cast<const double*>(positions.get()), static_cast<const float4*>(values.get()));
    }
}

#endif

std::string KernelRunner::take_stop() {
    if (!state_ || !state_->stops) return {};
    std::string why;
    for (int i = 0; i < State::slot_count; ++i) {
        Slot& slot = state_->slots[size_t(i)];
        const KernelStop stop{static_cast<volatile KernelStop*>(state_->stops)[i].reason, state_->stops[i].i,
                              state_->stops[i].j};
        if (!slot.method || stop.reason == KernelStop::none) continue;
        slot.method->note_stop(slot.parameters, stop);
        why = stop_sentence(stop, slot.method->file().name);
        slot.method = nullptr;
    }
    return why;
}

}  // namespace texelscope
