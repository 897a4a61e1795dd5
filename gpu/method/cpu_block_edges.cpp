// Blocks near the edges of an image: taps that are not stored, values that are not finite.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gpu/core/address.h"
#include "gpu/method/cpu_vector.h"
#include "gpu/method/position.h"

namespace texelscope {
namespace {

// Texels of a row at these columns, zeros for those at −1 and for a row of `zeros`.
template <class Texel> void copy_texels(const char* line, const int* columns, int count, bool zeros, std::byte* to) {
    for (int k = 0; k < count; ++k, to += sizeof(Texel)) {
        if (zeros || columns[k] < 0) std::memset(to, 0, sizeof(Texel));
        else std::memcpy(to, line + size_t(columns[k]) * sizeof(Texel), sizeof(Texel));
    }
}

// Taps first … first + taps − 1 along an axis, of which some lie beyond its stored texels: the weights are added to those of
// the texels that the address mode reads instead, if these are among as many side by side, `reach` of which can be read.
// Weight k is at weights[k · block].
bool folded_axis(AddressMode mode, int stored, int taps, int reach, int& first, float* weights) {
    if (first >= 0 && first <= stored - reach) return true;
    if (stored < reach) return false;
    const int begin = std::clamp(first, 0, stored - reach);
    float sums[simd::max_taps] = {};
    for (int k = 0; k < taps; ++k) {
        const int at = addressed(mode, first + k, stored);
        if (at < 0 && taps > 1) continue;
        if (at < begin || at >= begin + taps) return false;
        sums[at - begin] += weights[k * simd::block];
    }
    for (int k = 0; k < taps && taps > 1; ++k) weights[k * simd::block] = sums[k];
    first = begin;
    return true;
}

}  // namespace

// Positions that read the same and whose index fits an int.
void BlockWriter::reduce_positions(Work& work) const {
    const TexelArray& a = job_.source;
    for (int n = 0; n < work.padded; ++n) {
        double& x = work.x[size_t(n)];
        double& y = work.y[size_t(n)];
        x = reduced_position(x, a.address.x, a.width, a.margin_x);
        y = reduced_position(y, a.address.y, a.height, a.margin_y);
        if (x == x && y == y) continue;
        x = y = 0;
        if (n >= work.count || work.place[size_t(n)] == PixelPlace::outside) continue;
        work.place[size_t(n)] = PixelPlace::nowhere;
        work.elsewhere = true;
    }
}

// Moves a pixel's taps along both axes to texels that are stored side by side, if that is possible. A texel more than the
// taps may be read, beyond the end of a row only if there is another row.
bool BlockWriter::fold(Work& work, int pixel) const {
    simd::Block& b = work.taps;
    const TexelArray& a = job_.source;
    const int taps = weights_.taps;
    if (!folded_axis(a.address.y, stored_height_, taps, taps, b.y[pixel], &b.wy[0][pixel])) return false;
    const int reach = b.y[pixel] + taps < stored_height_ ? taps : reach_;
    return folded_axis(a.address.x, stored_width_, taps, reach, b.x[pixel], &b.wx[0][pixel]);
}

// Pixels whose taps are stored side by side, or can be folded to such, are read in place; the others from patches. True if
// there are no others.
bool BlockWriter::fold_all(Work& work) const {
    reduce_positions(work);
    find_taps(work);
    work.pixels_beyond = 0;
    work.pixel_inside = -1;
    for (int n = 0; n < work.padded; ++n) {
        if (fold(work, n)) work.pixel_inside = n;
        else work.beyond[work.pixels_beyond++] = n;
    }
    return work.pixels_beyond == 0;
}

// After fold_all().
void BlockWriter::evaluate_anywhere(Work& work) const {
    simd::Block& b = work.taps;
    const int *const beyond = work.beyond, pixels = work.pixels_beyond, inside = work.pixel_inside;
    work.finite = evaluate_patches(work, beyond, pixels);
    if (inside >= 0) {
        for (int n = 0; n < pixels; ++n) {  // something stored to read instead
            b.x[beyond[n]] = b.x[inside];
            b.y[beyond[n]] = b.y[inside];
        }
        work.finite &= gather_(b, work.values);
    }
    const int channels = pixel_channels(job_.source.channels);
    for (int n = 0; n < pixels; ++n)
        std::copy_n(work.patch_values + n * channels, channels, work.values + beyond[n] * channels);
}

// Gathers the taps of these pixels, by the address modes, into work.patch_values. Are all values finite?
bool BlockWriter::evaluate_patches(Work& work, const int* pixels, int count) const {
    if (count == 0) return true;
    const TexelArray& a = job_.source;
    const size_t texel = texel_bytes(a);
    simd::Block& b = work.patches;
    b.row_bytes = size_t(block) * size_t(reach_) * texel;
    b.count = rounded_up(count);
    work.patch_texels.resize(b.row_bytes * size_t(weights_.taps));
    b.texels = work.patch_texels.data();
    for (int n = 0; n < b.count; ++n) {
        const int pixel = pixels[std::min(n, count - 1)];
        copy_patch(work, pixel, work.patch_texels.data() + size_t(n) * size_t(reach_) * texel);
        b.x[n] = n * reach_;
        b.y[n] = 0;
        for (int k = 0; k < weights_.taps; ++k) {
            b.wx[k][n] = work.taps.wx[k][pixel];
            b.wy[k][n] = work.taps.wy[k][pixel];
        }
    }
    return gather_(b, work.patch_values);
}

void BlockWriter::copy_patch(Work& work, int pixel, std::byte* to) const {
    const TexelArray& a = job_.source;
    int columns[simd::max_taps];
    for (int k = 0; k < weights_.taps; ++k) columns[k] = addressed(a.address.x, work.taps.x[pixel] + k, stored_width_);
    for (int j = 0; j < weights_.taps; ++j, to += work.patches.row_bytes) {
        const int row = addressed(a.address.y, work.taps.y[pixel] + j, stored_height_);
        const char* line = static_cast<const char*>(a.texels) + size_t(row < 0 ? 0 : row) * a.row_bytes;
        switch (texel_bytes(a)) {
            case 1: copy_texels<uint8_t>(line, columns, weights_.taps, row < 0, to); break;
            case 3: copy_texels<std::array<uint8_t, 3>>(line, columns, weights_.taps, row < 0, to); break;
            case 6: copy_texels<std::array<uint16_t, 3>>(line, columns, weights_.taps, row < 0, to); break;
            case 12: copy_texels<std::array<uint32_t, 3>>(line, columns, weights_.taps, row < 0, to); break;
            case 2: copy_texels<uint16_t>(line, columns, weights_.taps, row < 0, to); break;
            case 4: copy_texels<uint32_t>(line, columns, weights_.taps, row < 0, to); break;
            case 8: copy_texels<uint64_t>(line, columns, weights_.taps, row < 0, to); break;
            default: copy_texels<std::array<uint64_t, 2>>(line, columns, weights_.taps, row < 0, to); break;
        }
    }
}

// Taps of weight zero must not be read, but vectors multiply them: if that matters, the value is not finite here.
void BlockWriter::repair(Work& work, float* values) const {
    const int channels = pixel_channels(job_.source.channels);
    ResampleJob one = job_;
    one.points = {};
    one.cut = {};
    one.outside = Outside::extend;
    one.output = {};
    one.output.width = one.output.height = 1;
    one.output.channels = channels;
    for (int n = 0; n < work.count; ++n) {
        float* value = values + n * channels;
        if (std::all_of(value, value + channels, [](float v) { return std::isfinite(v); })) continue;
        one.positions = {0, 0, work.x[size_t(n)], 0, 0, work.y[size_t(n)]};
        one.output.pixels = value;
        method_.resample_rows(one, 0, 1);
    }
}

}  // namespace texelscope
