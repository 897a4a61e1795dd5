// Metrics on the host: threads over rows, whose sums are joined in the order of the rows.

#include <new>
#include <vector>

#include "gpu/compare/compared_pixel.h"
#include "gpu/compare/cpu_ssim.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope {
namespace {

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

}  // namespace texelscope
