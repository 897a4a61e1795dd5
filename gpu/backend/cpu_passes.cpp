#include "gpu/backend/cpu_backend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "gpu/backend/job.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/method/cpu_vector.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {

void minus_on_cpu(const MinusJob& job) {
    detail::for_stored_type(job.samples, [&]<class Sample, int C>() {
        for_pieces_of_rows(work::border, job.samples.height, [&](int first, int last) {
            for (int y = first; y < last; ++y)
                for (int x = 0; x < job.samples.width; ++x) write_difference<Sample, C>(job, x, y);
        });
    });
}

void add_border_on_cpu(const BorderJob& job) {
    for_border_channels(job, [&]<int C>() {
        for_pieces_of_rows(work::border, job.job.output.height, [&](int first, int last) {
            for (int j = first; j < last; ++j)
                for (int i = 0; i < job.job.output.width; ++i) write_with_border<C>(job, i, j);
        });
    });
}

void write_warped_points_on_cpu(const WarpedGrid& grid, double* points) {
    for_pieces_of_rows(work::warp, grid.height, [&](int first, int last) {
        for (int j = first; j < last; ++j)
            for (int i = 0; i < grid.width; ++i) write_warped_point(grid, i, j, points);
    });
}

void copy_on_cpu(void* to, const void* from, size_t bytes) {
    constexpr size_t piece = 1 << 20;
    for_pieces_of_rows(work::copy, int((bytes + piece - 1) / piece), [&](int first, int last) {
        const size_t begin = size_t(first) * piece, end = std::min(size_t(last) * piece, bytes);
        std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
    });
}

namespace {

// All of them inside.
AxisTaps axis_taps(const LongTaps& taps) { return {taps.taps, taps.first, taps.weights, {}}; }

}  // namespace

namespace {

// Whether pieces of rows (for_pieces_of_rows) have few rows of samples in common.
bool pieces_share_little(const ResampleJob& job, const LongTaps& y) {
    const int pixels = y.pixels(), piece = std::clamp(pixels / (4 * thread_count()), 1, 64);
    int64_t rows = 0;
    for (int first = 0; first < pixels; first += piece) {
        const auto begin = y.first.begin() + first, end = y.first.begin() + std::min(first + piece, pixels);
        const auto [low, high] = std::minmax_element(begin, end);
        rows += std::min(*high - *low + y.taps, (piece + 1) * y.taps);
    }
    return rows <= job.source.height + job.source.height / 4 + 16;
}

}  // namespace

void resample_by_taps_on_cpu(const ResampleJob& job, const LongTaps& x, const LongTaps& y, bool any_order,
                             MemoryBudget& memory, const simd::Kernels& kernels) {
    const TexelArray& samples = job.source;
    const auto write_all = [](const RowWriter& writer, int rows) {
        for_pieces_of_rows(work::tabulated, rows, [&](int first, int last) { writer.write_rows(first, last); });
    };
    if (are_copies(x) && are_copies(y))
        return write_all(CopyWriter(job, axis_taps(x), axis_taps(y), kernels), job.output.height);
    const auto write = [&](const ResampleJob& pass, const AxisTaps& along_x, AxisTaps along_y, bool either) {
        write_all(SeparableWriter(pass, along_x, std::move(along_y), kernels, either), pass.output.height);
    };
    if (pieces_share_little(job, y)) return write(job, axis_taps(x), axis_taps(y), any_order);
    ResampleJob rows = job, columns = job;
    rows.output = {.width = job.output.width, .height = samples.height, .channels = samples.channels};
    rows.output.row_bytes = aligned_row(size_t(job.output.width) * size_t(samples.channels) * sizeof(float));
    rows.output.whole_pixels = samples.channels != 3;
    const HostMemory between(memory, rows.output.row_bytes * size_t(samples.height),
                             "no memory for the rows of a shrunk picture");
    rows.output.pixels = between.get();
    columns.source.texels = between.get();
    columns.source.row_bytes = rows.output.row_bytes;
    columns.source.type = SampleType::f32;
    columns.source.width = job.output.width;
    write(rows, axis_taps(x), axis_taps(single_taps(samples.height)), true);
    write(columns, axis_taps(single_taps(job.output.width)), axis_taps(y), true);
}

namespace {

// Taps in float64, of which an axis may need different numbers.
struct FoldedTaps {
    int first = 0;
    std::vector<double> weights;

