#pragma once
// TiledImage: renders an image that is not in memory, in blocks of the output through regions of the image, in bounded
// memory. The result is what a SourceImage of the whole would render.

#include <functional>
#include <memory>
#include <stop_token>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/tile_cache.h"

namespace texelscope {

class TiledLevels;

struct TiledOptions {
    size_t memory = default_tiled_memory;  // bytes, of the host and the backend together: tiles, levels, regions, rows
    Light light = Light::stored;
    std::shared_ptr<LevelStore> levels = nullptr;  // where those of this image are kept beyond it; null: nowhere
};

// How far a rendering is, as a fraction of its pixels, and what ends it early by Cancelled.
struct Following {
    std::function<void(double fraction)> progress;
    std::stop_token stop;
};

// Takes finished rows of the output, from the top: `rows` is of the output's width, and ends with the call.
using RowSink = std::function<void(const Image& rows, int first_row)>;

// Not to be used from two threads at the same time.
class TiledImage {
public:
    // Throws Error for a null backend or source, and less than least_tiled_memory.
    TiledImage(std::shared_ptr<Backend> backend, std::shared_ptr<const TileSource> source,
               const TiledOptions& options = {});
    ~TiledImage();
    TiledImage(TiledImage&&) noexcept;
    TiledImage& operator=(TiledImage&&) noexcept;

    const ImageInfo& info() const;
    Backend& backend() const;
    TileCache& tiles() const;
    TiledLevels& levels() const;
    Light light() const;  // stored if the samples are linear light by themselves

    // The request, checked and planned as for a resident image. Throws Error for a kernel of one's own, which may read
    // anything.
    PlannedRequest plan(const RenderRequest& request) const;

    // Renders to the sink: `floats` as f32 with the channels and the alpha (premultiplied) of the image, `rgba8` as u8 × 4
    // for the screen. Throws Error, which names the tile, for samples that cannot be read; OutOfMemory if a single pixel
    // needs more than the memory; Cancelled; and what the sink throws.
    void render(const RenderRequest& request, RenderTarget::Format format, const RowSink& sink,
                const Following& following = {});
    void render(const PlannedRequest& planned, RenderTarget::Format format, const RowSink& sink,
                const Following& following = {});

    // Some rows of a request that was planned by plan(), with the progress of all of it: for several requests whose rows are
    // wanted together.
    Image rows(const PlannedRequest& planned, RenderTarget::Format format, int first, int count,
               const Following& following = {});

    // The whole, for outputs that fit in memory.
    Image render_to_image(const RenderRequest& request);
    Image render_to_rgba8(const RenderRequest& request);

private:
    friend class TiledReference;
    struct State;
    class Rendering;
    std::unique_ptr<State> state_;
};

// As for a resident image.
RenderRequest resize_request(const ImageInfo& image, const MethodSpec& spec, int width, int height,
                             Align align = Align::centers, bool antialias = true);

// TiledReference: the float64 reference of an image that is not in memory, in blocks of the output through regions of the
// image. The result is what SourceImage::render_reference of the whole would give, to the rounding of float64; with a value
// beyond a border, to that of the samples minus that value in float32.

class TiledReference {
public:
    // Reads through the tiles and levels of the image, within its memory. It outlives this, and is not used meanwhile.
    explicit TiledReference(TiledImage& image) : image_(image) {}

    // Rows of a request that image.plan() has planned: to `values` in host memory, as many doubles per pixel as the image has
    // channels, rows packed, premultiplied if there is alpha. Throws Error, which names the tile, for samples that cannot be
    // read, and for a derivative; OutOfMemory if a single pixel needs more than the memory; Cancelled.
    void rows(const PlannedRequest& planned, int first, int count, double* values, const std::stop_token& stop = {});

private:
    TiledImage& image_;
};

}  // namespace texelscope
