// Metrics on the host: threads over rows, whose sums are joined in the order of the rows.

#include <algorithm>
#include <exception>
#include <new>
#include <vector>

#include "gpu/compare/compared_pixel.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

// Calls work(row) for all rows. Throws OutOfMemory.
template <class Work> void for_rows(int rows, Work work) {
    std::exception_ptr failure;  // an exception must not leave a parallel region
#pragma omp parallel for schedule(dynamic, 8)
    for (int row = 0; row < rows; ++row) {
        try {
            work(row);
        } catch (const std::bad_alloc&) {
#pragma omp critical
            failure = std::make_exception_ptr(OutOfMemory("no memory for the comparison"));
        }
    }
    if (failure) std::rethrow_exception(failure);
}

using Mask = std::vector<unsigned char>;  // 1: compared

// How many of eleven rows from `row` on are compared at each column, and whether all in a window are.
std::vector<unsigned char> window_fits(const Mask& mask, int width, int row) {
    std::vector<unsigned char> column(size_t(width), 1), fits(size_t(width), 0);
    for (int k = 0; k < ssim_taps; ++k)
        for (int i = 0; i < width; ++i) column[size_t(i)] &= mask[size_t(row + k) * size_t(width) + size_t(i)];
    for (int i = 0, run = 0; i < width; ++i) {
        run = column[size_t(i)] ? run + 1 : 0;
        if (run >= ssim_taps) fits[size_t(i - ssim_taps + 1)] = 1;
    }
    return fits;
}

class SsimRows {
public:
    SsimRows(const MeasureJob& job, const Mask& mask)
        : job_(job), planes_(planes_of(job)), mask_(mask), window_(ssim_window()) {}

    // Of the windows whose first row this is.
    SsimSums row(int row) const {
        SsimSums sums;
        const int width = job_.width;
        const std::vector<unsigned char> fits = window_fits(mask_, width, row);
        if (std::find(fits.begin(), fits.end(), 1) == fits.end()) return sums;
        std::vector<double> columns(size_t(width) * 5);
        for (int c = 0; c < job_.channels; ++c) {
            filter_columns(row, c, columns);
            for (int i = 0; i + ssim_taps <= width; ++i) {
                if (!fits[size_t(i)]) continue;
                sums.ssim += ssim_of(filtered_row(columns, i), job_.peak);
                ++sums.windows;
            }
        }
        return sums;
    }

private:
    // The five moments of each column, one after the other; zero where a pixel is not compared.
    void filter_columns(int row, int channel, std::vector<double>& columns) const {
        const size_t width = size_t(job_.width);
        std::fill(columns.begin(), columns.end(), 0.0);
        for (int k = 0; k < ssim_taps; ++k) {
            const double w = window_.weight[k];
            const unsigned char* compared = mask_.data() + size_t(row + k) * width;
            for (size_t i = 0; i < width; ++i) {
                if (!compared[i]) continue;
                const size_t at = value_index(planes_, int(i), row + k) + size_t(channel);
                const double a = plane_value(job_.values, at), r = plane_value(job_.reference, at);
                columns[i] += w * a;
                columns[width + i] += w * r;
                columns[2 * width + i] += w * a * a;
                columns[3 * width + i] += w * r * r;
                columns[4 * width + i] += w * a * r;
            }
        }
    }

    Moments filtered_row(const std::vector<double>& columns, int first) const {
        Moments m{};
        for (int n = 0; n < 5; ++n) {
            const double* column = columns.data() + size_t(n) * size_t(job_.width) + first;
            for (int k = 0; k < ssim_taps; ++k) m.v[n] += window_.weight[k] * column[k];
        }
        return m;
    }

    const MeasureJob& job_;
    ComparedPlanes planes_;
    const Mask& mask_;
    SsimWindow window_;
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

Metrics measure_on_cpu(const MeasureJob& job) try {
    const ComparedPlanes planes = planes_of(job);
    Mask mask(size_t(job.width) * size_t(job.height));
    std::vector<ErrorSums> of_rows(size_t(job.height));
    for_rows(job.height, [&](int j) {
        of_rows[size_t(j)] = errors_of_row(planes, j, mask.data() + size_t(j) * size_t(job.width));
    });
    ErrorSums errors;
    for (const ErrorSums& row : of_rows) errors.join(row);

    SsimSums ssim;
    if (job.with_ssim && job.width >= ssim_taps && job.height >= ssim_taps) {
        const SsimRows rows(job, mask);
        std::vector<SsimSums> sums(size_t(job.height - ssim_taps + 1));
        for_rows(int(sums.size()), [&](int j) { sums[size_t(j)] = rows.row(j); });
        for (const SsimSums& row : sums) ssim.ssim += row.ssim, ssim.windows += row.windows;
    }
    return metrics_of(job, errors, ssim);
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the comparison");
}

}  // namespace texelscope
