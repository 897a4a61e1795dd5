#pragma once
// What a backend is asked for. SourceImage makes these of a caller's request.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "gpu/backend/border.h"
#include "gpu/backend/request.h"
#include "gpu/core/points.h"
#include "gpu/core/tile_source.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

// What a backend is asked to compute from one resident image.
struct Resampling : Sampling {
    Resampling() = default;
    explicit Resampling(const Sampling& sampling) : Sampling(sampling) {}

    ReadPlan reading;           // of that image; its positions are used if there are no points
    int width = 1, height = 1;  // of the output, pixels
    PointsView points;          // memory of the backend; in indices of that image
    Cut cut;                    // if that is a window of an image: the positions are counted from it
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
};

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

// The part of a smaller image that is made of a window of the larger one.
struct ReducedPart {
    int width = 1, height = 1;  // samples of the whole larger image
    int64_t window_x = 0,
            window_y = 0;  // texel (0, 0) of the window is this sample of it, extended by its address modes
    SampleRegion region;   // of the smaller image: what is made
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

// Of a picture of an image with so many channels.
constexpr size_t bytes_per_pixel(RenderTarget::Format format, int channels) {
    return format == RenderTarget::Format::rgba8 ? 4 : size_t(channels) * sizeof(float);
}

}  // namespace texelscope
