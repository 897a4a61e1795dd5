#pragma once
// Runs a method over rows of an output on the calling thread, each pixel separately: any job, by the most readable
// code. cpu_vector.h has faster code, which reads the same texels.

#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace detail {

template <class Evaluator>
void resample_rows_with(const Evaluator& evaluate, const ResampleJob& job, int first, int last) {
    constexpr int C = decltype(evaluate.source)::channels;
    for (int j = first; j < last; ++j)
        for (int i = 0; i < job.output.width; ++i) resample_pixel<C>(evaluate, job, i, j);
}

template <class Method> void resample_rows(const ResampleJob& job, int first, int last) {
    const Method method = made<Method>(job.spec.parameters);
    for_stored_type(job.source, [&]<class Sample, int C>() {
        if (job.path() == FetchPath::hardware) {
            using Source = EmulatedTextureSource<Sample, C>;
            resample_rows_with(FilterEvaluator<Method, Source>{method, Source(job.source)}, job, first, last);
        } else {
            using Source = LinearSource<Sample, C>;
            resample_rows_with(TapEvaluator<Method, Source>{method, Source(job.source)}, job, first, last);
        }
    });
}

}  // namespace detail
}  // namespace texelscope
