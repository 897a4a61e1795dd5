#include "gpu/method/cpu_vector.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "gpu/method/position.h"

namespace texelscope {
namespace {

int taps_index(int taps) { return taps == 1 ? 0 : taps / 2; }

// Whether pixels of the screen can be made of the texels at once.
bool shows_bytes(const ResampleJob& job, int taps) {
    const TexelArray& a = job.source;
    const ResampleOutput& out = job.output;
    return taps <= 2 && a.type == SampleType::u8 && a.channels >= 3 && out.rgba8 && out.channels == a.channels &&
           !out.has_alpha && !out.encode_srgb;
}

// Output pixels of a row from one cache line, or row of texels, to the next; 0 if there is nothing to prefetch.
int step_between_lines(const ResampleJob& job) {
    constexpr double cache_line = 64, far = 64;
    const TexelArray& a = job.source;
    const Affine& p = job.positions;
    if (job.points.x || std::abs(p.xy) > far || std::abs(p.yy) > far) return 0;
    const double pixels = std::min(cache_line / (std::abs(p.xx) * double(texel_bytes(a))), 1 / std::abs(p.yx));
    return int(std::clamp(pixels, 1.0, double(simd::block)));
}

constexpr double fixed_unit = 0x1p-32, fixed_reach = 0x1p18;  // double resolves it up to there

// llround() would take many instructions in WebAssembly.
int64_t fixed(double position) { return int64_t(std::floor(position / fixed_unit + 0.5)); }

bool fits_fixed_point(const ResampleJob& job) {
    if (job.points.x) return false;
    for (const int i : {0, job.output.width + simd::block})  // blocks are padded
        for (const int j : {0, job.output.height}) {
            const Point p = position_of(job, i, j);
            if (!(std::abs(p.x) < fixed_reach && std::abs(p.y) < fixed_reach)) return false;
        }
    return true;
}

// Whether the taps weigh a constant by 1: those of a user's method may not.
bool sums_to_one(const AxisWeights& weights) {
    for (int n = 0; weights.taps > 1 && n <= weights.degree; ++n) {
        float sum = 0;
        for (int tap = 0; tap < weights.taps; ++tap) sum += weights.c[tap][n];
        if (std::abs(sum - (n == 0 ? 1.0f : 0.0f)) > 1e-6f) return false;
    }
    return true;
}

// Up to two taps beyond an edge all read the texel there, as do those at the edge.
bool clamps_positions(const ResampleJob& job, const AxisWeights& weights, int reach) {
    const TexelArray& a = job.source;
    const int taps = weights.taps;
    return taps <= 2 && sums_to_one(weights) && reach == taps && a.margin_x == 0 && a.margin_y == 0 &&
           std::min(a.width, a.height) >= taps && a.address.x == AddressMode::clamp &&
           a.address.y == AddressMode::clamp;
}

}  // namespace

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
    fixed_ = fits_fixed_point(job);
    takes_values_ = !job.output.rgba8 && !job.output.levels && !job.output.encode_srgb &&
                    job.output.channels == pixel_channels(a.channels);
    clamps_ = fixed_ && clamps_positions(job, weights, reach_);
    if (!fixed_) return;
    const Affine& p = job.positions;
    x_ = axis_of(p.xx, p.xy, p.x0, inside_x_, a.width, image_columns(job));
    y_ = axis_of(p.yx, p.yy, p.y0, inside_y_, a.height, image_rows(job));
}

BlockWriter::Axis BlockWriter::axis_of(double a, double b, double c, const Range& stored, int samples,
                                       const ImageSpan& image) const {
    constexpr double rounding = 0x1p-24;  // more than that of fixed point
    Axis axis{a, b, c, {}, stored, {0, double(samples - 1)}};
    for (int n = 0; n < block; ++n) axis.steps[n] = fixed(a * n);
    const double beyond = job_.outside == Outside::nan ? 0 : 0.5;  // the last sample
    if (job_.outside != Outside::extend)                           // stored, but perhaps not inside
        axis.fast = {std::max(stored.from, image.first - beyond), std::min(stored.to, image.last + beyond)};
    axis.fast = {axis.fast.from + rounding, axis.fast.to - rounding};
    if (weights_.taps == 2) axis.clamped.to = std::nextafter(axis.clamped.to, 0.0);  // its fraction rounds to 1
    return axis;
}

// The position of a pixel, with a bias that keeps whole numbers from falling below themselves by rounding; see
// simd::fixed_cut.
int64_t BlockWriter::Axis::at(int first, int row) const {
    return fixed(a * first + b * row + c) + (simd::fixed_cut + 1) / 2;
}

// The fast way for blocks inside the image: false if this one is not.
bool BlockWriter::find_taps_inside(Work& work, int first, int row) const {
    const auto inside = [&](const Axis& axis) {
        const double begin = axis.a * first + axis.b * row + axis.c, end = begin + axis.a * (work.padded - 1);
        return std::min(begin, end) >= axis.fast.from && std::max(begin, end) < axis.fast.to;
    };
    if (!inside(x_) || !inside(y_)) return false;
    const int64_t x = x_.at(first, row), y = y_.at(first, row);
    if (prefetch_step_ > 0) prefetch(x, y, work.count);
    const TexelArray& a = job_.source;
    simd::Block& b = work.taps;
    b.texels = a.texels;
    b.row_bytes = a.row_bytes;
    b.count = work.padded;
    kernels_.fixed_weights(weights_, x, x_.steps, work.padded, a.margin_x, b.x, b.wx);
    kernels_.fixed_weights(weights_, y, y_.steps, work.padded, a.margin_y, b.y, b.wy);
    return true;
}

