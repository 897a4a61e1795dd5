#include "tests/support/reference.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gpu/backend/source_image.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {

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
