#pragma once
// Pictures rendered for files, row after row, and the values of their pixels without what alpha hides.

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/files/bytes/rows.h"
#include "gpu/backend/request.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"
#include "gpu/display/display.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

// The rendering of an image that is not in memory, as rows that a writer asks for.

// Renders in a thread of its own, at most one band ahead of what has been asked for. The image must not be used meanwhile, and
// outlive it.
class RenderedRows {
public:
    // `progress` is called there, with the part that is done.
    RenderedRows(TiledImage& image, const RenderRequest& request, std::function<void(double part)> progress = {});
    ~RenderedRows();  // what has not been asked for is not rendered
    RenderedRows(const RenderedRows&) = delete;
    RenderedRows& operator=(const RenderedRows&) = delete;

    // f32, with the channels and the alpha (premultiplied) of the image; slopes of alpha and of colour times alpha make no
    // transparent colour, so a derivative has none. Its rows throw what rendering throws; it ends with this object.
    RowSource source() const;

    // What rendering has thrown, before a writer put the name of its file in front; null: nothing.
    std::exception_ptr failure() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// The whole image at another size: what `texelscope resize` and the window's export write.

struct WholePicture {
    MethodSpec spec;
    std::optional<Extent> size = {};  // else by the factors
    Point factor = {1, 1};            // output pixels per sample along x and y, above 0; a signal has no y
    Align align = Align::centers;
    bool antialias = true;       // along the axes that shrink
    bool pyramid = false;        // by its levels from a factor of 1/8 on, instead of all samples
    bool least_squares = false;  // instead of widening the weight function there; see gpu/backend/least_squares.h
};

// The size asked for; by factors each side is rounded, and at least 1. Throws UsageError if a side would be longer than
// images can be.
Extent extent_of(const WholePicture& picture, const ImageShape& image);

// Renders the request, which has positions, band after band: the same picture as SourceImage::render_to_image, but that
// positions are rounded by band, to 1e-12 samples. What jumps (nearest, and the fractions of the hardware path) would show
// that, so it is rendered at once. `progress` is called before each band; what it throws ends the work. Throws what
// rendering does.
Image render_in_bands(SourceImage& source, const RenderRequest& request,
                      const std::function<void(int row, int rows)>& progress);

// Throws what extent_of does.
RenderRequest request_for(const WholePicture& picture, const ImageShape& image);

// Renders the request of such a picture, by least squares if it says so. Throws UsageError for a method
// that cannot, and what rendering does.
Image rendered(SourceImage& source, const WholePicture& picture, const RenderRequest& request);

// Throws UsageError if least squares are asked for, and the method has none.
void check_least_squares(const WholePicture& picture);

// The values of a pixel that count for levels.

// The least visible alpha, half a level of 8 bits: the colours of pixels with less do not count.
inline constexpr float least_alpha = 0.5f / 255;

// Appends the straight values of all colour channels, or of the one that is shown, except those that are not finite or
// not visible.
void append_straight_values(const Image& image, int x, int y, ChannelView shown, std::vector<double>& values);

// The colours of transparent pixels. Premultiplied interpolation makes them black; renderings that read every sample in
// its place take them from the image.

// Makes `result`, the request's rendering as f32, straight with these colours if the source has straight alpha and each
// pixel (x, y) reads sample (x, y); otherwise leaves it as it is.
void keep_hidden_colours(Image& result, const Image& source, const RenderRequest& request);

// keep_hidden_colours() for rows computed on demand; `result` and `source` must outlive the returned rows.
RowSource with_hidden_colours(const RowSource& result, const TileSource& source, const RenderRequest& request);

}  // namespace texelscope
