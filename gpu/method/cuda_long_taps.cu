#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/long_taps.h"
#include "gpu/method/output.h"

namespace texelscope {
namespace {

template <int C, bool y_first, Sums in>
__global__ void long_samples_kernel(TexelArray array, BetweenPasses size, LongPasses passes, LongTapsView taps,
                                    Pixel<C>* between) {
    const detail::GridPixel at = detail::grid_pixel(array.images);
    detail::take_image(array);
    if (array.images > 1) between += blockIdx.z * size.pixels();
    if (at.i >= size.width || at.j >= size.height) return;
    between[size_t(at.j) * size_t(size.width) + size_t(at.i)] = AnySource<C>(array).typed([&](const auto& source) {
        return detail::long_pass_of_samples<C, y_first, in>(source, array, passes, taps, at.i, at.j);
    });
}

template <int C, bool y_first, Sums in>
__global__ void long_pixels_kernel(ResampleJob job, BetweenPasses size, LongPasses passes, LongTapsView taps,
                                   const Pixel<C>* between) {
    const auto [i, j] = detail::grid_pixel(job.source.images);
    detail::take_image(job);
    if (job.source.images > 1) between += blockIdx.z * size.pixels();
    if (i >= job.output.width || j >= job.output.height) return;
    write_pixel(job.output, i, j,
                detail::long_pass_of_pixels<C, y_first, in>(between, size.width, job.source, passes, taps, i, j));
}

template <int C, bool y_first>
void launch(const ResampleJob& job, const LongTapsView& first, const LongTapsView& second, const LongPasses& passes,
            SumsOfPasses sums, float* between, const DeviceQueue& queue) {
    const BetweenPasses size(job, y_first);
    const detail::PixelGrid before = detail::pixel_grid(size.width, size.height, job.source.images),
                            after = detail::pixel_grid(job);
    auto* const pixels = reinterpret_cast<Pixel<C>*>(between);
    const auto pass_of_samples = sums.first == Sums::real      ? long_samples_kernel<C, y_first, Sums::real>
                                 : sums.first == Sums::whole32 ? long_samples_kernel<C, y_first, Sums::whole32>
                                                               : long_samples_kernel<C, y_first, Sums::whole64>;
    const auto pass_of_pixels = sums.second == Sums::real      ? long_pixels_kernel<C, y_first, Sums::real>
                                : sums.second == Sums::whole32 ? long_pixels_kernel<C, y_first, Sums::whole32>
                                                               : long_pixels_kernel<C, y_first, Sums::whole64>;
    launch_kernel(work::long_rows, pass_of_samples, before.blocks, before.block, 0, queue.stream, job.source, size,
                  passes, first, pixels);
    launch_kernel(work::long_columns, pass_of_pixels, after.blocks, after.block, 0, queue.stream, job, size, passes,
                  second, static_cast<const Pixel<C>*>(pixels));
}

template <int C, bool y_first, Sums first, Sums second>
__global__ void point_kernel(ResampleJob job, LongPasses passes, LongTapsView x, LongTapsView y) {
    const auto [i, j] = detail::grid_pixel();
    if (i >= job.output.width || j >= job.output.height) return;
    detail::write_point_sum<C, y_first, first, second>(AnySource<C>(job.source), job, passes, x, y, i, j);
}

template <int C, bool y_first>
void launch_points(const ResampleJob& job, const LongTapsView& x, const LongTapsView& y, const LongPasses& passes,
                   SumsOfPasses sums, const DeviceQueue& queue) {
    constexpr Sums real = Sums::real, whole = Sums::whole64;
    const detail::PixelGrid grid = detail::pixel_grid(job.output);
    const auto kernel = sums.first == real    ? sums.second == real ? point_kernel<C, y_first, real, real>
                                                                    : point_kernel<C, y_first, real, whole>
                           : sums.second == real ? point_kernel<C, y_first, whole, real>
                                              : point_kernel<C, y_first, whole, whole>;
    launch_kernel(work::long_rows, kernel, grid.blocks, grid.block, 0, queue.stream, job, passes, x, y);
}

template <class Visit> void for_channels(int channels, Visit visit) {
    if (channels == 1) visit.template operator()<1>();
    else if (channels == 2) visit.template operator()<2>();
    else visit.template operator()<4>();
}

}  // namespace

void launch_point_taps(const ResampleJob& job, const LongTapsView& x, const LongTapsView& y, const LongPasses& passes,
                       SumsOfPasses sums, const DeviceQueue& queue) {
    for_channels(job.source.channels, [&]<int C>() {
        if (passes.y_first) launch_points<C, true>(job, x, y, passes, sums, queue);
        else launch_points<C, false>(job, x, y, passes, sums, queue);
    });
}

void launch_long_taps(const ResampleJob& job, const LongTapsView& x, const LongTapsView& y, const LongPasses& passes,
                      SumsOfPasses sums, float* between, const DeviceQueue& queue) {
    for_channels(job.source.channels, [&]<int C>() {
        if (passes.y_first) launch<C, true>(job, y, x, passes, sums, between, queue);
        else launch<C, false>(job, x, y, passes, sums, between, queue);
    });
}

}  // namespace texelscope
