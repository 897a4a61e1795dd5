#include "tests/support/tolerances.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gpu/backend/source_image.h"
#include "tests/support/images.h"
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
    double& at(int x, int y) { return values.data()[size_t(y) * size_t(width) + size_t(x)]; }
};

// Convolves a line of n samples, extended by its address mode, with the response: outputs −beyond … n + beyond − 1.
template <class Read, class Write>
void filter_line(int n, int beyond, AddressMode mode, const std::vector<double>& response, Read read, Write write) {
    const int half = int(response.size() / 2), ends = beyond + half;
    std::vector<double> line(size_t(n + 2 * ends));
    for (int k = -ends; k < n + ends; ++k)
        if (const long long index = reference::extended(mode, k, n); index >= 0)
            line[size_t(k + ends)] = read(int(index));
    for (int k = 0; k < n + 2 * beyond; ++k) {
        const double* const last = line.data() + k + 2 * half;
        double sum = 0;
        for (int m = 0; m <= 2 * half; ++m) sum += response.data()[m] * last[-m];
        write(k, sum);
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

using namespace texelscope;
using reference::Position;
using reference::Value;

namespace {

double distance(double a, double b) {
    if (a == b) return 0;
    const double error = std::abs(a - b);
    return std::isnan(error) ? INFINITY : error;
}

double distance(const Value& a, const Value& b) {
    double largest = 0;
    for (int c = 0; c < 4; ++c) largest = std::max(largest, distance(a[c], b[c]));
    return largest;
}

// Correct values at a position: one, or those on both sides of a jump.
class Expectation {
public:
    Expectation(const Image& source, const RenderRequest& request, const Value& background)
        : interpolant_(source, request.spec), outside_(request.outside), background_(background) {}

    // The expected value nearest to the actual one.
    Value closest(Position p, const Value& got) const {
        const bool jumps = interpolant_.kernel().jumps || outside_ == Outside::background;
        Value best = at(p);
        if (!jumps) return best;
        for (const long double dx : {-tolerance::jump, 0.0, tolerance::jump})
            for (const long double dy : {-tolerance::jump, 0.0, tolerance::jump}) {
                const Position moved = {p.x + dx, p.y + dy};
                if (cell(moved.x) == cell(p.x) && cell(moved.y) == cell(p.y)) continue;
                const Value candidate = at(moved);
                if (distance(candidate, got) < distance(best, got)) best = candidate;
            }
        return best;
    }

private:
    static long double cell(long double x) { return std::floor(x + 0.5L); }

    Value at(Position p) const {
        const reference::Samples& s = interpolant_.samples();
        const bool inside = p.x >= -0.5L && p.x < s.width - 0.5L && p.y >= -0.5L && p.y < s.height - 0.5L;
        return outside_ == Outside::extend || inside ? interpolant_.at(p) : background_;
    }

    reference::Interpolant interpolant_;
    Outside outside_;
    Value background_;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const Difference& d) {
    return out << fmt::format("error {:.3g} at pixel ({}, {}) channel {}: got {:.9g}, expected {:.9g}; {}", d.error,
                              d.x, d.y, d.channel, d.got, d.expected, d.what);
}

std::string describe_request(const Image& source, const RenderRequest& request) {
    const View& v = request.view;
    return fmt::format(
        "{} of {}{}, {}×{} pixels, --translate {:.17g},{:.17g} --scale {:.17g} --rotate {:.17g} --outside {}",
        to_string(request.spec), describe(source), source.alpha() == Alpha::none ? "" : " with alpha", request.width,
        request.height, v.translate_x, v.translate_y, v.scale, v.rotate, name_of(request.outside));
}

Difference against_reference(const Image& rendered, const Image& source, const RenderRequest& request, int pixels,
                             const Value& background) {
    Difference worst;
    worst.what = describe_request(source, request);
    if (rendered.width() != request.width || rendered.height() != request.height ||
        rendered.channels() != source.channels() || rendered.type() != SampleType::f32) {
        worst.error = INFINITY;
        worst.what += "; but the rendering is " + describe(rendered);
        return worst;
    }
    const Expectation expectation(source, request, background);
    Random random(uint64_t(request.width) * 65536 + request.height);
    const int64_t all = int64_t(request.width) * request.height;
    const int64_t checked = std::min<int64_t>(all, pixels);
    for (int64_t n = 0; n < checked; ++n) {
        int x = int(n % request.width), y = int(n / request.width);
        if (all > pixels) {
            x = n < 4 ? (n & 1) * (request.width - 1) : random.integer(0, request.width - 1);
            y = n < 4 ? (n >> 1) * (request.height - 1) : random.integer(0, request.height - 1);
        }
        const Position p =
            reference::position(request.view, source.width(), source.height(), request.width, request.height, x, y);
        Value got{};
        for (int c = 0; c < source.channels(); ++c) got[c] = rendered.value(x, y, c);
        const Value expected = expectation.closest(p, got);
        for (int c = 0; c < source.channels(); ++c)
            if (const double error = distance(got[c], expected[c]); error > worst.error)
                worst = {error, x, y, c, got[c], expected[c], worst.what};
    }
    return worst;
}

Difference render_and_compare(const std::shared_ptr<Backend>& backend, const Image& source,
                              const RenderRequest& request, int pixels) {
    return against_reference(SourceImage(backend, source).render_to_image(request), source, request, pixels);
}

Difference between(const Image& a, const Image& b) {
    Difference worst;
    if (a.width() != b.width() || a.height() != b.height() || a.channels() != b.channels()) {
        worst.error = INFINITY;
        worst.what = describe(a) + " against " + describe(b);
        return worst;
    }
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            for (int c = 0; c < a.channels(); ++c)
                if (const double e = distance(a.value(x, y, c), b.value(x, y, c)); e > worst.error)
                    worst = {e, x, y, c, a.value(x, y, c), b.value(x, y, c), worst.what};
    return worst;
}

}  // namespace texelscope::test
