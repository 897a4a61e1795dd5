#pragma once
// Warps: built-in coordinate maps over an image, from sample space to sample space.

#include <cmath>
#include <numbers>

#include "gpu/core/names.h"
#include "gpu/core/platform.h"
#include "gpu/core/view.h"

namespace texelscope {

// With r the distance from the image's centre and R half its shorter side:
//   swirl    rotates about the centre by strength degrees there, falling to 0 at R: strength · (1 − r/R)²
//   barrel   reads at r · (1 + strength · (r/R)²): above 0 straight lines bulge out, below 0 they bend in (pincushion)
//   ripple   reads at r + strength · sin(2π · 8 r/R) samples
struct Warp {
    enum class Kind { none, swirl, barrel, ripple };
    Kind kind = Kind::none;
    double strength = 0;
    bool operator==(const Warp&) const = default;
};

// A kind of warp and its strength, for menus and the command line.
struct WarpInfo {
    Warp::Kind value;
    std::string_view name, unit;
    double minimum, maximum, standard;
    std::string_view meaning;
};
inline constexpr WarpInfo warp_kinds[] = {
    {Warp::Kind::none, "none", "", 0, 0, 0, "The image is not warped."},
    {Warp::Kind::swirl, "swirl", "degrees", -720, 720, 180,
     "Rotates about the image's centre, most strongly at the centre."},
    {Warp::Kind::barrel, "barrel", "", -0.5, 2, 0.3,
     "Bulges straight lines outwards, as a wide-angle lens does; below 0, inwards."},
    {Warp::Kind::ripple, "ripple", "samples", -64, 64, 4,
     "Displaces pixels in eight circular waves around the image's centre."}};
constexpr auto& names_table(Warp::Kind) { return warp_kinds; }
inline constexpr auto all_warps = all_values<Warp::Kind>;
constexpr const WarpInfo& info_of(Warp::Kind kind) { return row_of(kind); }

inline constexpr double ripples = 8;  // waves between the centre and R

// The sample-space point that is read at p, for an image of width × height.
TS_HD Point warped(const Warp& warp, Point p, int width, int height) {
    const double cx = (width - 1) / 2.0, cy = (height - 1) / 2.0;
    const double radius = (width < height ? width : height) / 2.0;
    const double dx = p.x - cx, dy = p.y - cy, r = sqrt(dx * dx + dy * dy);
    switch (warp.kind) {
        case Warp::Kind::none: return p;
        case Warp::Kind::swirl: {
            const double fall = r < radius ? 1 - r / radius : 0;
            const double angle = warp.strength * (std::numbers::pi / 180) * fall * fall;
            const double c = cos(angle), s = sin(angle);
            return {cx + c * dx - s * dy, cy + s * dx + c * dy};
        }
        case Warp::Kind::barrel: {
            const double factor = 1 + warp.strength * (r / radius) * (r / radius);
            return {cx + factor * dx, cy + factor * dy};
        }
        case Warp::Kind::ripple: {
            if (r == 0) return p;
            const double factor = 1 + warp.strength * sin(2 * std::numbers::pi * ripples * r / radius) / r;
            return {cx + factor * dx, cy + factor * dy};
        }
    }
    return p;
}

}  // namespace texelscope
