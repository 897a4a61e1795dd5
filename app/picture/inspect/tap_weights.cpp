#include "app/picture/inspect/tap_weights.h"

#include "gpu/method/position.h"
#include "gpu/method/tap_source.h"

namespace texelscope {

TapRun exact_axis(const MethodSpec& spec, double x) {
    const int taps = spec.method->taps;
    const int centre = int(floor_to_integer(taps % 2 == 0 ? x : x + 0.5));
    return {centre - (taps - 1) / 2, spec.method->tap_weights(float(x - centre), spec.parameters)};
}

TapRun tabulated_axis(const AxisFilter& filter, AddressMode mode, double x) {
    float w[max_widened_taps];
    TapRun axis;
    const int count = filter.pieces.pieces ? tabulated_weights<true>(filter, mode, x, axis.first, w)
                                           : tabulated_weights<false>(filter, mode, x, axis.first, w);
    axis.weights.assign(w, w + count);
    return axis;
}

void add_product(TapWeights& weights, const TapRun& x, const TapRun& y) {
    for (size_t j = 0; j < y.weights.size(); ++j)
        for (size_t i = 0; i < x.weights.size(); ++i)
            weights[{y.first + int(j), x.first + int(i)}] += double(x.weights[i]) * double(y.weights[j]);
}

void add_polar(TapWeights& weights, const PolarJob& polar, const Footprint<float>& footprint, bool signal, Point p) {
    const Floored x = floored(p.x), y = floored(p.y);
    double sum = 0;
    for_rows_under(polar, footprint, x.part, y.part, [&](int j, float dy, int left, int right) {
        for (int i = left; i <= right; ++i) {
            const float w = polar_weight(polar, footprint, x.part - float(i), dy);
            sum += w;
            if (w != 0) weights[{signal ? 0 : y.whole + j, x.whole + i}] += double(w);
        }
    });
    for (auto& [at, weight] : weights) weight /= sum;
}

namespace {

// Position of a fetch along one axis, as the texture unit reads it.
struct AxisFetch {
    UnitCoordinate unit;
    double at = 0;  // sample space
    double weight = 0;
};

AxisFetch axis_fetch(float coordinate, float weight, int margin, int n, bool normalised) {
    const int stored = n + 2 * margin;
    AxisFetch fetch{unit_coordinate(coordinate, stored, normalised), 0, double(weight)};
    fetch.at = (normalised ? double(coordinate) * stored : double(coordinate)) - 0.5 - margin;
    fetch.unit.nearest -= margin;
    fetch.unit.first -= margin;
    return fetch;
}

std::vector<AxisFetch> axis_fetches(const MethodSpec& spec, AddressMode mode, double x, int margin, int n,
                                    bool normalised) {
    const int whole = int(floor_to_integer(x));
    const float t = float(x - whole);
    std::vector<AxisFetch> result;
    for (const FilteredFetch& f : spec.method->filtered_fetches(t, spec.parameters))
        result.push_back(axis_fetch(texture_coordinate(mode, whole, f.offset + 0.5f, margin, n, normalised), f.weight,
                                    margin, n, normalised));
    if (result.empty())  // point-filtered
        result.push_back(
            axis_fetch(nearest_coordinate(mode, whole, t, margin, n, normalised), 1, margin, n, normalised));
    return result;
}

}  // namespace

// In 1/256, as EmulatedTextureSource has them.
void add_fetch(TapWeights& weights, const TapFetch& f, bool signal) {
    const auto add = [&](int x, int y, int weight) { weights[{y, x}] += f.weight * weight / 256; };
    const int a = f.fraction_x, b = f.fraction_y, both = (a * b + 128) >> 8;
    add(f.column, f.row, 256 - a - b + both);
    add(f.column + 1, f.row, a - both);
    if (signal) return;
    add(f.column, f.row + 1, b - both);
    add(f.column + 1, f.row + 1, both);
}

void add_hardware(std::vector<TapFetch>& fetches, TapWeights& weights, const MethodSpec& spec, const TexelArray& a,
                  Point p) {
    const std::vector<AxisFetch> columns = axis_fetches(spec, a.address.x, p.x, a.margin_x, a.width, a.normalised);
    std::vector<AxisFetch> rows = {AxisFetch{{0, 0, 0}, 0, 1}};
    if (!a.one_dimensional) rows = axis_fetches(spec, a.address.y, p.y, a.margin_y, a.height, a.normalised);
    if (spec.method->filtered_fetches(0, spec.parameters).empty()) {
        weights[{rows[0].unit.nearest, columns[0].unit.nearest}] = 1;
        return;
    }
    for (const AxisFetch& y : rows)
        for (const AxisFetch& x : columns) {
            const double weight = double(x.weight) * y.weight;
            if (weight == 0) continue;
            fetches.push_back({{x.at, y.at}, x.unit.first, y.unit.first, x.unit.fraction, y.unit.fraction, weight, {}});
            add_fetch(weights, fetches.back(), a.one_dimensional);
        }
}

}  // namespace texelscope
