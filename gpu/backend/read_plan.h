#pragma once
// Which image of the pyramid a request reads, and how far the weight function is widened there.

#include "gpu/backend/request.h"

namespace texelscope {

// The image that a request is about.
struct ImageShape {
    int width = 1, height = 1;     // samples
    bool one_dimensional = false;  // a signal
};

// How often an image is halved along each axis.
struct Level {
    int x = 0, y = 0;
    bool operator==(const Level&) const = default;
};

struct ReadPlan {
    Level level;                          // 0, 0: the image itself
    Affine positions;                     // of the pixels, in samples of that level; under a warp those before it, in
                                          // samples of the image
    double stretch_x = 1, stretch_y = 1;  // ≥ 1, in samples of the level; under a warp that of the view, in
                                          // samples of the image
    bool local_stretch = false;  // the stretch differs from pixel to pixel: from the distances of neighbouring points
    bool prefiltered = true;     // if the method has poles; a low-pass filtered level needs no prefilter

    // The weight function is wider than the method's own taps: weights come from a table.
    bool widened() const { return local_stretch || stretch_x > 1 || stretch_y > 1; }
};

// Throws Error if the view's numbers are not finite, or its scale is not above 0.
ReadPlan plan_reading(const RenderRequest& request, const ImageShape& image);

// Samples left of n along an axis after this many halvings.
int halved(int n, int times);

}  // namespace texelscope
