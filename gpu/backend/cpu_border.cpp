#include "gpu/backend/cpu_border.h"

#include "gpu/backend/cpu_pieces.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {

void minus_on_cpu(const MinusJob& job) {
    detail::for_stored_type(job.samples, [&]<class Sample, int C>() {
        for_pieces_of_rows(work::border, job.samples.height, [&](int first, int last) {
            for (int y = first; y < last; ++y)
                for (int x = 0; x < job.samples.width; ++x) write_difference<Sample, C>(job, x, y);
        });
    });
}

void add_border_on_cpu(const BorderJob& job) {
    for_border_channels(job, [&]<int C>() {
        for_pieces_of_rows(work::border, job.job.output.height, [&](int first, int last) {
            for (int j = first; j < last; ++j)
                for (int i = 0; i < job.job.output.width; ++i) write_with_border<C>(job, i, j);
        });
    });
}

}  // namespace texelscope