    void add(int index, double weight) { weights[size_t(index - first)] += weight; }
};

// Without the ends that do not matter.
FoldedTaps trimmed_taps(FoldedTaps taps) {
    constexpr double least = 0x1p-26;
    const auto matters = [](double weight) { return std::abs(weight) > least; };
    const auto end = std::find_if(taps.weights.rbegin(), taps.weights.rend(), matters).base();
    const auto begin = std::find_if(taps.weights.begin(), end, matters);
    if (begin == end) return {taps.first, {0}};
    return {taps.first + int(begin - taps.weights.begin()), {begin, end}};
}

AxisTaps joined(const std::vector<FoldedTaps>& all, std::vector<PixelPlace> places) {
    AxisTaps result;
    result.places = std::move(places);
    for (const FoldedTaps& taps : all) result.taps = std::max(result.taps, int(taps.weights.size()));
    result.weights.assign(all.size() * size_t(result.taps), 0.0f);
    for (size_t n = 0; n < all.size(); ++n) {
        result.first.push_back(all[n].first);
        float* weights = result.weights.data() + n * size_t(result.taps);
        for (size_t k = 0; k < all[n].weights.size(); ++k) weights[k] = float(all[n].weights[k]);
    }
    return result;
}

// b(0), b(1), … until float32 does not resolve them.
std::vector<double> response_of(const PrefilterKernel& kernel) {
    if (!kernel.recursive) return {kernel.taps.begin(), kernel.taps.begin() + kernel.half_taps + 1};
    std::vector<double> response(size_t(kernel.horizon_float) + 1, 0.0);
    for (size_t k = 0; k < response.size(); ++k)
        for (int p = 0; p < kernel.poles; ++p)
            response[k] += kernel.gain[size_t(p)] * std::pow(kernel.pole[size_t(p)], double(k));
    return response;
}

template <class Fold> AxisTaps folded(const AxisTaps& outer, Fold fold) {
    std::vector<FoldedTaps> all;
    const size_t taps = size_t(outer.taps), count = outer.weights.size() / taps;
    for (size_t n = 0; n < count; ++n)
        all.push_back(trimmed_taps(fold(outer.first[n], outer.weights.data() + n * taps)));
    return joined(all, outer.places);
}

bool extends_evenly(AddressMode mode) { return mode == AddressMode::clamp || mode == AddressMode::border; }

}  // namespace

bool is_folded(const TexelArray& samples, const Resampling& request) {
    constexpr double least_stretch = 2;  // below, many more samples than coefficients would be read
    const ReadPlan& reading = request.reading;
    const bool integers = samples.type == SampleType::u8 || samples.type == SampleType::u16;  // none is NaN
    if (!integers || request.spec.method->custom || is_polar(*request.spec.method) || samples.one_dimensional ||
        request.simple || request.points.x || reading.local_stretch || request.derivative != Derivative::none ||
        !reading.positions.axis_aligned())
        return false;
    if (request.filtered() &&
        (request.spec.prefilter.half_float || std::min(reading.stretch_x, reading.stretch_y) < least_stretch))
        return false;
    if (reading.level == Level{}) return request.filtered();
    const AddressPair& address = request.spec.address;
    return reading.level == Level{1, 1} && reading.widened() && extends_evenly(address.x) && extends_evenly(address.y);
}

AxisTaps with_prefilter(const AxisTaps& of_coefficients, const PrefilterKernel& kernel) {
    const std::vector<double> response = response_of(kernel);
    const int reach = int(response.size()) - 1, count = of_coefficients.taps;
    return folded(of_coefficients, [&](int first, const float* weights) {
        FoldedTaps taps{first - reach, std::vector<double>(size_t(count + 2 * reach), 0.0)};
        for (int k = 0; k < count; ++k)
            for (int m = -reach; m <= reach; ++m)
                taps.add(first + k + m, double(weights[k]) * response[size_t(std::abs(m))]);
        return taps;
    });
}

AxisTaps with_reduction(const AxisTaps& of_level, AddressMode mode, const AxisTaps& reduction, int level_samples) {
    const int count = of_level.taps;
    return folded(of_level, [&](int first, const float* weights) {
        const int low = std::clamp(first, 0, level_samples - 1),
                  high = std::clamp(first + count - 1, 0, level_samples - 1);
        const int begin = reduction.first[size_t(low)], end = reduction.first[size_t(high)] + reduction.taps;
        FoldedTaps taps{begin, std::vector<double>(size_t(end - begin), 0.0)};
        for (int k = 0; k < count; ++k) {
            const int sample = addressed(mode, first + k, level_samples);
            if (sample < 0) continue;
            const float* finer = reduction.weights.data() + size_t(sample) * size_t(reduction.taps);
            for (int m = 0; m < reduction.taps; ++m)
                taps.add(reduction.first[size_t(sample)] + m, double(weights[k]) * finer[m]);
        }
        return taps;
    });
}

