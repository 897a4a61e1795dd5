#include "gpu/reference/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/method/polar_method.h"
#include "gpu/prefilter/prefilter.h"

namespace texelscope {
namespace {

using Coefficients = std::array<double, piece_coefficients>;

// Coefficients of the polynomial through values at the nodes cos(π (k + ½) / n): of T₀, T₁, …, then of powers of u.
Coefficients interpolated(const Coefficients& values) {
    constexpr int n = piece_coefficients;
    Coefficients previous{1}, current{}, sum{};  // T₀, T₁ and the result, in powers
    current[1] = 1;
    for (int m = 0; m < n; ++m) {
        double chebyshev = 0;
        for (int k = 0; k < n; ++k) chebyshev += values[size_t(k)] * std::cos(std::numbers::pi * m * (k + 0.5) / n);
        chebyshev *= (m == 0 ? 1.0 : 2.0) / n;
        for (int p = 0; p < n; ++p) sum[size_t(p)] += chebyshev * previous[size_t(p)];
        Coefficients next{};  // T(m+2) = 2u·T(m+1) − T(m)
        for (int p = 0; p < n; ++p) next[size_t(p)] = (p > 0 ? 2 * current[size_t(p - 1)] : 0) - previous[size_t(p)];
        previous = current;
        current = next;
    }
    return sum;
}

}  // namespace

std::vector<double> weight_pieces(const MethodInfo& method, const MethodParameters& parameters, WeightForm form) {
    const std::function<double(double)> function = form == WeightForm::widened
                                                       ? widened_function(method, parameters)
                                                       : [&](double x) { return method.weight(x, parameters); };
    constexpr int n = piece_coefficients;
    std::vector<double> result;
    const double radius = radius_of(method);
    const int count = piece_count(radius);
    for (int piece = 0; piece < count; ++piece) {
        Coefficients values;
        for (int k = 0; k < n; ++k) {
            const double u = std::cos(std::numbers::pi * (k + 0.5) / n);
            values[size_t(k)] = function((piece + (u + 1) / 2) * 2 * radius / count - radius);
        }
        const Coefficients c = interpolated(values);
        result.insert(result.end(), c.begin(), c.end());
    }
    return result;
}

namespace {

struct Interval {
    double low, high;
};

constexpr Interval everywhere{-1e18, 1e18};

// The possible indices of the taps around the positions.
struct Indices {
    long long first, last;
};

// The positions along an axis of the image of `n_along` pixels from `i` on, and `n_across` from `j` on.
Interval corners(double along, double across, double start, int i, int n_along, int j, int n_across) {
    const auto [a_low, a_high] = std::minmax({along * i, along * (double(i) + n_along - 1)});
    const auto [b_low, b_high] = std::minmax({across * j, across * (double(j) + n_across - 1)});
    return {start + a_low + b_low, start + a_high + b_high};
}

// The hull of the stored indices for `wanted`: the whole axis if that is a period, else across the seam of a signal that
// wraps around, and of the mirrored one folded back.
Indices hull(AddressMode mode, int n, int margin, Interval wanted) {
    if (!is_periodic(mode)) {
        const double low = -margin, high = double(n) + margin - 1;
        return {(long long)(std::clamp(std::floor(wanted.low), low, high)),
                (long long)(std::clamp(std::ceil(wanted.high), low, high))};
    }
    const auto period = double(period_of(mode, n));
    if (!(wanted.high - wanted.low < period - 2)) return {0, n - 1};
    const auto first = (long long)(std::floor(wanted.low)), last = (long long)(std::ceil(wanted.high));
    if (mode == AddressMode::wrap) return {first, last};
    const auto crosses = [&](double from) {
        return std::floor((double(first) - from) / period) != std::floor((double(last) - from) / period);
    };
    const auto [low, high] = std::minmax({addressed(mode, int(first), n), addressed(mode, int(last), n)});
    return {crosses(0) ? 0 : low, crosses(mode == AddressMode::mirror ? n : n - 1) ? n - 1 : high};
}

KeptAxis kept(KeptAxis axis, Interval wanted) {
    const Indices indices = hull(axis.mode, axis.n, axis.margin, wanted);
    axis.begin = int(indices.first);
    axis.count = int(indices.last - indices.first) + 1;
    return axis;
}

KeptAxis kept_axis(AddressMode mode, int n, int margin, Interval positions, double reach, Outside outside) {
    KeptAxis axis{mode, n, is_periodic(mode) ? 0 : margin};
    if (outside != Outside::extend) {  // nothing is read from further out
        positions.low = std::max(positions.low, -0.5);
        positions.high = std::max(positions.low, std::min(positions.high, n - 0.5));
    }
    if (std::isnan(positions.low) || std::isnan(positions.high)) positions = everywhere;
    if (is_periodic(mode)) {  // near the origin, so that rounding does not lose the reach
        const double period = double(period_of(mode, n)), extent = positions.high - positions.low;
        positions.low = std::isfinite(positions.low) ? std::fmod(positions.low, period) : 0;
        positions.high = positions.low + extent;
    }
    return kept(axis, {positions.low - reach - 1, positions.high + reach + 1});
}

}  // namespace

ExactPrefilter exact_prefilter(std::span<const double> poles) {
    ExactPrefilter filter;
    if (poles.empty()) return filter;
    const PrefilterKernel kernel = prefilter_kernel(Prefilter{Prefilter::Kind::iir}, poles);
    double largest = 0;
    for (const double z : poles) largest = std::max(largest, std::abs(z));
    filter.reach = int(std::ceil(std::log(1e-17) / std::log(largest)));
    filter.poles = kernel.poles;
    std::copy(kernel.pole.begin(), kernel.pole.end(), filter.pole);
    std::copy(kernel.gain.begin(), kernel.gain.end(), filter.gain);
    return filter;
}

ExactPrefilter exact_prefilter(const InverseFilter& inverse) {
    static_assert(most_kept_taps < ExactPrefilter::most_taps);
    if (inverse.taps.empty()) return exact_prefilter(inverse.poles);
    ExactPrefilter filter;
    filter.reach = int(inverse.taps.size()) - 1;
    std::copy(inverse.taps.begin(), inverse.taps.end(), filter.tap);
    filter.sum = filter.tap[0];
    for (int k = 1; k <= filter.reach; ++k) filter.sum += 2 * filter.tap[k];
    return filter;
}

void set_prefilter(ReferenceJob& job, const MethodSpec& spec) {
    const InverseFilter inverse = spec.inverse_filter();
    job.prefilter = job.prefilter_y = exact_prefilter(inverse);
    const Prefilter& planned = spec.prefilter;
    if (job.prefilter.reach == 0 || (planned.step_x == 1 && planned.step_y == 1)) return;
    const PrefilterKernel of_image = prefilter_kernel(Prefilter{Prefilter::Kind::iir}, inverse);
    const auto set = [&](ExactPrefilter& filter, double step) {
        if (step == 1) return;
        const PrefilterKernel kernel = on_level(of_image, step);
        filter.poles = 0;
        std::fill(std::begin(filter.tap), std::end(filter.tap), 0.0);
        std::copy_n(kernel.taps.begin(), kernel.half_taps + 1, filter.tap);
    };
    set(job.prefilter, planned.step_x);
    set(job.prefilter_y, planned.step_y);
}

size_t patch_size(const CoefficientPatch& patch, const TexelArray& source) {
    return size_t(patch.x.count) * size_t(patch.y.count) * size_t(source.channels);
}

size_t filtered_rows_size(const CoefficientPatch& patch, const TexelArray& source) {
    return source.one_dimensional ? 0 : size_t(patch.x.count) * size_t(patch.rows.count) * size_t(source.channels);
}

namespace {

size_t patch_bytes(const CoefficientPatch& patch, const TexelArray& source) {
    return (patch_size(patch, source) + filtered_rows_size(patch, source)) * sizeof(double);
}

ReferenceTile tile_at(const ReferenceJob& reference, const PixelRange& pixels) {
    const ResampleJob& job = reference.job;
    const TexelArray& a = job.source;
    const Affine& p = job.positions;
    const auto [i, j, width, height] = pixels;
    const int margin = reference.prefilter.reach;
    const double radius = reference.weight.radius;
    const bool points = job.points.x != nullptr;
    ReferenceTile tile{pixels, {}};
    CoefficientPatch& patch = tile.patch;
    patch.x =
        kept_axis(a.address.x, a.width, margin, points ? everywhere : corners(p.xx, p.xy, p.x0, i, width, j, height),
                  radius * reference.stretch_x, job.outside);
    if (a.one_dimensional) return tile;
    patch.y =
        kept_axis(a.address.y, a.height, margin, points ? everywhere : corners(p.yy, p.yx, p.y0, j, height, i, width),
                  radius * reference.stretch_y, job.outside);
    const Interval needed{double(patch.y.begin) - margin, double(patch.y.begin) + patch.y.count - 1 + margin};
    patch.rows = kept({a.address.y, a.height}, needed);
    return tile;
}

// Cuts an output into tiles.
class Cutter {
public:
    Cutter(const ReferenceJob& job, size_t limit) : job_(job), limit_(limit) {
        const ResampleOutput& out = job.job.output;
        const ReferenceTile whole = tile_at(job, {0, 0, out.width, out.height});
        const size_t bytes = patch_bytes(whole.patch, job.job.source);
        most_work_ = 8 * work(whole);
        if (bytes <= limit || job.job.points.x || !cut(whole)) tiles_.assign(1, whole);
        for (const ReferenceTile& tile : tiles_) check_size(tile);
    }

