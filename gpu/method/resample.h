#pragma once
// What a method's file needs: described_by<Method>() instantiates the CPU's loop over rows and the CUDA kernels.

#include <vector>

#include "gpu/method/cpu_rows.h"
#include "gpu/method/method_info.h"

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

// Fills in the functions of a method's record.
template <class Method> MethodInfo described_by(MethodInfo info) {
    static_assert(Method::taps <= 8, "max_widened_taps in widened.h has room for eight taps");
    info.taps = Method::taps;
    info.hardware_fetches = Method::fetches > 0 ? Method::fetches : 1;
    info.weight = [](double x, const MethodParameters& parameters) { return detail::made<Method>(parameters).weight(x); };
    if constexpr (requires(const Method& method) { method.slope(0.0); })
        info.slope = [](double x, const MethodParameters& parameters) { return detail::made<Method>(parameters).slope(x); };
    info.tap_weights = detail::tap_weights<Method>;
    info.filtered_fetches = detail::filtered_fetches<Method>;
    info.resample_rows = detail::resample_rows<Method>;
#if defined(__CUDACC__)
    info.launch = detail::launch<Method>;
#else
    info.launch = nullptr;
#endif
    return info;
}

}  // namespace texelscope
