#include "gpu/backend/cuda_handles.h"

namespace texelscope {

CudaStopWatch::CudaStopWatch() {
    cudaEvent_t event = nullptr;
    cuda_check(cudaEventCreate(&event), "cannot create a CUDA event");
    start_ = CudaEvent(event);
    cuda_check(cudaEventCreate(&event), "cannot create a CUDA event");
    stop_ = CudaEvent(event);
}

// While a pair is under way, a new one is skipped rather than waited for.
void CudaStopWatch::start(cudaStream_t stream) {
    last_ms();
    measuring_ = !pending_;
    if (measuring_) cuda_check(cudaEventRecord(start_.get(), stream), "cannot time the GPU's work");
}

void CudaStopWatch::stop(cudaStream_t stream) {
    if (!measuring_) return;
    measuring_ = false;
    cuda_check(cudaEventRecord(stop_.get(), stream), "cannot time the GPU's work");
    pending_ = true;
}

std::optional<double> CudaStopWatch::last_ms() {
    if (!pending_) return last_ms_;
    cudaError_t error = cudaEventQuery(stop_.get());
    if (error == cudaSuccess) {
        float ms = 0;
        error = cudaEventElapsedTime(&ms, start_.get(), stop_.get());
        if (error == cudaSuccess) last_ms_ = ms;
        pending_ = false;
    }
    cuda_ignore(
        error);  // "not ready" must not reach the caller's next cudaGetLastError; a lost device is reported elsewhere
    return last_ms_;
}

}  // namespace texelscope
