#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/long_sums.h"
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

}  // namespace

void launch_long_taps(const ResampleJob& job, const LongTapsView& x, const LongTapsView& y, const LongPasses& passes,
                      SumsOfPasses sums, float* between, const DeviceQueue& queue) {
    const auto in_order = [&]<int C>() {
        if (passes.y_first) launch<C, true>(job, y, x, passes, sums, between, queue);
        else launch<C, false>(job, x, y, passes, sums, between, queue);
    };
    const int channels = job.source.channels;
    if (channels == 1) in_order.template operator()<1>();
    else if (channels == 2) in_order.template operator()<2>();
    else in_order.template operator()<4>();
}

}  // namespace texelscope
