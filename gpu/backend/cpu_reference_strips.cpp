#include "gpu/backend/cpu_reference_strips.h"

#include <algorithm>
#include <cmath>

#include "gpu/backend/cpu_pieces.h"
#include "gpu/backend/host_memory.h"
#include "gpu/backend/job.h"
#include "gpu/method/cpu_vector.h"

namespace texelscope {
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

}  // namespace texelscope
