#include "gpu/method/kernel_choice.h"

#include <algorithm>
#include <cmath>

#include "gpu/method/custom_method.h"
#include "gpu/method/method_info.h"

namespace texelscope {
namespace {

void set(KernelChoice& choice, ResampleKernel kernel, std::string_view reason) {
    choice.kernel = kernel;
    choice.reason = reason;
}

// The fastest kernel was measured, see docs/performance-notebook.md: marching without rotation, unless two taps of a row
// serve no other row and are cheap in tiles; tiles with rotation; with one tap nothing is shared. Only these two write
// linear light.
void choose_for_method(KernelChoice& choice, const KernelQuestion& question, const DeviceLimits& limits) {
    using enum ResampleKernel;
    ResampleJob job = question.job;
    job.spec.path = choice.path;
    const int taps = question.taps;
    constexpr int most_rows = int(most_blocks_down) * direct_rows;
    const auto is_textures = [](AddressMode mode) { return texture_address(mode) == mode; };
    const AddressPair& address = job.source.address;
    choice.folds = job.path() != FetchPath::global && !(is_textures(address.x) && is_textures(address.y));
    if (job.simple) return set(choice, simple, "each pixel separately was asked for");
    if (job.source.one_dimensional) return set(choice, simple, "a signal has a single row, which shares nothing");
    if (job.points.x) return set(choice, simple, "the positions are single points or warped");
    if (job.output.height <= most_rows) choice.fixed = fixed_affine(job);
    if (!choice.fixed) return set(choice, simple, "size or positions are beyond the reach of fixed-point numbers");
    bool fits = true;
    if (choice.path == FetchPath::automatic) {
        choice.tile = tile_shape(job.source, job.positions, taps);
        const size_t bytes = choice.tile.bytes(job.source.channels);
        fits = bytes <= largest_tile_bytes && bytes <= limits.shared_bytes_per_block;
        const bool tiles = taps > 1 && fits;
        const bool shares_rows = !choice.tile.packed || std::abs(job.positions.yy) < 1;
        if (job.positions.axis_aligned() && shares_rows)
            return set(choice, march, "no rotation: pixels of a column share their sums along rows");
        if (job.positions.axis_aligned() && !tiles)
            return set(choice, march, "no rotation, and a tile of texels does not fit into shared memory");
        if (tiles)
            return set(choice, tile,
                       job.positions.axis_aligned()
                           ? "two taps of 8-bit samples, no row read twice: blocks of pixels share their texels"
                           : "rotated: blocks of pixels share their texels in shared memory");
    }
    const int pixels = job.path() == FetchPath::global   ? pixels_of_linear_memory(taps)
                       : job.path() == FetchPath::lookup ? pixels_of_lookup(taps)
                                                         : pixels_of_filtering(question.fetches);
    if (pixels > 1 && !job.output.encode_srgb)
        return set(choice, direct,
                   choice.path != question.job.spec.path ? "a single tap shares nothing: the texture cache is fastest"
                                                         : "few taps: several pixels per thread fetch at once");
    set(choice, simple,
        pixels > 1 ? "on this path only this kernel writes linear light"
        : fits     ? "on this path no texels are shared, and there are many taps"
                   : "a tile of texels does not fit into shared memory, and there are many taps");
}

constexpr std::string_view boxes_reason =
    "pixels are means of the samples in their area: both axes are added up at once";

void choose_for_table(KernelChoice& choice, const TabulatedJob& tabulated, const DeviceFacts& device) {
    using enum ResampleKernel;
    if (is_box(tabulated))
        if (const auto shape = box_shape(tabulated.job.output, int(tabulated.y.stretch) + 1, *device.gpu)) {
            choice.box = *shape;
            return set(choice, box, boxes_reason);
        }
    if (const auto shape = shrink_shape(tabulated, *device.gpu)) {
        choice.shrink = *shape;
        return set(choice, shrink, "weights from a table, no rotation: blocks of pixels share rows of texels");
    }
    if (const auto shape = rotated_shape(tabulated, *device.gpu);
        shape && (!device.has_matrix_code || device.has_matrix_code())) {
        choice.rotated = *shape;
        return set(choice, rotated,
                   "8-bit samples, shrunk and rotated; the card has tensor cores and the code is compiled for them");
    }
    if (const auto shape = rotated_any_shape(tabulated, *device.gpu)) {
        choice.rotated_any = *shape;
        return set(choice, rotated_any, "shrunk and rotated: groups of pixels share their texels");
    }
    const ResampleJob& job = tabulated.job;
    set(choice, table,
        job.simple                                ? "each pixel separately was asked for"
        : job.source.one_dimensional              ? "a signal has a single row, which shares nothing"
        : job.points.x || tabulated.local_stretch ? "the positions are single points or warped"
        : tabulated.x.pieces.pieces               ? "the weights are a custom method's pieces"
        : tabulated.x.derivative || tabulated.y.derivative
            ? "derivatives of rotated or enlarged views have no other kernel"
            : "the taps are too few, or too many, to be shared");
}

void choose_for_taps(KernelChoice& choice, const KernelQuestion& question, const DeviceFacts& device) {
    using enum ResampleKernel;
    const auto& [x, y, passes] = *question.long_taps;
    if (auto boxes = question.job.simple ? std::nullopt : boxes_of(question.job.source, x, y, passes)) {
        const auto shape = device.gpu ? box_shape(question.job.output, boxes->y.most, *device.gpu) : BoxShape{};
        if (shape && (device.gpu || has_box_rows(question.job.source, *boxes, passes))) {
            choice.box = *shape;
            choice.boxes = std::make_shared<const Boxes>(std::move(*boxes));
            return set(choice, box, boxes_reason);
        }
    }
    set(choice, long_taps, "each pixel has taps of its own, computed beforehand");
}

// If output rows are so far apart that they hardly share filtered rows, there is nothing to keep.
bool shares_rows(const ResampleJob& job, int taps) {
    return job.source.one_dimensional || std::abs(job.positions.yy) <= std::max(1, taps / 2);
}

void choose_on_cpu(KernelChoice& choice, const KernelQuestion& question) {
    using enum ResampleKernel;
    const ResampleJob& job = question.job;
    const bool tabulated = question.weights == WeightsFrom::table;
    const ResampleKernel alone = tabulated ? table : simple;
    if (job.simple) return set(choice, alone, "each pixel separately was asked for");
    if (!tabulated && job.path() == FetchPath::hardware) return set(choice, simple, "the texture unit is emulated");
    if (!tabulated && question.taps == 0) return set(choice, simple, "the weights are no polynomials");
    if (tabulated && is_box(*question.tabulated) && std::abs(job.positions.yy) >= 1)
        return set(choice, box, boxes_reason);
    const bool straight = !job.points.x && job.positions.axis_aligned();
    if (straight && (tabulated || shares_rows(job, question.taps)))
        return set(choice, separable, "no rotation: one axis after the other, by vector code");
    if (job.source.one_dimensional) return set(choice, alone, "a signal at single points");
    set(choice, blocks,
        straight       ? "rows are too far apart to share sums: each pixel separately, by vector code"
        : job.points.x ? "the positions are single points or warped: each pixel separately, by vector code"
                       : "rotated: each pixel separately, by vector code");
}

}  // namespace

KernelQuestion KernelQuestion::of(const ResampleJob& job) {
    const MethodInfo& method = *job.spec.method;
    if (!method.custom) return {job, WeightsFrom::method, method.taps, method.hardware_fetches};
    const auto weights = method.custom->weights(job.spec.parameters);
    return {job, WeightsFrom::method, weights->shared.taps, weights->kernel_fetches()};
}

bool wants_texture(const KernelQuestion& question) {
    const ResampleJob& job = question.job;
    return question.weights == WeightsFrom::method && question.taps == 1 && job.spec.path == FetchPath::automatic &&
           !job.simple && !job.source.one_dimensional;
}

KernelChoice choose(const KernelQuestion& question, const DeviceFacts& device) {
    KernelChoice choice;
    choice.path = wants_texture(question) && device.texture ? FetchPath::lookup : question.job.spec.path;
    if (question.weights == WeightsFrom::own_kernel)
        set(choice, ResampleKernel::own, "the method is a CUDA kernel of one's own");
    else if (question.weights == WeightsFrom::distance)
        set(choice, ResampleKernel::polar, "the weights depend on the distance in the plane: no axis is separate");
    else if (question.weights == WeightsFrom::long_taps) choose_for_taps(choice, question, device);
    else if (!device.gpu) choose_on_cpu(choice, question);
    else if (question.weights == WeightsFrom::table) choose_for_table(choice, *question.tabulated, device);
    else choose_for_method(choice, question, *device.gpu);
    return choice;
}

}  // namespace texelscope
