#pragma once
// Experiments on time: cases of the benchmark, run under an experiment's progress.

#include <memory>
#include <string>
#include <vector>

#include "app/drawing/plot.h"
#include "app/studies/bench/result.h"
#include "app/studies/experiments/experiment.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/image.h"
#include "gpu/method/spec.h"

namespace texelscope {

// The plan's cases; adds the copy's bandwidth to the facts. Throws Cancelled, OutOfMemory or Error.
BenchReport run_cases(const BenchPlan& plan, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
                      ExperimentResult& result);

// "faster" or "slower than …": by how much, two digits.
std::string times_words(double ratio);

// For work that is done in turn: quartiles are added, too, which makes them at least as wide as they are.
Timing together(const Timing& a, const Timing& b);

bool quartiles_overlap(const Timing& a, const Timing& b);

// Makes a verdict open if it rests on unusable times: their quartiles are far apart or, if `unclear`, such a spread
// could reverse the outcome.
void open_where_busy(Verdict& verdict, std::span<const Timing> times, bool unclear);

// The conclusion from the times, for experiments of these names.
std::vector<Verdict> prefilter_cost_verdicts(const BenchReport& report);
std::vector<Verdict> zoom_cost_verdicts(const std::vector<PaperCost>& costs, bool gpu);

inline double ms_of(double microseconds) { return microseconds / 1000; }

// Pictures and curves in the style of the experiments.

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

// An image rotated again and again about its centre, as rotation experiments need it.

// Differences of two pictures over their central disc, of radius 0.45 times the shorter side; of 255, all channels.
struct DiscErrors {
    double rms = 0, largest = 0;
};
DiscErrors disc_errors(const Image& a, const Image& b);

class Turning {
public:
    // Mirrored at the edges unless the spec says otherwise. Throws OutOfMemory or Error.
    Turning(std::shared_ptr<Backend> backend, const Image& image, const MethodSpec& spec, double degrees);

    // One more rotation; f32, premultiplied if there is alpha.
    const Image& turn();

private:
    std::shared_ptr<Backend> backend_;
    RenderRequest request_;
    Image image_;
};

// The original rotated in a single step by n times the angle, n = 0 … turns, in float64 by the quintic B-spline: the
// ideal of a Turning's n-th picture. After a whole number of circles it is the original itself.
class TurnedOriginal {
public:
    TurnedOriginal(std::shared_ptr<Backend> backend, const Image& original, double degrees);
    Image after(int turns);

private:
    Image original_;
    SourceImage source_;
    double degrees_;
};

// The option's image in the form of rotated pictures: f32, premultiplied if there is alpha. Throws Error for one that
// is too small to be rotated.
Image image_to_turn(const ExperimentOptions& options);

// The spec of a rotation if none of its settings is given: mirrored at the edges.
MethodSpec turning_defaults();

}  // namespace texelscope
