#include "gpu/method/kernel_choice.h"

#include <algorithm>
#include <cmath>

#include "gpu/method/custom_method.h"
#include "gpu/method/method_info.h"

namespace texelscope {
namespace {

KernelChoice& set(KernelChoice& choice, ResampleKernel kernel, std::string_view reason) {
    choice.kernel = kernel;
    choice.reason = reason;
    return choice;
}

// Why pixels share nothing, whatever their weights; empty: they may.
std::string_view why_alone(const ResampleJob& job) {
    return job.simple                   ? "each pixel separately was asked for"
           : job.source.one_dimensional ? "a signal has a single row, which shares nothing"
           : job.points.x               ? "the positions are single points or warped"
                                        : "";
}

constexpr std::string_view boxes_reason =
    "pixels are means of the samples in their area: both axes are added up at once";

KernelChoice& choose_for_table(KernelChoice& choice, const TabulatedJob& tabulated, const DeviceFacts& device) {
    using enum ResampleKernel;
    const TexelArray& source = tabulated.job.source;
    // Texels of 16 bytes are a vector each in any case, and weighing them takes less time than adding up (93 against 108 µs).
    if (is_box(tabulated) && !(source.type == SampleType::f32 && source.channels == 4))
        if (const auto shape =
                box_shape(tabulated.job.output, source.images, int(tabulated.y.stretch) + 1, *device.gpu)) {
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
    const std::string_view alone = why_alone(tabulated.job);
    return set(choice, table,
               !alone.empty()              ? alone
               : tabulated.local_stretch   ? "the positions are single points or warped"
               : tabulated.x.pieces.pieces ? "the weights are a custom method's pieces"
               : tabulated.x.derivative || tabulated.y.derivative
                   ? "derivatives of rotated or enlarged views have no other kernel"
                   : "the taps are too few, or too many, to be shared");
}

KernelChoice& choose_for_taps(KernelChoice& choice, const KernelQuestion& question, const DeviceFacts& device) {
    using enum ResampleKernel;
    const auto& [x, y, passes] = *question.long_taps;
    const bool copies = !device.gpu && are_copies(x) && are_copies(y);  // there is nothing to add up
    if (auto boxes = question.job.simple || copies ? std::nullopt : boxes_of(question.job.source, x, y, passes)) {
        const auto shape = device.gpu
                               ? box_shape(question.job.output, question.job.source.images, boxes->y.most, *device.gpu)
                               : BoxShape{};
        if (shape && (device.gpu || has_box_rows(question.job.source, *boxes, passes))) {
            choice.box = *shape;
            choice.boxes = std::make_shared<const Boxes>(std::move(*boxes));
            return set(choice, box, boxes_reason);
        }
    }
    return set(choice, chosen_for_long_taps.kernel, chosen_for_long_taps.reason);
}

// If output rows are so far apart that they hardly share filtered rows, there is nothing to keep.
bool shares_rows(const ResampleJob& job, int taps) {
    return job.source.one_dimensional || std::abs(job.positions.yy) <= std::max(1, taps / 2);
}

KernelChoice& choose_on_cpu(KernelChoice& choice, const KernelQuestion& question) {
    using enum ResampleKernel;
    const ResampleJob& job = question.job;
    const int taps = question.taps.value_or(0);
    const bool tabulated = question.weights == WeightsFrom::table;
    const ResampleKernel alone = tabulated ? table : simple;
    if (job.simple) return set(choice, alone, "each pixel separately was asked for");
    if (!tabulated && job.path() == FetchPath::hardware) return set(choice, simple, "the texture unit is emulated");
    if (!tabulated && taps == 0) return set(choice, simple, "the weights are no polynomials");
    if (tabulated && is_box(*question.tabulated) && std::abs(job.positions.yy) >= 1)
        return set(choice, box, boxes_reason);
    const bool straight = !job.points.x && job.positions.axis_aligned();
    if (straight && (tabulated || shares_rows(job, taps)))
        return set(choice, separable, "no rotation: one axis after the other, by vector code");
    if (job.source.one_dimensional) return set(choice, alone, "a signal at single points");
    return set(choice, blocks,
               straight       ? "rows are too far apart to share sums: each pixel separately, by vector code"
               : job.points.x ? "the positions are single points or warped: each pixel separately, by vector code"
                              : "rotated: each pixel separately, by vector code");
}

// Along an axis, as a GPU computes the method.
struct CompiledTaps {
    int taps, fetches;
};
CompiledTaps compiled_taps(const MethodSpec& spec) {
    if (!spec.method->custom) return {spec.method->taps, spec.method->hardware_fetches};
    const auto weights = spec.method->custom->weights(spec.parameters);
    return {weights->shared.taps, weights->kernel_fetches()};
}

// The path `auto` reads methods of several taps from linear memory, by kernels that share what they read. A single tap
// has little to share: the texture cache takes half to three quarters of the time at 1:1 and rotated; zoomed in by 8
// without rotation it takes a tenth to a quarter more than marching (docs/performance-notebook.md).
bool is_best_by_texture(const ResampleJob& job, int taps, const DeviceFacts& device) {
    return taps == 1 && job.spec.path == FetchPath::automatic && !job.simple && !job.source.one_dimensional &&
           device.has_texture && device.has_texture();
}

}  // namespace

// For a method's own weights on a GPU the fastest kernel, as measured, see docs/performance-notebook.md: marching without
// rotation, unless two taps of a row serve no other row and are cheap in tiles; tiles with rotation; with one tap nothing is
// shared. Only these two write linear light.
KernelChoice choose(const KernelQuestion& question, const DeviceFacts& device) {
    using enum ResampleKernel;
    KernelChoice choice;
    ResampleJob job = question.job;
    choice.path = job.spec.path;
    const auto chosen = [&](ResampleKernel kernel, std::string_view reason) { return set(choice, kernel, reason); };
    if (question.weights == WeightsFrom::own_kernel) return chosen(own, "the method is a kernel of one's own");
    if (question.weights == WeightsFrom::distance)
        return chosen(polar, "the weights depend on the distance in the plane: no axis is separate");
    if (question.weights == WeightsFrom::long_taps) return choose_for_taps(choice, question, device);
    if (!device.gpu) return choose_on_cpu(choice, question);
    if (question.weights == WeightsFrom::table) return choose_for_table(choice, *question.tabulated, device);

    const auto [taps, fetches] =
        question.taps ? CompiledTaps{*question.taps, question.fetches} : compiled_taps(job.spec);
    const bool by_texture = is_best_by_texture(job, taps, device);
    if (by_texture) job.spec.path = choice.path = FetchPath::lookup;
    const auto is_textures = [](AddressMode mode) { return texture_address(mode) == mode; };
    const AddressPair& address = job.source.address;
    choice.folds = job.path() != FetchPath::global && !(is_textures(address.x) && is_textures(address.y));
    if (const std::string_view why = why_alone(job); !why.empty()) return chosen(simple, why);
    if (job.output.height <= int(most_blocks_down) * direct_rows) choice.fixed = fixed_affine(job);
    if (!choice.fixed) return chosen(simple, "size or positions are beyond the reach of fixed-point numbers");
    if (job.source.images > 1) {
        const bool floats = !job.output.rgba8 && !job.output.encode_srgb;
        if (floats && choice.path == FetchPath::automatic && job.positions.axis_aligned())
            return chosen(march, "no rotation: pixels of a column share their sums along rows");
        return chosen(simple, "a batch: one launch for all images");
    }
    bool fits = true;
    if (choice.path == FetchPath::automatic) {
        choice.tile = tile_shape(job.source, job.positions, taps);
        const size_t bytes = choice.tile.bytes(job.source.channels);
        fits = bytes <= largest_tile_bytes && bytes <= device.gpu->shared_bytes_per_block;
        const bool tiles = taps > 1 && fits, straight = job.positions.axis_aligned();
        if (straight && (!choice.tile.packed || std::abs(job.positions.yy) < 1))
            return chosen(march, "no rotation: pixels of a column share their sums along rows");
        if (straight && !tiles)
            return chosen(march, "no rotation, and a tile of texels does not fit into shared memory");
        if (tiles)
            return chosen(tile,
                          straight ? "two taps of 8-bit samples, no row read twice: blocks of pixels share their texels"
                                   : "rotated: blocks of pixels share their texels in shared memory");
    }
    const int pixels = job.path() == FetchPath::global   ? pixels_of_linear_memory(taps)
                       : job.path() == FetchPath::lookup ? pixels_of_lookup(taps)
                                                         : pixels_of_filtering(fetches);
    if (pixels > 1 && !job.output.encode_srgb)
        return chosen(direct, by_texture ? "a single tap shares nothing: the texture cache is fastest"
                                         : "few taps: several pixels per thread fetch at once");
    return chosen(simple, pixels > 1 ? "on this path only this kernel writes linear light"
                          : fits     ? "on this path no texels are shared, and there are many taps"
                                     : "a tile of texels does not fit into shared memory, and there are many taps");
}

}  // namespace texelscope
