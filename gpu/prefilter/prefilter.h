#pragma once
// The prefilter on the CPU and on a GPU.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "gpu/core/address.h"
#include "gpu/core/half.h"
#include "gpu/core/machine.h"
#include "gpu/core/pixel.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/method/spec.h"
#include "gpu/weights/inverse_filter.h"
#include "gpu/weights/poles.h"

namespace texelscope {

// The digital filter that turns samples into spline coefficients, as numbers.
//
// The exact inverse is a sum of one two-sided exponential for each pole: b(k) = Σ gain · z^|k|. With one pole
// gain = (1 − z) / (1 + z); for the cubic B-spline z = √3 − 2 and b(k) = √3 · z^|k| (Champagnat & Le Sant 2011, eq. 6).
// With more, the gains are the residues of the partial fractions (Unser, Aldroubi & Eden 1993, part II, eq. 2.5).

// Coefficients kept beyond each edge if the address mode does not repeat the signal: |z|^margin < 1e-8, rounded up to a
// multiple of 4, so that vectors of texels stay aligned; 16 for the cubic B-spline.
int coefficient_margin(std::span<const double> poles);

// The margin of a filter that may have taps instead of poles: as many as those on one side.
int coefficient_margin(const InverseFilter& inverse);

template <class Filter> int margin_for(AddressMode mode, const Filter& filter) {
    return is_periodic(mode) ? 0 : coefficient_margin(filter);
}

// Beyond the margin the edge is extended; repeating modes repeat, since the coefficients inherit the symmetry.
constexpr AddressMode coefficient_address(AddressMode mode) { return is_periodic(mode) ? mode : AddressMode::clamp; }

struct PrefilterKernel {
    bool recursive = true;
    int poles = 1;                                        // 0: the filter is given by its taps
    std::array<double, most_poles> pole = {}, gain = {};  // for the recursions, whose results are added
    // Samples after which the recursions have forgotten their start: |z|^horizon < 2⁻⁵³ in double, 2⁻²⁶ in float.
    int horizon_double = 0, horizon_float = 0;
    int half_taps = 0;                                    // K of a FIR with 2K+1 taps
    std::array<double, most_inverse_taps + 1> taps = {};  // b(0) … b(K); all 2K+1 have the sum of the exact inverse
};

// Throws Error for a kind `none`, and for taps or poles that check_prefilter() and check_poles() refuse.
PrefilterKernel prefilter_kernel(const Prefilter& prefilter, std::span<const double> poles);

// The kernel of a filter that may have taps instead of poles, with the same errors: `iir` is then a convolution too,
// with up to most_inverse_taps on each side.
PrefilterKernel prefilter_kernel(const Prefilter& prefilter, const InverseFilter& inverse);

// The kernel's factor for a wave that turns by `w` radians from one sample to the next.
double gain_of(const PrefilterKernel& kernel, double w);

// The filter on a level of the pyramid with `step` samples of the image from one of its own to the next, to 4e-4 (septic
// B-spline, step 2; 1e-4 cubic) below three quarters of the level's Nyquist frequency: what is above is not let pass by a weight
// function that is widened on the level. The kernel itself for a step of 1.
PrefilterKernel on_level(const PrefilterKernel& of_image, double step);

// Along each axis.
struct PrefilterKernels {
    PrefilterKernel x, y;
    bool same = true;

    PrefilterKernels(const PrefilterKernel& both) : x(both), y(both) {}
    // Kernels of the image, or of the level that the spec's prefilter names. Throws as prefilter_kernel().
    explicit PrefilterKernels(const MethodSpec& spec);
};

// Writes the coefficients of `samples` (no margin, linear memory) as f32 or f16 texels of the same number of channels
// into `out`, whose type, margins, size and row_bytes are set and whose texels point to zeroed memory `out_texels`.
// `extension` is how the samples continue beyond their edges. Threaded. Sums are float64. Throws OutOfMemory.
void prefilter_on_cpu(const TexelArray& samples, const AddressPair& extension, const PrefilterKernels& filter,
                      const TexelArray& out, void* out_texels,
                      const simd::Kernels& kernels = simd::kernels(simd::best_instructions()));

// Prefilter on the GPU.

// Like prefilter_on_cpu, over device memory, enqueued, in a single kernel. Sums are float32. `out` is laid out by
// coefficient_array. Throws Error if a launch is refused.
void prefilter_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernels& filter,
                       const TexelArray& out, void* out_texels, const DeviceQueue& queue);

