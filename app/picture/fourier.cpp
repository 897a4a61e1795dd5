#include "app/picture/fourier.h"

#include <algorithm>
#include <numbers>

#include <kissfft.hh>

namespace texelscope {
namespace {

constexpr size_t largest_factor = 23;  // its pass still takes less time than a convolution

size_t without_factors_up_to(size_t n, size_t most) {
    for (size_t p = 2; p <= most; ++p)
        while (n % p == 0) n /= p;
    return n;
}

// The next length of at least n that has no prime factor above 5.
size_t quick_length(size_t n) {
    while (without_factors_up_to(n, 5) > 1) ++n;
    return n;
}

}  // namespace

size_t quick_length_within(size_t n) {
    while (without_factors_up_to(n, 5) > 1) --n;
    return n;
}

Fourier::~Fourier() = default;
Fourier::Fourier(Fourier&&) noexcept = default;

Fourier::Fourier(size_t length) : length_(length) {
    const bool direct = without_factors_up_to(length, largest_factor) == 1;
    const size_t transformed = direct ? length : quick_length(2 * length - 1);
    fft_ = std::make_unique<kissfft<double>>(transformed, false);
    before_.resize(transformed);
    after_.resize(transformed);
    if (direct) return;
    chirp_.resize(length);
    for (size_t n = 0; n < length; ++n)  // n² modulo the period, so that large angles stay exact
        chirp_[n] = std::polar(1.0, -std::numbers::pi * double(n * n % (2 * length)) / double(length));
    response_.resize(transformed);
    for (size_t n = 0; n < length; ++n) before_[n] = std::conj(chirp_[n]);
    for (size_t n = 1; n < length; ++n) before_[transformed - n] = before_[n];
    fft_->transform(before_.data(), response_.data());
}

void Fourier::forward(std::vector<std::complex<double>>& values) { transform(values); }

void Fourier::backward(std::vector<std::complex<double>>& values) {
    for (auto& value : values) value = std::conj(value);
    transform(values);
    for (auto& value : values) value = std::conj(value);
}

void Fourier::transform(std::vector<std::complex<double>>& values) {
    if (chirp_.empty()) {
        before_.swap(values);
        fft_->transform(before_.data(), values.data());
        return;
    }
    // kn = (k² + n² − (k − n)²) / 2: a convolution of x(n)·chirp(n) with the chirp's conjugate.
    std::fill(before_.begin(), before_.end(), 0.0);
    for (size_t n = 0; n < length_; ++n) before_[n] = values[n] * chirp_[n];
    fft_->transform(before_.data(), after_.data());
    for (size_t k = 0; k < after_.size(); ++k) before_[k] = std::conj(after_[k] * response_[k]);
    fft_->transform(before_.data(), after_.data());  // back, conjugated
    for (size_t k = 0; k < length_; ++k) values[k] = std::conj(after_[k]) * chirp_[k] / double(after_.size());
}

}  // namespace texelscope
