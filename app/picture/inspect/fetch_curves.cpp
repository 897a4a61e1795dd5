#include "app/picture/inspect/fetch_curves.h"

#include <algorithm>
#include <cmath>

namespace texelscope {
namespace {

// The taps that the method's own code merges, found from the fetch positions: a single tap is exactly on its sample.
// The rest is counted, since the second weight of a pair can be too small to show in a float32 offset.
std::vector<CurvesReport::Fetch> fetched_taps(const MethodSpec& spec) {
    const std::vector<FilteredFetch> fetches = spec.method->filtered_fetches(0.3f, spec.parameters);
    std::vector<CurvesReport::Fetch> result;
    int next = 1 - spec.method->taps / 2, pairs = spec.method->taps - int(fetches.size());
    for (size_t i = 0; i < fetches.size(); ++i) {
        const bool all_are_pairs = pairs == int(fetches.size() - i);
        const bool pair = all_are_pairs || (pairs > 0 && fetches[i].offset != float(next));
        result.push_back({.first = next, .taps = pair ? 2 : 1});
        next += result.back().taps;
        pairs -= pair;
    }
    return result;
}

}  // namespace

std::vector<CurvesReport::Fetch> fetch_curves(const MethodSpec& spec, double from, double to, int points) {
    std::vector<CurvesReport::Fetch> fetches = fetched_taps(spec);
    from = std::clamp(from, 0.0, 1.0);
    to = std::clamp(to, 0.0, 1.0);
    for (CurvesReport::Fetch& fetch : fetches)
        for (int k = 0; k < points; ++k) {
            const double t = std::lerp(from, to, points > 1 ? double(k) / (points - 1) : 0);
            const auto weight = [&](int tap) { return spec.method->weight(t - tap, spec.parameters); };
            const double second = fetch.taps == 2 ? weight(fetch.first + 1) : 0, g = weight(fetch.first) + second;
            const double h = fetch.taps == 2 ? fetch.first + second / g : fetch.first;
            fetch.weight.x.push_back(t);
            fetch.weight.y.push_back(g);
            fetch.place.x.push_back(t);
            fetch.place.y.push_back(h);
        }
    return fetches;
}

}  // namespace texelscope
