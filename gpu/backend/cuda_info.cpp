#include "gpu/backend/cuda_info.h"

#include <fmt/format.h>

#include "gpu/backend/cuda_device.h"
#include "gpu/backend/cuda_probe.h"
#include "gpu/core/cuda_check.h"

namespace texelscope {
namespace {

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace

BackendInfo info_of_device(int device, const std::optional<DeviceLimits>& lower) {
    cudaDeviceProp properties{};
    cuda_check(cudaGetDeviceProperties(&properties, device), "cannot read the GPU's properties");
    int driver = 0, runtime = 0;
    cuda_check(cudaDriverGetVersion(&driver), "cannot read the version of the NVIDIA driver");
    cuda_check(cudaRuntimeGetVersion(&runtime), "cannot read the version of CUDA");
    BackendInfo info;
    info.kind = BackendKind::cuda;
    info.device = properties.name;
    info.detail = fmt::format("compute capability {}.{}, CUDA {} (driver supports {})", properties.major,
                              properties.minor, version_text(runtime), version_text(driver));
    info.device_index = device;
    info.compiled_by_driver = is_compiled_by_driver(code_on_current_device(), TEXELSCOPE_CUDA_ARCHITECTURES);
    info.limits = limits_of_device(device);
    if (lower) info.limits = lowered(info.limits, *lower);
    return info;
}

}  // namespace texelscope
