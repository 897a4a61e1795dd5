#pragma once
// An independent float64 implementation of docs/fidelity.md, to measure the engine against. It takes only names and
// plain records (AddressMode, Prefilter, View, Image) from gpu/, no arithmetic.
//
// There is no coefficient image here: prefilter and weight function together are one long separable weight function
// over the samples, extended indefinitely by the address modes.

#include <array>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/core/image.h"
#include "gpu/core/view.h"
#include "gpu/method/spec.h"

namespace texelscope::test::reference {

// Weight functions in float64, each from its definition and in another form than the engine's: B-splines as divided
// differences, the spline family by solving the spline's equations, Lagrange as a product.

double nearest(double x);                       // 1 on [−1/2, 1/2), so that a tie goes to the sample floor(x + 0.5)
double linear(double x);                        // 1 − |x|
double bspline(int degree, double x);           // βⁿ
double cubic_bspline(double x);                 // β³
double omoms(double x);                         // β³ + β³″/42
double omoms5(double x);                        // β⁵ + β⁵″/33 + β⁵⁗/7920
double bc_cubic(double b, double c, double x);  // Mitchell & Netravali
double keys(double x);                          // a = −1/2
double hermite(double x);                       // 2|x|³ − 3x² + 1
double lagrange(double x);                  // Π (x − j)/(0 − j) over the other three of the four samples around x
double windowed_sinc(int lobes, double x);  // sinc(x)·sinc(x/lobes)
double lanczos(int lobes, double x);        // the same, normalised for the phase
double natural_spline(int points, double x);  // through an impulse at 0 and the zeros around x
double jinc_windowed(double blur, double r);  // jinc under a wider jinc, three lobes; both narrowed by `blur`
double bell(double sigma, double x);          // a Gaussian minus the parabola that touches it at ±4
double gaussian(double sigma, double x);      // the same, normalised for the phase

double hamming_lobe(double x);  // sinc(x)·(0.54 + 0.46·cos πx) on [−1, 1]
double mks2013(double x);       // Magic Kernel Sharp by pieces, as Costella publishes them
double mks2021(double x);

struct Kernel {
    std::function<double(double)> weight;
    int taps = 0;               // zero beyond |x| > taps / 2
    std::vector<double> poles;  // of its prefilter
    bool jumps = false;         // discontinuous: nearest
    double polar_radius = 0;    // above 0: `weight` is over the distance in the plane, and weights are normalised
    std::function<double(double)> undivided = nullptr;  // what is widened, if that is not `weight`
};

// Nothing for a method that has no formula here.
std::optional<Kernel> formula_of(const MethodInfo& method, const MethodParameters& parameters);

// The formula, or, for methods added later, the record's own weight and poles.
Kernel kernel_of(const MethodSpec& spec);

using Value = std::array<double, 4>;  // unused channels are zero

// Impulse response of the prefilter; the centre is at size / 2. `iir`: 40 taps on each side, |z|^40 < 3e-15.
std::vector<double> prefilter_response(const std::vector<double>& poles, const Prefilter& prefilter);

// The stored sample at index i of the extended row of n, −1 for zero.
long long extended(AddressMode mode, long long i, long long n);

// Sample-space point of an output pixel, in long double.
struct Position {
    long double x, y;
};
Position position(const View& view, int source_width, int source_height, int width, int height, int i, int j);

// Samples as float64, integers divided by their maximum, colour multiplied by straight alpha.
class Samples {
public:
    explicit Samples(const Image& image);
    int width, height, channels;
    const double* at(long long x, long long y) const { return &data_[(y * width + x) * channels]; }

private:
    std::vector<double> data_;
};

// The interpolated image as a function.
class Interpolant {
public:
    Interpolant(const Image& image, const MethodSpec& spec);

    Value at(Position p) const;
    const Samples& samples() const { return samples_; }
    const Kernel& kernel() const { return kernel_; }

    // The sample at an integer index of the extended image.
    Value extended_sample(long long x, long long y) const;

    // Coefficient at an integer index of the extended image.
    Value coefficient(long long x, long long y) const;

private:
    struct Taps {
        std::vector<long long> index;  // of stored samples; taps on zeros are left out
        std::vector<double> weight;
    };
    Taps taps_at(long double x, AddressMode mode, int n) const;
    Value sum(const Taps& x, const Taps& y) const;
    Value polar_sum(Position p) const;

    Samples samples_;
    AddressPair address_;
    Kernel kernel_;
    std::vector<double> response_;
};

// Zooming out with a widened weight function, in float64, independent of the engine: along each axis the weights h((x −
// k) / s) over their sum, h not normalised before, on samples, or on coefficients if the method has a prefilter.
class Widened {
public:
    Widened(const Image& image, const MethodSpec& spec);

    // With the weight function s_x and s_y times as wide; each at least 1.
    Value at(Position p, double s_x, double s_y) const;

    // The response to exp(2πi·f·x) at x, per unit of its amplitude: |Σ w_k exp(2πi·f·k)|, with the prefilter's gain.
    double gain(double frequency, double x, double s) const;

private:
    std::vector<double> weights_of_texels(long double x, double s, long long& first) const;
    // The weights of the stored samples along an axis of n.
    std::vector<double> weights_of_samples(long double x, double s, AddressMode mode, int n) const;

    Samples samples_;
    AddressPair address_;
    Kernel kernel_;
    std::vector<double> response_;
};

// How far the weight function is widened under a view: the lengths of the rows of its matrix, at least 1.
struct Stretch {
    double x, y;
};
Stretch stretch_of(const Affine& positions);

}  // namespace texelscope::test::reference

namespace texelscope::test {

// Measures a rendering against the float64 reference.

// The largest difference and its position. NaN counts as infinite.
struct Difference {
    double error = 0;
    int x = 0, y = 0, channel = 0;
    double got = 0, expected = 0;
    std::string what;  // source and request, to reproduce it
};
std::ostream& operator<<(std::ostream& out, const Difference& difference);

// All pixels of the rendering, or `pixels` of them, corners included, if it has more.
// If the method jumps (nearest's ties), the value from either side of a position within tolerance::jump is right; so
// are both sides of the extent's edge under Outside::background, outside of which `background` is expected.
Difference against_reference(const Image& rendered, const Image& source, const RenderRequest& request, int pixels = 400,
                             const reference::Value& background = {});

// Renders, then compares as against_reference() does.
Difference render_and_compare(const std::shared_ptr<Backend>& backend, const Image& source,
                              const RenderRequest& request, int pixels = 400);

// Largest difference between two renderings of one size.
Difference between(const Image& a, const Image& b);

// "bspline:… of 61×47 u8×3, 20×30 pixels, translate …"
std::string describe_request(const Image& source, const RenderRequest& request);

}  // namespace texelscope::test
