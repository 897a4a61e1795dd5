#include "gpu/backend/cpu_long_taps.h"

#include <utility>

#include "gpu/backend/cpu_pieces.h"
#include "gpu/backend/host_memory.h"
#include "gpu/backend/job.h"
#include "gpu/method/cpu_separable.h"

namespace texelscope {
namespace {

// All of them inside.
AxisTaps axis_taps(const LongTaps& taps) { return {taps.taps, taps.first, taps.weights, {}}; }

}  // namespace

void resample_by_taps_on_cpu(const ResampleJob& job, const LongTaps& x, const LongTaps& y, MemoryBudget& memory,
                             const simd::Kernels& kernels) {
    const TexelArray& samples = job.source;
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
    const auto write = [&](const ResampleJob& pass, const AxisTaps& along_x, AxisTaps along_y) {
        const SeparableWriter writer(pass, along_x, std::move(along_y), kernels);
        for_pieces_of_rows(work::tabulated, pass.output.height,
                           [&](int first, int last) { writer.write_rows(first, last); });
    };
    write(rows, axis_taps(x), axis_taps(single_taps(samples.height)));
    write(columns, axis_taps(single_taps(job.output.width)), axis_taps(y));
}

}  // namespace texelscope
