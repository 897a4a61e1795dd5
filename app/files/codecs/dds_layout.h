#pragma once
// The pixel layout of a DDS, by its header. Microsoft, "DDS_HEADER", "DDS_PIXELFORMAT" and "DDS_HEADER_DXT10".

#include <vector>

#include "app/files/codecs/bit_field.h"
#include "app/files/codecs/dds_blocks.h"
#include "gpu/core/image.h"

namespace texelscope {

struct DdsLayout {
    int channels = 0;
    SampleType type = SampleType::u8;
    Alpha alpha = Alpha::none;
    uint32_t bits = 0;        // per pixel; 0 for blocks
    PixelFields fields = {};  // fields of a pixel; empty: plain samples
    DdsBlock block = DdsBlock::none;
    bool unknown = false;                 // the kind is not read here
    size_t header_bytes = 128;            // before the pixels
    uint32_t pictures = 1;                // all of one shape: faces of a cube, layers of an array
    bool volume = false, opaque = false;  // opaque: alpha has no meaning

    uint64_t level_bytes(uint64_t width, uint64_t height) const {
        return block != DdsBlock::none ? (width + 3) / 4 * ((height + 3) / 4) * bytes_of(block)
                                       : (width * bits + 7) / 8 * height;
    }
};

// Throws Error if the header is not whole.
DdsLayout dds_layout(ByteSpan file);

}  // namespace texelscope
