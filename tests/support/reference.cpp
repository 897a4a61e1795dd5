#include "tests/support/reference.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace texelscope::test::reference {
namespace {

// 1.5.10 bits, from the definition of IEEE 754 binary16.
double half_value(uint16_t bits) {
    const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
    double magnitude;
    if (exponent == 31) magnitude = mantissa ? NAN : INFINITY;
    else if (exponent == 0) magnitude = std::ldexp(mantissa, -24);
    else magnitude = std::ldexp(1024 + mantissa, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

double stored_value(const Image& image, int x, int y, int c) {
    const size_t index = size_t(x) * image.channels() + c;
    switch (image.type()) {
        case SampleType::u8: return image.row_as<uint8_t>(y)[index] / 255.0;
        case SampleType::u16: return image.row_as<uint16_t>(y)[index] / 65535.0;
        case SampleType::f16: return half_value(image.row_as<uint16_t>(y)[index]);
        case SampleType::f32: return image.row_as<float>(y)[index];
        case SampleType::i8: return image.row_as<int8_t>(y)[index];
        case SampleType::i16: return image.row_as<int16_t>(y)[index];
        case SampleType::i32: return image.row_as<int32_t>(y)[index];
        case SampleType::u32: return image.row_as<uint32_t>(y)[index];
        case SampleType::i64: return double(image.row_as<int64_t>(y)[index]);
        case SampleType::u64: return double(image.row_as<uint64_t>(y)[index]);
        case SampleType::f64: return image.row_as<double>(y)[index];
    }
    return NAN;
}

std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> result(a.size() + b.size() - 1, 0.0);
    for (size_t i = 0; i < a.size(); ++i)
        for (size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
    return result;
}

}  // namespace

std::vector<double> prefilter_response(const std::vector<double>& poles, const Prefilter& prefilter) {
    if (poles.empty() || prefilter.kind == Prefilter::Kind::none) return {1.0};
    // (1 − z)/(1 + z)·z^|k| inverts one pair of poles z, 1/z; for the cubic B-spline that is √3·z^|k|. Several pairs:
    // one after another.
    int reach = 40;  // |z|^reach < 1e-17
    for (const double z : poles) reach = std::max(reach, int(std::ceil(std::log(1e-17) / std::log(std::abs(z)))));
    std::vector<double> response = {1.0};
    for (const double z : poles) {
        std::vector<double> one(size_t(2 * reach + 1));
        for (int k = -reach; k <= reach; ++k) one[size_t(k + reach)] = (1 - z) / (1 + z) * std::pow(z, std::abs(k));
        response = convolved(response, one);
    }
    const size_t half = prefilter.kind == Prefilter::Kind::iir ? size_t(reach) : size_t(prefilter.taps / 2);
    const size_t centre = response.size() / 2;
    std::vector<double> taps(response.begin() + centre - half, response.begin() + centre + half + 1);
    double total = 0;
    for (const double tap : taps) total += tap;
    for (double& tap : taps) tap /= total;
    return taps;
}

long long extended(AddressMode mode, long long i, long long n) {
    switch (mode) {
        case AddressMode::clamp: return i < 0 ? 0 : i >= n ? n - 1 : i;
        case AddressMode::border: return i < 0 || i >= n ? -1 : i;
        case AddressMode::wrap: return (i % n + n) % n;
        case AddressMode::mirror: {
            const long long r = extended(AddressMode::wrap, i, 2 * n);
            return r < n ? r : 2 * n - 1 - r;
        }
        case AddressMode::reflect101: {
            if (n == 1) return 0;
            const long long r = extended(AddressMode::wrap, i, 2 * n - 2);
            return r < n ? r : 2 * n - 2 - r;
        }
    }
    return -1;
}

Position position(const View& view, int source_width, int source_height, int width, int height, int i, int j) {
    const long double turn = std::remainder(view.rotate, 360.0);  // exact
    long double c = std::cos(turn * std::numbers::pi_v<long double> / 180);
    long double s = std::sin(turn * std::numbers::pi_v<long double> / 180);
    if (std::fmod(turn, 90.0L) == 0) c = std::round(c), s = std::round(s);
    const long double dx = i - (width - 1) / 2.0L, dy = j - (height - 1) / 2.0L;
    return {(source_width - 1) / 2.0L + view.translate_x + view.scale * (c * dx - s * dy),
            (source_height - 1) / 2.0L + view.translate_y + view.scale * (s * dx + c * dy)};
}

Samples::Samples(const Image& image)
    : width(image.width()),
      height(image.height()),
      channels(image.channels()),
      data_(size_t(image.width()) * image.height() * image.channels()) {
    const bool straight = image.alpha() == Alpha::straight;
    double* out = data_.data();
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x, out += channels)
            for (int c = 0; c < channels; ++c)
                out[c] = stored_value(image, x, y, c) *
                         (straight && c + 1 < channels ? stored_value(image, x, y, channels - 1) : 1.0);
}

Interpolant::Interpolant(const Image& image, const MethodSpec& spec)
    : samples_(image),
      address_(spec.address),
      kernel_(kernel_of(spec)),
      response_(prefilter_response(kernel_.poles, spec.prefilter)) {}

// s̃(x) = Σ_k c(k) w(x − k) with c(k) = Σ_m b(m) s(k − m).
Interpolant::Taps Interpolant::taps_at(long double x, AddressMode mode, int n) const {
    const long long base = (long long)(std::floor(x));
    const double fraction = double(x - base);
    const int reach = kernel_.taps / 2 + 1, half = int(response_.size() / 2);
    std::vector<double> long_weight(2 * (reach + half) + 1, 0.0);
    for (int k = -reach; k <= reach; ++k)
        if (const double w = kernel_.weight(fraction - k); w != 0)
            for (int m = -half; m <= half; ++m) long_weight[k - m + reach + half] += w * response_[m + half];
    Taps taps;
    for (int t = 0; t < int(long_weight.size()); ++t) {
        if (std::abs(long_weight[t]) < 1e-18) continue;
        const long long index = extended(mode, base + t - reach - half, n);
        if (index < 0) continue;
        taps.index.push_back(index);
        taps.weight.push_back(long_weight[t]);
    }
    return taps;
}

Value Interpolant::sum(const Taps& x, const Taps& y) const {
    Value total{};
    for (size_t j = 0; j < y.index.size(); ++j) {
        Value row{};
        for (size_t i = 0; i < x.index.size(); ++i) {
            const double* sample = samples_.at(x.index[i], y.index[j]);
            for (int c = 0; c < samples_.channels; ++c) row[c] += x.weight[i] * sample[c];
        }
        for (int c = 0; c < samples_.channels; ++c) total[c] += y.weight[j] * row[c];
    }
    return total;
}

// Over every sample of a square around the disc.
Value Interpolant::polar_sum(Position p) const {
    const long long base_x = (long long)(std::floor(p.x)), base_y = (long long)(std::floor(p.y));
    const int reach = int(std::ceil(kernel_.polar_radius)) + 1;
    Value total{};
    double weights = 0;
    for (int j = -reach; j <= reach; ++j)
        for (int i = -reach; i <= reach; ++i) {
            const double distance = std::hypot(double(p.x - (base_x + i)), double(p.y - (base_y + j)));
            const double w = distance < kernel_.polar_radius ? kernel_.weight(distance) : 0;
            weights += w;
            if (w == 0) continue;
            const Value sample = extended_sample(base_x + i, base_y + j);
            for (size_t c = 0; c < total.size(); ++c) total[c] += w * sample[c];
        }
    for (double& value : total) value /= weights;
    return total;
}

Value Interpolant::at(Position p) const {
    if (kernel_.polar_radius > 0) return polar_sum(p);
    return sum(taps_at(p.x, address_.x, samples_.width), taps_at(p.y, address_.y, samples_.height));
}

Value Interpolant::extended_sample(long long x, long long y) const {
    Value value{};
    const long long i = extended(address_.x, x, samples_.width), j = extended(address_.y, y, samples_.height);
    if (i < 0 || j < 0) return value;
    for (int c = 0; c < samples_.channels; ++c) value[c] = samples_.at(i, j)[c];
    return value;
}

Value Interpolant::coefficient(long long x, long long y) const {
    Interpolant only_prefilter = *this;
    only_prefilter.kernel_ = {nearest, 1, {}, true};
    return only_prefilter.at({(long double)(x), (long double)(y)});
}

Widened::Widened(const Image& image, const MethodSpec& spec)
    : samples_(image),
      address_(spec.address),
      kernel_(kernel_of(spec)),
      response_(prefilter_response(kernel_.poles, spec.effective_prefilter())) {}

std::vector<double> Widened::weights_of_texels(long double x, double s, long long& first) const {
    const auto& widened = kernel_.undivided ? kernel_.undivided : kernel_.weight;
    const double reach = kernel_.taps / 2.0 * s;
    first = (long long)(std::floor(x - reach));
    const auto last = (long long)(std::ceil(x + reach));
    std::vector<double> weights;
    double sum = 0;
    for (long long k = first; k <= last; ++k) {
        weights.push_back(widened(double(x - k) / s));
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
    for (int y = 0; y < samples_.height; ++y) {
        if (wy[size_t(y)] == 0) continue;
        for (int x = 0; x < samples_.width; ++x)
            for (int c = 0; c < samples_.channels; ++c)
                total[size_t(c)] += wy[size_t(y)] * wx[size_t(x)] * samples_.at(x, y)[c];
    }
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
