#pragma once
// Channels that are some bits of a pixel each, as masks in the headers of BMP, TGA and DDS say.

#include <bit>
#include <cstdint>
#include <vector>

#include "app/files/bytes/raster.h"

namespace texelscope {

class BitField {
public:
    BitField() = default;
    explicit BitField(uint32_t mask)
        : shift_(mask ? std::countr_zero(mask) : 0), most_(mask >> shift_), whole_((most_ & (most_ + 1u)) == 0) {}

    bool empty() const { return most_ == 0; }
    bool whole() const { return whole_; }  // its bits are neighbours
    int bits() const { return std::popcount(most_); }
    int shift() const { return shift_; }
    uint32_t in(uint32_t pixel) const { return pixel >> shift_ & most_; }

    // Its value as a fraction of the largest one, in 0…`most`, to the nearest; 0 if it is empty.
    uint32_t scaled(uint32_t pixel, uint32_t most) const {
        return most_ == most ? in(pixel) : most_ == 0 ? 0 : uint32_t((uint64_t(in(pixel)) * most + most_ / 2) / most_);
    }

private:
    int shift_ = 0;
    uint32_t most_ = 0;
    bool whole_ = true;
};

// A pixel of so many bytes, the low one first.
inline uint32_t pixel_at(ByteSpan row, size_t x, size_t bytes) {
    uint32_t pixel = 0;
    for (size_t i = 0; i < bytes; ++i) pixel |= byte_at(row, x * bytes + i) << 8 * i;
    return pixel;
}

// The channels of a pixel of 1 to 4 bytes.
class PixelFields {
public:
    PixelFields() = default;
    PixelFields(std::vector<BitField> fields, size_t pixel_bytes);

    int channels() const { return int(fields_.size()); }
    SampleType type() const { return wide_ ? SampleType::u16 : SampleType::u8; }  // u16: one has more than 8 bits
    // A row of interleaved samples.
    void unpack(ByteSpan row, int width, std::byte* to) const;

private:
    std::vector<BitField> fields_ = {};
    std::vector<size_t> bytes_ = {};  // if each channel is a byte of the pixel: which
    size_t pixel_bytes_ = 0;
    bool wide_ = false;
};

}  // namespace texelscope
