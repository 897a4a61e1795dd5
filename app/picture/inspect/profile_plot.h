#pragma once
// A profile as a plot.

#include "app/drawing/plot.h"
#include "app/state/inspect_report.h"

namespace texelscope {

// The channel as in profile_value. The y axis covers all finite values with a small margin.
Plot profile_plot(const ProfileReport& profile, int channel);

// An axis from the smallest to the largest finite value of the series, with a small margin; at least `least` long.
void fit_axis(PlotAxis& axis, const std::vector<Series>& series, double least);

}  // namespace texelscope
