#pragma once
// Requests, from the outside in: callers make RenderRequest and SampleRequest of a SourceImage, which makes a
// Resampling of a Backend; a kernel gets a ResampleJob (method/resample_job.h).
//
//     RenderRequest ──planned──▶ Resampling ──job_for──▶ ResampleJob or TabulatedJob ──▶ kernel
//     SampleRequest ───────────▶ Resampling
//
// All are a Sampling; a PlannedRequest is a Resampling that a SourceImage has still something to do for. `view` and `warp` become positions (or points), `antialias` a level of the pyramid and a stretch.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gpu/core/address.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"
#include "gpu/core/view.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/spec.h"

namespace texelscope {

// The value beyond a border. Interpolation is linear: with v beyond the edges it is that of the samples minus v with zero
// there, plus v times the sum of the weights. So an image minus v is kept for each v (Backend::minus), every kernel and
// every filter reads zero beyond a border, and the sum is made where a picture leaves (Backend::add_border).

// A border value as the samples are: premultiplied, linear light if they are.
struct BorderPixel {
    float v[4] = {};
    bool is_zero() const { return v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == 0; }
};

// The border pixel of an image with these channels. A channel without a number of its own has the last one, alpha 1;
// numbers beyond the channels are not used.
BorderPixel border_pixel(const BorderValue& border, int channels, bool has_alpha, bool linear_light);

// The border value for a custom kernel, which reads each tap as four numbers, whatever the channels.
BorderPixel border_tap(const BorderPixel& border, int channels, bool has_alpha);

// What is added to floats that resample() has written.
struct BorderTerm {
    const float* values = nullptr;  // memory of the backend; may be the target's own
    size_t row_bytes = 0;
    BorderPixel border;
    const float* weights = nullptr;  // the sum of each pixel's weights, packed; null: it is 1
};

struct RenderRequest : Sampling {
    View view;
    int width = 1, height = 1;  // of the output, pixels

    // When the view zooms out, the weight function widens with the scale, along each axis of sample space. No effect at
    // scales up to 1.
    bool antialias = false;

    // For that a smaller image of a pyramid may be read, from scale 8 on. If not, the samples themselves are, at any scale,
    // where SourceImage::plan() finds that it can: see is_by_own_samples() in least_squares.h.
    bool pyramid = true;
    Warp warp;                        // of the image under the view
    std::optional<Affine> positions;  // instead of the view
    bool simple = false;              // each pixel separately, by the most readable code, where faster code exists

    bool operator==(const RenderRequest&) const = default;
};

// The request that resizes so many samples to width × height pixels. Antialiasing acts along the axes that shrink.
RenderRequest resize_request(Extent samples, const MethodSpec& spec, int width, int height, Align align,
                             bool antialias);

// Output pixels to the sample space of an image of this size, before any warp.
inline Affine positions_of(const RenderRequest& request, int image_width, int image_height) {
    if (request.positions) return *request.positions;
    return sampling_affine(request.view, image_width, image_height, request.width, request.height);
}

// How arbitrary points are read: with Outside::extend or nan.
using SampleRequest = Sampling;

// Which image of the pyramid a request reads, and how far the weight function is widened there.

// The image that a request is about.
struct ImageShape {
    int width = 1, height = 1;     // samples
    bool one_dimensional = false;  // a signal
};
inline ImageShape shape_of(const Image& image) { return {image.width(), image.height(), image.one_dimensional()}; }

// How often an image is halved along each axis.
struct Level {
    int x = 0, y = 0;
    bool operator==(const Level&) const = default;
};

// The address modes that continue a level as they continue the image: one that is mirrored at its end samples is made so
// that it is mirrored half a sample beyond the level's. Without a border value (see BorderPixel).
AddressPair address_on(Level level, const AddressPair& of_image);

// An axis of the image and of a level. The level's samples divide the image's extent [−½, n − ½) equally, or, of an image
// that is mirrored at its end samples, the interval [0, n − 1]: thus the level has the image's symmetries and period.
struct LevelAxis {
    double divided = 1;   // length of what is divided, in samples of the image
    double samples = 1;   // of the level
    double before = 0.5;  // what is divided begins so far before the image's first sample

    LevelAxis() = default;
    LevelAxis(AddressMode mode, int image_samples, int level_samples) {
        if (level_samples == image_samples) return;
        const bool between = mode == AddressMode::reflect101;
        divided = between ? image_samples - 1.0 : image_samples;
        samples = level_samples;
        before = between ? 0 : 0.5;
    }
    TS_HD double ratio() const { return samples / divided; }
    TS_HD double step() const { return divided / samples; }  // samples of the image from one of the level to the next

    // A position in samples of the image, in samples of the level.
    TS_HD double at(double x) const { return samples == divided && before == 0.5 ? x : (x + before) * ratio() - 0.5; }
    // From the level's first or last sample to the end of the image's extent.
    double beyond() const { return 0.5 - (before - 0.5) * ratio(); }
};

struct ReadPlan {
    Level level;                          // 0, 0: the image itself
    Affine positions;                     // of the pixels, in samples of that level; under a warp those before it, in
                                          // samples of the image
    double stretch_x = 1, stretch_y = 1;  // ≥ 1, in samples of the level; under a warp that of the view, in
                                          // samples of the image
    LevelAxis level_x, level_y;
    bool local_stretch = false;  // the stretch differs from pixel to pixel: from the distances of neighbouring points
    bool prefiltered = true;     // if the method has poles

