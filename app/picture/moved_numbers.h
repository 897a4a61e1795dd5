#pragma once
// Numbers that float32 cannot hold, through renderings that only move samples (nearest): their bits are cut into pieces of
// 22, which float32 holds. The pieces are the channels of pictures that are rendered like any other, and joined again.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "app/files/bytes/row_source.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

// Whether the rendering gives each pixel a sample of the image as it is, which needs pieces to stay exact in samples of type
// `written`.
bool moves_numbers(const RenderRequest& request, const ImageInfo& image, Light light, SampleType written);

// How samples of an image are cut into pictures, each of 1 to 4 channels of f32.
class NumberPieces {
public:
    NumberPieces(int channels, SampleType type);

    int pictures() const;
    int channels(int picture) const;

    Image picture(const Image& image, int picture) const;
    std::shared_ptr<const TileSource> picture(const std::shared_ptr<const TileSource>& image, int picture) const;

    // What is beyond a border, of a picture.
    AddressPair address(const AddressPair& address, int picture) const;

    // Adds the pieces of a picture to samples, which are zero before. A piece that is not a number makes its sample NaN, or 0.
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

// As `render` makes it of the image (f32); of an image whose numbers are moved, of all pictures of its pieces, joined to the
// image's type.
Image moved_numbers(const std::shared_ptr<const Image>& image, const RenderRequest& request, Light light,
                    SampleType written,
                    const std::function<Image(const std::shared_ptr<const Image>&, const RenderRequest&)>& render);

// For arbitrary points.
bool moves_numbers(const SampleRequest& request, const Image& image, Light light, SampleType written);

// Values of such an image at points, as many at a time as its backend takes; NaN beyond its edges if that is asked for.
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

// The same of an image that is not in memory: rows of its type. What `pictures` gives is used as long as the rows are.
class MovedRows {
public:
    MovedRows(const std::shared_ptr<Backend>& backend, const std::shared_ptr<const TileSource>& image,
              const RenderRequest& request, size_t memory, std::function<void(double part)> progress);

    // Ends with this object.
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
