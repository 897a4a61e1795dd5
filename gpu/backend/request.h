#pragma once
// Requests, from the outside in: callers make RenderRequest and SampleRequest of a SourceImage, which makes a
// Resampling of a Backend; a kernel gets a ResampleJob (method/resample_job.h).
//
//     RenderRequest ──plan_reading──▶ ReadPlan ──▶ Resampling ──job_for──▶ ResampleJob or WidenedJob ──▶ kernel
//     SampleRequest ──────────────────────────────▶ Resampling
//
// `view` and `warp` become positions (or points), `antialias` a level of the pyramid and a stretch.

#include <cstddef>
#include <optional>

#include "gpu/core/address.h"
#include "gpu/core/points.h"
#include "gpu/core/view.h"
#include "gpu/core/warp.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/spec.h"

namespace texelscope {

// A picture's value, or its first derivative along an axis of sample space, per sample.
enum class Derivative { none, x, y };

struct RenderRequest {
    MethodSpec spec;
    View view;
    Outside outside = Outside::extend;
    int width = 1, height = 1;  // of the output, pixels

    // When the view zooms out, the weight function widens with the scale, along each axis of sample space; from scale 8
    // on, a smaller image of a pyramid is read. No effect at scales up to 1.
    bool antialias = false;
    Derivative derivative = Derivative::none;  // for a method with a slope; not together with antialias
    Warp warp;                                 // of the image under the view
    std::optional<Affine> positions;           // instead of the view
    bool simple = false;  // each pixel separately, by the most readable code, where faster code exists

    bool operator==(const RenderRequest&) const = default;
};

// How arbitrary points are read.
struct SampleRequest {
    MethodSpec spec;
    Outside outside = Outside::extend;  // or nan
    Derivative derivative = Derivative::none;
};

// What a backend is asked to compute from one resident image.
struct Resampling {
    MethodSpec spec;
    Outside outside = Outside::extend;
    int width = 1, height = 1;  // of the output, pixels
    Affine positions;
    PointsView points;                    // used instead of the positions if not empty; memory of the backend
    double stretch_x = 1, stretch_y = 1;  // ≥ 1: how far the weight function is widened
    bool local_stretch = false;           // from the distances of neighbouring points instead
    Derivative derivative = Derivative::none;
    bool encode_srgb = false;
    bool simple = false;         // each pixel separately
    bool takes_samples = false;  // a low-pass filtered level of a pyramid, which needs no prefilter

    // The method's own few taps suffice; else weights come from a table.
    bool plain() const { return stretch_x <= 1 && stretch_y <= 1 && !local_stretch && derivative == Derivative::none; }
};

// The points warped(warp, positions(i, j)) of all output pixels, in the sample space of a level of the image's pyramid.
struct WarpedGrid {
    Warp warp;
    Affine positions;
    int image_width = 1, image_height = 1;  // samples
    int level_width = 1, level_height = 1;
    int width = 1, height = 1;  // of the output, pixels
};

// The axes along which an image is halved.
struct Reduction {
    bool x = false, y = false;
};

// Destination of the result: memory of the backend (device memory for CUDA, host memory for CPU).
struct RenderTarget {
    enum class Format {
        rgba8,  // for the screen: opaque, grey spread over r, g, b, alpha laid over the background
        floats  // the image's channels as float, premultiplied if it has alpha, neither clamped nor rounded
    };
    void* pixels = nullptr;
    size_t row_bytes = 0;  // from one row to the next: at least a whole row, and a multiple of 4
    Format format = Format::rgba8;
    int timer = 0;  // 0 … 31: the time becomes its last_render_ms(); no_timer for probes of single values
};
inline constexpr int no_timer = -1, timer_count = 32;

}  // namespace texelscope