    std::vector<ReferenceTile> tiles() && { return std::move(tiles_); }

private:
    // Samples that are filtered, along both axes.
    double work(const ReferenceTile& tile) const {
        const CoefficientPatch& patch = tile.patch;
        const double run_in = 2.0 * job_.prefilter.reach, x = patch.x.count;
        if (job_.job.source.one_dimensional) return x + run_in;
        return patch.rows.count * (x + run_in) + x * (patch.y.count + run_in);
    }

    // False once all tiles together are too much work. What is too large is halved along the side that leaves less to
    // do, from top to bottom if that is the same.
    bool cut(const ReferenceTile& tile) {
        const auto [x, y, width, height] = tile.pixels;
        if (patch_bytes(tile.patch, job_.job.source) <= limit_ || (width == 1 && height == 1)) {
            tiles_.push_back(tile);
            work_ += work(tile);
            return work_ <= most_work_;
        }
        const int left = width / 2, top = height / 2;
        const Halves rows = halves(top, {x, y, width, top}, {x, y + top, width, height - top});
        const Halves columns = halves(left, {x, y, left, height}, {x + left, y, width - left, height});
        const Halves& best = columns.work < rows.work ? columns : rows;
        return cut(best.first) && cut(best.second);
    }

    struct Halves {
        ReferenceTile first, second;
        double work = INFINITY;
    };
    Halves halves(int length, const PixelRange& a, const PixelRange& b) const {
        if (length == 0) return {};
        Halves result{tile_at(job_, a), tile_at(job_, b)};
        result.work = work(result.first) + work(result.second);
        return result;
    }

