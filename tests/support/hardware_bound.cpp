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

// Of the texels that fetches blend: samples or coefficients, extended by their address modes until they repeat or
// have settled.
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
    const double stored = samples + 32;  // with a margin
    return stored * 0x1p-24 * (repeats(address.x) || repeats(address.y) ? 8 + 2 : 1);
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
    if (spec.method->id == "nearest") return tolerance::exact_path;  // no fractions
    // Catmull–Rom: the pair that shares a fetch weighs up to 1.125, all of the other axis up to 1.25.
    const double gain = spec.method->id == "catmull-rom" ? 1.25 * 1.25 : 1;
    const Differences d = largest_differences(image, spec);
    const double x = tolerance::hardware_fraction + coordinate_loss(image.width(), spec.address);
    const double y = tolerance::hardware_fraction + coordinate_loss(image.height(), spec.address);
    return gain * (x * d.x + y * d.y + tolerance::hardware_fraction * d.mixed + format_rounding(image, spec)) +
           tolerance::exact_path;
}

}  // namespace test_support
