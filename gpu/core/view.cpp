#include "gpu/core/view.h"

#include <cmath>
#include <numbers>

namespace texelscope {
namespace {

struct CosSin {
    double cos, sin;
};

// cos(π/2) is 6e-17 in double; quarter turns must permute samples, so they are exact here.
CosSin cos_sin_degrees(double degrees) {
    const double turn = std::remainder(degrees, 360.0);
    if (turn == 0) return {1, 0};
    if (turn == 90) return {0, 1};
    if (turn == -90) return {0, -1};
    if (std::abs(turn) == 180) return {-1, 0};
    const double radians = turn * std::numbers::pi / 180;
    return {std::cos(radians), std::sin(radians)};
}

// Whether v is a multiple of 2⁻²⁰: its products with numbers of pixels, and sums of these, are then exact.
bool is_short_fraction(double v) { return std::floor(v * 0x1p20) == v * 0x1p20; }

// The amount added to the start of an axis of a view whose output has `pixels` and reads `centre` in its middle: more
// than rounding takes away from a fraction that scale and translation stand for. Scale, centre, start, the product at
// each pixel and that of the middle are rounded by up to half a unit, 2⁻⁵³ of the number.
double raise_of(double scale, double translate, double centre, int pixels) {
    if (is_short_fraction(scale) && is_short_fraction(translate)) return 0;
    return 0x1p-51 * (std::abs(centre) + scale * pixels);
}

// The rounded a/b, raised by two units of the last place unless it is a short fraction. These are enough for ties in
// fl(fl(step·k) + start): the step is at least 1.5 units above a/b, the product is rounded by less than one, and the
// rest exceeds the rounding of the start, which is at most one step or one half.
double step_above(double a, double b) {
    const double step = a / b;
    if (is_short_fraction(step)) return step;  // exact: any other a/b is at least 2⁻²⁰/b away
    return std::nextafter(std::nextafter(step, HUGE_VAL), HUGE_VAL);
}

}  // namespace

Affine sampling_affine(const View& view, int source_width, int source_height, int output_width, int output_height) {
    const auto [c, s] = cos_sin_degrees(view.rotate);
    const double out_x = (output_width - 1.0) / 2, out_y = (output_height - 1.0) / 2;
    Affine a;
    a.xx = view.scale * c;
    a.xy = -view.scale * s;
    a.yx = view.scale * s;
    a.yy = view.scale * c;
    a.x0 = (source_width - 1.0) / 2 + view.translate_x - (a.xx * out_x + a.xy * out_y);
    a.y0 = (source_height - 1.0) / 2 + view.translate_y - (a.yx * out_x + a.yy * out_y);
    if (c == 0 || s == 0) {
        const int across = c == 0 ? output_height : output_width, down = c == 0 ? output_width : output_height;
        a.x0 += raise_of(view.scale, view.translate_x, (source_width - 1.0) / 2 + view.translate_x, across);
        a.y0 += raise_of(view.scale, view.translate_y, (source_height - 1.0) / 2 + view.translate_y, down);
    }
    return a;
}

Affine aligned_affine(Align align, int source_width, int source_height, int output_width, int output_height) {
    struct Axis {
        double step, start;
    };
    const auto axis = [align](int source, int output) -> Axis {
        const double step = step_above(source, output);
        if (align == Align::centers) return {step, (double(source) - output) / (2.0 * output)};
        if (align == Align::origin) return {step, -0.5};
        return output > 1 ? Axis{step_above(source - 1.0, output - 1.0), 0} : Axis{double(source), (source - 1) / 2.0};
    };
    const Axis x = axis(source_width, output_width), y = axis(source_height, output_height);
    return {x.step, 0, x.start, 0, y.step, y.start};
}

Affine affine_of_factor(double x, double y) { return {step_above(1, x), 0, -0.5, 0, step_above(1, y), -0.5}; }

Point apply(const Affine& a, double i, double j) { return {a.xx * i + a.xy * j + a.x0, a.yx * i + a.yy * j + a.y0}; }

Point apply_inverse(const Affine& a, Point p) {
    const double det = a.xx * a.yy - a.xy * a.yx;
    const double dx = p.x - a.x0, dy = p.y - a.y0;
    return {(a.yy * dx - a.xy * dy) / det, (a.xx * dy - a.yx * dx) / det};
}

}  // namespace texelscope
