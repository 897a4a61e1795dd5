#include "gpu/tiles/axis_window.h"

#include <algorithm>
#include <cmath>

#include "gpu/method/polar_method.h"
#include "gpu/method/widened.h"
#include "gpu/prefilter/filter.h"

namespace texelscope {
namespace {

// The radius of the weight function along an axis, in samples of the level.
double support(const Resampling& request, double stretch, double longest_step) {
    const MethodInfo& method = *request.spec.method;
    const ReadPlan& reading = request.reading;
    const double largest = largest_stretch(method);
    double widened = stretch;
    if (reading.local_stretch) widened = largest;
    else if (is_polar(method) && reading.widened()) widened = std::clamp(longest_step, 1.0, largest);
    return radius_of(method) * widened;
}

int prefilter_reach(const Resampling& request) {
    const Prefilter prefilter = request.spec.effective_prefilter();
    if (!request.reading.prefiltered || prefilter.kind == Prefilter::Kind::none) return 0;
    const int margin = coefficient_margin(request.spec.inverse_filter());
    return prefilter.kind == Prefilter::Kind::fir ? std::max(margin, prefilter.taps / 2) : margin;
}

int64_t floor_modulo(int64_t i, int64_t n) {
    const int64_t rest = i % n;
    return rest < 0 ? rest + n : rest;
}

}  // namespace

WindowReach window_reach(const Resampling& request) { return window_reach(request, prefilter_reach(request)); }

WindowReach window_reach(const Resampling& request, int coefficients) {
    const Affine& p = request.reading.positions;
    const double longest = std::sqrt(p.xx * p.xx + p.xy * p.xy + p.yx * p.yx + p.yy * p.yy);
    const auto reach = [&](double stretch) {
        constexpr int slack = 2;  // a tap of an even number of them, and positions that are rounded
        return int(std::ceil(support(request, stretch, longest))) + slack + coefficients;
    };
    return {reach(request.reading.stretch_x), reach(request.reading.stretch_y)};
}

AxisWindow axis_window(AddressMode mode, int n, PositionRange positions, int reach) {
    if (positions.empty()) positions = {0, 0};
    if (!is_periodic(mode)) {  // from there on the image is constant
        const double beyond = reach + 2.0;
        positions.low = std::clamp(positions.low, -beyond, n - 1 + beyond);
        positions.high = std::clamp(positions.high, -beyond, n - 1 + beyond);
    }
    AxisWindow window;
    window.first = int64_t(std::floor(positions.low)) - reach;
    window.count = int64_t(std::ceil(positions.high)) + reach + 1 - window.first;
    if (window.count >= n) return {0, n, true};
    return window;
}

// A window is shorter than the image, so there are few runs.
std::vector<WindowRun> runs_of(const AxisWindow& window, AddressMode mode, int n) {
    const int64_t first = is_periodic(mode) ? floor_modulo(window.first, period_of(mode, n)) : window.first;
    std::vector<WindowRun> runs;
    const auto joins = [&](int stored) {
        if (runs.empty()) return false;
        WindowRun& run = runs.back();
        if (run.stored < 0 || stored < 0) return run.stored < 0 && stored < 0;
        const int step = stored - (run.stored + run.step * (run.count - 1));
        if (run.count == 1 && std::abs(step) <= 1) run.step = step;
        return step == run.step;
    };
    for (int at = 0; at < int(window.count); ++at) {
        const int stored = addressed(mode, int(first) + at, n);
        if (joins(stored)) ++runs.back().count;
        else runs.push_back({at, 1, stored, 1});
    }
    return runs;
}

}  // namespace texelscope
