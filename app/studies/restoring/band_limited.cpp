#include "app/studies/restoring/band_limited.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <new>
#include <numbers>
#include <optional>
#include <vector>

#include "app/picture/fourier.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"

namespace texelscope {
namespace {

using Line = std::vector<double>;
using Complex = std::complex<double>;

// e^{sign · πi k / 2n}, k < count
std::vector<Complex> quarter_turns(double sign, size_t n, size_t count) {
    std::vector<Complex> turns(count);
    for (size_t k = 0; k < count; ++k) turns[k] = std::polar(1.0, sign * std::numbers::pi * double(k) / double(2 * n));
    return turns;
}

// Reduces lines of n samples to m, two at a time. The spectrum of a mirrored line is its discrete cosine transform
// X(k) = Σ x(i) cos(πk(i + ½)/n), whose term k is below the Nyquist frequency of m samples if k < m; sample j of them lies
// at (j + ½)·n/m − ½, where that term is cos(πk(j + ½)/m). Both transforms become Fourier transforms of the same length if
// the even samples are followed by the odd ones in reverse (Makhoul 1980); the two lines are the real and the imaginary part.
class LineReducer {
public:
    LineReducer(size_t n, size_t m)
        : n_(n), m_(m), long_(n), short_(m), forward_(quarter_turns(-1, n, m)), backward_(quarter_turns(1, m, m)) {}

    // n samples of each line become m.
    void reduce(Line& a, Line& b) {
        if (n_ == m_) return;
        values_.resize(n_);
        for (size_t i = 0; i < n_; ++i) values_[place(i, n_)] = {a[i], b[i]};
        long_.forward(values_);
        cosines_.resize(m_);
        for (size_t k = 0; k < m_; ++k) {
            const Complex z = values_[k], mirrored = std::conj(values_[(n_ - k) % n_]);
            const Complex of_a = forward_[k] * ((z + mirrored) / 2.0);
            const Complex of_b = forward_[k] * ((z - mirrored) / Complex(0, 2));
            cosines_[k] = {of_a.real(), of_b.real()};
        }
        values_.resize(m_);
        for (size_t k = 0; k < m_; ++k) {
            const Complex here = cosines_[k], there = k > 0 ? cosines_[m_ - k] : Complex();
            const Complex of_a = backward_[k] * Complex(here.real(), -there.real());
            const Complex of_b = backward_[k] * Complex(here.imag(), -there.imag());
            values_[k] = of_a + Complex(-of_b.imag(), of_b.real());
        }
        short_.backward(values_);
        a.resize(m_);
        b.resize(m_);
        for (size_t j = 0; j < m_; ++j) {
            const Complex value = values_[place(j, m_)] / double(n_);
            a[j] = value.real();
            b[j] = value.imag();
        }
    }

private:
    static size_t place(size_t i, size_t n) { return i % 2 == 0 ? i / 2 : n - 1 - i / 2; }

    size_t n_, m_;
    Fourier long_, short_;
    std::vector<Complex> forward_, backward_, values_, cosines_;
};

// What a thread needs: it is made when the thread begins its first line.
struct Workplace {
    std::optional<LineReducer> reducer;
    std::vector<Line> lines;

    LineReducer& for_lengths(size_t n, size_t m) { return reducer ? *reducer : reducer.emplace(n, m); }
};

constexpr int lines_together = 8;  // of columns: what a line of the cache holds

}  // namespace

bool all_finite(const Image& picture) {
    if (is_integer(picture.type())) return true;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            for (int c = 0; c < picture.channels(); ++c)
                if (!std::isfinite(picture.value(x, y, c))) return false;
    return true;
}

Image band_limited(const Image& picture, Extent size) try {
    if (!all_finite(picture)) throw Error("a picture with samples that are not finite has no ideal reduction");
    const size_t channels = size_t(picture.channels()), n = size_t(picture.width()), m = size_t(size.width);
    const size_t height = size_t(picture.height()), row = m * channels;
    std::vector<double> narrow(row * height);
    const size_t lines = height * channels;
    parallel_for_with<Workplace>(work::reduction, (lines + 1) / 2, 8, [&](Workplace& at, size_t pair) {
        at.lines.resize(2);
        for (size_t k = 0; k < 2; ++k) {
            const size_t line = std::min(2 * pair + k, lines - 1);
            const float* from = picture.row_as<float>(int(line / channels)) + line % channels;
            at.lines[k].resize(n);
            for (size_t x = 0; x < n; ++x) at.lines[k][x] = from[x * channels];
        }
        at.for_lengths(n, m).reduce(at.lines[0], at.lines[1]);
        for (size_t k = 0; k < 2 && 2 * pair + k < lines; ++k) {
            const size_t line = 2 * pair + k;
            double* to = narrow.data() + line / channels * row + line % channels;
            for (size_t x = 0; x < m; ++x) to[x * channels] = at.lines[k][x];
        }
    });

    Image small(size.width, size.height, picture.channels(), SampleType::f32, picture.alpha());
    const size_t blocks = (row + lines_together - 1) / lines_together;
    parallel_for_with<Workplace>(work::reduction, blocks, 1, [&](Workplace& at, size_t block) {
        const size_t first = block * lines_together, count = std::min(row - first, size_t(lines_together));
        at.lines.assign(lines_together, Line(height));
        for (size_t y = 0; y < height; ++y)
            for (size_t k = 0; k < count; ++k) at.lines[k][y] = narrow[y * row + first + k];
        for (size_t k = 0; k < count; k += 2)
            at.for_lengths(height, size_t(size.height)).reduce(at.lines[k], at.lines[k + 1]);
        for (int y = 0; y < size.height; ++y)
            for (size_t k = 0; k < count; ++k) small.row_as<float>(y)[first + k] = float(at.lines[k][size_t(y)]);
    });
    return small;
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the ideal reduction");
}

}  // namespace texelscope
