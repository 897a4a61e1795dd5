#include "gpu/reference/coefficients.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/prefilter/filter.h"

namespace texelscope {
namespace {

struct Interval {
    double low, high;
};

constexpr Interval everywhere{-1e18, 1e18};

// The possible indices of the taps around the positions.
struct Indices {
    long long first, last;
};

Interval corners(double along, double across, double start, int n_along, int n_across) {
    const double a = along * (n_along - 1), b = across * (n_across - 1);
    return {start + std::min(a, 0.0) + std::min(b, 0.0), start + std::max(a, 0.0) + std::max(b, 0.0)};
}

// The hull of the stored indices for `wanted`; the whole axis if they wrap around it.
Indices hull(AddressMode mode, int n, int margin, Interval wanted) {
    if (!is_periodic(mode)) {
        const double low = -margin, high = double(n) + margin - 1;
        return {(long long)(std::clamp(std::floor(wanted.low), low, high)),
                (long long)(std::clamp(std::ceil(wanted.high), low, high))};
    }
    const double period = mode == AddressMode::wrap ? n : 2.0 * n;
    if (!(wanted.high - wanted.low < period - 2)) return {0, n - 1};
    const auto first = (long long)(std::floor(wanted.low)), last = (long long)(std::ceil(wanted.high));
    Indices result{n - 1, 0};
    for (long long i = first; i <= last; ++i) {
        const int at = addressed(mode, int(i), n);
        result.first = std::min<long long>(result.first, at);
        result.last = std::max<long long>(result.last, at);
    }
    return result;
}

KeptAxis kept_axis(AddressMode mode, int n, int margin, Interval positions, double reach, Outside outside) {
    KeptAxis axis{mode, n, is_periodic(mode) ? 0 : margin};
    if (outside != Outside::extend) {  // nothing is read from further out
        positions.low = std::max(positions.low, -0.5);
        positions.high = std::max(positions.low, std::min(positions.high, n - 0.5));
    }
    if (std::isnan(positions.low) || std::isnan(positions.high)) positions = everywhere;
    if (is_periodic(mode)) {  // near the origin, so that rounding does not lose the reach
        const double period = mode == AddressMode::wrap ? n : 2.0 * n, extent = positions.high - positions.low;
        positions.low = std::isfinite(positions.low) ? std::fmod(positions.low, period) : 0;
        positions.high = positions.low + extent;
    }
    const Indices kept = hull(mode, n, axis.margin, {positions.low - reach - 1, positions.high + reach + 1});
    axis.begin = int(kept.first);
    axis.count = int(kept.last - kept.first) + 1;
    return axis;
}

}  // namespace

ExactPrefilter exact_prefilter(std::span<const double> poles) {
    ExactPrefilter filter;
    if (poles.empty()) return filter;
    const PrefilterKernel kernel = prefilter_kernel(Prefilter{Prefilter::Kind::iir}, poles);
    double largest = 0;
    for (const double z : poles) largest = std::max(largest, std::abs(z));
    filter.reach = int(std::ceil(std::log(1e-17) / std::log(largest)));
    for (int k = 0; k <= filter.reach; ++k) {
        filter.tap[k] = 0;
        for (int i = 0; i < kernel.poles; ++i)
            filter.tap[k] += kernel.gain[size_t(i)] * std::pow(kernel.pole[size_t(i)], k);
    }
    filter.poles = kernel.poles;
    std::copy(kernel.pole.begin(), kernel.pole.end(), filter.pole);
    std::copy(kernel.gain.begin(), kernel.gain.end(), filter.gain);
    return filter;
}

CoefficientPatch patch_for(const ReferenceJob& reference) {
    const ResampleJob& job = reference.job;
    const TexelArray& a = job.source;
    const Affine& p = job.positions;
    const int width = job.output.width, height = job.output.height, margin = reference.prefilter.reach;
    const double radius = reference.weight.radius;
    const bool points = job.points.x != nullptr;
    CoefficientPatch patch;
    patch.x = kept_axis(a.address.x, a.width, margin, points ? everywhere : corners(p.xx, p.xy, p.x0, width, height),
                        radius * reference.stretch_x, job.outside);
    if (a.one_dimensional) {
        patch.rows = 1;
    } else {
        patch.y =
            kept_axis(a.address.y, a.height, margin, points ? everywhere : corners(p.yy, p.yx, p.y0, height, width),
                      radius * reference.stretch_y, job.outside);
        const Interval needed{double(patch.y.begin) - margin, double(patch.y.begin) + patch.y.count - 1 + margin};
        const Indices rows = hull(a.address.y, a.height, 0, needed);
        patch.first_row = int(rows.first);
        patch.rows = int(rows.last - rows.first) + 1;
    }
    const double texels = double(patch.x.count) * (double(patch.y.count) + (a.one_dimensional ? 0 : patch.rows));
    if (const double bytes = texels * a.channels * sizeof(double); bytes > double(most_coefficient_bytes))
        throw OutOfMemory(
            fmt::format("the float64 coefficients of this view would take {:.1f} GiB, more than the {} GiB set "
                        "aside for them: zoom in",
                        bytes / double(1 << 30), most_coefficient_bytes >> 30));
    return patch;
}

size_t patch_size(const ReferenceJob& job) {
    return size_t(job.patch.x.count) * size_t(job.patch.y.count) * size_t(job.job.source.channels);
}

size_t filtered_rows_size(const ReferenceJob& job) {
    if (job.job.source.one_dimensional) return 0;
    return size_t(job.patch.x.count) * size_t(job.patch.rows) * size_t(job.job.source.channels);
}

}  // namespace texelscope
