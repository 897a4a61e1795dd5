#include "gpu/method/polar_method.h"

#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>

#include "gpu/method/mip.h"
#include "gpu/method/tabulated.h"

namespace texelscope {
namespace {

// By id. Filled by static objects of other files, so it must exist at first use.
std::map<std::string_view, PolarInfo>& records() {
    static std::map<std::string_view, PolarInfo> all;
    return all;
}

// ∫ h(r) 2πr dr over [0, radius] by Simpson's rule; h is smooth but for a few knots of its third derivative.
double plane_integral(double radius, double (*radial)(double)) {
    constexpr int intervals = 1 << 14;
    const double step = radius / intervals;
    double sum = 0;
    for (int k = 1; k < intervals; ++k) sum += (k % 2 ? 4 : 2) * radial(k * step) * k * step;  // zero at both ends
    return 2 * std::numbers::pi * sum * step / 3;
}

// A radial function over its integral, which takes longer than all else that a program does before main(): it is computed
// at first use.
class ScaledRadial {
public:
    ScaledRadial(double radius, double (*radial)(double)) : radius_(radius), radial_(radial) {}
    double operator()(double distance) {
        std::call_once(computed_, [&] { integral_ = plane_integral(radius_, radial_); });
        return radial_(distance) / integral_;
    }

private:
    double radius_, integral_ = 1;
    double (*radial_)(double);
    std::once_flag computed_;
};

// The weights of a signal, on a row of samples: each is the sum of a column's. `t` as in AxisPosition.
std::vector<float> signal_weights(int taps, double t, double (*radial)(double)) {
    std::vector<double> w;
    double sum = 0;
    for (int k = -(taps - 1) / 2; int(w.size()) < taps; ++k) {
        double column = 0;
        for (int j = -taps; j <= taps; ++j) column += radial(std::hypot(t - k, j));
        w.push_back(column);
        sum += column;
    }
    std::vector<float> result;
    for (const double value : w) result.push_back(float(value / sum));
    return result;
}

}  // namespace

const PolarInfo* polar_of(const MethodInfo& method) {
    const auto found = records().find(method.id);
    return found == records().end() || method.custom ? nullptr : &found->second;
}

double radius_of(const MethodInfo& method) {
    const PolarInfo* polar = polar_of(method);
    return polar ? polar->radius : method.radius > 0 ? method.radius : method.taps / 2.0;
}

int taps_not_zero(const MethodInfo& method) {
    return is_polar(method) ? method.taps : int(std::lround(2 * radius_of(method)));
}

double samples_of_plane(const MethodInfo& method) {
    const PolarInfo* polar = polar_of(method);
    return polar ? std::numbers::pi * polar->radius * polar->radius : std::pow(taps_not_zero(method), 2);
}

double largest_stretch(const MethodInfo& method) {
    return is_polar(method) ? max_stretch / 2 : largest_stretch(radius_of(method));
}

RegisterPolarMethod::RegisterPolarMethod(MethodInfo info, double radius) {
    records()[info.id] = {radius};  // before the record is checked
    const RegisterMethod registered(std::move(info));
}

MethodInfo described_by_radial(MethodInfo info, double radius, double (*radial)(double)) {
    const int taps = int(std::ceil(2 * radius));
    info.taps = taps;
    info.hardware_fetches = 0;
    info.weight = [scaled = std::make_shared<ScaledRadial>(radius, radial)](double x, const MethodParameters&) {
        return (*scaled)(std::abs(x));
    };
    info.tap_weights = [taps, radial](float t, const MethodParameters&) { return signal_weights(taps, t, radial); };
    info.filtered_fetches = [](float, const MethodParameters&) { return std::vector<FilteredFetch>(); };
    return info;
}

void resample_polar_rows(const PolarJob& polar, int first, int last) {
    const ResampleJob& job = polar.job;
    detail::for_stored_type(job.source, [&]<class Sample, int C>() {
        using Source = LinearSource<Sample, C>;
        const Source source(job.source);
        for (int j = first; j < last; ++j)
            for (int i = 0; i < job.output.width; ++i) detail::polar_pixel<Source::channels>(source, polar, i, j);
    });
}

void resample_mip_rows(const MipJob& mip, int first, int last) {
    detail::for_stored_type(mip.job.source, [&]<class, int C>() {
        for (int j = first; j < last; ++j)
            for (int i = 0; i < mip.job.output.width; ++i) detail::mip_pixel<C>(mip, i, j);
    });
}

}  // namespace texelscope
