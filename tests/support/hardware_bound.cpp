#include "tests/support/hardware_bound.h"

#include <algorithm>
#include <cmath>

#include "tests/support/tolerances.h"

namespace test_support {

using namespace texelscope;

namespace {

struct Differences {
    double x = 0, y = 0, mixed = 0;
};

// Of the texels that fetches blend: samples or coefficients, extended by their address modes until they repeat, or
// settle: each difference further out is smaller than the one before it.
Differences largest_differences(const Image& image, const MethodSpec& spec) {
    constexpr int beyond = 16;
    const reference::Interpolant interpolant(image, spec);
    const int width = image.width() + 2 * beyond, height = image.height() + 2 * beyond;
    std::vector<reference::Value> texels(size_t(width) * height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) texels[size_t(y) * width + x] = interpolant.coefficient(x - beyond, y - beyond);
    Differences largest;
    for (int y = 0; y + 1 < height; ++y)
        for (int x = 0; x + 1 < width; ++x)
            for (int c = 0; c < image.channels(); ++c) {
                const reference::Value* at = &texels[size_t(y) * width + x];
                const double here = at[0][c], right = at[1][c], below = at[width][c], both = at[width + 1][c];
                largest.x = std::max(largest.x, std::abs(right - here));
                largest.y = std::max(largest.y, std::abs(below - here));
                largest.mixed = std::max(largest.mixed, std::abs(both - right - below + here));
            }
    return largest;
}

double coordinate_loss(int samples, const AddressPair& address) {
    const auto repeats = [](AddressMode mode) { return mode == AddressMode::wrap || mode == AddressMode::mirror; };
    const double stored = samples + 2 * 24;  // with the largest margin
    return stored * 0x1p-24 * (repeats(address.x) || repeats(address.y) ? 8 + 2 : 1);
}

// max Σ |weight| of the fetches along an axis; 0 where there are none. The sum has no peaks narrower than the step.
double largest_sum_of_weights(const MethodSpec& spec) {
    constexpr int steps = 1024;
    double largest = 0;
    for (int n = 0; n < steps; ++n) {
        double sum = 0;
        for (const FilteredFetch& fetch : spec.method->filtered_fetches(float(n) / steps, spec.parameters))
            sum += std::abs(fetch.weight);
        largest = std::max(largest, sum);
    }
    return largest;
}

double format_rounding(const Image& image, const MethodSpec& spec) {
    if (image.alpha() == Alpha::straight || spec.effective_prefilter().kind != Prefilter::Kind::none) return 0;  // float
    switch (image.type()) {
        case SampleType::u8:
        case SampleType::u16: return 1.0 / 65535;  // half a step, or a whole one in 1 % of fetches
        case SampleType::f16: return 0x1p-11;
        case SampleType::f32: return 0;
    }
    return 0;
}

}  // namespace

double hardware_bound(const Image& image, const MethodSpec& spec) {
    const double along_an_axis = largest_sum_of_weights(spec);
    if (along_an_axis == 0) return tolerance::exact_path;  // point-filtered: no fractions
    const double gain = along_an_axis * along_an_axis;
    const Differences d = largest_differences(image, spec);
    const double x = tolerance::hardware_fraction + coordinate_loss(image.width(), spec.address);
    const double y = tolerance::hardware_fraction + coordinate_loss(image.height(), spec.address);
    return gain * (x * d.x + y * d.y + tolerance::hardware_fraction * d.mixed + format_rounding(image, spec)) +
           tolerance::exact_path;
}

}  // namespace test_support
