#pragma once
// A profile as a plot.

#include "app/drawing/plot.h"
#include "app/state/inspect_report.h"
#include "app/text/value_text.h"

namespace texelscope {

// The channel as in profile_value. The y axis, in this unit, covers all finite values with a small margin.
Plot profile_plot(const ProfileReport& profile, int channel, const ValueScale& scale = {});

// "value (0–255)".
std::string value_axis(const ValueScale& scale);

// An axis from the smallest to the largest finite value of the series, with a small margin; at least `least` long.
void fit_axis(PlotAxis& axis, const std::vector<Series>& series, double least);

}  // namespace texelscope