// The prefilter on the GPU as a convolution, in a single pass.

// Like prefilter_on_cuda. A FIR with its taps; a recursion, whose inverse falls off exponentially, with as many as
// matter to float32 (|z|^k < 2⁻²⁶): up to largest_pole, which check_poles() demands, no more than 65.
void convolve_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernels& filter,
                      const TexelArray& out, void* out_texels, const DeviceQueue& queue);

// The exact prefilter of one pole on the GPU in a single pass.

// Like prefilter_on_cuda, if can_filter_fused(). Margins must be multiples of 4 texels, and out.row_bytes of 16 bytes.
void filter_fused_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernels& filter,
                          const TexelArray& out, void* out_texels, const DeviceQueue& queue);

// Which code prefilters on a GPU and in what shape: functions of only the job and the device's limits.

enum class PrefilterCode { fused, convolution };

// The fused kernel accepts two-dimensional images and a recursion of one pole with |z| up to 0.36, the same along both axes.
inline bool can_filter_fused(const TexelArray& samples, const PrefilterKernels& filter) {
    const PrefilterKernel& kernel = filter.x;
    return filter.same && kernel.recursive && kernel.poles == 1 && kernel.horizon_float <= 18 &&
           !samples.one_dimensional;
}

// A recursion down the columns of a small image is one long chain, while a convolution keeps the whole device busy. The
// crossover was measured for one and four channels (docs/performance-notebook.md).
inline PrefilterCode choose_prefilter(const TexelArray& samples, const PrefilterKernels& filter) {
    const bool small = (long long)samples.width * samples.height <= (1 << 20) / (samples.channels * samples.channels);
    return !small && can_filter_fused(samples, filter) ? PrefilterCode::fused : PrefilterCode::convolution;
}

// A block of the convolution: taps on each side that it has room for, and rows of coefficients.
struct ConvolutionTile {
    int reach, height;
    bool operator==(const ConvolutionTile&) const = default;
};

inline constexpr int longest_convolution = 32;  // taps on each side

// Shared memory of a tile: the samples of one channel, those filtered along rows, and the indices of rows and columns.
constexpr size_t shared_bytes(const ConvolutionTile& tile) {
    constexpr int width = 64;
    const size_t columns = size_t(width + 2 * tile.reach), rows = size_t(tile.height + 2 * tile.reach);
    return sizeof(float) * rows * ((columns | 1) + (width | 1)) + sizeof(int) * (columns + rows);
}

// `reach`: taps on each side, up to longest_convolution. Tall tiles read fewer samples twice, if there is room for
// them: 64 KiB are available on every device.
constexpr ConvolutionTile choose_tile(int reach, const DeviceLimits& limits) {
    const int room = reach <= 3 ? 3 : reach <= 7 ? 7 : reach <= 15 ? 15 : reach <= 24 ? 24 : longest_convolution;
    const ConvolutionTile tall{room, 64};
    if (room < 24 || shared_bytes(tall) <= limits.shared_bytes_per_block) return tall;
    return {room, room == 24 ? 32 : 16};
}

// Rows that a block of the fused kernel writes: as many segments as fill the device once. A block has this many threads
// and this much shared memory; `most_blocks` on one multiprocessor, by its registers.
inline int fused_segment(int height, int strips, int threads, size_t shared, int most_blocks, int chunk, int reach,
                         const DeviceLimits& limits) {
    constexpr size_t reserved = 1024;  // by the system, in each block
    const int by_memory = int(limits.shared_bytes_per_multiprocessor / (shared + reserved));
    const int by_threads = limits.threads_per_multiprocessor / threads;
    const int blocks = std::max(1, std::min({most_blocks, by_memory, by_threads}));
    const int wanted = std::max(1, limits.multiprocessors * blocks / strips);
    const int rows = (height + wanted - 1) / wanted;
    return std::max((rows + chunk - 1) / chunk * chunk, reach);
}

