#include "gpu/prefilter/prefilter.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/method/cpu_vector.h"
#include "gpu/method/method_info.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace {

static_assert(std::tuple_size_v<decltype(PrefilterKernel::taps)> > Prefilter::max_taps / 2);

// Smallest k with |z|^k < threshold for every pole.
int steps_below(double threshold, std::span<const double> poles) {
    double largest = 0;
    for (const double z : poles) largest = std::max(largest, std::abs(z));
    return int(std::ceil(std::log(threshold) / std::log(largest)));
}

// gain_i ∝ 1 / ((z_i − 1/z_i) · Π_{j≠i} (z_i + 1/z_i − z_j − 1/z_j)), all together such that b sums to 1.
void set_gains(PrefilterKernel& kernel) {
    double sum = 0;
    for (int i = 0; i < kernel.poles; ++i) {
        const double z = kernel.pole[size_t(i)];
        double gain = 1 / (z - 1 / z);
        for (int j = 0; j < kernel.poles; ++j)
            if (const double other = kernel.pole[size_t(j)]; j != i) gain /= z + 1 / z - other - 1 / other;
        kernel.gain[size_t(i)] = gain;
        sum += gain * (1 + z) / (1 - z);
    }
    for (double& gain : kernel.gain) gain /= sum;
}

}  // namespace

int coefficient_margin(std::span<const double> poles) { return (steps_below(1e-8, poles) + 3) / 4 * 4; }

PrefilterKernel prefilter_kernel(const Prefilter& prefilter, std::span<const double> poles) {
    if (prefilter.kind == Prefilter::Kind::none)
        throw Error("no prefilter was requested, so there are no coefficients");
    if (poles.empty()) throw Error("a method without poles takes samples: it has no prefilter");
    check_poles(poles);
    check_prefilter(prefilter);
    PrefilterKernel kernel;
    kernel.recursive = prefilter.kind == Prefilter::Kind::iir;
    kernel.poles = int(poles.size());
    std::copy(poles.begin(), poles.end(), kernel.pole.begin());
    set_gains(kernel);
    kernel.horizon_double = steps_below(0x1p-53, poles);
    kernel.horizon_float = steps_below(0x1p-26, poles);
    kernel.half_taps = ((kernel.recursive ? Prefilter::default_taps : prefilter.taps) - 1) / 2;
    double sum = 0;
    for (int k = 0; k <= kernel.half_taps; ++k) {
        for (int i = 0; i < kernel.poles; ++i)
            kernel.taps[size_t(k)] += kernel.gain[size_t(i)] * std::pow(kernel.pole[size_t(i)], k);
        sum += (k == 0 ? 1 : 2) * kernel.taps[size_t(k)];
    }
    for (double& tap : kernel.taps) tap /= sum;
    return kernel;
}

int coefficient_margin(const InverseFilter& inverse) {
    if (!inverse.poles.empty()) return coefficient_margin(inverse.poles);
    const int taps = std::min(int(inverse.taps.size()) - 1, most_inverse_taps);
    return inverse.taps.empty() ? 0 : (taps + 3) / 4 * 4;
}

PrefilterKernel prefilter_kernel(const Prefilter& prefilter, const InverseFilter& inverse) {
    if (inverse.taps.empty()) return prefilter_kernel(prefilter, inverse.poles);
    if (prefilter.kind == Prefilter::Kind::none)
        throw Error("no prefilter was requested, so there are no coefficients");
    check_prefilter(prefilter);
    PrefilterKernel kernel;
    kernel.recursive = false;
    kernel.poles = 0;
    const int most = prefilter.kind == Prefilter::Kind::fir ? (prefilter.taps - 1) / 2 : most_inverse_taps;
    kernel.half_taps = std::min(most, int(inverse.taps.size()) - 1);
    double kept = 0, all = 0;
    for (int k = 0; k < int(inverse.taps.size()); ++k) {
        const double both = (k == 0 ? 1 : 2) * inverse.taps[size_t(k)];
        all += both;
        if (k <= kernel.half_taps) kept += both;
    }
    for (int k = 0; k <= kernel.half_taps; ++k)
        kernel.taps[size_t(k)] = inverse.taps[size_t(k)] * (kept != 0 ? all / kept : 1);
    return kernel;
}

double gain_of(const PrefilterKernel& kernel, double w) {
    double gain = 0;
    if (kernel.recursive) {
        for (size_t p = 0; p < size_t(kernel.poles); ++p) {
            const double z = kernel.pole[p];
            gain += kernel.gain[p] * (1 - z * z) / (1 - 2 * z * std::cos(w) + z * z);
        }
        return gain;
    }
    for (int k = 0; k <= kernel.half_taps; ++k) gain += (k == 0 ? 1 : 2) * kernel.taps[size_t(k)] * std::cos(k * w);
    return gain;
}

