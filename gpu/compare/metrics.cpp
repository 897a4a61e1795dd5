#include "gpu/compare/metrics.h"

#include <cmath>
#include <limits>

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

}  // namespace texelscope
