// ΔE2000 on the host: differences by threads over rows, added up in the order of the pixels.

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include "gpu/compare/delta_e.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/core/profiler.h"

namespace texelscope {
namespace {

// The value of this rank, from 0.
double of_rank(const ColourSums& sums, long long rank) {
    long long before = 0;
    for (int bin = 0; bin < colour_bins; ++bin)
        if ((before += sums.bins[bin]) > rank) return bin * colour_step;
    return colour_bins * colour_step;
}

void add(ColourSums& sums, double difference) {
    sums.sum += difference;
    ++sums.pixels;
    ++sums.bins[colour_bin(difference)];
}

}  // namespace

ColourFigures figures_of(const ColourSums& sums) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (sums.pixels == 0) return {none, none};
    const double rank = 0.95 * double(sums.pixels - 1), below = of_rank(sums, (long long)rank);
    const double above = of_rank(sums, std::min((long long)rank + 1, sums.pixels - 1));
    return {sums.sum / double(sums.pixels), below + (rank - std::floor(rank)) * (above - below)};
}

void compare_colours_on_cpu(const ColourJob& job, BothColours* sums) try {
    const ComparedColours planes = planes_of(job);
    std::vector<float> differences(size_t(job.row_count) * size_t(job.width));
    parallel_for(work::colours, job.row_count, 1, [&](int k) {
        float* row = differences.data() + size_t(k) * size_t(job.width);
        for (int x = 0; x < job.width; ++x) row[x] = float(colour_difference(planes, k, x));
    });
    *sums = {};
    for (int k = 0; k < job.row_count; ++k)
        for (int x = 0; x < job.width; ++x) {
            const float difference = differences[size_t(k) * size_t(job.width) + size_t(x)];
            if (std::isnan(difference)) continue;
            add(sums->all, difference);
            if (job.inside && job.inside->contains(x, job.rows[k], {job.width, job.height}))
                add(sums->inside, difference);
        }
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the comparison of colours");
}

}  // namespace texelscope
