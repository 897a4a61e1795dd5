#include "app/viewer/editing/sampling_edits.h"

#include "app/viewer/editing/next_in.h"
#include "gpu/core/colour.h"

namespace texelscope {

const char* const antialias_tip =
    "When the view zooms out, a pixel covers many samples. On: the weight function widens with the scale, so that all "
    "of them count; from scale 8 on, a smaller image of a pyramid is read.\n\nOff: a pixel reads the few samples at "
    "its centre. Detail finer than the pixels then reappears as a coarser pattern that is not in the image: moiré. "
    "Zoom out on the zone plate to see false rings.";

const char* const linear_light_tip =
    "sRGB values are decoded to linear light, interpolated, and encoded again.\n\nHalf black and half white gives half "
    "the light, which sRGB encodes as 188, not 128. With stored values, which are usual in the literature, fine "
    "black-and-white patterns become too dark when they are blurred or zoomed out. Leave it off for images that hold "
    "data rather than sRGB colours.\n\nA file that is linear light by its own statement (OpenEXR, Radiance HDR, PNG with "
    "gAMA 1) is interpolated as it is stored: nothing changes.";

const char* tip_of(Warp::Kind kind) {
    switch (kind) {
        case Warp::Kind::none: return "The image is not warped.";
        case Warp::Kind::swirl: return "Rotates about the image's centre, most strongly at the centre.";
        case Warp::Kind::barrel: return "Bulges straight lines outwards, as a wide-angle lens does; below 0, inwards.";
        case Warp::Kind::ripple: return "Displaces pixels in eight circular waves around the image's centre.";
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

void cycle_warp(AppState& state) { choose_warp(state, next_in(all_warps, state.scene.warp.kind)); }

}  // namespace texelscope
