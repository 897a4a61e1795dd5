#include <cuda_runtime.h>

#include "gpu/backend/backend.h"
#include "gpu/backend/cuda_memory.h"
#include "gpu/c/strided.h"
#include "gpu/method/cuda_grid.h"

namespace texelscope::c {
namespace {

__global__ void gather_kernel(GatherJob job) {
    const auto [x, y] = detail::grid_pixel(job.batch.images);
    if (job.batch.images > 1) {
        job.from.data += blockIdx.z * job.batch.array_step;
        job.to += blockIdx.z * job.batch.packed_step;
    }
    if (x < job.from.width && y < job.from.height) gather_texel(job, x, y);
}

__global__ void scatter_kernel(ScatterJob job) {
    const auto [x, y] = detail::grid_pixel(job.batch.images);
    if (job.batch.images > 1) {
        job.to.data += blockIdx.z * job.batch.array_step;
        job.values += blockIdx.z * job.batch.packed_step;
    }
    if (x < job.to.width && y < job.to.height) scatter_pixel(job, x, y);
}

}  // namespace

void gather_on_cuda(const GatherJob& job, const Backend& backend) {
    const OnDevice device(backend.info().device_index);
    const detail::PixelGrid grid = detail::pixel_grid(job.from.width, job.from.height, job.batch.images);
    launch_kernel(work::copy, gather_kernel, grid.blocks, grid.block, 0, backend.stream(), job);
}

void scatter_on_cuda(const ScatterJob& job, const Backend& backend) {
    const OnDevice device(backend.info().device_index);
    const detail::PixelGrid grid = detail::pixel_grid(job.to.width, job.to.height, job.batch.images);
    launch_kernel(work::copy, scatter_kernel, grid.blocks, grid.block, 0, backend.stream(), job);
}

}  // namespace texelscope::c