// Coefficients as a prefilter stores them, and what samples that are not finite make of them.

// Rounded to nearest. A finite coefficient stays finite, ±65504 at most.
TS_HD uint16_t half_coefficient(float v) {
    constexpr float largest = 65504;
    return float_to_half(fabsf(v) <= 3.4028235e38f ? fminf(fmaxf(v, -largest), largest) : v);
}

#if defined(__CUDACC__)
// N coefficients side by side, aligned to their size.
template <bool half_float, int N> __device__ void store_coefficients(void* at, const float (&v)[N]) {
    if constexpr (half_float) {
        struct alignas(2 * N) {
            uint16_t v[N];
        } stored;
        TS_UNROLL
        for (int i = 0; i < N; ++i) stored.v[i] = half_coefficient(v[i]);
        *static_cast<decltype(stored)*>(at) = stored;
    } else {
        struct alignas(4 * N) {
            float v[N];
        } stored;
        TS_UNROLL
        for (int i = 0; i < N; ++i) stored.v[i] = v[i];
        *static_cast<decltype(stored)*>(at) = stored;
    }
}

// Kernels of float samples have a variant that filters all images of a batch; others filter them one by one. The job that it
// changes is copied to registers, which would slow down the others.
template <class Sample> inline constexpr bool filters_batches = std::is_same_v<Sample, float>;

template <class Job> __device__ void take_image(Job& job) {
    job.samples.texels = static_cast<const char*>(job.samples.texels) + blockIdx.z * job.samples.image_bytes;
    job.coefficients = static_cast<char*>(job.coefficients) + blockIdx.z * job.out.image_bytes;
}

// Calls launch(job, images) for all images, or for each.
template <bool together, class Job, class Launch> void for_images(const Job& batch, Launch launch) {
    const int launches = together ? 1 : batch.samples.images;
    for (int k = 0; k < launches; ++k) {
        Job job = batch;
        if (!together) job.samples = image_of(batch.samples, k);
        job.coefficients = static_cast<char*>(batch.coefficients) + size_t(k) * batch.out.image_bytes;
        launch(job, unsigned(job.samples.images));
    }
}

// Position of a texel in memory; x and y count from the margin's first.
template <int C> __device__ char* texel_at(const TexelArray& out, void* texels, int x, int y) {
    return static_cast<char*>(texels) + size_t(y) * out.row_bytes +
           size_t(x) * C * (out.type == SampleType::f16 ? 2 : 4);
}

template <int C> __device__ void store_texel(const TexelArray& out, void* at, const Pixel<C>& coefficients) {
    if (out.type == SampleType::f16) store_coefficients<true>(at, coefficients.v);
    else store_coefficients<false>(at, coefficients.v);
}
#endif

// NaN and infinity must not spread along whole rows through the recursion. The filter sees a finite neighbour instead,
// and the coefficient at exactly that position is the NaN or infinity itself: an interpolated value is then not finite
// exactly where the method's support touches the sample. Finite values so large that the filter's gain (3 per axis for
// the cubic B-spline, 18.5 for the septic) would overflow, such as the largest float, which some files use for "no data",
// are treated alike.

inline constexpr float largest_filterable = 1e35f;

TS_HD bool is_filterable(float v) { return fabsf(v) <= largest_filterable; }

// The filter's input for sample `v` with neighbours `before` and `after` on its row.
TS_HD float finite_stand_in(float v, float before, float after) {
    if (is_filterable(v)) return v;
    return is_filterable(before) ? before : is_filterable(after) ? after : 0.0f;
}

// A value that cannot be filtered is its own coefficient.
template <int C> TS_HD void restore_non_finite(const Pixel<C>& samples, Pixel<C>& coefficients) {
    TS_UNROLL
    for (int c = 0; c < C; ++c)
        if (!is_filterable(samples.v[c])) coefficients.v[c] = samples.v[c];
}

}  // namespace texelscope
