#pragma once
// Weight functions in float64, each from its definition and in another form than the engine's: B-splines as divided
// differences, the spline family by solving the spline's equations, Lagrange as a product.

#include <functional>
#include <optional>
#include <vector>

#include "gpu/method/spec.h"

namespace texelscope::test::reference {

double nearest(double x);                       // 1 on [−1/2, 1/2), so that a tie goes to the sample floor(x + 0.5)
double linear(double x);                        // 1 − |x|
double bspline(int degree, double x);           // βⁿ for an odd degree
double cubic_bspline(double x);                 // β³
double omoms(double x);                         // β³ + β³″/42
double omoms5(double x);                        // β⁵ + β⁵″/33 + β⁵⁗/7920
double bc_cubic(double b, double c, double x);  // Mitchell & Netravali
double keys(double x);                          // a = −1/2
double hermite(double x);                       // 2|x|³ − 3x² + 1
double lagrange(double x);            // Π (x − j)/(0 − j) over the other three of the four samples around x
double lanczos(int lobes, double x);  // sinc(x)·sinc(x/lobes), normalised for the phase
double natural_spline(int points, double x);  // through an impulse at 0 and the zeros around x
double jinc_windowed(double blur, double r);  // jinc under a wider jinc, three lobes; both narrowed by `blur`
double gaussian(double sigma, double x);      // minus the parabola that touches it at ±4; normalised for the phase

struct Kernel {
    std::function<double(double)> weight;
    int taps = 0;               // zero beyond |x| > taps / 2
    std::vector<double> poles;  // of its prefilter
    bool jumps = false;         // discontinuous: nearest
    double polar_radius = 0;    // above 0: `weight` is over the distance in the plane, and weights are normalised
};

// Nothing for a method that has no formula here.
std::optional<Kernel> formula_of(const MethodInfo& method, const MethodParameters& parameters);

// The formula, or, for methods added later, the record's own weight and poles.
Kernel kernel_of(const MethodSpec& spec);

}  // namespace texelscope::test::reference
