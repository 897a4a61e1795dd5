// Pixels with taps of their own on the CPU: rotated and warped views and points by recipes.

#include "gpu/backend/cpu_backend.h"
#include "gpu/method/long_sums.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace {

LongTapsView view_of(const LongTaps& taps) {
    return {taps.first.data(), taps.weights.data(), taps.taps, taps.pixels(), 1, size_t(taps.taps)};
}

template <class Sample, int stored, bool y_first, Sums first, Sums second>
void write_rows(const ResampleJob& job, const LongTapsView& x, const LongTapsView& y, const LongPasses& passes) {
    using Source = LinearSource<Sample, stored>;
    const Source source(job.source);
    for_pieces_of_rows(work::tabulated, job.output.height, [&](int from, int to) {
        for (int j = from; j < to; ++j)
            for (int i = 0; i < job.output.width; ++i)
                detail::write_point_sum<Source::channels, y_first, first, second>(source, job, passes, x, y, i, j);
    });
}

}  // namespace

void resample_points_by_taps_on_cpu(const ResampleJob& job, const LongTaps& x, const LongTaps& y,
                                    const LongPasses& passes) {
    const SumsOfPasses sums(passes, passes.y_first ? y : x, passes.y_first ? x : y);
    const bool real_first = sums.first == Sums::real, real_second = sums.second == Sums::real;
    const LongTapsView along_x = view_of(x), along_y = view_of(y);
    detail::for_stored_type(job.source, [&]<class Sample, int C>() {
        constexpr Sums real = Sums::real, whole = Sums::whole64;
        const auto in_order = [&]<bool y_first>() {
            if (real_first && real_second) write_rows<Sample, C, y_first, real, real>(job, along_x, along_y, passes);
            else if (real_first) write_rows<Sample, C, y_first, real, whole>(job, along_x, along_y, passes);
            else if (real_second) write_rows<Sample, C, y_first, whole, real>(job, along_x, along_y, passes);
            else write_rows<Sample, C, y_first, whole, whole>(job, along_x, along_y, passes);
        };
        if (passes.y_first) in_order.template operator()<true>();
        else in_order.template operator()<false>();
    });
}

}  // namespace texelscope
