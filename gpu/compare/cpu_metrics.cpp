// Metrics on the host: threads over rows, whose sums are joined in the order of the rows.

#include <algorithm>
#include <new>
#include <vector>

#include "gpu/compare/compared_pixel.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope {
namespace {

using Mask = std::vector<unsigned char>;  // 1: compared

// Rows of windows that are computed together from pixels converted once.
constexpr int strip = 32;

class SsimStrips {
public:
    SsimStrips(const MeasureJob& job, const Mask& mask)
        : job_(job), planes_(planes_of(job)), mask_(mask), window_(ssim_window()), width_(size_t(job.width)) {}

    int count() const { return (job_.height - ssim_taps + strip) / strip; }

    // Of the windows whose first rows belong to this strip.
    SsimSums sums(int number) const {
        const int first = number * strip, last = std::min(first + strip, job_.height - ssim_taps + 1);
        SsimSums sums;
        std::vector<double> a(width_ * size_t(last - first + ssim_taps - 1)), r(a.size()), columns(width_ * 5),
            windows(width_ * 5);
        for (int c = 0; c < job_.channels; ++c) {
            load(first, last + ssim_taps - 1, c, a, r);
            for (int row = first; row < last; ++row) {
                const std::vector<unsigned char> fits = windows_that_fit(row);
                if (std::find(fits.begin(), fits.end(), 1) == fits.end()) continue;
                filter_columns(a.data() + size_t(row - first) * width_, r.data() + size_t(row - first) * width_,
                               columns);
                filter_row(columns, windows);
                add_windows(fits, windows, sums);
            }
        }
        return sums;
    }

private:
    // Pixels that are not compared are zero.
    void load(int first, int last, int channel, std::vector<double>& a, std::vector<double>& r) const {
        size_t k = 0;
        for (int row = first; row < last; ++row)
            for (int i = 0; i < job_.width; ++i, ++k) {
                const bool compared = mask_[size_t(row) * width_ + size_t(i)];
                const size_t at = value_index(planes_, i, row) + size_t(channel);
                a[k] = compared ? plane_value(job_.values, at) : 0;
                r[k] = compared ? plane_value(job_.reference, at) : 0;
            }
    }

    // By first pixel: whether all 121 are compared.
    std::vector<unsigned char> windows_that_fit(int row) const {
        std::vector<unsigned char> column(width_, 1), fits(width_, 0);
        for (int k = 0; k < ssim_taps; ++k)
            for (size_t i = 0; i < width_; ++i) column[i] &= mask_[size_t(row + k) * width_ + i];
        int run = 0;
        for (size_t i = 0; i < width_; ++i) {
            run = column[i] ? run + 1 : 0;
            if (run >= ssim_taps) fits[i - (ssim_taps - 1)] = 1;
        }
        return fits;
    }

    // The five moments of each column of eleven pixels, one after the other.
    void filter_columns(const double* a, const double* r, std::vector<double>& columns) const {
        std::fill(columns.begin(), columns.end(), 0.0);
        double *mean_a = columns.data(), *mean_r = mean_a + width_, *aa = mean_r + width_, *rr = aa + width_,
               *ar = rr + width_;
        for (int k = 0; k < ssim_taps; ++k, a += width_, r += width_) {
            const double w = window_.weight[k];
            for (size_t i = 0; i < width_; ++i) {
                const double weighted_a = w * a[i], weighted_r = w * r[i];
                mean_a[i] += weighted_a;
                mean_r[i] += weighted_r;
                aa[i] += weighted_a * a[i];
                rr[i] += weighted_r * r[i];
                ar[i] += weighted_a * r[i];
            }
        }
    }

    // Along the row: moments of whole windows, by first pixel.
    void filter_row(const std::vector<double>& columns, std::vector<double>& windows) const {
        std::fill(windows.begin(), windows.end(), 0.0);
        for (size_t n = 0; n < 5; ++n)
            for (size_t k = 0; k < ssim_taps; ++k) {
                const double w = window_.weight[k], *column = columns.data() + n * width_ + k;
                double* sum = windows.data() + n * width_;
                for (size_t i = 0; i + ssim_taps <= width_; ++i) sum[i] += w * column[i];
            }
    }

    void add_windows(const std::vector<unsigned char>& fits, const std::vector<double>& windows, SsimSums& sums) const {
        const double* m = windows.data();
        for (size_t i = 0; i + ssim_taps <= width_; ++i) {
            if (!fits[i]) continue;
            const Moments at{{m[i], m[width_ + i], m[2 * width_ + i], m[3 * width_ + i], m[4 * width_ + i]}};
            sums.ssim += ssim_of(at, job_.peak);
            ++sums.windows;
        }
    }

    const MeasureJob& job_;
    ComparedPlanes planes_;
    const Mask& mask_;
    SsimWindow window_;
    size_t width_;
};

ErrorSums errors_of_row(const ComparedPlanes& planes, int row, unsigned char* mask) {
    ErrorSums sums;
    for (int i = 0; i < planes.width; ++i) {
        double error = 0;
        const Compared compared = compare_pixel(planes, i, row, sums.squares, error);
        sums.add(compared, error, (long long)row * planes.width + i);
        mask[i] = compared == Compared::yes;
    }
    return sums;
}

}  // namespace

ComparisonSums compare_on_cpu(const MeasureJob& job) try {
    const ComparedPlanes planes = planes_of(job);
    Mask mask(size_t(job.width) * size_t(job.height));
    std::vector<ErrorSums> of_rows(size_t(job.height));
    parallel_for(work::errors, job.height, 8, [&](int j) {
        of_rows[size_t(j)] = errors_of_row(planes, j, mask.data() + size_t(j) * size_t(job.width));
    });
    ComparisonSums all;
    for (const ErrorSums& row : of_rows) all.errors.join(row);

    if (job.with_ssim && job.width >= ssim_taps && job.height >= ssim_taps) {
        const SsimStrips strips(job, mask);
        std::vector<SsimSums> sums(size_t(strips.count()));
        parallel_for(work::ssim, strips.count(), 1, [&](int k) { sums[size_t(k)] = strips.sums(k); });
        for (const SsimSums& part : sums) all.ssim.ssim += part.ssim, all.ssim.windows += part.windows;
    }
    return all;
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the comparison");
}

}  // namespace texelscope
