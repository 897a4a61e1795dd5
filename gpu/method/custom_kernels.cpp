#include "gpu/method/custom_kernels.h"

#include "gpu/core/errors.h"
#include "gpu/method/cpu_rows.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/fitted.h"
#include "gpu/method/shared_kernels.h"

namespace texelscope {
namespace {

// Calls visit.template operator()<taps, fetches>().
template <class Visit> auto with_shape(const CustomWeights& weights, Visit visit) {
    const bool pairs = 2 * weights.kernel_fetches() == weights.shared.taps;
    switch (weights.shared.taps) {
        case 2: return visit.template operator()<2, 1>();
        case 4: return pairs ? visit.template operator()<4, 2>() : visit.template operator()<4, 3>();
        case 6: return pairs ? visit.template operator()<6, 3>() : visit.template operator()<6, 5>();
        case 8: return pairs ? visit.template operator()<8, 4>() : visit.template operator()<8, 7>();
        default: throw Error("these weights come from pieces, not from polynomials that methods share");
    }
}

}  // namespace

std::vector<FilteredFetch> custom_fetches(const CustomWeights& weights, float t) {
    return with_shape(weights, [&]<int taps, int fetches>() {
        float offset[fetches], weight[fetches];
        FittedFetches<taps, fetches>(weights.shared).groups(t, offset, weight);
        std::vector<FilteredFetch> result;
        for (int i = 0; i < fetches; ++i) result.push_back({offset[i], weight[i]});
        return result;
    });
}

void resample_custom_rows(const CustomWeights& weights, const ResampleJob& job, int first, int last) {
    with_shape(weights, [&]<int taps, int fetches>() {
        using Method = FittedFetches<taps, fetches>;
        const Method method(weights.shared);
        detail::for_stored_type(job.source, [&]<class Sample, int C>() {
            if (job.path() == FetchPath::hardware) {
                using Source = EmulatedTextureSource<Sample, C>;
                detail::resample_rows_with(detail::FilterEvaluator<Method, Source>{method, Source(job.source)}, job,
                                           first, last);
            } else {
                using Source = LinearSource<Sample, C>;
                detail::resample_rows_with(detail::TapEvaluator<Method, Source>{method, Source(job.source)}, job, first,
                                           last);
            }
        });
    });
}

#if TEXELSCOPE_WITH_CUDA
void launch_custom(const CustomWeights& weights, const ResampleJob& job, const KernelChoice& choice,
                   const AxisWeights& shared, const DeviceQueue& queue) {
    with_shape(weights, [&]<int taps, int fetches>() { launch_shared<taps, fetches>(job, choice, shared, queue); });
}
#endif

}  // namespace texelscope