    // As it acts on the level: there, too, it is the image's.
    Prefilter on_level(Prefilter prefilter) const {
        prefilter.step_x = level.x > 0 ? level_x.step() : 1;
        prefilter.step_y = level.y > 0 ? level_y.step() : 1;
        return prefilter;
    }

    // The weight function is wider than the method's own taps: weights come from a table.
    bool widened() const { return local_stretch || stretch_x > 1 || stretch_y > 1; }
};

// Throws Error if the view's numbers are not finite, or its scale is not above 0.
ReadPlan plan_reading(const RenderRequest& request, const ImageShape& image);

// The level on which weight functions that are widened by these stretches, in samples of the image, are not widened
// beyond the method's largest stretch.
Level level_for(double stretch_x, double stretch_y, const MethodSpec& spec, const ImageShape& image);

// Samples left of n along an axis after this many halvings.
int halved(int n, int times);

// What a backend is asked to compute from one resident image.
struct Resampling : Sampling {
    Resampling() = default;
    explicit Resampling(const Sampling& sampling) : Sampling(sampling) {}

    ReadPlan reading;           // of that image; its positions are used if there are no points
    int width = 1, height = 1;  // of the output, pixels
    PointsView points;          // memory of the backend; in indices of that image
    Cut cut;                    // if that is a region of an image: the positions are counted from it
    bool encode_srgb = false;
    bool simple = false;  // each pixel separately

    // Memory for the coefficients of a float64 reference, which is computed in tiles; by default as suits the backend.
    std::optional<size_t> tile_bytes;

    // What is beyond a border, for kernels of one's own and float64. Everything else reads zero there: SourceImage gives it
    // samples minus the border, which it adds afterwards. In float64 a level of the pyramid is such an image.
    BorderPixel border;
    bool minus_border = false;

    // How the image that is read continues beyond its edges; zero beyond a border.
    AddressPair address() const { return address_on(reading.level, spec.address); }

    // The method's own few taps suffice; else weights come from a table.
    bool plain() const { return !reading.widened() && derivative == Derivative::none; }

    // Coefficients are read instead of samples.
    bool filtered() const { return reading.prefiltered && spec.filters(); }
};

// A request, checked and planned for an image: on the level of the pyramid that is read, without the points of the warp.
struct PlannedRequest : Resampling {
    using Resampling::Resampling;
    Warp warp;
    bool by_rules = false;        // of a recipe
    bool by_own_samples = false;  // antialiased without a level of the pyramid
    bool by_levels = false;       // each pixel from a level of its own (Mip)
};

// Checks and plans a request for an image of this shape, whose samples have been decoded if `light` is linear. `border`:
// what lies beyond the image's borders, if that is known; a border value that changes nothing is left out. Of an image that is
// not `in_memory` as a whole, a recipe is planned as its weight function. Throws Error.
PlannedRequest planned(const RenderRequest& request, const ImageShape& image, Light light,
                       const std::optional<BorderPixel>& border = {}, bool in_memory = false);

// The points warped(warp, positions(i, j)) of all output pixels, in the sample space of a level of the image's pyramid.
struct WarpedGrid {
    Warp warp;
    Affine positions;
    int image_width = 1, image_height = 1;  // samples
    LevelAxis level_x, level_y;
    int width = 1, height = 1;  // of the output, pixels
};

// The axes along which an image is halved.
struct Reduction {
    bool x = false, y = false;
};

// The part of a smaller image that is made of a region of the larger one.
struct ReducedPart {
    int width = 1, height = 1;  // samples of the whole larger image
    int64_t region_x = 0,
            region_y = 0;  // texel (0, 0) of the region is this sample of it, extended by its address modes
    SampleRegion region;   // of the smaller image: what is made
};

// Destination of the result: memory of the backend (device memory for CUDA, host memory for CPU).
struct RenderTarget {
    enum class Format {
        rgba8,   // for the screen: opaque, grey spread over r, g, b, alpha laid over the background
        floats,  // the image's channels as float, premultiplied if it has alpha, neither clamped nor rounded
        levels  // the same as u8: 0 … 255 of 0 … 1, clamped and rounded; of requests that a source renders_levels()
    };
    void* pixels = nullptr;
    size_t row_bytes = 0;  // from one row to the next: at least a whole row, and a multiple of 4, but for levels
    Format format = Format::rgba8;
    int timer = 0;           // 0 … 31: the time becomes its last_render_ms(); no_timer for probes of single values
    size_t image_bytes = 0;  // from one picture of a batch to the next, a multiple of row_bytes
};
inline constexpr int no_timer = -1, timer_count = 32;

// `channels`: of the image that the picture shows.
constexpr size_t bytes_per_pixel(RenderTarget::Format format, int channels) {
    if (format == RenderTarget::Format::rgba8) return 4;
    return size_t(channels) * (format == RenderTarget::Format::levels ? 1 : sizeof(float));
}

}  // namespace texelscope
