#pragma once
// Figures of two renderings, errors and SSIM: what is compared, what a comparison adds up on host and device, and what
// comes of the sums.

#include <cstdint>
#include <optional>

#include "gpu/core/image.h"
#include "gpu/core/platform.h"
#include "gpu/core/view.h"

struct CUstream_st;

namespace texelscope {

// Convex: what holds the corners of a window holds the window.
struct Interior {
    int margin_x = 0, margin_y = 0;  // pixels left out along each edge
    double radius = 0;               // above 0: only those of the central disc

    TS_HD bool contains(int x, int y, Extent size) const {
        if (radius > 0) {
            const double dx = x - (size.width - 1) / 2.0, dy = y - (size.height - 1) / 2.0;
            return dx * dx + dy * dy <= radius * radius;
        }
        return x >= margin_x && x < size.width - margin_x && y >= margin_y && y < size.height - margin_y;
    }
    bool operator==(const Interior&) const = default;
};

// A pixel of a MeasureJob: requested, and finite on both sides.
enum class Compared : unsigned char { no, left_out, yes };

// The largest number of some pixels, and where it is; of equal ones the first pixel counts.
template <class Number> struct Largest {
    Number largest = -1;
    long long worst = -1;  // row · width + column

    TS_HD void add(Number number, long long pixel) {
        if (number > largest) largest = number, worst = pixel;
    }
    TS_HD void join(const Largest& other) {
        if (other.largest > largest || (other.largest == largest && other.worst >= 0 && other.worst < worst))
            *this = other;
    }
};

// Sums over a part of the pixels; parts are joined in a fixed order.
struct ErrorSums : Largest<double> {
    double squares = 0;
    long long pixels = 0, left_out = 0;

    // A pixel's squared errors, and its largest one.
    TS_HD void add(double squared, double error, long long pixel) {
        squares += squared;
        ++pixels;
        Largest::add(error, pixel);
    }
    TS_HD void join(const ErrorSums& other) {
        squares += other.squares;
        pixels += other.pixels;
        left_out += other.left_out;
        Largest::join(other);
    }
};

struct SsimSums {
    double ssim = 0;
    long long windows = 0;  // each channel's separately

    TS_HD void join(const SsimSums& other) {
        ssim += other.ssim;
        windows += other.windows;
    }
};

// Two of each: over all, and over the part inside (MeasureJob::inside), otherwise empty.
struct BothErrors {
    ErrorSums all, inside;

    TS_HD void join(const BothErrors& other) {
        all.join(other.all);
        inside.join(other.inside);
    }
};
struct BothSsim {
    SsimSums all, inside;

    TS_HD void join(const BothSsim& other) {
        all.join(other.all);
        inside.join(other.inside);
    }
};

// For a whole comparison or a band of it, as it leaves the backend.
struct ComparisonSums {
    BothErrors errors;
    BothSsim ssim;

    TS_HD void join(const ComparisonSums& other) {
        errors.join(other.errors);
        ssim.join(other.ssim);
    }
};

// Figures of merit of one rendering against another.

// Over all channels of the pixels compared, all values counting equally; alpha and what it multiplies as resident.
// Pixels are left out if either side is not finite in any channel, for example outside the image, if rendered with
// Outside::nan. If no pixel is compared, all four figures are NaN.
struct Metrics {
    double rmse = 0;     // √ mean (a − r)²
    double max_abs = 0;  // largest |a − r|
    double psnr = 0;     // 20 log₁₀(peak / rmse), dB; +∞ if rmse is 0
    // Wang, Bovik, Sheikh & Simoncelli 2004: the mean over all windows of 11×11 pixels, weighted by a Gaussian of σ
    // 1.5, that are wholly among the pixels compared, K₁ = 0.01, K₂ = 0.03, L = peak; by channel, then the mean. NaN if
    // no window fits.
    double ssim = 0;
    int64_t pixels = 0;              // compared
    int64_t left_out = 0;            // of those requested: not finite on either side
    int worst_x = -1, worst_y = -1;  // pixel of max_abs; −1 if none was compared
};

// As many rows as windows of SSIM have above their last one.
inline constexpr int rows_seen_twice = 10;

// Two pictures that are compared, in memory of the backend, rows packed.
struct PicturePair {
    ValuePlane values = {}, reference = {};
    int width = 0, height = 0, channels = 1;
    int pixel_values =
        0;            // from one pixel to the next, at least `channels`: further ones are not compared; 0: channels
    double peak = 1;  // of the values: 1 for images of integers
};

TS_HD size_t pixel_step(const PicturePair& p) { return size_t(p.pixel_values > 0 ? p.pixel_values : p.channels); }
TS_HD size_t value_index(const PicturePair& p, int x, int y) {
    return (size_t(y) * size_t(p.width) + size_t(x)) * pixel_step(p);
}

struct MeasureJob : PicturePair {
    bool with_ssim = true;

    // A band of a larger picture: its first row is that row of the picture, from which positions and worst_y are counted. The
    // band before has counted the first `seen_rows`, at most rows_seen_twice of them: they only complete windows of SSIM. The
    // sums of all bands, joined, are those of the picture, to rounding.
    int first_row = 0, seen_rows = 0;

    // Only pixels whose position is in the region: x0 ≤ x < x1, y0 ≤ y < y1, where x, y = positions(i, j). A signal has
    // no y.
    struct Selection {
        Affine positions;
        double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
        bool x_only = false;

        bool operator==(const Selection&) const = default;
    };
    std::optional<Selection> selection = {};

    std::optional<Interior> inside = {};  // a part whose figures are wanted as well; not of a band
};

// Threaded. Sums are joined in a fixed order: the same job gives the same figures. Throws OutOfMemory.
ComparisonSums compare_on_cpu(const MeasureJob& job);

// Compares in device memory, `sums` included; enqueued. `scratch` has comparison_scratch_bytes. Throws Error.
size_t comparison_scratch_bytes(const MeasureJob& job);
void compare_on_cuda(const MeasureJob& job, ComparisonSums* sums, void* scratch, CUstream_st* stream);

// The figures of a job that was compared; does not read its values.
Metrics metrics_of(const MeasureJob& job, const ComparisonSums& sums);

// The figures of the part inside: only its pixels, and the windows that are wholly in it.
Metrics inside_metrics_of(const MeasureJob& job, const ComparisonSums& sums);

// A job's SSIM around each pixel, taken from 1, the mean of the channels: one number per pixel, NaN where the window of
// which the pixel is the centre does not fit. The figures' mean of a MeasureJob is 1 less the mean of these. Throws
// OutOfMemory.
void ssim_map_on_cpu(const MeasureJob& job, float* map);
void ssim_map_on_cuda(const MeasureJob& job, float* map, void* scratch, CUstream_st* stream);

}  // namespace texelscope
