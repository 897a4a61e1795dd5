#include <cuda_runtime.h>

#include "gpu/backend/backend.h"
#include "gpu/backend/cuda_memory.h"
#include "gpu/c/handles.h"
#include "gpu/method/cuda_grid.h"

namespace texelscope::c {
namespace {

__global__ void difference_kernel(DifferenceJob job) {
    const auto [x, y] = detail::grid_pixel();
    if (x < job.width && y < job.height) write_difference(job, x, y);
}

}  // namespace

void difference_on_cuda(const DifferenceJob& job, const Backend& backend) {
    const OnDevice device(backend.info().device_index);
    const detail::PixelGrid grid = detail::pixel_grid(job.width, job.height);
    launch_kernel(work::copy, difference_kernel, grid.blocks, grid.block, 0, backend.stream(), job);
}

}  // namespace texelscope::c
