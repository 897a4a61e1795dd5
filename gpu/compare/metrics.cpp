#include "gpu/compare/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include "gpu/compare/compared_pixel.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"
#include "gpu/method/simd/kernels.h"

namespace texelscope {
namespace {

Metrics metrics_over(const MeasureJob& job, const ErrorSums& errors, const SsimSums& ssim) {
    Metrics m;
    m.pixels = errors.pixels;
    m.left_out = errors.left_out;
    m.ssim = ssim.windows > 0 ? ssim.ssim / double(ssim.windows) : std::numeric_limits<double>::quiet_NaN();
    if (errors.pixels == 0) {
        m.rmse = m.max_abs = m.psnr = std::numeric_limits<double>::quiet_NaN();
        return m;
    }
    m.rmse = std::sqrt(errors.squares / (double(errors.pixels) * job.channels));
    m.max_abs = errors.largest;
    m.psnr = m.rmse > 0 ? 20 * std::log10(job.peak / m.rmse) : std::numeric_limits<double>::infinity();
    m.worst_x = int(errors.worst % job.width);
    m.worst_y = int(errors.worst / job.width);
    return m;
}

}  // namespace

Metrics metrics_of(const MeasureJob& job, const ComparisonSums& sums) {
    return metrics_over(job, sums.errors.all, sums.ssim.all);
}

Metrics inside_metrics_of(const MeasureJob& job, const ComparisonSums& sums) {
    return metrics_over(job, sums.errors.inside, sums.ssim.inside);
}

// Metrics on the host: threads over rows, whose sums are joined in the order of the rows.

namespace {

// SSIM on the host, in tiles that fit into the nearer caches. Internal to this folder.

class SsimStrips {
public:
    // `mask`: 1 for each pixel that is compared. Both outlive it.
    SsimStrips(const MeasureJob& job, const std::vector<unsigned char>& mask);

    int count() const;

    // Sums over the windows whose first rows belong to this strip. May be called from several threads.
    BothSsim sums(int strip) const;

    // The means over the channels, from 1, at the centres of the same windows.
    void write(int strip, float* map) const;

private:
    // Calls take(row, first, ssim, parts, count) for the windows of one row of a tile and one channel, by their first pixels.
    template <class Take> void for_windows(int strip, Take take) const;

    // By window of a row: nothing, or what it belongs to.
    enum Part : unsigned char { none, outside, inside };
    void find_windows(int row, std::vector<unsigned char>& fits, Part* parts) const;

    const MeasureJob& job_;
    ComparedPlanes planes_;
    const std::vector<unsigned char>& mask_;
    SsimWindow window_;
    size_t width_;
};

// Windows of a tile: rows, and columns, a multiple of the vector code's 16.
constexpr int tile_rows = 32, tile_columns = 256;
constexpr int reach = ssim_taps - 1, span_rows = tile_rows + reach, span_columns = tile_columns + 16;
static_assert(reach <= 16);

// One tile of one channel.
class Tile {
public:
    Tile() : sums_(simd::kernels(simd::best_instructions()).sum_doubles), pixels_(moments * span_rows * span_columns) {}

    // The moments of the tile's pixels; those beyond the picture and those not compared are zero.
    void load(const MeasureJob& job, const ComparedPlanes& planes, const std::vector<unsigned char>& mask, int left,
              int top, int rows, int channel) {
        const int columns = std::min(span_columns, job.width - left);
        std::fill(pixels_.begin(), pixels_.end(), 0.0);
        for (int y = 0; y < rows + reach; ++y) {
            const unsigned char* compared = mask.data() + size_t(top + y) * size_t(job.width) + size_t(left);
            size_t at = value_index(planes, left, top + y) + size_t(channel);
            for (int x = 0; x < columns; ++x, at += pixel_step(planes)) {
                if (!compared[x]) continue;
                const Moments m = Moments::of(plane_value(job.values, at), plane_value(job.reference, at));
                for (int n = 0; n < moments; ++n) pixel_row(n, y)[x] = m.v[n];
            }
        }
    }

    // SSIM of the windows of a row of the tile, by their first pixel.
    const double* row(int y, const SsimWindow& window, double peak) {
        std::array<const double*, ssim_taps> from;
        for (int n = 0; n < moments; ++n) {
            for (int k = 0; k < ssim_taps; ++k) from[size_t(k)] = pixel_row(n, y + k);
            sums_(from.data(), window.weight, ssim_taps, span_columns, columns_);
            for (int k = 0; k < ssim_taps; ++k) from[size_t(k)] = columns_ + k;
            sums_(from.data(), window.weight, ssim_taps, tile_columns, windows_[n]);
        }
        for (int x = 0; x < tile_columns; ++x)
            ssim_[x] = ssim_of({{windows_[0][x], windows_[1][x], windows_[2][x], windows_[3][x]}}, peak);
        return ssim_;
    }

private:
    double* pixel_row(int moment, int y) { return pixels_.data() + (moment * span_rows + y) * span_columns; }

