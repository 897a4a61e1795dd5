#include "gpu/method/cpu_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "gpu/method/output.h"
#include "gpu/method/position.h"

namespace texelscope {
namespace {

constexpr int block = simd::block;

int rounded_up(int count) { return (count + 15) / 16 * 16; }

int taps_index(int taps) { return taps == 1 ? 0 : taps / 2; }

size_t texel_bytes(const TexelArray& a) { return size_t(a.channels) * size_t(bytes_per_sample(a.type)); }

// Texels of a row at these columns, zeros for those at −1 and for a row of `zeros`.
template <class Texel> void copy_texels(const char* line, const int* columns, int count, bool zeros, std::byte* to) {
    for (int k = 0; k < count; ++k, to += sizeof(Texel)) {
        if (zeros || columns[k] < 0) std::memset(to, 0, sizeof(Texel));
        else std::memcpy(to, line + size_t(columns[k]) * sizeof(Texel), sizeof(Texel));
    }
}

// Whether pixels of the screen can be made of the texels at once.
bool shows_bytes(const ResampleJob& job, int taps) {
    const TexelArray& a = job.source;
    const ResampleOutput& out = job.output;
    return taps <= 2 && a.type == SampleType::u8 && a.channels >= 3 && out.rgba8 && out.channels == a.channels &&
           !out.has_alpha && !out.encode_srgb;
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
        sums[at - begin] += weights[k * block];
    }
    for (int k = 0; k < taps && taps > 1; ++k) weights[k * block] = sums[k];
    first = begin;
    return true;
}

// Output pixels of a row from one cache line, or row of texels, to the next; 0 if there is nothing to prefetch.
int step_between_lines(const ResampleJob& job) {
    constexpr double cache_line = 64, far = 64;
    const TexelArray& a = job.source;
    const Affine& p = job.positions;
    if (job.points.x || std::abs(p.xy) > far || std::abs(p.yy) > far) return 0;
    const double pixels = std::min(cache_line / (std::abs(p.xx) * double(texel_bytes(a))), 1 / std::abs(p.yx));
    return int(std::clamp(pixels, 1.0, double(block)));
}

}  // namespace

struct BlockWriter::Work {
    int count = 0, padded = 0;  // pixels, and rounded up to whole vectors
    bool elsewhere = false;     // are any positions not inside?
    bool finite = true;         // are all values?
    std::array<double, block> x, y;
    std::array<PixelPlace, block> place;
    int beyond[block], pixels_beyond = 0, pixel_inside = -1;  // neither stored nor folded; one of those that are
    simd::Block taps, patches;
    alignas(64) float values[block * 4 + simd::padding];
    alignas(64) float patch_values[block * 4 + simd::padding];
    std::vector<std::byte> patch_texels;
};

BlockWriter::BlockWriter(const ResampleJob& job, const MethodInfo& method, const AxisWeights& weights,
                         const simd::Kernels& kernels)
    : job_(job), method_(method), weights_(weights), kernels_(kernels) {
    const TexelArray& a = job.source;
    gather_ = kernels.gather[int(a.type)][a.channels - 1][taps_index(weights.taps)];
    screen_ = shows_bytes(job, weights.taps) ? kernels.screen[a.channels - 3][weights.taps - 1] : nullptr;
    stored_width_ = a.width + 2 * a.margin_x;
    stored_height_ = a.height + 2 * a.margin_y;
    prefetch_step_ = step_between_lines(job);
    reach_ = simd::texels_read(a.channels, weights.taps);
    inside_x_ = stored_range(a.margin_x, stored_width_, reach_);
    inside_y_ = stored_range(a.margin_y, stored_height_, weights.taps);
}

BlockWriter::Range BlockWriter::stored_range(int margin, int stored, int reach) const {
    const double half = weights_.taps % 2 == 0 ? 0 : 0.5;
    const int before = (weights_.taps - 1) / 2 - margin;
    return {before - half, before + stored - reach + 1 - half};
}

// Strips of blocks below one another, then the next column of strips, so that what they read stays in the nearest cache,
// and lines of the output are written as a whole.
void BlockWriter::write_rows(int first, int last) const {
    const auto work = std::make_unique<Work>();
    constexpr int strip = 8 * block;
    for (int begin = 0; begin < job_.output.width; begin += strip) {
        const int end = std::min(begin + strip, job_.output.width);
        for (int j = first; j < last; ++j)
            for (int i = begin; i < end; i += block) write_block(*work, i, std::min(block, end - i), j);
    }
}

