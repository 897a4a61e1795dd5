#pragma once
// Zooming out with a widened weight function, in float64, independent of the engine: along each axis the weights h((x −
// k) / s) over their sum, on samples, or on coefficients if the method has a prefilter.

#include "tests/support/reference.h"

namespace texelscope::test::reference {

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
