// Repeated rotation: turned 36 times by 10°, or 15 times by 24°, an image ought to be itself again. What is missing is the
// method's error; the order of methods and their ratios are those of shared/FIDELITY.md.

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <map>
#include <numbers>

#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope {
namespace {

using namespace test_support;
using Complex = std::complex<double>;

// In place, n a power of two, elements `stride` apart.
void fourier(Complex* v, int n, int stride) {
    for (int i = 1, j = 0; i < n; ++i) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(v[i * stride], v[j * stride]);
    }
    for (int length = 2; length <= n; length *= 2) {
        const Complex step = std::polar(1.0, 2 * std::numbers::pi / length);
        for (int start = 0; start < n; start += length) {
            Complex turn = 1;
            for (int k = 0; k < length / 2; ++k, turn *= step) {
                Complex& a = v[(start + k) * stride];
                Complex& b = v[(start + k + length / 2) * stride];
                const Complex odd = turn * b;
                b = a - odd;
                a += odd;
            }
        }
    }
}

// White noise whose spectrum is divided by the frequency, as natural images have it; levels 0 … 255.
Image one_over_f(int size, uint64_t seed) {
    Random random(seed);
    std::vector<Complex> spectrum(size_t(size) * size_t(size));
    const auto frequency = [&](int k) { return double(k < size / 2 ? k : k - size); };
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            const double f = std::hypot(frequency(x), frequency(y));
            if (f > 0) spectrum[size_t(y) * size_t(size) + size_t(x)] = std::polar(1 / f, 2 * std::numbers::pi * random.unit());
        }
    for (int y = 0; y < size; ++y) fourier(&spectrum[size_t(y) * size_t(size)], size, 1);
    for (int x = 0; x < size; ++x) fourier(&spectrum[size_t(x)], size, size);
    double low = 1e300, high = -1e300;
    for (const Complex& v : spectrum) low = std::min(low, v.real()), high = std::max(high, v.real());
    Image image(size, size, 1, SampleType::f32);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
            image.row_as<float>(y)[x] = float(255 * (spectrum[size_t(y) * size_t(size) + size_t(x)].real() - low) / (high - low));
    return image;
}

// Root of the mean square over the central disc of radius 0.45 · size.
double disc_rms(const Image& a, const Image& b) {
    const double centre = (a.width() - 1) / 2.0, radius = 0.45 * a.width();
    double sum = 0;
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            if (std::hypot(x - centre, y - centre) > radius) continue;
            sum += std::pow(a.value(x, y, 0) - b.value(x, y, 0), 2);
            ++count;
        }
    return std::sqrt(sum / count);
}

struct Row {
    const char* spec;
    double by_10_degrees, by_24_degrees;  // FIDELITY's table
};
constexpr Row table[] = {
    {"nearest", 22.2, 19.1},        {"bilinear", 16.0, 13.3}, {"catmull-rom", 10.4, 8.2}, {"bspline", 7.19, 5.29},
    {"omoms", 5.08, 3.40},          {"quintic", 4.46, 2.90},  {"bspline:prefilter=fir7", 32.0, 9.9},
    {"bspline:prefilter=fir11", 7.10, 5.21}, {"bspline:prefilter=fir15", 7.18, 5.28},
};

class Rotation : public OnBackend {
protected:
    double rms_after(const Image& original, const MethodSpec& spec, int times, double degrees) {
        Image image = original;
        RenderRequest request = request_of(spec, original.width(), original.height());
        request.spec.address = {AddressMode::mirror, AddressMode::mirror};
        request.view.rotate = degrees;
        for (int n = 0; n < times; ++n) image = SourceImage(backend_, image).render_to_image(request);
        return disc_rms(image, original);
    }

    void check(int size, double absolute_band) {
        const Image original = one_over_f(size, 11);
        for (const bool coarse : {false, true}) {
            std::map<std::string, double> rms;
            for (const Row& row : table) rms[row.spec] = rms_after(original, spec_of(row.spec), coarse ? 15 : 36, coarse ? 24 : 10);
            const auto figure = [&](const Row& row) { return coarse ? row.by_24_degrees : row.by_10_degrees; };
            const double ours = rms["bspline"], theirs = coarse ? 5.29 : 7.19;
            for (const Row& row : table) {
                RecordProperty(std::string(coarse ? "by_24_" : "by_10_") + row.spec, std::to_string(rms[row.spec]));
                const double ratio = rms[row.spec] / ours, expected = figure(row) / theirs;
                const bool wrong = std::string_view(row.spec).ends_with("fir7");  // grows without end: only its size is known
                EXPECT_NEAR(ratio, expected, (wrong ? 0.5 : tolerance::rotation_ratio) * expected) << row.spec << (coarse ? " 15 × 24°" : " 36 × 10°") << ": " << rms[row.spec];
                if (!wrong) {
                    EXPECT_NEAR(rms[row.spec], figure(row), absolute_band * figure(row)) << row.spec;
                }
            }
            EXPECT_GT(rms["nearest"], rms["bilinear"]);
            EXPECT_GT(rms["bilinear"], rms["catmull-rom"]);
            EXPECT_GT(rms["catmull-rom"], rms["bspline"]);
            EXPECT_GT(rms["bspline"], rms["omoms"]);
            EXPECT_GT(rms["omoms"], rms["quintic"]);
            EXPECT_GT(rms["bspline:prefilter=fir7"], 1.5 * ours);
            EXPECT_NEAR(rms["bspline:prefilter=fir15"], ours, 0.01 * ours);
            EXPECT_NEAR(rms["bspline:prefilter=fir11"], ours, 0.03 * ours);
        }
    }
};

TEST_P(Rotation, RepeatedOnASmallImageHasTheOrderAndRatiosOfTheTable) { check(256, tolerance::rotation_small); }

ON_EVERY_BACKEND(Rotation);

class SlowRotation : public Rotation {};

TEST_P(SlowRotation, RepeatedHasTheOrderRatiosAndFiguresOfTheTable) { check(512, tolerance::rotation); }

ON_EVERY_BACKEND(SlowRotation);

}  // namespace
}  // namespace texelscope
