#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/cuda_shrink.h"
#include "gpu/method/kernel_choice.h"
#include "gpu/method/mip.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/tabulated.h"

namespace texelscope {
namespace {

// Integer texels as the levels in which they are stored: a line of them takes neither a product for each sample nor, as
// they are all finite, a test for each weight.
template <class Sample, int C> struct LevelSource : LinearSource<Sample, C> {
    using LinearSource<Sample, C>::LinearSource;

    __device__ const Texel<Sample, C>* texels(int row) const {
        return reinterpret_cast<const Texel<Sample, C>*>(this->line(row));
    }
    __device__ static void add_scaled(Pixel<C>& sum, float weight, const Texel<Sample, C>& texel) {
        TS_UNROLL
        for (int c = 0; c < C; ++c) sum.v[c] += weight * stored_level(level_bits | texel.v[c]);
    }
};

template <int C> struct AnyStoredSource : AnySource<C> {
    using AnySource<C>::AnySource;
    __device__ const TexelArray& array() const { return this->array_; }
};

// As in tabulated.h.
template <class Sample, int C>
__device__ Pixel<C> tabulated_line(const LevelSource<Sample, C>& source, int row, int first, int columns,
                                   const float* w) {
    auto sum = Pixel<C>::zero();
    const Texel<Sample, C>* const texels = source.texels(row);
    if (source.stores_columns(first, columns)) {
        const Texel<Sample, C>* at = texels + source.column(first);
        int i = 0;
        for (; i + 4 <= columns; i += 4, at += 4) {
            Texel<Sample, C> four[4];
            TS_UNROLL
            for (int k = 0; k < 4; ++k) four[k] = at[k];
            TS_UNROLL
            for (int k = 0; k < 4; ++k) source.add_scaled(sum, w[i + k], four[k]);
        }
        for (; i < columns; ++i, ++at) source.add_scaled(sum, w[i], *at);
    } else {
        TS_UNROLL_BY(1)
        for (int i = 0; i < columns; ++i)
            if (const int column = source.column(first + i); column >= 0) source.add_scaled(sum, w[i], texels[column]);
    }
    return unit_of<Sample> * sum;
}
template <int C>
__device__ Pixel<C> tabulated_line(const AnyStoredSource<C>& any, int row, int first, int columns, const float* w) {
    switch (any.array().type) {
        case SampleType::u8: return tabulated_line(LevelSource<uint8_t, C>(any.array()), row, first, columns, w);
        case SampleType::u16: return tabulated_line(LevelSource<uint16_t, C>(any.array()), row, first, columns, w);
        default: return tabulated_line(static_cast<const AnySource<C>&>(any), row, first, columns, w);
    }
}

template <int C, bool by_pieces, bool batch> __global__ void tabulated_kernel(TabulatedJob tabulated) {
    const auto [i, j] = detail::grid_pixel(batch ? tabulated.job.source.images : 1);
    if constexpr (batch) detail::take_image(tabulated.job);
    if (i < tabulated.job.output.width && j < tabulated.job.output.height)
        detail::tabulated_pixel<C, by_pieces>(AnyStoredSource<C>(tabulated.job.source), tabulated, i, j);
}

template <bool by_pieces, bool batch> auto kernel_for(const ResampleJob& job) {
    const int channels = job.source.channels;
    return channels == 1   ? tabulated_kernel<1, by_pieces, batch>
           : channels == 2 ? tabulated_kernel<2, by_pieces, batch>
                           : tabulated_kernel<4, by_pieces, batch>;
}

// For kernels that compute one image at a time.
template <class Job, class Launch> void for_images(const Job& batch, Launch launch) {
    for (int k = 0; k < batch.job.source.images; ++k) {
        Job alone = batch;
        alone.job = image_of(batch.job, k);
        launch(alone);
    }
}

}  // namespace

void launch_tabulated(const TabulatedJob& tabulated, const KernelChoice& choice, const DeviceQueue& queue) {
    const ResampleJob& job = tabulated.job;
    if (choice.kernel == ResampleKernel::box) return launch_boxes(tabulated, choice.box, queue);
    if (choice.kernel == ResampleKernel::shrink) return launch_shrink(tabulated, choice.shrink, queue);
    if (choice.kernel == ResampleKernel::rotated)
        return for_images(tabulated, [&](const TabulatedJob& of) { launch_rotated(of, choice.rotated, queue); });
    if (choice.kernel == ResampleKernel::rotated_any)
        return for_images(tabulated,
                          [&](const TabulatedJob& of) { launch_rotated_any(of, choice.rotated_any, queue); });
    const bool by_pieces = tabulated.x.pieces.pieces, batch = job.source.images > 1;
    const auto kernel = by_pieces ? batch ? kernel_for<true, true>(job) : kernel_for<true, false>(job)
                        : batch ? kernel_for<false, true>(job)
                                  : kernel_for<false, false>(job);
    const detail::PixelGrid grid = detail::pixel_grid(job);
    launch_kernel(work::tabulated, kernel, grid.blocks, grid.block, 0, queue.stream, tabulated);
}

namespace {

template <int C> __global__ void __launch_bounds__(256, 4) polar_kernel(PolarJob polar) {
    const auto [i, j] = detail::grid_pixel();
    if (i < polar.job.output.width && j < polar.job.output.height)
        detail::polar_pixel<C>(AnySource<C>(polar.job.source), polar, i, j);
}

static_assert(sizeof(MipJob) <= 4096, "a kernel takes no more");
template <int C> __global__ void __launch_bounds__(256, 4) mip_kernel(MipJob mip) {
    const auto [i, j] = detail::grid_pixel();
    if (i < mip.job.output.width && j < mip.job.output.height) detail::mip_pixel<C>(mip, i, j);
}

}  // namespace

void launch_mip(const MipJob& mip, const DeviceQueue& queue) {
    const int channels = mip.job.source.channels;
    const auto kernel = channels == 1 ? mip_kernel<1> : channels == 2 ? mip_kernel<2> : mip_kernel<4>;
    const detail::PixelGrid grid = detail::pixel_grid(mip.job.output);
    launch_kernel(work::mip, kernel, grid.blocks, grid.block, 0, queue.stream, mip);
}

void launch_polar(const PolarJob& polar, const DeviceQueue& queue) {
    const int channels = polar.job.source.channels;
    const auto kernel = channels == 1 ? polar_kernel<1> : channels == 2 ? polar_kernel<2> : polar_kernel<4>;
    const detail::PixelGrid grid = detail::pixel_grid(polar.job.output);
    for_images(polar, [&](const PolarJob& of) {
        launch_kernel(work::polar, kernel, grid.blocks, grid.block, 0, queue.stream, of);
    });
}

}  // namespace texelscope
