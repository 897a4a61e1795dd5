#include "gpu/prefilter/cpu_prefilter.h"

#include <algorithm>
#include <exception>
#include <new>
#include <type_traits>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/prefilter/non_finite.h"

namespace texelscope {
namespace {

// Lines are filtered side by side, so that the recursion, serial along a line, runs as vector code across lines.
constexpr int lanes = 16;

// Coefficients of a row that are computed at once: a bundle then fits the cache, and threads share a long signal.
constexpr int segment = 8192;

// A bundle of lines: element k of lane l at [k · lanes + l]. Element 0 is sample `first` of the extended signal.
struct Bundle {
    std::vector<double> extended, filtered;
    int first = 0, length = 0;

    double* at(std::vector<double>& v, int k) { return v.data() + size_t(k) * lanes; }
};

// Adds gain · (y⁺ + y⁻ − s) of one pole. y⁺ and y⁻ run over the whole extended line; the ends start as if the signal
// were constant there.
void add_recursion(Bundle& b, double z, double gain) {
    double state[lanes];
    const double start = 1 / (1 - z);
    for (int l = 0; l < lanes; ++l) state[l] = b.extended[size_t(l)] * start;
    for (int k = 0; k < b.length; ++k) {
        const double* s = b.at(b.extended, k);
        double* out = b.at(b.filtered, k);
        if (k > 0)
            for (int l = 0; l < lanes; ++l) state[l] = s[l] + z * state[l];
        for (int l = 0; l < lanes; ++l) out[l] += gain * state[l];
    }
    const double* last = b.at(b.extended, b.length - 1);
    for (int l = 0; l < lanes; ++l) state[l] = last[l] * start;
    for (int k = b.length - 1; k >= 0; --k) {
        const double* s = b.at(b.extended, k);
        double* out = b.at(b.filtered, k);
        if (k < b.length - 1)
            for (int l = 0; l < lanes; ++l) state[l] = s[l] + z * state[l];
        for (int l = 0; l < lanes; ++l) out[l] += gain * (state[l] - s[l]);
    }
}

void filter_recursively(Bundle& b, const PrefilterKernel& kernel) {
    std::fill(b.filtered.begin(), b.filtered.end(), 0.0);
    for (int i = 0; i < kernel.poles; ++i) add_recursion(b, kernel.pole[size_t(i)], kernel.gain[size_t(i)]);
}

void filter_directly(Bundle& b, const PrefilterKernel& kernel) {
    const int reach = kernel.half_taps;
    for (int k = reach; k < b.length - reach; ++k) {
        double* out = b.at(b.filtered, k);
        const double* centre = b.at(b.extended, k);
        for (int l = 0; l < lanes; ++l) out[l] = kernel.taps[0] * centre[l];
        for (int m = 1; m <= reach; ++m) {
            const double *left = centre - size_t(m) * lanes, *right = centre + size_t(m) * lanes;
            for (int l = 0; l < lanes; ++l) out[l] += kernel.taps[size_t(m)] * (left[l] + right[l]);
        }
    }
}

// One axis of n samples, coefficients from `begin` up to `end`: `read(index, lane)` gives the sample at a stored index,
// `write(k, lane, value)` takes coefficient k.
template <class Read, class Write>
void filter_lines(Bundle& b, int n, int begin, int end, AddressMode mode, const PrefilterKernel& kernel, int used_lanes,
                  Read read, Write write) {
    const int reach = kernel.recursive ? kernel.horizon_double : kernel.half_taps;
    b.first = begin - reach;
    b.length = end - begin + 2 * reach;
    b.extended.assign(size_t(b.length) * lanes, 0.0);
    b.filtered.resize(size_t(b.length) * lanes);
    for (int k = 0; k < b.length; ++k) {
        const int index = addressed(mode, b.first + k, n);
        if (index < 0) continue;
        double* s = b.at(b.extended, k);
        for (int l = 0; l < used_lanes; ++l) s[l] = read(index, l);
    }
    if (kernel.recursive) filter_recursively(b, kernel);
    else filter_directly(b, kernel);
    for (int k = begin; k < end; ++k) {
        const double* c = b.at(b.filtered, k - b.first);
        for (int l = 0; l < used_lanes; ++l) write(k, l, float(c[l]));
    }
}

// Calls work(bundle, piece) for all pieces; every thread has its bundle. Throws OutOfMemory.
template <class Work> void in_threads(long long pieces, Work work) {
    std::exception_ptr failure;  // an exception must not leave a parallel region
#pragma omp parallel
    {
        Bundle bundle;
#pragma omp for schedule(dynamic)
        for (long long piece = 0; piece < pieces; ++piece) {
            try {
                work(bundle, piece);
            } catch (const std::bad_alloc&) {
#pragma omp critical
                failure = std::make_exception_ptr(OutOfMemory("no memory for the prefilter"));
            }
        }
    }
    if (failure) std::rethrow_exception(failure);
}

template <class Sample> const Sample* row_of(const TexelArray& a, int row) {
    return reinterpret_cast<const Sample*>(static_cast<const char*>(a.texels) + size_t(row) * a.row_bytes);
}

// Rows: lanes are channels of neighbouring rows.
template <class Sample, int C>
void filter_rows(const TexelArray& samples, AddressMode mode, const PrefilterKernel& kernel, const TexelArray& out,
                 float* out_texels) {
    constexpr int rows_a_bundle = lanes / C;
    const size_t stride = out.row_bytes / sizeof(float);
    const int bundles = (samples.height + rows_a_bundle - 1) / rows_a_bundle;
    const int length = samples.width + 2 * out.margin_x, segments = (length + segment - 1) / segment;
    in_threads((long long)bundles * segments, [&](Bundle& bundle, long long piece) {
        const int row = int(piece / segments) * rows_a_bundle, begin = int(piece % segments) * segment - out.margin_x;
        const int end = std::min(begin + segment, samples.width + out.margin_x);
        const int rows = std::min(rows_a_bundle, samples.height - row);
        const auto sample = [&](int x, int lane) {
            return sample_to_float(row_of<Sample>(samples, row + lane / C)[size_t(x) * C + size_t(lane % C)]);
        };
        const auto read = [&](int x, int lane) {
            const float v = sample(x, lane);
            if (is_filterable(v)) return double(v);
            return double(finite_stand_in(v, sample(std::max(x - 1, 0), lane),
                                          sample(std::min(x + 1, samples.width - 1), lane)));
        };
        const auto write = [&](int x, int lane, float value) {
            out_texels[size_t(row + lane / C + out.margin_y) * stride + size_t(x + out.margin_x) * C +
                       size_t(lane % C)] = value;
        };
        filter_lines(bundle, samples.width, begin, end, mode, kernel, rows * C, read, write);
    });
}

// Columns, in place: lanes are neighbouring floats of a row, margin columns included.
void filter_columns(const TexelArray& out, AddressMode mode, const PrefilterKernel& kernel, float* out_texels) {
    const size_t stride = out.row_bytes / sizeof(float);
    const int floats = (out.width + 2 * out.margin_x) * out.channels;
    in_threads((floats + lanes - 1) / lanes, [&](Bundle& bundle, long long i) {
        float* column = out_texels + size_t(i) * lanes;
        const auto at = [&](int y, int lane) -> float& {
            return column[size_t(y + out.margin_y) * stride + size_t(lane)];
        };
        filter_lines(
            bundle, out.height, -out.margin_y, out.height + out.margin_y, mode, kernel, std::min(lanes, floats - int(i) * lanes),
            [&](int y, int lane) { return double(at(y, lane)); },
            [&](int y, int lane, float value) { at(y, lane) = value; });
    });
}

// See non_finite.h.
template <class Sample, int C>
void restore_non_finite(const TexelArray& samples, const AddressPair& extension, const TexelArray& out,
                        float* out_texels) {
    const size_t stride = out.row_bytes / sizeof(float);
#pragma omp parallel for schedule(static)
    for (int y = -out.margin_y; y < out.height + out.margin_y; ++y) {
        const int row = addressed(extension.y, y, samples.height);
        if (row < 0) continue;
        float* line = out_texels + size_t(y + out.margin_y) * stride;
        for (int x = -out.margin_x; x < out.width + out.margin_x; ++x, line += C) {
            const int column = addressed(extension.x, x, samples.width);
            for (int c = 0; column >= 0 && c < C; ++c) {
                const float v = sample_to_float(row_of<Sample>(samples, row)[size_t(column) * C + size_t(c)]);
                if (!is_filterable(v)) line[c] = v;
            }
        }
    }
}

}  // namespace

void prefilter_on_cpu(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                      const TexelArray& out, float* out_texels) {
    detail::for_texel_type(samples, [&]<class Sample, int C>() {
        filter_rows<Sample, C>(samples, extension.x, kernel, out, out_texels);
    });
    if (!samples.one_dimensional) filter_columns(out, extension.y, kernel, out_texels);
    detail::for_texel_type(samples, [&]<class Sample, int C>() {
        if constexpr (!std::is_integral_v<Sample>) restore_non_finite<Sample, C>(samples, extension, out, out_texels);
    });
}

}  // namespace texelscope
