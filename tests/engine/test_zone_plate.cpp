// Zoomed out, a zone plate shows what passes beyond the output's Nyquist frequency: moiré. With antialias it is limited
// to what the widened weight function's frequency response lets pass; without, clearly more.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gpu/backend/source_image.h"
#include "gpu/method/polar_method.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"
#include "tests/support/widened_reference.h"

namespace texelscope::test {
namespace {

constexpr double scales[] = {2, 3, 4, 6, 8, 11, 16, 64};

// Largest gain over the phases that a position can have among the samples, for frequencies about f cycles per sample.
double largest_gain(const reference::Widened& widened, double f, double spread, double scale) {
    double largest = 0;
    for (const double df : {-spread, 0.0, spread})
        for (const double phase : {0.0, 0.25, 0.5})
            largest = std::max(largest, widened.gain(std::abs(f + df), phase, scale));
    return largest;
}

class ZonePlate : public OnMethod {
protected:
    // The pyramid's levels are samples, so the method has no prefilter there.
    reference::Widened theory(double scale) const {
        MethodSpec spec_there = spec();
        if (scale >= 8) spec_there.prefilter = {Prefilter::Kind::none};
        return {Image(1, 1, 1, SampleType::f32), spec_there};
    }
    // From scale 8 on the same function is sampled on a level of the pyramid. Each level before it lets through what
    // Lanczos 3 does, folded at its Nyquist frequency; 1 % for its stop band.
    static double allowed_gain(const reference::Widened& widened, double f, double spread, double scale) {
        static const reference::Widened halving(Image(1, 1, 1, SampleType::f32), spec_of("lanczos3"));
        const double direct = largest_gain(widened, f, spread, scale);
        if (scale < 8) return direct;
        double through = 1;
        for (; scale >= 8; scale /= 2, spread *= 2) {
            through *= halving.gain(f, 0.5, 2);
            f = std::abs(2 * f - std::round(2 * f));
        }
        return std::max(direct, through * largest_gain(widened, f, spread, scale)) * (1 + tolerance::pyramid_gain) +
               0.01;
    }
};

// A chirp from 0 to ½ cycles per sample, so long that around each pixel it is a sinusoid: the bound is local there.
TEST_P(ZonePlate, AlongALineShowsNoMoireBeyondTheFrequencyResponse) {
    constexpr int samples = 1 << 16;
    SourceImage source(backend_, signal(samples, [](double x) {
                           return 0.5 + 0.5 * std::cos(std::numbers::pi * x * x / (2.0 * samples));
                       }));
    for (const double scale : scales) {
        const reference::Widened widened = theory(scale);
        RenderRequest request = request_of(spec(), int(samples / scale), 1);
        request.antialias = true;
        request.positions = Affine{scale, 0, scale / 2 - 0.5, 0, 1, 0};
        const Image out = source.render_to_image(request);
        request.antialias = false;
        const Image plain = source.render_to_image(request);
        double power = 0, plain_power = 0;
        const int step = std::max(1, request.width / 100), edge = int(std::ceil(method().taps / 2.0)) + 1;
        for (int i = 0; i < request.width - edge; i += step) {
            const double x = scale * i + scale / 2 - 0.5, f = x / (2.0 * samples);
            if (f * scale <= 0.5) continue;
            const double spread = method().taps / 2.0 * scale / (2.0 * samples);  // of the frequency, under the support
            const double gain = allowed_gain(widened, f, spread, scale);
            const double residual = std::abs(out.value(i, 0, 0) - 0.5);
            if (!is_polar(method())) {  // the response is that of weights along the axes
                ASSERT_LE(residual, 0.5 * gain + 0.004) << "scale " << scale << ", " << f * scale << " cycles a pixel";
            }
            power += residual * residual;
            plain_power += std::pow(plain.value(i, 0, 0) - 0.5, 2);
        }
        EXPECT_GT(plain_power, 1.5 * power) << "scale " << scale << " without antialias";
    }
}

// The zone plate itself, centred: mean square of what is left where either frequency is beyond Nyquist's.
TEST_P(ZonePlate, ShowsNoMoireBeyondTheFrequencyResponse) {
    constexpr int size = 512;
    constexpr double other_frequencies =
        3e-4;  // under a wide support the plate has no single frequency: 4 levels of 255
    constexpr double centre = (size - 1) / 2.0;
    Image image(size, size, 1, SampleType::f32);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            const double squared = (x - centre) * (x - centre) + (y - centre) * (y - centre);
            image.row_as<float>(y)[x] = float(0.5 + 0.5 * std::cos(std::numbers::pi * squared / size));
        }
    SourceImage source(backend_, image);
    for (const double scale : scales) {
        const reference::Widened widened = theory(scale);
        const int pixels = int(size / scale);
        RenderRequest request = request_of(spec(), pixels, pixels);
        request.spec.address = {AddressMode::mirror, AddressMode::mirror};
        request.view.scale = scale;
        request.antialias = true;
        const Image out = source.render_to_image(request);
        request.antialias = false;
        const Image plain = source.render_to_image(request);
        std::vector<double> gain;
        for (int i = 0; i < pixels; ++i)
            gain.push_back(allowed_gain(widened, std::abs(scale * (i - (pixels - 1) / 2.0)) / size, 0, scale));
        double power = 0, plain_power = 0, allowed_power = 0;
        int count = 0;
        for (int j = 0; j < pixels; ++j)
            for (int i = 0; i < pixels; ++i) {
                const double fx = std::abs(i - (pixels - 1) / 2.0) * scale * scale / size,
                             fy = std::abs(j - (pixels - 1) / 2.0) * scale * scale / size;
                if (std::max(fx, fy) <= 0.5) continue;
                const double allowed = gain[size_t(i)] * gain[size_t(j)];
                power += std::pow(out.value(i, j, 0) - 0.5, 2);
                plain_power += std::pow(plain.value(i, j, 0) - 0.5, 2);
                allowed_power += allowed * allowed / 8;
                ++count;
            }
        if (!is_polar(method())) {
            EXPECT_LE(power / count, 1.1 * allowed_power / count + other_frequencies) << "scale " << scale;
        }
        EXPECT_GT(plain_power, 1.5 * power) << "scale " << scale << " without antialias";
    }
}

ON_EVERY_BACKEND_AND_METHOD(ZonePlate, auto_path());

}  // namespace
}  // namespace texelscope::test