    decltype(simd::Kernels::sum_doubles) sums_;
    std::vector<double> pixels_;
    double columns_[span_columns], windows_[moments][tile_columns], ssim_[tile_columns];
};

SsimStrips::SsimStrips(const MeasureJob& job, const std::vector<unsigned char>& mask)
    : job_(job), planes_(planes_of(job)), mask_(mask), window_(ssim_window()), width_(size_t(job.width)) {}

int SsimStrips::count() const { return (job_.height - ssim_taps + tile_rows) / tile_rows; }

// A window fits if all of its 121 pixels are compared.
void SsimStrips::find_windows(int row, std::vector<unsigned char>& fits, Part* parts) const {
    std::fill(fits.begin(), fits.end(), 1);
    for (int k = 0; k < ssim_taps; ++k)
        for (size_t i = 0; i < width_; ++i) fits[i] &= mask_[size_t(row + k) * width_ + i];
    int run = 0;
    for (int i = 0; i < job_.width; ++i) {
        run = fits[size_t(i)] ? run + 1 : 0;
        if (const int first = i - reach; first >= 0)
            parts[first] = run < ssim_taps ? none : window_inside(planes_, first, row) ? inside : outside;
    }
}

template <class Take> void SsimStrips::for_windows(int strip, Take take) const {
    const int top = strip * tile_rows, rows = std::min(tile_rows, job_.height - reach - top);
    const int windows = job_.width - reach;
    std::vector<unsigned char> fits(width_);
    std::vector<Part> parts(size_t(rows) * width_);
    for (int y = 0; y < rows; ++y) find_windows(top + y, fits, parts.data() + size_t(y) * width_);
    Tile tile;
    for (int c = 0; c < job_.channels; ++c)
        for (int left = 0; left < windows; left += tile_columns) {
            tile.load(job_, planes_, mask_, left, top, rows, c);
            for (int y = 0; y < rows; ++y) {
                const Part* part = parts.data() + size_t(y) * width_ + left;
                const int count = std::min(tile_columns, windows - left);
                if (std::all_of(part, part + count, [](Part p) { return p == none; })) continue;
                take(top + y, left, tile.row(y, window_, job_.peak), part, count);
            }
        }
}

BothSsim SsimStrips::sums(int strip) const {
    BothSsim sums;
    for_windows(strip, [&](int, int, const double* ssim, const Part* part, int count) {
        for (int x = 0; x < count; ++x) {
            if (part[x] == none) continue;
            sums.all.ssim += ssim[x];
            ++sums.all.windows;
            if (part[x] != inside) continue;
            sums.inside.ssim += ssim[x];
            ++sums.inside.windows;
        }
    });
    return sums;
}

void SsimStrips::write(int strip, float* map) const {
    const double each = 1.0 / job_.channels;
    std::vector<double> sums(size_t(tile_rows) * width_, std::numeric_limits<double>::quiet_NaN());
    const int top = strip * tile_rows;
    for_windows(strip, [&](int row, int left, const double* ssim, const Part* part, int count) {
        double* sum = sums.data() + size_t(row - top) * width_ + left;
        for (int x = 0; x < count; ++x)
            if (part[x] != none) sum[x] = (std::isnan(sum[x]) ? 1 : sum[x]) - each * ssim[x];
    });
    const int rows = std::min(tile_rows, job_.height - reach - top);
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < job_.width - reach; ++x)
            map[size_t(top + y + reach / 2) * width_ + size_t(x + reach / 2)] =
                float(sums[size_t(y) * width_ + size_t(x)]);
}

BothErrors errors_of_row(const ComparedPlanes& planes, int row, unsigned char* mask) {
    BothErrors sums;
    for (int i = 0; i < planes.width; ++i) mask[i] = compare_pixel(planes, i, row, sums) == Compared::yes;
    return sums;
}

}  // namespace

ComparisonSums compare_on_cpu(const MeasureJob& job) try {
    const ComparedPlanes planes = planes_of(job);
    std::vector<unsigned char> mask(size_t(job.width) * size_t(job.height));
    std::vector<BothErrors> of_rows(size_t(job.height));
    parallel_for(work::errors, job.height, 8, [&](int j) {
        of_rows[size_t(j)] = errors_of_row(planes, j, mask.data() + size_t(j) * size_t(job.width));
    });
    ComparisonSums all;
    for (const BothErrors& row : of_rows) all.errors.join(row);

    if (job.with_ssim && job.width >= ssim_taps && job.height >= ssim_taps) {
        const SsimStrips strips(job, mask);
        std::vector<BothSsim> sums(size_t(strips.count()));
        parallel_for(work::ssim, strips.count(), 1, [&](int k) { sums[size_t(k)] = strips.sums(k); });
        for (const BothSsim& part : sums) all.ssim.join(part);
    }
    return all;
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the comparison");
}

void ssim_map_on_cpu(const MeasureJob& job, float* map) try {
    const size_t pixels = size_t(job.width) * size_t(job.height);
    std::fill(map, map + pixels, std::numeric_limits<float>::quiet_NaN());
    if (job.width < ssim_taps || job.height < ssim_taps) return;
    const ComparedPlanes planes = planes_of(job);
    std::vector<unsigned char> mask(pixels);
    parallel_for(work::errors, job.height, 8,
                 [&](int j) { errors_of_row(planes, j, mask.data() + size_t(j) * size_t(job.width)); });
    const SsimStrips strips(job, mask);
    parallel_for(work::ssim, strips.count(), 1, [&](int k) { strips.write(k, map); });
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the map of SSIM");
}

}  // namespace texelscope
