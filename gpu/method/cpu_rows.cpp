#include "gpu/method/resample.h"

namespace texelscope::detail {
namespace {

template <class Evaluator>
void resample_rows_with(const Evaluator& evaluate, const ResampleJob& job, int first, int last) {
    constexpr int C = decltype(evaluate.source)::channels;
    for (int j = first; j < last; ++j)
        for (int i = 0; i < job.output.width; ++i) resample_pixel<C>(evaluate, job, i, j);
}

}  // namespace

template <int taps, int fetches>
void resample_rows_by(const MethodByFunctions<taps, fetches>& method, const ResampleJob& job, int first, int last) {
    using Method = MethodByFunctions<taps, fetches>;
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

template void resample_rows_by(const MethodByFunctions<1, 0>&, const ResampleJob&, int, int);
template void resample_rows_by(const MethodByFunctions<2, 1>&, const ResampleJob&, int, int);
template void resample_rows_by(const MethodByFunctions<4, 2>&, const ResampleJob&, int, int);
template void resample_rows_by(const MethodByFunctions<4, 3>&, const ResampleJob&, int, int);
template void resample_rows_by(const MethodByFunctions<6, 3>&, const ResampleJob&, int, int);
template void resample_rows_by(const MethodByFunctions<6, 5>&, const ResampleJob&, int, int);
template void resample_rows_by(const MethodByFunctions<8, 4>&, const ResampleJob&, int, int);
template void resample_rows_by(const MethodByFunctions<8, 7>&, const ResampleJob&, int, int);

}  // namespace texelscope::detail
