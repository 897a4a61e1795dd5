// Polar methods, known from ImageMagick's -distort and mpv's ewa_… scalers: jinc under a wider jinc, and two cubics of
// the (B, C) family over the distance in the plane.

#include <cmath>
#include <numbers>

#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

// Zeros of J₁(πr)/r.
constexpr double first_zero = 1.2196698912665045, third_zero = 3.2383154841662362;

// 2 J₁(πr) / (πr): what a low-pass filter with a round passband is, as the sinc is for one axis.
double jinc(double r) {
    const double x = std::numbers::pi * r;
    return x < 1e-4 ? 1 - x * x / 8 : 2 * ::j1(x) / x;
}

// The first zero of the window is at the third of the jinc; `blur` scales both.
double windowed_jinc(double r, double blur) {
    r /= blur;
    return r < third_zero ? jinc(r) * jinc(r * (first_zero / third_zero)) : 0;
}

// Mitchell & Netravali's cubics, radius 2.
double cubic(double b, double c, double r) {
    if (r < 1) return ((12 - 9 * b - 6 * c) * r * r * r + (-18 + 12 * b + 6 * c) * r * r + (6 - 2 * b)) / 6;
    if (r < 2)
        return ((-b - 6 * c) * r * r * r + (6 * b + 30 * c) * r * r + (-12 * b - 48 * c) * r + (8 * b + 24 * c)) / 6;
    return 0;
}

constexpr std::string_view ewa_source =
    "Greene & Heckbert 1986, Creating raster Omnimax images from multiple perspective views using the elliptical weighted "
    "average filter; this weight function: N. Robidoux and A. Thyssen in ImageMagick's -distort, mpv's ewa_ scalers";

// The record without what all have in common.
struct PolarMethod {
    std::string_view id, name, summary;
    int rank;
    double radius;
    double (*radial)(double);
};

RegisterPolarMethod registered(const PolarMethod& method) {
    return {
        described_by_radial(
            {
                .id = method.id,
                .family = "polar",
                .group = MethodGroup::polar,
                .name = method.name,
                .summary = method.summary,
                .paper = ewa_source,
                .rank = method.rank,
                .interpolating = false,
                .order = 1,
                .order_unfiltered = 1,
                .smoothness = 1,
                .hardware_note =
                    "None: the texture unit filters along the axes, and a weight that depends on the distance in the "
                    "plane is no product of weights along the axes. Every path reads linear memory.",
                .tolerance = 2e-6,
            },
            method.radius, method.radial),
        method.radius};
}

double lanczos3(double r) { return windowed_jinc(r, 1); }

// Narrowed until, in a picture of only rows or only columns, the next ones weigh nothing at a sample.
constexpr double sharp_blur = 0.9812505644269356;
double lanczos_sharp(double r) { return windowed_jinc(r, sharp_blur); }

// Keys' cubics (B + 2C = 1): the one for which such a picture is unchanged at its samples, and a sharper one.
double robidoux(double r) { return cubic(0.37821575509399867, 0.31089212245300067, r); }
double robidoux_sharp(double r) { return cubic(0.2620145123990142, 0.3689927438004929, r); }

const RegisterPolarMethod ewa_lanczos = registered({
    .id = "ewa-lanczos",
    .name = "EWA Lanczos 3",
    .summary = "Jinc windowed by a wider jinc, three lobes, over the distance in the plane: no axis is preferred, "
               "edges of all directions look alike. Blurs a little and rings in circles.",
    .rank = 19,
    .radius = third_zero,
    .radial = lanczos3,
});

const RegisterPolarMethod ewa_lanczos_sharp = registered({
    .id = "ewa-lanczossharp",
    .name = "EWA LanczosSharp",
    .summary = "EWA Lanczos 3 narrowed by 2 %, so that rows and columns of a picture stay as they are, nearly.",
    .rank = 20,
    .radius = third_zero * sharp_blur,
    .radial = lanczos_sharp,
});

const RegisterPolarMethod ewa_robidoux = registered({
    .id = "ewa-robidoux",
    .name = "EWA Robidoux",
    .summary = "A cubic close to Mitchell's over the distance in the plane: smooth, with hardly any ringing; the "
               "usual choice of ImageMagick for warped pictures.",
    .rank = 21,
    .radius = 2,
    .radial = robidoux,
});

const RegisterPolarMethod ewa_robidoux_sharp = registered({
    .id = "ewa-robidouxsharp",
    .name = "EWA RobidouxSharp",
    .summary = "The same family's sharper cubic: between EWA Robidoux and EWA LanczosSharp.",
    .rank = 22,
    .radius = 2,
    .radial = robidoux_sharp,
});

}  // namespace
}  // namespace texelscope
