#pragma once
// What the numbers on a pane mean, with those it shows now as the example.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/files/bytes/rows.h"
#include "app/state/app_state.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

struct NumberMeaning {
    std::string name, figure;  // "PSNR", "31.1 dB"; a figure that is not known is "–"
    std::string words;         // whole sentences
};

// "Pane B shows bilinear. Against quintic B-spline it reaches 31.1 dB: …"
std::string numbers_in_short(const AppState& state, int pane);

// Label, reference, figures of error, cost and the value under the cursor, in the order in which they are explained.
std::vector<NumberMeaning> numbers_explained(const AppState& state, int pane);

// Numbers that float32 cannot hold, through renderings that only move samples (nearest): their bits are cut into pieces
// of 22, which float32 holds. The pieces are channels of pictures that are rendered like any other, and joined again.

// Whether the rendering only copies samples of the image, and these need pieces to stay exact when they are written as
// type `written`.
bool moves_numbers(const RenderRequest& request, const ImageInfo& image, Light light, SampleType written);

// Cuts the samples of an image into pictures, each of 1 to 4 channels of f32.
class NumberPieces {
public:
    NumberPieces(int channels, SampleType type);

    int pictures() const;
    int channels(int picture) const;

    Image picture(const Image& image, int picture) const;
    std::shared_ptr<const TileSource> picture(const std::shared_ptr<const TileSource>& image, int picture) const;

    // The address modes for one picture, with the pieces of the border's value.
    AddressPair address(const AddressPair& address, int picture) const;

    // Adds the pieces of a picture to samples, which are zero at first. A NaN makes its sample NaN, or 0 in integers.
    void join(int picture, std::span<const float> pieces, std::byte* samples) const;

private:
    struct Piece {
        int channel, bit;
    };
    std::span<const Piece> pieces_of(int picture) const;
    void cut(const std::byte* samples, size_t pixels, int picture, float* to) const;
    friend class PieceTiles;

    SampleType type_;
    int channels_;
    std::vector<Piece> pieces_;
};

// The rendering of the image by `render`, as f32; if its numbers are moved, the renderings of all its pieces, joined to
// the image's type.
Image moved_numbers(const std::shared_ptr<const Image>& image, const RenderRequest& request, Light light,
                    SampleType written,
                    const std::function<Image(const std::shared_ptr<const Image>&, const RenderRequest&)>& render);

// Overload for values at arbitrary points.
bool moves_numbers(const SampleRequest& request, const Image& image, Light light, SampleType written);

// Exact values of an image at points, as many a call as the backend takes; NaN beyond the edges if the request says so.
class MovedValues {
public:
    MovedValues(const std::shared_ptr<Backend>& backend, const Image& image, const SampleRequest& request);
    std::vector<StoredNumber> at(const PointsView& points);

private:
    int channels_;
    SampleType type_;
    NumberPieces pieces_;
    std::vector<SourceImage> pictures_;
    std::vector<SampleRequest> requests_;
};

// Rows of a rendering that moves the numbers of an image that is not in memory, in the image's type.
class MovedRows {
public:
    MovedRows(const std::shared_ptr<Backend>& backend, const std::shared_ptr<const TileSource>& image,
              const RenderRequest& request, size_t memory, std::function<void(double part)> progress);

    // The rows are valid while this object exists.
    RowSource source();

private:
    Image rows(int first, int last);

    ImageInfo info_;
    int width_, height_;
    NumberPieces pieces_;
    std::vector<TiledImage> pictures_;
    std::vector<PlannedRequest> planned_;
    std::function<void(double part)> progress_;
};

}  // namespace texelscope
