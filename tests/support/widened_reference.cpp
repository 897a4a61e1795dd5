#include "tests/support/widened_reference.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace texelscope::test::reference {

Widened::Widened(const Image& image, const MethodSpec& spec)
    : samples_(image),
      address_(spec.address),
      kernel_(kernel_of(spec)),
      response_(prefilter_response(kernel_.poles, spec.effective_prefilter())) {}

std::vector<double> Widened::weights_of_texels(long double x, double s, long long& first) const {
    const double reach = kernel_.taps / 2.0 * s;
    first = (long long)(std::floor(x - reach));
    const auto last = (long long)(std::ceil(x + reach));
    std::vector<double> weights;
    double sum = 0;
    for (long long k = first; k <= last; ++k) {
        weights.push_back(kernel_.weight(double(x - k) / s));
        sum += weights.back();
    }
    for (double& w : weights) w /= sum;
    return weights;
}

std::vector<double> Widened::weights_of_samples(long double x, double s, AddressMode mode, int n) const {
    long long first = 0;
    const std::vector<double> texels = weights_of_texels(x, s, first);
    const int half = int(response_.size() / 2);
    std::vector<double> result(size_t(n), 0.0);
    for (size_t k = 0; k < texels.size(); ++k) {
        if (texels[k] == 0) continue;
        for (int m = -half; m <= half; ++m)
            if (const long long index = extended(mode, first + (long long)(k)-m, n); index >= 0)
                result[size_t(index)] += texels[k] * response_[size_t(m + half)];
    }
    return result;
}

Value Widened::at(Position p, double s_x, double s_y) const {
    const auto wx = weights_of_samples(p.x, s_x, address_.x, samples_.width);
    const auto wy = weights_of_samples(p.y, s_y, address_.y, samples_.height);
    Value total{};
    for (int y = 0; y < samples_.height; ++y)
        for (int x = 0; x < samples_.width; ++x)
            for (int c = 0; c < samples_.channels; ++c)
                total[size_t(c)] += wy[size_t(y)] * wx[size_t(x)] * samples_.at(x, y)[c];
    return total;
}

double Widened::gain(double frequency, double x, double s) const {
    const double turn = 2 * std::numbers::pi * frequency;
    long long first = 0;
    const std::vector<double> texels = weights_of_texels(x, s, first);
    std::complex<double> sum = 0, prefilter = 0;
    for (size_t k = 0; k < texels.size(); ++k) sum += texels[k] * std::polar(1.0, turn * (double(first) + double(k)));
    const int half = int(response_.size() / 2);
    for (int m = -half; m <= half; ++m) prefilter += response_[size_t(m + half)] * std::polar(1.0, turn * m);
    return std::abs(sum * prefilter);
}

Stretch stretch_of(const Affine& a) {
    return {std::max(1.0, std::hypot(a.xx, a.xy)), std::max(1.0, std::hypot(a.yx, a.yy))};
}

}  // namespace texelscope::test::reference
