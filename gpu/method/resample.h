#pragma once
// What a method's file needs: described_by<Method>() instantiates the CPU's loop over rows and finds the CUDA kernels.

#include <vector>

#include "gpu/method/cpu_rows.h"
#include "gpu/method/method_info.h"
#include "gpu/method/shared_kernels.h"

#if defined(__CUDACC__)
#include "gpu/method/cuda_launch.h"
#endif

namespace texelscope {
namespace detail {

template <class Method> std::vector<float> tap_weights(float t, const MethodParameters& parameters) {
    float w[Method::taps];
    made<Method>(parameters).weights(t, w);
    return {w, w + Method::taps};
}

template <class Method> std::vector<FilteredFetch> filtered_fetches(float t, const MethodParameters& parameters) {
    std::vector<FilteredFetch> fetches;
    if constexpr (Method::fetches > 0) {
        float offset[Method::fetches], weight[Method::fetches];
        made<Method>(parameters).groups(t, offset, weight);
        for (int i = 0; i < Method::fetches; ++i) fetches.push_back({offset[i], weight[i]});
    }
    return fetches;
}

}  // namespace detail

// shared: those of all methods with the same number of taps, with weights fitted to the float64 weight function. own:
// compiled for this method, with its own float32 weights; such files are listed in gpu/CMakeLists.txt.
enum class CudaKernels { shared, own };

// Fills in the functions of a method's record.
template <class Method, CudaKernels kernels = CudaKernels::shared> MethodInfo described_by(MethodInfo info) {
    static_assert(Method::taps <= 8, "max_widened_taps in widened.h has room for eight taps");
    info.taps = Method::taps;
    info.hardware_fetches = Method::fetches > 0 ? Method::fetches : 1;
    info.weight = [](double x, const MethodParameters& parameters) {
        return detail::made<Method>(parameters).weight(x);
    };
    if constexpr (requires(const Method& method) { method.slope(0.0); })
        info.slope = [](double x, const MethodParameters& parameters) {
            return detail::made<Method>(parameters).slope(x);
        };
    info.tap_weights = detail::tap_weights<Method>;
    info.filtered_fetches = detail::filtered_fetches<Method>;
    info.resample_rows = detail::resample_rows<Method>;
#if TEXELSCOPE_WITH_CUDA
    if constexpr (kernels == CudaKernels::shared) {
        info.launch = launch_shared<Method::taps, Method::fetches>;
    } else {
#if defined(__CUDACC__)
        info.launch = [](const ResampleJob& job, const KernelChoice& choice, const AxisWeights&,
                         const DeviceQueue& queue) {
            const auto method = detail::made<Method>(job.spec.parameters);
            detail::launch(method, method, job, choice, queue);
        };
#else
        static_assert(kernels == CudaKernels::shared, "name the file under own_kernels in gpu/CMakeLists.txt");
#endif
    }
#endif
    return info;
}

}  // namespace texelscope