    void check_size(const ReferenceTile& tile) const {
        if (const size_t bytes = patch_bytes(tile.patch, job_.job.source); bytes > most_coefficient_bytes)
            throw OutOfMemory(
                fmt::format("the float64 coefficients of this view would take {:.1f} GiB, more than the {} GiB set "
                            "aside for them: zoom in",
                            double(bytes) / double(1 << 30), most_coefficient_bytes >> 30));
    }

    const ReferenceJob& job_;
    size_t limit_;
    double work_ = 0, most_work_;
    std::vector<ReferenceTile> tiles_;
};

}  // namespace

std::vector<ReferenceTile> reference_tiles(const ReferenceJob& job, size_t limit) {
    const ResampleOutput& out = job.job.output;
    if (job.prefilter.reach == 0) return {ReferenceTile{{0, 0, out.width, out.height}, {}}};
    return Cutter(job, limit).tiles();
}

size_t largest_patch_bytes(const std::vector<ReferenceTile>& tiles, const TexelArray& source) {
    size_t largest = 0;
    for (const ReferenceTile& tile : tiles) largest = std::max(largest, patch_bytes(tile.patch, source));
    return largest;
}

void set_tile(ReferenceJob& job, const ReferenceTile& tile, void* memory) {
    job.tile = tile.pixels;
    job.patch = tile.patch;
    job.patch.values = static_cast<double*>(memory);
    if (memory) job.patch.filtered_rows = job.patch.values + patch_size(tile.patch, job.job.source);
}

}  // namespace texelscope
