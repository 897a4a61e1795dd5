#pragma once
// An independent float64 implementation of docs/fidelity.md, to measure the engine against. It takes only names and
// plain records (AddressMode, Prefilter, View, Image) from gpu/, no arithmetic.
//
// There is no coefficient image here: prefilter and weight function together are one long separable weight function
// over the samples, extended indefinitely by the address modes.

#include <array>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/core/image.h"
#include "gpu/core/view.h"
#include "gpu/method/spec.h"
#include "tests/support/weight_functions.h"

namespace texelscope::test::reference {

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
// k) / s) over their sum, on samples, or on coefficients if the method has a prefilter.
class Widened {
public:
    Widened(const Image& image, const MethodSpec& spec);

    // With the weight function s_x and s_y times as wide; each at least 1.
    Value at(Position p, double s_x, double s_y) const;

    // The response to exp(2πi·f·x) at x, per unit of its amplitude: |Σ w_k exp(2πi·f·k)|, with the prefilter's gain.
    double gain(double frequency, double x, double s) const;

private:
    std::vector<double> weights_of_texels(long double x, double s, long long& first) const;
    // Of the stored samples along an axis of n.
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