namespace {

constexpr int level_taps = 6;  // on each side
using LevelEquations = std::array<std::array<double, level_taps + 2>, level_taps + 1>;

// By elimination; the last column is the right side, and becomes the solution.
void solve(LevelEquations& rows) {
    for (size_t n = 0; n < rows.size(); ++n) {
        const auto largest =
            std::max_element(rows.begin() + ptrdiff_t(n), rows.end(),
                             [&](const auto& a, const auto& b) { return std::abs(a[n]) < std::abs(b[n]); });
        std::swap(rows[n], *largest);
        for (size_t r = 0; r < rows.size(); ++r) {
            const double factor = r == n ? 0 : rows[r][n] / rows[n][n];
            for (size_t c = n; c < rows[r].size() && r != n; ++c) rows[r][c] -= factor * rows[n][c];
        }
    }
    for (size_t n = 0; n < rows.size(); ++n) rows[n].back() /= rows[n][n];
}

}  // namespace

// A sum of cosines that has the filter's gain at Chebyshev's points of the cosines in the band, both ends included: a constant
// stays what the filter makes of it.
PrefilterKernel on_level(const PrefilterKernel& of_image, double step) {
    if (step == 1) return of_image;
    const double end = std::cos(0.75 * M_PI);
    LevelEquations equations;
    for (int n = 0; n <= level_taps; ++n) {
        const double w = std::acos((1 + end) / 2 + (1 - end) / 2 * std::cos(M_PI * n / level_taps));
        for (int k = 0; k <= level_taps; ++k) equations[size_t(n)][size_t(k)] = (k == 0 ? 1 : 2) * std::cos(k * w);
        equations[size_t(n)].back() = gain_of(of_image, w / step);
    }
    solve(equations);
    PrefilterKernel kernel;
    kernel.recursive = false;
    kernel.poles = 0;
    kernel.half_taps = level_taps;
    for (size_t k = 0; k <= level_taps; ++k) kernel.taps[k] = equations[k].back();
    return kernel;
}

PrefilterKernels::PrefilterKernels(const MethodSpec& spec)
    : x(prefilter_kernel(spec.effective_prefilter(), spec.inverse_filter())),
      y(on_level(x, spec.prefilter.step_y)),
      same(spec.prefilter.step_x == spec.prefilter.step_y) {
    x = on_level(x, spec.prefilter.step_x);
}

namespace {

// Lines are filtered side by side, so that the recursion, serial along a line, runs as vector code across lines: floats
// of rows brought together, and of columns four cache lines at a time.
constexpr int row_lanes = 16, column_lanes = 64;

// Coefficients of a row that are computed together: they then fit the cache, and threads share a long signal.
constexpr int segment = 4096;

// The whole of an axis, or of one line of it.
struct Filter {
    simd::LineFilter line;
    bool recursive;
    int reach;  // samples that are needed beyond the first and the last coefficient

    explicit Filter(const PrefilterKernel& kernel)
        : recursive(kernel.recursive), reach(kernel.recursive ? kernel.horizon_double : kernel.half_taps) {
        line.skip = reach;
        static_assert(sizeof(line.taps) == sizeof(kernel.taps));
        line.half_taps = kernel.half_taps;
        std::copy(kernel.taps.begin(), kernel.taps.end(), line.taps);
        line.poles = kernel.poles;
        for (int p = 0; p < kernel.poles; ++p) {  // each back and forth sums to −z / (1 − z)²
            const double z = kernel.pole[size_t(p)];
            line.pole[p] = z;
            line.gain *= -(1 - z) * (1 - z) / z;
        }
    }

