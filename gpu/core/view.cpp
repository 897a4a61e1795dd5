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
    return a;
}

Affine aligned_affine(Align align, int source_width, int source_height, int output_width, int output_height) {
    struct Axis {
        double step, start;
    };
    const auto axis = [align](int source, int output) -> Axis {
        const double a = double(source) / output;
        if (align == Align::centers) return {a, a / 2 - 0.5};
        if (align == Align::origin) return {a, -0.5};
        return output > 1 ? Axis{(source - 1.0) / (output - 1.0), 0} : Axis{1, (source - 1) / 2.0};
    };
    const Axis x = axis(source_width, output_width), y = axis(source_height, output_height);
    return {x.step, 0, x.start, 0, y.step, y.start};
}

Point apply(const Affine& a, double i, double j) { return {a.xx * i + a.xy * j + a.x0, a.yx * i + a.yy * j + a.y0}; }

Point apply_inverse(const Affine& a, Point p) {
    const double det = a.xx * a.yy - a.xy * a.yx;
    const double dx = p.x - a.x0, dy = p.y - a.y0;
    return {(a.yy * dx - a.xy * dy) / det, (a.xx * dy - a.yx * dx) / det};
}

}  // namespace texelscope