// What the block a few rows below will read, from this one's first position on: the hardware cannot predict where a
// rotated row leads.
void BlockWriter::prefetch(int64_t x, int64_t y, int count) const {
    constexpr int rows_ahead = 3;
    const TexelArray& a = job_.source;
    x += fixed(a.margin_x + rows_ahead * x_.b);
    y += fixed(a.margin_y + rows_ahead * y_.b);
    const ptrdiff_t texel = ptrdiff_t(texel_bytes(a)), row = ptrdiff_t(a.row_bytes);
    for (int n = 0; n < count; n += prefetch_step_)
        __builtin_prefetch(static_cast<const char*>(a.texels) + ((y + y_.steps[n]) >> 32) * row +
                           ((x + x_.steps[n]) >> 32) * texel);
}

void BlockWriter::clamp_positions(Work& work) const {
    for (int n = 0; n < work.padded; ++n) {
        work.x[size_t(n)] = std::min(std::max(work.x[size_t(n)], x_.clamped.from), x_.clamped.to);
        work.y[size_t(n)] = std::min(std::max(work.y[size_t(n)], y_.clamped.from), y_.clamped.to);
    }
}

BlockWriter::Range BlockWriter::stored_range(int margin, int stored, int reach) const {
    const double half = weights_.taps % 2 == 0 ? 0 : 0.5;
    const int before = (weights_.taps - 1) / 2 - margin;
    return {before - half, before + stored - reach + 1 - half};
}

void BlockWriter::write_rows(int first, int last) const {
    const auto work = std::make_unique<Work>();
    write_strips(*work, first, last);
}

// Strips of blocks below one another, then the next column of strips, so that what they read stays in the nearest cache,
// and lines of the output are written as a whole. Apart from what releases memory: WebAssembly's calls from there pass through
// JavaScript, in case that they throw.
void BlockWriter::write_strips(Work& work, int first, int last) const {
    constexpr int strip = 8 * block;
    for (int begin = 0; begin < job_.output.width; begin += strip) {
        const int end = std::min(begin + strip, job_.output.width);
        for (int j = first; j < last; ++j)
            for (int i = begin; i < end; i += block) write_block(work, i, std::min(block, end - i), j);
    }
}

// True if the taps of all pixels are stored.
bool BlockWriter::find_positions(Work& work, int first, int row) const {
    const auto inside = [&](double x, double y) {
        return x >= inside_x_.from && x < inside_x_.to && y >= inside_y_.from && y < inside_y_.to;
    };
    bool all_inside = true;
    const int end = work.count - 1;
    if (fixed_) {  // the same positions as in blocks inside the image
        const int64_t x = x_.at(first, row), y = y_.at(first, row), kept = ~int64_t(simd::fixed_cut);
        for (int n = 0; n < work.count; ++n) {
            work.x[size_t(n)] = double((x + x_.steps[n]) & kept) * fixed_unit;
            work.y[size_t(n)] = double((y + y_.steps[n]) & kept) * fixed_unit;
        }
        all_inside = inside(work.x[0], work.y[0]) && inside(work.x[size_t(end)], work.y[size_t(end)]);
    } else if (job_.points.x) {
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

// Are the taps of all pixels stored side by side, or moved to such?
bool BlockWriter::find_any_taps(Work& work, int first, int row) const {
    const bool all_inside = find_positions(work, first, row);
    if (job_.outside != Outside::extend || !all_inside) mark_places(work, first, row);
    if (!all_inside && !clamps_) return fold_all(work);
    if (!all_inside) clamp_positions(work);
    find_taps(work);
    return true;
}

// Lines of the output a few rows below, to be written: rows of a strip are far apart.
void BlockWriter::prefetch_output(int first, int count, int row) const {
    constexpr int rows_ahead = 2, line = 64;
    if (row + rows_ahead >= job_.output.height) return;
    const char *to = output_at(first, row + rows_ahead), *end = output_at(first + count, row + rows_ahead);
    for (; to < end; to += line) __builtin_prefetch(to, 1);
}

void BlockWriter::write_block(Work& work, int first, int count, int row) const {
    if (fixed_) prefetch_output(first, count, row);
    work.count = count;
    work.padded = rounded_up(count);
    work.elsewhere = false;
    const bool fast = fixed_ && find_taps_inside(work, first, row), stored = fast || find_any_taps(work, first, row);
    if (stored && screen_ && !work.elsewhere) return write_to_screen(work, first, row);
    const bool in_place = fast && takes_values_ && count == work.padded;
    float* values = in_place ? reinterpret_cast<float*>(output_at(first, row)) : work.values;
    if (stored) work.finite = gather_(work.taps, values);
    else evaluate_anywhere(work);
    if (!work.finite) {
        if (fast) find_positions(work, first, row);
        repair(work, values);
    }
    if (in_place) return;
    store_values(kernels_, job_, work.values, work.elsewhere ? work.place.data() : nullptr, first, count, row);
}

char* BlockWriter::output_at(int first, int row) const {
    const ResampleOutput& out = job_.output;
    return static_cast<char*>(out.pixels) + size_t(row) * out.row_bytes + size_t(first) * out.pixel_bytes();
}

void BlockWriter::write_to_screen(Work& work, int first, int row) const {
    auto* to = reinterpret_cast<uint32_t*>(output_at(first, row));
    if (work.count == work.padded) return screen_(work.taps, to);
    uint32_t pixels[block];
    screen_(work.taps, pixels);
    std::copy_n(pixels, work.count, to);
}

// By the positions themselves: those in fixed point are rounded.
void BlockWriter::mark_places(Work& work, int first, int row) const {
    for (int n = 0; n < work.count; ++n) {
        const bool outside = is_outside(job_, position_of(job_, first + n, row));
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

}  // namespace texelscope
