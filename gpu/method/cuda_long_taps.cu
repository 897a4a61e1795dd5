#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/evaluate.h"
#include "gpu/method/long_taps.h"
#include "gpu/method/output.h"

namespace texelscope {
namespace {

// Pixel (i, j) between the passes: column i of the output, row j of the image.
template <int C> __global__ void long_rows_kernel(TexelArray array, int width, LongTapsView x, Pixel<C>* between) {
    const detail::GridPixel at = detail::grid_pixel();
    if (at.i >= width || at.j >= array.height) return;
    const int first = x.first[at.i];
    between[size_t(at.j) * size_t(width) + size_t(at.i)] = AnySource<C>(array).typed([&](const auto& source) {
        auto total = Pixel<C>::zero();
        for (int k = 0; k < x.taps; ++k) {
            const float w = x.weights[size_t(k) * size_t(x.pixels) + size_t(at.i)];
            const int column = source.column(first + k);
            if (w != 0 && column >= 0) total.add_scaled(w, source.load(column, at.j));
        }
        return total;
    });
}

template <int C> __global__ void long_columns_kernel(ResampleJob job, LongTapsView y, const Pixel<C>* between) {
    const auto [i, j] = detail::grid_pixel();
    const ResampleOutput& out = job.output;
    if (i >= out.width || j >= out.height) return;
    auto sum = Pixel<C>::zero();
    const int first = y.first[j];
    for (int k = 0; k < y.taps; ++k) {
        const float w = y.weights[size_t(k) * size_t(y.pixels) + size_t(j)];
        const int row = job.source.one_dimensional ? 0 : addressed(job.source.address.y, first + k, job.source.height);
        if (w != 0 && row >= 0) sum.add_scaled(w, between[size_t(row) * size_t(out.width) + size_t(i)]);
    }
    write_pixel(out, i, j, sum);
}

template <int C>
void launch(const ResampleJob& job, const LongTapsView& x, const LongTapsView& y, float* between,
            const DeviceQueue& queue) {
    const detail::PixelGrid rows = detail::pixel_grid(job.output.width, job.source.height),
                            columns = detail::pixel_grid(job.output);
    auto* const pixels = reinterpret_cast<Pixel<C>*>(between);
    launch_kernel(work::long_rows, long_rows_kernel<C>, rows.blocks, rows.block, 0, queue.stream, job.source,
                  job.output.width, x, pixels);
    launch_kernel(work::long_columns, long_columns_kernel<C>, columns.blocks, columns.block, 0, queue.stream, job, y,
                  static_cast<const Pixel<C>*>(pixels));
}

}  // namespace

void launch_long_taps(const ResampleJob& job, const LongTapsView& x, const LongTapsView& y, float* between,
                      const DeviceQueue& queue) {
    const int channels = job.source.channels;
    if (channels == 1) launch<1>(job, x, y, between, queue);
    else if (channels == 2) launch<2>(job, x, y, between, queue);
    else launch<4>(job, x, y, between, queue);
}

}  // namespace texelscope
