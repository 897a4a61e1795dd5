#include "app/viewer/editing/sampling_edits.h"

#include "gpu/core/light.h"

#include <algorithm>

#include <fmt/format.h>

namespace texelscope {

const char* const antialias_tip =
    "Where the view zooms out, a pixel covers many samples. On: the weight function widens with the scale, so that all "
    "of "
    "them count; from scale 8 on a smaller image of a pyramid is read.\n\nOff: a pixel reads the few samples at its "
    "centre. What varies faster than the pixels then comes back as a slower pattern that is not there: moiré. Zoom out "
    "on "
    "the zone plate to see false rings.";

const char* const linear_light_tip =
    "sRGB values are decoded to light before they are interpolated, and coded again after.\n\nHalf black, half white "
    "gives off half the light, which sRGB codes as 188, not as 128. On stored values, as the literature has it, fine "
    "black-and-white patterns turn too dark when they are blurred or zoomed out. For images whose values are data, not "
    "sRGB, leave it off.";

const char* tip_of(Warp::Kind kind) {
    switch (kind) {
        case Warp::Kind::none: return "The image as it is.";
        case Warp::Kind::swirl: return "Turned about the image's centre, most at the centre.";
        case Warp::Kind::barrel: return "Straight lines bulge out, as through a wide lens; below 0 they bend in.";
        case Warp::Kind::ripple: return "Eight circular waves around the image's centre.";
    }
    return "";
}

void toggle_antialias(AppState& state) { state.scene.antialias = !state.scene.antialias; }

void toggle_linear_light(AppState& state) {
    state.scene.light = state.scene.light == Light::linear ? Light::stored : Light::linear;
}

void choose_warp(AppState& state, Warp::Kind kind) {
    if (state.scene.warp.kind != kind) state.scene.warp = {kind, info_of(kind).standard};
}

void cycle_warp(AppState& state) {
    const auto at = std::find(all_warps.begin(), all_warps.end(), state.scene.warp.kind);
    choose_warp(state, at == all_warps.end() || at + 1 == all_warps.end() ? all_warps.front() : *(at + 1));
}

}  // namespace texelscope
