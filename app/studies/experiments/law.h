#pragma once
// Errors of methods on sinusoids, and the power laws that they follow.

#include <memory>
#include <vector>

#include "app/files/test_images/picture_function.h"
#include "gpu/backend/source_image.h"

namespace texelscope {

// For a sinusoid of amplitude 1.
struct SinusoidErrors {
    double period = 0;  // samples
    double largest = 0, mean_square_root = 0;
};

// The samples of a wave, cos(2π·x/period), on a backend, read between them and compared with the wave.
//
// At one fraction of the way between two samples, a method's error is a sinusoid of the same period. Its amplitude is
// fitted over many periods, which averages out float32's rounding; `largest` is the largest amplitude of all fractions,
// `mean_square_root` the root of their mean square.
class SinusoidProbe {
public:
    SinusoidProbe(std::shared_ptr<Backend> backend, double period);
    SinusoidErrors errors(const MethodSpec& spec);

private:
    double period_;
    std::unique_ptr<const PictureFunction> truth_;
    std::vector<double> points_;
    SourceImage source_;
};

// error = constant · ω^order, for ω → 0.
struct PowerLaw {
    double order = 0, constant = 0;
};
struct PowerPoint {
    double frequency, error;  // radians per sample
};

// By least squares: the order as fitted, the constant with the known order; both with the next two terms of the series,
// in ω² and ω⁴. Five points or more.
PowerLaw fitted_law(const std::vector<PowerPoint>& points, int order);

}  // namespace texelscope
