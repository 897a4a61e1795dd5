#pragma once
// g(t) and h(t): how the `hardware` path merges a method's taps into linear-filtered fetches (Sigg & Hadwiger 2005).

#include "app/state/inspect_report.h"
#include "gpu/method/spec.h"

namespace texelscope {

// The fetches along one axis from left to right, in float64 with exact fractions, at `points` fractions t evenly spaced
// over the part of `from` … `to` in [0, 1]. A fetch of two taps of weights a, b has g = a + b and h = first + b / g;
// NaN where g is 0. Empty if the method's fetch is point-filtered.
std::vector<CurvesReport::Fetch> fetch_curves(const MethodSpec& spec, double from, double to, int points);

}  // namespace texelscope