    void run(const simd::Kernels& kernels, const float* const* in, int length, int lanes, double* scratch,
             float* const* out) const {
        (recursive ? kernels.recurse : kernels.convolve)(line, in, length, lanes, scratch, out);
    }
};

// Per thread.
struct Buffers {
    std::vector<float> rows, lanes, filtered;
    std::vector<double> scratch;
    std::vector<const float*> in;
    std::vector<float*> out;
};

template <class Sample> const Sample* row_of(const TexelArray& a, int row) {
    return reinterpret_cast<const Sample*>(static_cast<const char*>(a.texels) + size_t(row) * a.row_bytes);
}

// One row of the extended samples as floats: texels first … first + count − 1. Are all samples in it filterable?
template <class Sample, int C>
bool extend_row(const TexelArray& samples, AddressMode mode, const simd::Kernels& kernels, int row, int first,
                int count, float* line) {
    constexpr int channels = pixel_channels(C);
    const Sample* stored = row_of<Sample>(samples, row);
    const auto value = [&](int x, int c) { return sample_to_float(stored[size_t(x) * C + size_t(c)]); };
    const auto set = [&](int k) {
        const int x = addressed(mode, first + k, samples.width);
        if constexpr (channels != C) line[size_t(k) * channels + C] = 0;
        for (int c = 0; c < C; ++c) {
            const float v = x < 0 ? 0.0f : value(x, c);
            line[size_t(k) * channels + size_t(c)] =
                x < 0 ? 0.0f
                      : finite_stand_in(v, value(std::max(x - 1, 0), c), value(std::min(x + 1, samples.width - 1), c));
        }
    };
    const int begin = std::clamp(-first, 0, count), end = std::clamp(samples.width - first, begin, count);
    float* inside = line + size_t(begin) * channels;
    const int numbers = (end - begin) * channels;
    if (numbers > 0) convert_texels(kernels, samples, stored + ptrdiff_t(first + begin) * C, end - begin, inside);
    bool filterable = true;
    if constexpr (!std::is_integral_v<Sample>) filterable = is_filterable(kernels.largest_size(inside, numbers));
    for (int k = 0; k < begin; ++k) set(k);
    for (int k = filterable ? end : begin; k < count; ++k) set(k);
    return filterable;
}

// Rows: lanes are channels of neighbouring rows. Those missing below the last row are ignored. Are all samples
// filterable?
template <class Sample, int C>
bool filter_rows(const TexelArray& samples, AddressMode mode, const Filter& filter, const simd::Kernels& kernels,
                 const TexelArray& out, float* out_texels) {
    constexpr int channels = pixel_channels(C), together = row_lanes / channels;
    constexpr int of_channels = channels == 4 ? 2 : channels - 1;
    const int bundles = (samples.height + together - 1) / together;
    const int width = samples.width + 2 * out.margin_x, segments = (width + segment - 1) / segment;
    const long long pieces = (long long)bundles * segments;
    std::atomic<bool> filterable = true;
    parallel_for_with<Buffers>(work::prefilter_rows, pieces, 1, [&](Buffers& b, long long piece) {
        const int row = int(piece / segments) * together, begin = int(piece % segments) * segment;
        const int count = std::min(segment, width - begin), length = count + 2 * filter.reach;
        const size_t numbers = size_t(length) * channels;
        b.rows.resize(numbers * together);
        b.scratch.resize(size_t(length) * row_lanes);
        std::array<const float*, together> in;
        std::array<float*, together> results;
        for (int r = 0; r < together; ++r) {
            float* line = b.rows.data() + numbers * size_t(r);
            if (row + r < samples.height && !extend_row<Sample, C>(samples, mode, kernels, row + r,
                                                                   begin - out.margin_x - filter.reach, length, line))
                filterable = false;
            in[size_t(r)] = row + r < samples.height ? line : b.rows.data();
            results[size_t(r)] = row + r < samples.height
                                     ? out_texels + size_t(row + r + out.margin_y) * (out.row_bytes / sizeof(float)) +
                                           size_t(begin) * channels
                                     : line;
        }
        if (filter.recursive)
            return kernels.recurse_rows[of_channels](filter.line, in.data(), length, b.scratch.data(), results.data());
        b.lanes.resize(size_t(length) * row_lanes);
        kernels.to_lanes[of_channels](in.data(), length, b.lanes.data());
        b.in.resize(size_t(length));
        b.out.resize(size_t(length));
        for (int k = 0; k < length; ++k) b.in[size_t(k)] = b.out[size_t(k)] = b.lanes.data() + size_t(k) * row_lanes;
        filter.run(kernels, b.in.data(), length, row_lanes, b.scratch.data(), b.out.data());
        kernels.from_lanes[of_channels](b.lanes.data() + size_t(filter.reach) * row_lanes, count, results.data());
    });
    return filterable;
}

// Floats before the first strip of columns, so that all strips are whole cache lines, if rows are.
int before_strips(const float* texels, size_t stride, int floats) {
    constexpr size_t line = 64;
    const size_t beyond = reinterpret_cast<uintptr_t>(texels) % line;
    return stride * sizeof(float) % line == 0 ? std::min(int((line - beyond) % line / sizeof(float)), floats) : 0;
}

// Columns, in place: lanes are neighbouring floats of a row, margin columns included. The first and the last few are copied to
// separate lines, so that nothing beyond the row is touched.
void filter_columns(const TexelArray& out, AddressMode mode, const Filter& filter, const simd::Kernels& kernels,
                    float* out_texels) {
    const size_t stride = out.row_bytes / sizeof(float);
    const int floats = (out.width + 2 * out.margin_x) * out.channels,
              before = before_strips(out_texels, stride, floats);
    const int strips = (before > 0) + (floats - before + column_lanes - 1) / column_lanes;
    const int rows = out.height + 2 * out.margin_y, length = rows + 2 * filter.reach;
    parallel_for_with<Buffers>(work::prefilter_columns, strips, 1, [&](Buffers& b, int strip) {
        const int first = before == 0 ? strip * column_lanes : strip == 0 ? 0 : before + (strip - 1) * column_lanes;
        const int lanes = before > 0 && strip == 0 ? before : std::min(column_lanes, floats - first);
        float* column = out_texels + first;
        const bool in_place = lanes == column_lanes;
        float* lines = column;
        size_t step = stride;
        if (!in_place) {
            step = column_lanes;
            b.lanes.resize(size_t(rows) * step);
            lines = b.lanes.data();
            for (size_t y = 0; y < size_t(rows); ++y) {
                std::copy_n(column + y * stride, lanes, lines + y * step);
                std::fill(lines + y * step + lanes, lines + (y + 1) * step, 0.0f);
            }
        }
        b.scratch.resize(size_t(length) * column_lanes);
        b.filtered.assign(column_lanes, 0.0f);  // a row of zeros, for a border
        b.in.resize(size_t(length));
        b.out.resize(size_t(length));
        for (int k = 0; k < length; ++k) {
            const int y = addressed(mode, k - filter.reach - out.margin_y, out.height);
            b.in[size_t(k)] = y < 0 ? b.filtered.data() : lines + size_t(y + out.margin_y) * step;
            b.out[size_t(k)] = lines + size_t(std::clamp(k - filter.reach, 0, rows - 1)) * step;
        }
        filter.run(kernels, b.in.data(), length, column_lanes, b.scratch.data(), b.out.data());
        for (size_t y = 0; !in_place && y < size_t(rows); ++y)
            std::copy_n(lines + y * step, lanes, column + y * stride);
    });
}

// See prefilter.h.
template <class Sample, int C>
void restore_non_finite(const TexelArray& samples, const AddressPair& extension, const TexelArray& out,
                        float* out_texels) {
    const size_t stride = out.row_bytes / sizeof(float);
    parallel_for(work::prefilter_non_finite, out.height + 2 * out.margin_y, 16, [&](int j) {
        const int row = addressed(extension.y, j - out.margin_y, samples.height);
        if (row < 0) return;
        float* line = out_texels + size_t(j) * stride;
        for (int x = -out.margin_x; x < out.width + out.margin_x; ++x, line += pixel_channels(C)) {
            const int column = addressed(extension.x, x, samples.width);
            for (int c = 0; column >= 0 && c < C; ++c) {
                const float v = sample_to_float(row_of<Sample>(samples, row)[size_t(column) * C + size_t(c)]);
                if (!is_filterable(v)) line[c] = v;
            }
        }
    });
}

void write_floats(const TexelArray& samples, const AddressPair& extension, const PrefilterKernels& filter,
                  const TexelArray& out, float* out_texels, const simd::Kernels& kernels) {
    bool filterable = true;
    detail::for_stored_type(samples, [&]<class Sample, int C>() {
        filterable = filter_rows<Sample, C>(samples, extension.x, Filter(filter.x), kernels, out, out_texels);
    });
    if (!samples.one_dimensional) filter_columns(out, extension.y, Filter(filter.y), kernels, out_texels);
    if (filterable) return;
    detail::for_stored_type(samples, [&]<class Sample, int C>() {
        if constexpr (!std::is_integral_v<Sample>) restore_non_finite<Sample, C>(samples, extension, out, out_texels);
    });
}

// Columns are filtered in place, so half floats are made from a copy in float.
void write_half_floats(const TexelArray& samples, const AddressPair& extension, const PrefilterKernels& filter,
                       const TexelArray& out, void* out_texels, const simd::Kernels& kernels) {
    TexelArray wide = out;
    wide.row_bytes = 2 * out.row_bytes;
    const size_t numbers = out.row_bytes / sizeof(uint16_t), rows = size_t(out.height) + 2 * size_t(out.margin_y);
    std::vector<float> floats(numbers * rows);
    write_floats(samples, extension, filter, wide, floats.data(), kernels);
    auto* halves = static_cast<uint16_t*>(out_texels);
    const auto round = [&](size_t k) { halves[k] = half_coefficient(floats[k]); };
    parallel_for(work::half_coefficients, floats.size(), 1 << 16, round);
}

}  // namespace

void prefilter_on_cpu(const TexelArray& samples, const AddressPair& extension, const PrefilterKernels& filter,
                      const TexelArray& out, void* out_texels, const simd::Kernels& kernels) try {
    if (out.type == SampleType::f16) write_half_floats(samples, extension, filter, out, out_texels, kernels);
    else write_floats(samples, extension, filter, out, static_cast<float*>(out_texels), kernels);
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the prefilter");
}

}  // namespace texelscope
