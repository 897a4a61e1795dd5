#include "gpu/backend/cpu_folded.h"

#include <algorithm>
#include <cmath>

#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

// Taps in float64, of which an axis may need different numbers.
struct LongTaps {
    int first = 0;
    std::vector<double> weights;

    void add(int index, double weight) { weights[size_t(index - first)] += weight; }
};

// Without the ends that do not matter.
LongTaps trimmed(LongTaps taps) {
    constexpr double least = 0x1p-26;
    const auto matters = [](double weight) { return std::abs(weight) > least; };
    const auto end = std::find_if(taps.weights.rbegin(), taps.weights.rend(), matters).base();
    const auto begin = std::find_if(taps.weights.begin(), end, matters);
    if (begin == end) return {taps.first, {0}};
    return {taps.first + int(begin - taps.weights.begin()), {begin, end}};
}

AxisTaps joined(const std::vector<LongTaps>& all, std::vector<PixelPlace> places) {
    AxisTaps result;
    result.places = std::move(places);
    for (const LongTaps& taps : all) result.taps = std::max(result.taps, int(taps.weights.size()));
    result.weights.assign(all.size() * size_t(result.taps), 0.0f);
    for (size_t n = 0; n < all.size(); ++n) {
        result.first.push_back(all[n].first);
        float* weights = result.weights.data() + n * size_t(result.taps);
        for (size_t k = 0; k < all[n].weights.size(); ++k) weights[k] = float(all[n].weights[k]);
    }
    return result;
}

// b(0), b(1), … until float32 does not resolve them.
std::vector<double> response_of(const PrefilterKernel& kernel) {
    if (!kernel.recursive) return {kernel.taps.begin(), kernel.taps.begin() + kernel.half_taps + 1};
    std::vector<double> response(size_t(kernel.horizon_float) + 1, 0.0);
    for (size_t k = 0; k < response.size(); ++k)
        for (int p = 0; p < kernel.poles; ++p)
            response[k] += kernel.gain[size_t(p)] * std::pow(kernel.pole[size_t(p)], double(k));
    return response;
}

template <class Fold> AxisTaps folded(const AxisTaps& outer, Fold fold) {
    std::vector<LongTaps> all;
    const size_t taps = size_t(outer.taps), count = outer.weights.size() / taps;
    for (size_t n = 0; n < count; ++n) all.push_back(trimmed(fold(outer.first[n], outer.weights.data() + n * taps)));
    return joined(all, outer.places);
}

bool extends_evenly(AddressMode mode) { return mode == AddressMode::clamp || mode == AddressMode::border; }

// A prefilter that acts, and whose coefficients are not rounded.
bool has_prefilter(const Resampling& request) {
    return request.reading.prefiltered && request.spec.effective_prefilter().kind != Prefilter::Kind::none;
}

}  // namespace

bool is_folded(const TexelArray& samples, const Resampling& request) {
    constexpr double least_stretch = 2;  // below, many more samples than coefficients would be read
    const ReadPlan& reading = request.reading;
    const bool integers = samples.type == SampleType::u8 || samples.type == SampleType::u16;  // none is NaN
    if (!integers || request.spec.method->custom || is_polar(*request.spec.method) || samples.one_dimensional ||
        request.simple || request.points.x || reading.local_stretch || request.derivative != Derivative::none ||
        !reading.positions.axis_aligned())
        return false;
    if (has_prefilter(request))
        return reading.level == Level{} && !request.spec.prefilter.half_float &&
               std::min(reading.stretch_x, reading.stretch_y) >= least_stretch;
    const AddressPair& address = request.spec.address;
    return reading.level == Level{1, 1} && reading.widened() && extends_evenly(address.x) && extends_evenly(address.y);
}

AxisTaps with_prefilter(const AxisTaps& of_coefficients, const PrefilterKernel& kernel) {
    const std::vector<double> response = response_of(kernel);
    const int reach = int(response.size()) - 1, count = of_coefficients.taps;
    return folded(of_coefficients, [&](int first, const float* weights) {
        LongTaps taps{first - reach, std::vector<double>(size_t(count + 2 * reach), 0.0)};
        for (int k = 0; k < count; ++k)
            for (int m = -reach; m <= reach; ++m)
                taps.add(first + k + m, double(weights[k]) * response[size_t(std::abs(m))]);
        return taps;
    });
}

AxisTaps with_reduction(const AxisTaps& of_level, AddressMode mode, const AxisTaps& reduction, int level_samples) {
    const int count = of_level.taps;
    return folded(of_level, [&](int first, const float* weights) {
        const int low = std::clamp(first, 0, level_samples - 1),
                  high = std::clamp(first + count - 1, 0, level_samples - 1);
        const int begin = reduction.first[size_t(low)], end = reduction.first[size_t(high)] + reduction.taps;
        LongTaps taps{begin, std::vector<double>(size_t(end - begin), 0.0)};
        for (int k = 0; k < count; ++k) {
            const int sample = addressed(mode, first + k, level_samples);
            if (sample < 0) continue;
            const float* finer = reduction.weights.data() + size_t(sample) * size_t(reduction.taps);
            for (int m = 0; m < reduction.taps; ++m)
                taps.add(reduction.first[size_t(sample)] + m, double(weights[k]) * finer[m]);
        }
        return taps;
    });
}

AxisTaps folded_taps(Axis axis, const TabulatedJob& view, const ReadPlan& reading, const TabulatedJob& reduction,
                     const simd::Kernels& kernels) {
    const MethodSpec& spec = view.job.spec;
    if (reading.level == Level{})
        return with_prefilter(taps_along(axis, view, kernels),
                              prefilter_kernel(spec.effective_prefilter(), spec.method->poles));
    TabulatedJob on_level = view;
    on_level.job.source.width = reduction.job.output.width;
    on_level.job.source.height = reduction.job.output.height;
    const bool along_x = axis == Axis::x;
    return with_reduction(taps_along(axis, on_level, kernels), along_x ? spec.address.x : spec.address.y,
                          taps_along(axis, reduction, kernels),
                          along_x ? on_level.job.source.width : on_level.job.source.height);
}

}  // namespace texelscope
