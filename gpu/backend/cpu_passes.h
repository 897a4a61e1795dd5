#pragma once
// What the CPU backend computes besides plain resampling, in pieces of rows: borders, long taps, folded views.

#include <algorithm>
#include <memory>
#include <new>

#include "gpu/backend/border_job.h"
#include "gpu/backend/cpu_image.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/backend/request.h"
#include "gpu/core/parallel.h"
#include "gpu/method/cpu_vector.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/method/tabulated.h"
#include "gpu/prefilter/filter.h"
#include "gpu/prefilter/projection.h"
#include "gpu/reference/reference.h"

namespace texelscope {

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

// Backend::minus and Backend::add_border on the CPU.

void minus_on_cpu(const MinusJob& job);
void add_border_on_cpu(const BorderJob& job);

// LongTapsRenderer::resample_by_taps on the CPU.

// All rows of the image first, then the columns: each is read once, however many taps there are. The job's positions and
// spec are not used, and its source is samples, without margin. Throws OutOfMemory.
void resample_by_taps_on_cpu(const ResampleJob& job, const LongTaps& x, const LongTaps& y, MemoryBudget& memory,
                             const simd::Kernels& kernels);

// Folding on the CPU; see Folding (resampler.h).

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

// Folding::resample_reference_by_strips on the CPU.

// Computes `reference`, whose source is the output of `reduction`: its texels are made here, as many rows as some rows of
// pixels read, one strip after the other. Throws OutOfMemory.
void reference_by_strips(ReferenceJob reference, TabulatedJob reduction, MemoryBudget& memory,
                         const simd::Kernels& kernels);

}  // namespace texelscope
