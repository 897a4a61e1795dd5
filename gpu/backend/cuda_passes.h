#pragma once
// What the CUDA backend computes besides plain resampling: borders, the points of a warp, kernels of one's own.

#include <memory>
#include <string>

#include "gpu/backend/backend.h"
#include "gpu/backend/interfaces.h"
#include "gpu/backend/job.h"
#include "gpu/backend/request.h"
#include "gpu/method/resample_job.h"

struct CUstream_st;  // cudaStream_t without a CUDA header

namespace texelscope {

// What the CUDA backend computes besides plain resampling: borders, the points of a warp.

// Backend::minus and Backend::add_border on the GPU.

// Enqueued on the stream; all memory is the device's. Throws Error if a launch is refused.
void launch_minus(const MinusJob& job, CUstream_st* stream);
void launch_add_border(const BorderJob& job, CUstream_st* stream);

// Backend::write_warped_points on the GPU.

// Enqueued on the stream; `points` is device memory. Throws Error if the launch is refused.
void launch_warped_points(const WarpedGrid& grid, double* points, CUstream_st* stream);

// Runs kernels of one's own (gpu/kernels) on a GPU. No CUDA header is needed.

class KernelRunner {
public:
    // The backend must outlive it; its device must be current in all calls.
    explicit KernelRunner(BackendMemory& backend);
    ~KernelRunner();

    // Enqueues the whole job, whose method is a kernel, in launches of at most kernel_launch_pixels. Throws KernelError,
    // Unavailable without a compiler, or Error with the reason if it was stopped before.
    void run(const ResampleJob& job, const BorderPixel& border, const DeviceQueue& queue);

    // Why a kernel was stopped, one sentence, once; empty: none was, as far as the GPU has come.
    std::string take_stop();

private:
    struct State;
    BackendMemory& backend_;
    std::unique_ptr<State> state_;
};

}  // namespace texelscope
