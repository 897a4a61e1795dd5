#pragma once
// The images of a slide that is a TIFF inside, read tile by tile through libtiff, without OpenSlide's conversions.

#include <memory>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

enum class TileKind {
    plain,  // RGB or grey of 8 bits, which TileReader reads
    drawn,  // others, which OpenSlide lets libtiff's TIFFRGBAImage draw
    own,    // decoded by OpenSlide itself
};

// An image of the file that is stored in tiles.
struct TiffTiles {
    Extent extent, tile;
    TileKind kind = TileKind::own;
    uint64_t place = 0;  // offset of its directory
};

// The tiled images in the file's order, as far as its directories can be read; empty if it is not a TIFF.
std::vector<TiffTiles> tiled_images(const EncodedFile& file);

class TileReader {
public:
    // The file's descriptor must stay open. Throws Error.
    TileReader(const EncodedFile& file, const TiffTiles& image);
    ~TileReader();

    // The RGB samples of the whole tile, beyond the image's edge too; empty if the file leaves it out. Throws Error.
    Bytes read(int column, int row);

private:
    struct Handle;
    std::unique_ptr<Handle> handle_;
};

}  // namespace texelscope
