#include "gpu/method/polar.h"

namespace texelscope {

void resample_polar_rows(const PolarJob& polar, int first, int last) {
    const ResampleJob& job = polar.job;
    detail::for_stored_type(job.source, [&]<class Sample, int C>() {
        using Source = LinearSource<Sample, C>;
        const Source source(job.source);
        for (int j = first; j < last; ++j)
            for (int i = 0; i < job.output.width; ++i) detail::polar_pixel<Source::channels>(source, polar, i, j);
    });
}

}  // namespace texelscope
