#pragma once
// Requests, from the outside in: callers make RenderRequest and SampleRequest of a SourceImage, which makes a
// Resampling of a Backend (resampling.h); a kernel gets a ResampleJob (method/resample_job.h).
//
//     RenderRequest ──plan_reading──▶ Resampling ──job_for──▶ ResampleJob or TabulatedJob ──▶ kernel
//     SampleRequest ────────────────▶ Resampling
//
// All are a Sampling. `view` and `warp` become positions (or points), `antialias` a level of the pyramid and a stretch.

#include <optional>

#include "gpu/core/view.h"
#include "gpu/core/warp.h"
#include "gpu/method/sampling.h"

namespace texelscope {

struct RenderRequest : Sampling {
    View view;
    int width = 1, height = 1;  // of the output, pixels

    // When the view zooms out, the weight function widens with the scale, along each axis of sample space; from scale 8
    // on, a smaller image of a pyramid is read. No effect at scales up to 1.
    bool antialias = false;
    Warp warp;                        // of the image under the view
    std::optional<Affine> positions;  // instead of the view
    bool simple = false;              // each pixel separately, by the most readable code, where faster code exists

    bool operator==(const RenderRequest&) const = default;
};

// Output pixels to the sample space of an image of this size, before any warp.
inline Affine positions_of(const RenderRequest& request, int image_width, int image_height) {
    if (request.positions) return *request.positions;
    return sampling_affine(request.view, image_width, image_height, request.width, request.height);
}

// How arbitrary points are read: with Outside::extend or nan.
using SampleRequest = Sampling;

}  // namespace texelscope
