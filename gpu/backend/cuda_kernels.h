#pragma once
// Runs kernels of one's own (gpu/kernels) on a GPU. No CUDA header is needed.

#include <memory>
#include <string>

#include "gpu/backend/border.h"
#include "gpu/backend/interfaces.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

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
