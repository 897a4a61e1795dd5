#pragma once
// How the samples of a TIFF that is written are laid out.

#include "app/files/bytes/rows.h"

namespace texelscope {

struct TiffLayout {
    int tile_width = 0, tile_height = 0;  // pixels, multiples of 16; 0: strips of whole rows
    bool big = false;                     // BigTIFF, whose offsets have 64 bits
};

// Tiles from 64 MiB of samples on, so that a part can be read without the rest: of 256×256 pixels, lower if a row of them
// would take more than 128 MiB. BigTIFF if the samples, should they not compress, could fill the 4 GiB of a TIFF.
TiffLayout tiff_layout(const RowSource& picture);

}  // namespace texelscope