// True if the taps of all pixels are stored.
bool BlockWriter::find_positions(Work& work, int first, int row) const {
    const auto inside = [&](double x, double y) {
        return x >= inside_x_.from && x < inside_x_.to && y >= inside_y_.from && y < inside_y_.to;
    };
    bool all_inside = true;
    const int end = work.count - 1;
    if (job_.points.x) {
        for (int n = 0; n < work.count; ++n) {
            const Point p = position_of(job_, first + n, row);
            work.x[size_t(n)] = p.x;
            work.y[size_t(n)] = p.y;
            all_inside &= inside(p.x, p.y);
        }
    } else {
        const Affine& p = job_.positions;
        kernels_.positions(p.xx, p.xy * row, p.x0, first, work.count, work.x.data());
        kernels_.positions(p.yx, p.yy * row, p.y0, first, work.count, work.y.data());
        all_inside = inside(work.x[0], work.y[0]) && inside(work.x[size_t(end)], work.y[size_t(end)]);
    }
    std::fill(work.x.begin() + work.count, work.x.begin() + work.padded, work.x[size_t(end)]);
    std::fill(work.y.begin() + work.count, work.y.begin() + work.padded, work.y[size_t(end)]);
    return all_inside;
}

// Prefetches what the block a few rows below will read: the hardware cannot predict where a rotated row leads.
void BlockWriter::prefetch(const Work& work) const {
    constexpr int rows_ahead = 3;
    const TexelArray& a = job_.source;
    const Affine& p = job_.positions;
    const double dx = a.margin_x + rows_ahead * p.xy, dy = a.margin_y + rows_ahead * p.yy;
    for (int n = 0; n < work.count; n += prefetch_step_) {
        const int column = int(work.x[size_t(n)] + dx), row = int(work.y[size_t(n)] + dy);
        __builtin_prefetch(static_cast<const char*>(a.texels) + ptrdiff_t(row) * ptrdiff_t(a.row_bytes) +
                           ptrdiff_t(column) * ptrdiff_t(texel_bytes(a)));
    }
}

void BlockWriter::write_block(Work& work, int first, int count, int row) const {
    work.count = count;
    work.padded = rounded_up(count);
    work.elsewhere = false;
    const bool all_inside = find_positions(work, first, row);
    if (job_.outside != Outside::extend || !all_inside) mark_places(work);
    bool stored = all_inside;
    if (all_inside) {
        if (prefetch_step_ > 0) prefetch(work);
        find_taps(work);
    } else {
        stored = fold_all(work);
    }
    if (stored && screen_ && !work.elsewhere) return write_to_screen(work, first, row);
    if (stored) work.finite = gather_(work.taps, work.values);
    else evaluate_anywhere(work);
    if (!work.finite) repair(work);
    store_values(kernels_, job_, work.values, work.elsewhere ? work.place.data() : nullptr, first, count, row);
}

void BlockWriter::write_to_screen(Work& work, int first, int row) const {
    char* line = static_cast<char*>(job_.output.pixels) + size_t(row) * job_.output.row_bytes;
    uint32_t* to = reinterpret_cast<uint32_t*>(line) + first;
    if (work.count == work.padded) return screen_(work.taps, to);
    uint32_t pixels[block];
    screen_(work.taps, pixels);
    std::copy_n(pixels, work.count, to);
}

void BlockWriter::mark_places(Work& work) const {
    for (int n = 0; n < work.count; ++n) {
        const bool outside = is_outside(job_, {work.x[size_t(n)], work.y[size_t(n)]});
        work.place[size_t(n)] = outside ? PixelPlace::outside : PixelPlace::inside;
        work.elsewhere |= outside;
    }
}

void BlockWriter::find_taps(Work& work) const {
    const TexelArray& a = job_.source;
    simd::Block& b = work.taps;
    b.texels = a.texels;
    b.row_bytes = a.row_bytes;
    b.count = work.padded;
    kernels_.weights(weights_, work.x.data(), work.padded, a.margin_x, b.x, b.wx);
    kernels_.weights(weights_, work.y.data(), work.padded, a.margin_y, b.y, b.wy);
}

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
void BlockWriter::repair(Work& work) const {
    const int channels = pixel_channels(job_.source.channels);
    ResampleJob one = job_;
    one.points = {};
    one.outside = Outside::extend;
    one.output = {};
    one.output.width = one.output.height = 1;
    one.output.channels = channels;
    for (int n = 0; n < work.count; ++n) {
        float* value = work.values + n * channels;
        if (std::all_of(value, value + channels, [](float v) { return std::isfinite(v); })) continue;
        one.positions = {0, 0, work.x[size_t(n)], 0, 0, work.y[size_t(n)]};
        one.output.pixels = value;
        method_.resample_rows(one, 0, 1);
    }
}

}  // namespace texelscope
