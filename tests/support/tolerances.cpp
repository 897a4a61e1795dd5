#include "tests/support/tolerances.h"

#include <algorithm>
#include <cmath>

#include "tests/support/reference.h"

namespace texelscope::test {

double exact_tolerance(const MethodSpec& spec) {
    constexpr double usual_gain = 56.3;
    double gain = 0;  // for the worst samples in [−1, 1] along one axis
    for (const double tap : reference::prefilter_response(spec.method->poles, spec.effective_prefilter()))
        gain += std::abs(tap);
    // A checkerboard needs more: all of its samples ask for the whole gain, and all coefficients are rounded alike.
    const double share = gain * gain / usual_gain;
    return tolerance::exact_path * (share > 1.1 ? 1.15 * share : std::max(1.0, share));
}

using namespace texelscope;

namespace {

struct Differences {
    double x = 0, y = 0, mixed = 0;
};

// One channel of an image with surroundings, as rows of float64.
struct Plane {
    int width, height;
    std::vector<double> values;
    double& at(int x, int y) { return values[size_t(y) * size_t(width) + size_t(x)]; }
};

// Convolves a line of n samples, extended by its address mode, with the response: outputs −beyond … n + beyond − 1.
template <class Read, class Write>
void filter_line(int n, int beyond, AddressMode mode, const std::vector<double>& response, Read read, Write write) {
    const int half = int(response.size() / 2);
    for (int k = -beyond; k < n + beyond; ++k) {
        double sum = 0;
        for (int m = -half; m <= half; ++m)
            if (const long long index = reference::extended(mode, k - m, n); index >= 0)
                sum += response[size_t(m + half)] * read(int(index));
        write(k + beyond, sum);
    }
}

// The values that fetches blend: samples or coefficients, extended by their address modes until they repeat, or settle:
// each difference further out is smaller than the one before it. A signal has one row.
Plane extended_texels(const Image& image, const MethodSpec& spec, const reference::Samples& samples, int channel) {
    const std::vector<double> response =
        reference::prefilter_response(reference::kernel_of(spec).poles, spec.prefilter);
    const int beyond = 16, below = image.one_dimensional() ? 0 : beyond;
    Plane rows{image.width() + 2 * beyond, image.height(), {}}, all{rows.width, image.height() + 2 * below, {}};
    rows.values.resize(size_t(rows.width) * size_t(rows.height));
    all.values.resize(size_t(all.width) * size_t(all.height));
    for (int y = 0; y < rows.height; ++y)
        filter_line(
            image.width(), beyond, spec.address.x, response, [&](int x) { return samples.at(x, y)[channel]; },
            [&](int x, double value) { rows.at(x, y) = value; });
    if (image.one_dimensional()) return rows;
    for (int x = 0; x < all.width; ++x)
        filter_line(
            image.height(), beyond, spec.address.y, response, [&](int y) { return rows.at(x, y); },
            [&](int y, double value) { all.at(x, y) = value; });
    return all;
}

Differences largest_differences(const Image& image, const MethodSpec& spec) {
    const reference::Samples samples(image);
    Differences largest;
    for (int channel = 0; channel < image.channels(); ++channel) {
        Plane texels = extended_texels(image, spec, samples, channel);
        for (int y = 0; y < texels.height; ++y)
            for (int x = 0; x + 1 < texels.width; ++x) {
                const double here = texels.at(x, y), right = texels.at(x + 1, y);
                largest.x = std::max(largest.x, std::abs(right - here));
                if (y + 1 == texels.height) continue;
                const double below = texels.at(x, y + 1), both = texels.at(x + 1, y + 1);
                largest.y = std::max(largest.y, std::abs(below - here));
                largest.mixed = std::max(largest.mixed, std::abs(both - right - below + here));
            }
    }
    return largest;
}

double coordinate_loss(int samples, const AddressPair& address) {
    const auto repeats = [](AddressMode mode) { return mode == AddressMode::wrap || mode == AddressMode::mirror; };
    const double stored = samples + 2 * 24;  // with the largest margin
    return stored * 0x1p-24 * (repeats(address.x) || repeats(address.y) ? 8 + 2 : 1);
}

// max Σ |weight| of the fetches along an axis; 0 if there are none. The sum has no peaks narrower than the step.
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
    if (image.alpha() == Alpha::straight || spec.effective_prefilter().kind != Prefilter::Kind::none)
        return 0;  // float
    switch (image.type()) {
        case SampleType::u8:
        case SampleType::u16: return 1.0 / 65535;  // half a step, or a whole one in 1 % of fetches
        case SampleType::f16: return 0x1p-11;
        default: return 0;  // f32, which holds the numbers of all other types
    }
}

}  // namespace

double hardware_bound(const Image& image, const MethodSpec& spec) {
    const double along_an_axis = largest_sum_of_weights(spec);
    if (along_an_axis == 0) return tolerance::exact_path;  // point-filtered: no fractions
    const double gain = image.one_dimensional() ? along_an_axis : along_an_axis * along_an_axis;
    const Differences d = largest_differences(image, spec);
    const double x = tolerance::hardware_fraction + coordinate_loss(image.width(), spec.address);
    const double y = tolerance::hardware_fraction + coordinate_loss(image.height(), spec.address);
    return gain * (x * d.x + y * d.y + tolerance::hardware_fraction * d.mixed + format_rounding(image, spec)) +
           tolerance::exact_path;
}

double devices_tolerance(const Image& image, const MethodSpec& spec) {
    return spec.path == FetchPath::hardware ? 2 * hardware_bound(image, spec) : exact_tolerance(spec);
}

}  // namespace texelscope::test
