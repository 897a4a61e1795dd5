#pragma once
// The curves of a method, both in theory and as implemented.

#include "app/state/inspect_report.h"
#include "gpu/backend/source_image.h"

namespace texelscope {

// The range drawn of each curve: samples on either side of zero, or cycles per sample from zero.
inline constexpr double weight_reach = 4, step_reach = 6, highest_frequency = 2;

// Within `from` … `to`, `points` of them evenly spaced; a jump (nearest) is two points at one x.
CurvesReport::Curve weight_curve(const MethodSpec& spec, double from, double to, int points);

// Gain in dB of the weight function with the prefilter of the spec.
CurvesReport::Curve spectrum_curve(const MethodSpec& spec, double from, double to, int points);

// Responses to one sample and to a step, from the backend with the spec's path and prefilter: the picture varies only
// along x and is read along the middle row. Far from the edges, so that the address mode has no effect.
class MeasuredCurves {
public:
    explicit MeasuredCurves(const std::shared_ptr<Backend>& backend);

    // At distances from the sample that is 1, and from the first sample after the step. Throw OutOfMemory or Error.
    CurvesReport::Curve impulse(const MethodSpec& spec, double from, double to, int points);
    CurvesReport::Curve step(const MethodSpec& spec, double from, double to, int points);

private:
    SourceImage impulse_, step_;
};

}  // namespace texelscope
