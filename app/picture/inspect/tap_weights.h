#pragma once
// The weights of a pixel's taps, as each path computes them.

#include <map>
#include <utility>
#include <vector>

#include "app/state/inspect_report.h"
#include "gpu/method/polar.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/spec.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

using TapWeights = std::map<std::pair<int, int>, double>;  // by (y, x): row by row

// Taps along one axis: first, first + 1, …
struct TapRun {
    int first = 0;
    std::vector<float> weights;
};
inline const TapRun the_only_row{0, {1.0f}};  // of a signal

TapRun exact_axis(const MethodSpec& spec, double x);
TapRun tabulated_axis(const AxisFilter& filter, AddressMode mode, double x);

void add_product(TapWeights& weights, const TapRun& x, const TapRun& y);

// Of a polar method, over their sum.
void add_polar(TapWeights& weights, const PolarJob& polar, const Footprint<float>& footprint, bool signal, Point p);

// The `hardware` path at p: its fetches, and the weights they give each texel.
void add_hardware(std::vector<TapFetch>& fetches, TapWeights& weights, const MethodSpec& spec, const TexelArray& texels,
                  Point p);

// The weights that a linear-filtered fetch gives its four texels (two for a signal).
void add_fetch(TapWeights& weights, const TapFetch& fetch, bool signal);

}  // namespace texelscope
