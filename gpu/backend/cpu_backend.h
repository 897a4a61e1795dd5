#pragma once
// The CPU backend, its images, and the passes that it computes.

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "gpu/backend/backend.h"
#include "gpu/backend/job.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/backend/request.h"
#include "gpu/core/parallel.h"
#include "gpu/method/cpu_vector.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/method/tabulated.h"
#include "gpu/prefilter/prefilter.h"
#include "gpu/prefilter/projection.h"
#include "gpu/reference/reference.h"

namespace texelscope {

// The CPU backend with a choice of vector instructions.

// make_cpu_backend() takes the best; others are for tests and for comparing. Throws Error if they are missing.
std::shared_ptr<Backend> make_cpu_backend(simd::Instructions instructions);

// An image in the memory of the CPU backend.

// How far an image has been filled by another thread, for those who read it meanwhile.

class ArrivingRows {
public:
    explicit ArrivingRows(int all) : all_(all) {}

    // So many, from the first one on, will not change any more.
    void arrived(int rows);

    // No more will come.
    void end();

    bool complete() const;

    // Returns once so many are there, or all. Throws Cancelled if they will not come, or if the loops of this thread are stopped
    // (StoppableLoops).
    void wait_for(int rows);

private:
    const int all_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    int there_ = 0;
    bool ended_ = false;
};

// Held by whoever fills the image: no more rows come once it is gone.
struct RowsToArrive {
    explicit RowsToArrive(int height) : rows(std::make_shared<ArrivingRows>(height)) {}
    ~RowsToArrive() { rows->end(); }
    RowsToArrive(const RowsToArrive&) = delete;
    RowsToArrive& operator=(const RowsToArrive&) = delete;
    const std::shared_ptr<ArrivingRows> rows;
};

// Rows whose distance is a multiple of a page lie in the same few places of a cache, which columns then wear out.
inline size_t apart(size_t row_bytes) {
    constexpr size_t page = 4096, cache_line = 64;
    return row_bytes % page == 0 ? row_bytes + cache_line : row_bytes;
}

class CpuImage final : public ResidentImage {
public:
    // Room for a copy of samples, in resident form.
    CpuImage(const ImageView& image, MemoryBudget& budget)
        : ResidentImage(image.width, image.height, image.channels,
                        image.alpha == Alpha::none ? Alpha::none : Alpha::premultiplied, image.one_dimensional) {
        texels = resident_array(image, ThreeChannels::stored);
        allocate(texels.row_bytes * size_t(height_), budget, "an image");
    }

    // Rows begin … end − 1 of the image that it was made for.
    void copy_rows(const ImageView& image, int begin, int end) {
        auto* rows = static_cast<std::byte*>(memory_.get());
        constexpr int together = 32;
        parallel_for(work::copy, (end - begin + together - 1) / together, 1, [&](int strip) {
            const int first = begin + strip * together;
            write_resident_rows(image, first, std::min(first + together, end), rows + size_t(first) * texels.row_bytes,
                                texels.row_bytes);
        });
    }

    // Over the caller's memory.
    explicit CpuImage(const ImageView& view)
        : ResidentImage(view.width, view.height, view.channels, view.alpha, view.one_dimensional),
          texels(texels_of(view)) {}

    // Over the image's memory, which it keeps alive; perhaps while its rows still arrive.
    explicit CpuImage(const std::shared_ptr<const Image>& image, std::shared_ptr<ArrivingRows> rows = nullptr)
        : ResidentImage(image->width(), image->height(), image->channels(), image->alpha(), image->one_dimensional()),
          texels(texels_of(view_of(*image), ThreeChannels::stored)),
          arriving(std::move(rows)),
          owner_(image) {}

    // Over the memory of another one, which does not change any more but for rows that still arrive.
    explicit CpuImage(const std::shared_ptr<const CpuImage>& other)
        : ResidentImage(other->width_, other->height_, other->channels_, other->alpha_, other->one_dimensional_),
          texels(other->texels),
          arriving(other->arriving),
          holds_coefficients(other->holds_coefficients),
          owner_(other) {}

    // Room for texels that are computed from those of `source`: zeros, or for coefficients, which the prefilter writes all
    // of, anything.
    CpuImage(const CpuImage& source, const TexelArray& array, bool coefficients, MemoryBudget& budget)
        : ResidentImage(array.width, array.height, source.channels(), source.alpha(), source.one_dimensional()),
          texels(array),
          holds_coefficients(coefficients) {
        const size_t rows = size_t(height_) + 2 * size_t(texels.margin_y);
        allocate(rows * texels.row_bytes, budget, coefficients ? "the coefficients of an image" : "a smaller image",
                 coefficients ? HostMemory::Contents::any : HostMemory::Contents::zeros);
        if (coefficients) clear_behind_rows(rows);
    }

    TexelArray texels;
    const std::shared_ptr<ArrivingRows> arriving;  // null: all are there
    bool holds_coefficients = false;
    void* computed() { return memory_.get(); }
    void count_by(MemoryBudget& budget) const {
        if (memory_.get()) memory_.count_by(budget, size_bytes_);
    }

private:
    void allocate(size_t bytes, MemoryBudget& budget, const char* what,
                  HostMemory::Contents contents = HostMemory::Contents::zeros) {
        memory_ =
            HostMemory(budget, bytes, fmt::format("no memory for {} of {}×{} pixels", what, width_, height_), contents);
        texels.texels = memory_.get();
        size_bytes_ = bytes;
    }

