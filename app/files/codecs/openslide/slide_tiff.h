#pragma once
// The images of a slide that is a TIFF inside, tile by tile through libtiff: without the conversions that OpenSlide makes of each.

#include <memory>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

enum class TileKind {
    plain,  // RGB or grey of 8 bits, which TileReader reads
    drawn,  // whatever else OpenSlide has drawn by libtiff's TIFFRGBAImage
    own,    // decoded by OpenSlide itself
};

// An image of the file that is stored in tiles.
struct TiffTiles {
    Extent extent, tile;
    TileKind kind = TileKind::own;
    uint64_t place = 0;  // of its directory
};

// In the file's order. Empty for what is no TIFF, and as far as its directories can be read.
std::vector<TiffTiles> tiled_images(const EncodedFile& file);

class TileReader {
public:
    // The file's descriptor must stay open. Throws Error.
    TileReader(const EncodedFile& file, const TiffTiles& image);
    ~TileReader();

    // RGB of all samples of the tile, beyond the image's edge too; empty if the file leaves it out. Throws Error.
    Bytes read(int column, int row);

private:
    struct Handle;
    std::unique_ptr<Handle> handle_;
};

}  // namespace texelscope
