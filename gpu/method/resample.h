#pragma once
// What a method's file needs: described_by<Method>() instantiates the CPU's loop over rows and finds the CUDA kernels.

#include <utility>
#include <vector>

#include "gpu/method/axis_weights.h"
#include "gpu/method/method_info.h"
#include "gpu/method/resample_pixel.h"

#if defined(__CUDACC__)
#include "gpu/method/cuda_launch.h"
#endif

namespace texelscope {

// Runs a method over rows of an output on the calling thread, each pixel separately: any job, by the most readable
// code. cpu_vector.h has faster code, which reads the same texels.

namespace detail {

// A method as evaluate.h defines it, by pointers to its functions: the CPU's loops are compiled once for all methods with
// as many taps and fetches, in cpu_rows.cpp. Refers to the method.
template <int taps_, int fetches_> struct MethodByFunctions {
    static constexpr int taps = taps_, fetches = fetches_;

    const void* method;
    void (*weights_of)(const void* method, float t, float* w);
    void (*groups_of)(const void* method, float t, float* offset, float* weight);

    void weights(float t, float (&w)[taps]) const { weights_of(method, t, w); }
    void groups(float t, float* offset, float* weight) const { groups_of(method, t, offset, weight); }
};

template <int taps, int fetches>
void resample_rows_by(const MethodByFunctions<taps, fetches>& method, const ResampleJob& job, int first, int last);

template <class Method> void resample_rows(const Method& method, const ResampleJob& job, int first, int last) {
    MethodByFunctions<Method::taps, Method::fetches> functions{&method, nullptr, nullptr};
    functions.weights_of = [](const void* self, float t, float* w) {
        static_cast<const Method*>(self)->weights(t, *reinterpret_cast<float(*)[Method::taps]>(w));
    };
    if constexpr (Method::fetches > 0)
        functions.groups_of = [](const void* self, float t, float* offset, float* weight) {
            using Fetches = float(*)[Method::fetches];
            static_cast<const Method*>(self)->groups(t, *reinterpret_cast<Fetches>(offset),
                                                     *reinterpret_cast<Fetches>(weight));
        };
    resample_rows_by(functions, job, first, last);
}

}  // namespace detail

// Kernels that methods share by their number of taps; compiled once, by cuda_shared.h. No CUDA header here.

struct DeviceQueue;
struct KernelChoice;
struct ResampleJob;

// MethodInfo::launch for a method with these taps and fetches along each axis, for weights of that many taps.
template <int taps, int fetches>
void launch_shared(const ResampleJob& job, const KernelChoice& choice, const AxisWeights& weights,
                   const DeviceQueue& queue);

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

// What hardware_note says of 4, 6 or 8 taps of which only the two middle ones can share a fetch.
constexpr std::string_view middle_pair_note(int taps) {
    return taps == 4 ? "Nine fetches with linear filtering: the two middle weights share one; the outer ones are "
                       "negative and cannot. Each fetch has an 8-bit fraction."
           : taps == 6
               ? "25 fetches with linear filtering instead of 36 taps: only the two middle weights have the same "
                 "sign and share a fetch. Each fetch has an 8-bit fraction."
               : "49 fetches with linear filtering instead of 64 taps: only the two middle weights have the same "
                 "sign and share a fetch. Each fetch has an 8-bit fraction.";
}

// shared: those of all methods with the same number of taps, with weights fitted to the float64 weight function. own:
// compiled for this method, with its own float32 weights; such files are listed in gpu/CMakeLists.txt.
enum class CudaKernels { shared, own };

// Fills in the functions of a record whose weights always come from a table: of a method that has only the functions in
// float64.
template <class Method> MethodInfo described_by_table(MethodInfo info) {
    info.taps = Method::taps;
    if constexpr (requires { Method::radius; }) info.radius = Method::radius;
    info.weight = [](double x, const MethodParameters& parameters) {
        return detail::made<Method>(parameters).weight(x);
    };
    if constexpr (requires(const Method& method) { method.undivided(0.0); })
        info.undivided = [](double x, const MethodParameters& parameters) {
            return detail::made<Method>(parameters).undivided(x);
        };
    if constexpr (requires(const Method& method) { method.slope(0.0); })
        info.slope = [](double x, const MethodParameters& parameters) {
            return detail::made<Method>(parameters).slope(x);
        };
    info.tap_weights = [](float t, const MethodParameters& parameters) {
        std::vector<float> weights;
        for (int k = 0; k < Method::taps; ++k)
            weights.push_back(float(detail::made<Method>(parameters).weight(double(t) + (Method::taps - 1) / 2 - k)));
        return weights;
    };
    info.filtered_fetches = [](float, const MethodParameters&) { return std::vector<FilteredFetch>(); };
    return info;
}

// Fills in the functions of a method's record.
template <class Method, CudaKernels kernels = CudaKernels::shared> MethodInfo described_by(MethodInfo record) {
    static_assert(Method::taps <= most_unrolled_taps, "its weights come from a table: described_by_table<Method>()");
    MethodInfo info = described_by_table<Method>(std::move(record));
    info.hardware_fetches = Method::fetches > 0 ? Method::fetches : 1;
    info.tap_weights = detail::tap_weights<Method>;
    info.filtered_fetches = detail::filtered_fetches<Method>;
    info.resample_rows = [](const ResampleJob& job, int first, int last) {
        detail::resample_rows(detail::made<Method>(job.spec.parameters), job, first, last);
    };
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