    // Vector code may read what lies there.
    void clear_behind_rows(size_t rows) {
        const size_t used = (size_t(width_) + 2 * size_t(texels.margin_x)) * size_t(texels.channels) *
                            (texels.type == SampleType::f16 ? 2 : 4);
        auto* row = static_cast<std::byte*>(memory_.get());
        for (size_t y = 0; y < rows; ++y, row += texels.row_bytes) std::memset(row + used, 0, texels.row_bytes - used);
    }

    mutable HostMemory memory_;  // empty for the caller's memory
    std::shared_ptr<const void> owner_;
};

// What the CPU backend computes besides plain resampling, in pieces of rows: borders, long taps, folded views.

// Pictures in pieces of rows that the CPU's threads share.

// Calls compute(first, last) for rows first … last − 1 of each piece, in threads. Throws OutOfMemory.
template <class Compute> void for_pieces_of_rows(const WorkName& work, int rows, Compute compute) try {
    // Enough rows per piece that neighbouring output rows share filtered ones, enough pieces that all threads work.
    const int piece = std::clamp(rows / (4 * thread_count()), 1, 64);
    const int pieces = (rows + piece - 1) / piece;
    parallel_for(work, pieces, 1, [&](int i) { compute(i * piece, std::min((i + 1) * piece, rows)); });
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the rows of the picture");
}

// In threads; but what reads an image that still arrives, if `source` is not null, follows it on this one.
inline void write_as_rows_arrive(const std::shared_ptr<ArrivingRows>& source, const RowWriter& writer, int rows) {
    constexpr int piece = 16;
    int done = 0;
    while (source && done < rows && !source->complete()) {
        const int last = std::min(done + piece, rows);
        source->wait_for(writer.rows_read(done, last));
        writer.write_rows(done, last);
        done = last;
    }
    for_pieces_of_rows(work::tabulated, rows - done,
                       [&](int first, int last) { writer.write_rows(done + first, done + last); });
}

// Backend::minus, add_border, write_warped_points and copy on the CPU.

void minus_on_cpu(const MinusJob& job);
void add_border_on_cpu(const BorderJob& job);
void write_warped_points_on_cpu(const WarpedGrid& grid, double* points);
void copy_on_cpu(void* to, const void* from, size_t bytes);

// LongTapsRenderer::resample_by_taps on the CPU.

// Both axes for pieces of rows if these have few rows of samples in common; else all rows of the image first, then the
// columns: each is read once, however many taps there are. `any_order`: rows may be added first. The job's spec is not used,
// and its source is samples, without margin. Throws OutOfMemory.
void resample_by_taps_on_cpu(const ResampleJob& job, const LongTaps& x, const LongTaps& y, bool any_order,
                             MemoryBudget& memory, const simd::Kernels& kernels);

// Resamples by taps where the passes round, clip or compute in whole numbers, in their order. Throws OutOfMemory.
void resample_by_passes_on_cpu(const ResampleJob& job, const LongTaps& x, const LongTaps& y, const LongPasses& passes,
                               MemoryBudget& memory, const simd::Kernels& kernels);

// Pixels with taps of their own (LongTapsRenderer::resample_points_by_taps). Throws OutOfMemory.
void resample_points_by_taps_on_cpu(const ResampleJob& job, const LongTaps& x, const LongTaps& y,
                                    const LongPasses& passes);

// A kernel of one's own, interpreted. If it was stopped, a sentence says why and where: the pixels of its block are NaN, and all
// that had not been computed by then. Throws Cancelled, or Error if it was stopped before and nothing has changed since.
std::string resample_by_kernel_on_cpu(const ResampleJob& job, const BorderPixel& border);

// Folding on the CPU; see Folding (interfaces.h).

// Whether a view of these samples is folded.
bool is_folded(const TexelArray& samples, const Resampling& request);

// Each tap becomes those of the prefilter around it: weights of samples instead of coefficients. Weights at both ends that
// float32 does not resolve are left out.
AxisTaps with_prefilter(const AxisTaps& of_coefficients, const PrefilterKernel& kernel);

// Each tap, a sample of a level that is extended by its address mode (clamp or border), becomes those of the finer level
// that it is made from: taps n of `reduction` are those of sample n of `level_samples`.
AxisTaps with_reduction(const AxisTaps& of_level, AddressMode mode, const AxisTaps& reduction, int level_samples);

// The taps of the view's pixels along an axis, in samples of the image. `reduction` makes the first level (reduction_job).
AxisTaps folded_taps(Axis axis, const TabulatedJob& view, const ReadPlan& reading, const TabulatedJob& reduction,
                     const simd::Kernels& kernels);

// Backend::resample_reference on the CPU: tile after tile, whose coefficients take no more than so many bytes. Throws
// OutOfMemory.
void reference_by_tiles(ReferenceJob reference, size_t tile_bytes, MemoryBudget& memory);

// Folding::resample_reference_by_strips on the CPU.

// Computes `reference`, whose source is the output of `reduction`: its texels are made here, as many rows as some rows of
// pixels read, one strip after the other. Throws OutOfMemory.
void reference_by_strips(ReferenceJob reference, TabulatedJob reduction, MemoryBudget& memory,
                         const simd::Kernels& kernels);

}  // namespace texelscope
