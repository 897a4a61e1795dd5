#pragma once
// The curves of a method: as mathematics has them, and as the implementation makes them.

#include "app/state/inspect_report.h"
#include "gpu/backend/source_image.h"

namespace texelscope {

// What is drawn of each curve: samples to each side of zero, cycles a sample from zero.
inline constexpr double weight_reach = 4, step_reach = 6, highest_frequency = 2;

// Within `from` … `to`, `points` of them evenly spaced; a jump (nearest) is two points at one x.
CurvesReport::Curve weight_curve(const MethodSpec& spec, double from, double to, int points);

// Gain in dB of the weight function with the prefilter of the spec.
CurvesReport::Curve spectrum_curve(const MethodSpec& spec, double from, double to, int points);

// Signals of one sample and of a step, through the backend with the spec's path and prefilter: a picture whose columns
// are alike, read along the middle row. Far from the edges, whose address mode has no part in it.
class MeasuredCurves {
public:
    explicit MeasuredCurves(const std::shared_ptr<Backend>& backend);

    // At distances from the sample that is 1, and from the sample where the step is up. Throw OutOfMemory or Error.
    CurvesReport::Curve impulse(const MethodSpec& spec, double from, double to, int points);
    CurvesReport::Curve step(const MethodSpec& spec, double from, double to, int points);

private:
    SourceImage impulse_, step_;
};

}  // namespace texelscope
