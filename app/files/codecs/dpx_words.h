#pragma once
// How DPX and Cineon pack the components of a line.

#include "app/files/bytes/raster.h"

namespace texelscope {

struct DpxPacking {
    enum class Kind {
        packed,
        high,
        low
    };  // packed: no gaps; high, low: three components (10 bits) or one (12) in the upper or lower bits of a word
    Kind kind = Kind::packed;
    uint32_t bits = 8;  // 8, 10, 12, 16 or 32: a float
    bool little_endian = false;
    bool from_low = false;  // the first of three components is in the low bits, as in elements of one channel

    // The bytes of a line without padding.
    uint64_t line_bytes(uint64_t components) const;
    SampleType type() const { return bits == 8 ? SampleType::u8 : bits == 32 ? SampleType::f32 : SampleType::u16; }

    // One component of a line: its bits, scaled to those of the type.
    uint32_t component(ByteSpan line, size_t which) const;
};

}  // namespace texelscope