AxisTaps folded_taps(Axis axis, const TabulatedJob& view, const ReadPlan& reading, const TabulatedJob& reduction,
                     const simd::Kernels& kernels) {
    const MethodSpec& spec = view.job.spec;
    const bool along_x = axis == Axis::x, filters = reading.prefiltered && spec.filters();
    const auto filtered = [&](const AxisTaps& taps) {
        if (!filters) return taps;
        const PrefilterKernels filter(spec);
        return with_prefilter(taps, along_x ? filter.x : filter.y);
    };
    if (reading.level == Level{}) return filtered(taps_along(axis, view, kernels));
    TabulatedJob on_level = view;
    on_level.job.source.width = reduction.job.output.width;
    on_level.job.source.height = reduction.job.output.height;
    return with_reduction(filtered(taps_along(axis, on_level, kernels)), along_x ? spec.address.x : spec.address.y,
                          taps_along(axis, reduction, kernels),
                          along_x ? on_level.job.source.width : on_level.job.source.height);
}

namespace {

struct RowRange {
    int begin, end;
};

// Rows of its source that these pixels read.
RowRange rows_read(const ReferenceJob& reference, const PixelRange& pixels) {
    const Affine& p = reference.job.positions;
    const double reach = reference.weight.radius * reference.stretch_y + 1;
    const auto [low, high] = std::minmax({p.yy * pixels.y + p.y0, p.yy * (pixels.y + pixels.height - 1.0) + p.y0});
    const double last = reference.job.source.height - 1;
    return {int(std::clamp(std::floor(low - reach), 0.0, last)),
            int(std::clamp(std::ceil(high + reach), 0.0, last)) + 1};
}

}  // namespace

void reference_by_tiles(ReferenceJob reference, size_t tile_bytes, MemoryBudget& budget) {
    const std::vector<ReferenceTile> tiles = reference_tiles(reference, tile_bytes);
    HostMemory memory;
    if (const size_t bytes = largest_patch_bytes(tiles, reference.job.source); bytes > 0)
        memory = HostMemory(budget, bytes, "no memory for the float64 coefficients of this view");
    for (const ReferenceTile& tile : tiles) {
        set_tile(reference, tile, memory.get());
        if (reference.prefilter.reach > 0) compute_patch_on_cpu(reference);
        for_pieces_of_rows(work::reference, reference.tile.height,
                           [&](int first, int last) { reference_rows(reference, first, last); });
    }
}

void reference_by_strips(ReferenceJob reference, TabulatedJob reduction, MemoryBudget& memory,
                         const simd::Kernels& kernels) {
    const auto writer = vector_rows(reduction, choose(KernelQuestion::of(reduction), {}).kernel, kernels);
    const size_t row_bytes = reference.job.source.row_bytes;
    HostMemory strip;
    size_t room = 0;
    constexpr int together = 16;  // rows of pixels
    for (int row = 0; row < reference.job.output.height; row += together) {
        const PixelRange pixels{0, row, reference.job.output.width,
                                std::min(together, reference.job.output.height - row)};
        const RowRange read = rows_read(reference, pixels);
        const size_t bytes = size_t(read.end - read.begin) * row_bytes;
        if (bytes > room) {
            strip = {};
            strip = HostMemory(memory, bytes, "no memory for rows of a smaller image");
            room = bytes;
        }
        std::byte* const first_of_level = static_cast<std::byte*>(strip.get()) - size_t(read.begin) * row_bytes;
        reduction.job.output.pixels = first_of_level;
        for_pieces_of_rows(work::tabulated, read.end - read.begin,
                           [&](int first, int last) { writer->write_rows(read.begin + first, read.begin + last); });
        reference.job.source.texels = first_of_level;
        set_tile(reference, {pixels, {}}, nullptr);
        for_pieces_of_rows(work::reference, pixels.height,
                           [&](int first, int last) { reference_rows(reference, first, last); });
    }
}

void ArrivingRows::arrived(int rows) {
    {
        const std::lock_guard lock(mutex_);
        there_ = std::max(there_, rows);
    }
    changed_.notify_all();
}

void ArrivingRows::end() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_all();
}

bool ArrivingRows::complete() const {
    const std::lock_guard lock(mutex_);
    return there_ >= all_;
}

void ArrivingRows::wait_for(int rows) {
    rows = std::min(rows, all_);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, StoppableLoops::of_this_thread(), [&] { return ended_ || there_ >= rows; });
    if (there_ < rows) throw Cancelled("the image does not arrive");
}

}  // namespace texelscope
