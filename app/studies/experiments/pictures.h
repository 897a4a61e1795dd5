#pragma once
// Pictures and curves in the style of the experiments.

#include <string>
#include <vector>

#include "app/drawing/plot.h"
#include "gpu/core/image.h"
#include "gpu/method/spec.h"

namespace texelscope {

// u8, of 1 or 3 channels: the first one, or colour without its alpha.
Image as_shown(const Image& image);

// a − b over the whole scale: blue if a is darker by `end` levels of 255 or more, orange if it is brighter, u8 × 3; for
// colour the mean of the channels.
Image residual_picture(const Image& a, const Image& b, double end);

// The curve of the k-th method: colours repeat from the seventh on, dashed.
Series method_series(const std::string& name, int k);

// "Cubic B-spline · fir15", with path and parameters if they are not the default.
std::string method_words(const MethodSpec& spec);

// An axis over the finite values of the series, along x or y: linear from 0, or logarithmic; a little wider.
PlotAxis axis_over(const std::vector<Series>& series, bool along_x, bool logarithmic, std::string label);

}  // namespace texelscope
