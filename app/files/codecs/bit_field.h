#pragma once
// Channels that are bit fields of a pixel, as in BMP, TGA and DDS.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "app/files/bytes/rows.h"

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

    // The field's value scaled to 0…`most`, rounded to the nearest; 0 for an empty field.
    uint32_t scaled(uint32_t pixel, uint32_t most) const {
        return most_ == most ? in(pixel) : most_ == 0 ? 0 : uint32_t((uint64_t(in(pixel)) * most + most_ / 2) / most_);
    }

private:
    int shift_ = 0;
    uint32_t most_ = 0;
    bool whole_ = true;
};

// Pixel `x` of a row of pixels of `bytes` bytes, low byte first.
inline uint32_t pixel_at(ByteSpan row, size_t x, size_t bytes) {
    uint32_t pixel = 0;
    for (size_t i = 0; i < bytes; ++i) pixel |= byte_at(row, x * bytes + i) << 8 * i;
    return pixel;
}

// The channels of a pixel of 1 to 4 bytes.
class PixelFields {
public:
    PixelFields() = default;
    inline PixelFields(std::vector<BitField> fields, size_t pixel_bytes);

    int channels() const { return int(fields_.size()); }
    SampleType type() const { return wide_ ? SampleType::u16 : SampleType::u8; }  // u16: a field has more than 8 bits
    // Writes a row of interleaved samples.
    inline void unpack(ByteSpan row, int width, std::byte* to) const;

private:
    std::vector<BitField> fields_ = {};
    std::vector<size_t> bytes_ = {};  // each channel's byte in the pixel, if all are whole bytes
    size_t pixel_bytes_ = 0;
    bool wide_ = false;
};

PixelFields::PixelFields(std::vector<BitField> fields, size_t pixel_bytes)
    : fields_(std::move(fields)), pixel_bytes_(pixel_bytes) {
    wide_ = std::ranges::any_of(fields_, [](const BitField& field) { return field.bits() > 8; });
    const bool of_bytes = std::ranges::all_of(fields_, [&](const BitField& field) {
        return field.bits() == 8 && field.shift() % 8 == 0 && size_t(field.shift()) / 8 < pixel_bytes;
    });
    if (of_bytes)
        for (const BitField& field : fields_) bytes_.push_back(size_t(field.shift()) / 8);
}

void PixelFields::unpack(ByteSpan row, int width, std::byte* to) const {
    if (bytes_.size() == 3) {
        const std::byte* from = row.data();
        const size_t first = bytes_[0], second = bytes_[1], third = bytes_[2];
        for (int x = 0; x < width; ++x, from += pixel_bytes_, to += 3) {
            to[0] = from[first];
            to[1] = from[second];
            to[2] = from[third];
        }
        return;
    }
    if (!bytes_.empty()) {
        const std::byte* from = row.data();
        for (int x = 0; x < width; ++x, from += pixel_bytes_)
            for (const size_t byte : bytes_) *to++ = from[byte];
        return;
    }
    for (int x = 0; x < width; ++x) {
        const uint32_t pixel = pixel_at(row, size_t(x), pixel_bytes_);
        for (const BitField& field : fields_) {
            const uint16_t value = uint16_t(field.scaled(pixel, wide_ ? 0xffff : 0xff));
            std::memcpy(to, &value, wide_ ? 2 : 1);
            to += wide_ ? 2 : 1;
        }
    }
}

}  // namespace texelscope
