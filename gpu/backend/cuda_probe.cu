#include "gpu/backend/cuda_memory.h"

#include <array>
#include <cstdint>

#include "gpu/core/cuda_check.h"

namespace texelscope {
namespace {

constexpr unsigned count = 64;

constexpr uint32_t answer(uint32_t i) { return (i + 1) * 2654435769u; }

__global__ void probe_kernel(uint32_t* answers) { answers[threadIdx.x] = answer(threadIdx.x); }

cudaError_t ask_for_code(CodeVersions& code) {
    cudaFuncAttributes attributes{};
    const cudaError_t error = cudaFuncGetAttributes(&attributes, probe_kernel);
    code = {attributes.binaryVersion, attributes.ptxVersion};
    return error;
}

// Stops at the first error.
ProbeResult probe(CudaStream& stream, CudaMemory& memory) {
    ProbeResult result;
    const auto went_well = [&](cudaError_t error) { return (result.error = error) == cudaSuccess; };
    if (!went_well(ask_for_code(result.code))) return result;
    cudaStream_t made_stream = nullptr;
    if (!went_well(cudaStreamCreateWithFlags(&made_stream, cudaStreamNonBlocking))) return result;
    stream = CudaStream(made_stream);
    void* made_memory = nullptr;
    if (!went_well(cudaMalloc(&made_memory, count * sizeof(uint32_t)))) return result;
    memory = CudaMemory(made_memory);
    cudaLaunchConfig_t config{};
    config.gridDim = 1;
    config.blockDim = count;
    config.stream = stream.get();
    std::array<uint32_t, count> answers{};
    if (!went_well(cudaLaunchKernelEx(&config, probe_kernel, static_cast<uint32_t*>(memory.get()))) ||
        !went_well(
            cudaMemcpyAsync(answers.data(), memory.get(), sizeof answers, cudaMemcpyDeviceToHost, stream.get())) ||
        !went_well(cudaStreamSynchronize(stream.get())))
        return result;
    result.right = true;
    for (unsigned i = 0; i < count; ++i) result.right = result.right && answers[i] == answer(i);
    return result;
}

__global__ void illegal_write_kernel(uintptr_t address) { *reinterpret_cast<volatile int*>(address) = 1; }

}  // namespace

ProbeResult probe_current_device() {
    CudaStream stream;
    CudaMemory memory;
    const ProbeResult result = probe(stream, memory);
    cuda_ignore(result.error);
    return result;
}

CodeVersions code_on_current_device() {
    CodeVersions code;
    cuda_check(ask_for_code(code), "cannot ask for the code that runs on the GPU");
    return code;
}

void reset_device(int device) {
    const int before = current_device();
    stay_on_device(device);
    if (current_device() == device) {
        forget_pool(device);
        cuda_ignore(cudaDeviceReset());
    }
    if (before != device) stay_on_device(before);
}

void write_to_illegal_address(Backend& backend) {
    const OnDevice on(backend.info().device_index);
    launch_kernel(work::illegal_write, illegal_write_kernel, 1, 1, 0, backend.stream(), uintptr_t(64));
}

}  // namespace texelscope
