#pragma once
// A picture as Windows and OS/2 keep it in memory, in BMP files and in icons: a header, a palette, rows of pixels.
// Microsoft, "Bitmap storage" and the pages of its headers, BITMAPCOREHEADER to BITMAPV5HEADER; OS/2 2.0, BITMAPINFOHEADER2.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

// Channels that are bit fields of a pixel, as in BMP, TGA and DDS.

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

class Dib {
public:
    enum class Use { file, icon };  // an icon's height counts the picture and the mask

    // `bytes`: from the DIB's header on. `pixels`: their offset from there; 0: they follow the palette. Throws Error.
    Dib(ByteSpan bytes, uint64_t pixels, Use use);
    Dib(const Dib&) = delete;
    Dib& operator=(const Dib&) = delete;

    // The shape is grey or RGB, with straight alpha if its bits are not 0 everywhere; u8, or u16 if a mask has more
    // than eight bits.
    const PictureShape& shape() const { return shape_; }
    // Writes row `y` from above. Pixels that the runs leave out have index 0, and indices beyond the palette are black.
    void row(int y, std::byte* to) const;
    const MissingRows& missing() const { return missing_; }
    // The bytes behind the pixels; empty for runs.
    ByteSpan rest() const { return rest_; }

private:
    void read_size(ByteSpan header, Use use);
    uint64_t read_masks(ByteSpan header, Use use);
    uint64_t read_palette(uint64_t begin, uint64_t end, uint32_t used);
    void choose_shape();
    void find_rows(uint64_t begin);
    bool shows_alpha() const;
    bool in_runs() const { return compression_ == 1 || compression_ == 2 || compression_ == 4; }
    ByteSpan stored_row(int y) const;
    uint32_t index_at(ByteSpan row, int x) const;

    ByteSpan bytes_, pixels_ = {}, rest_ = {};
    uint32_t header_bytes_ = 0, compression_ = 0, bits_ = 0;
    int width_ = 0, height_ = 0;
    size_t stride_ = 0;
    bool top_down_ = false;
    std::array<BitField, 4> fields_ = {};                 // red, green, blue, alpha
    PixelFields shown_ = {};                              // the fields that the shape shows
    std::vector<std::array<std::byte, 3>> palette_ = {};  // a colour for each index
    Bytes expanded_ = {};                                 // expanded runs: an index or three bytes a pixel
    PictureShape shape_ = {};
    MissingRows missing_ = {};
};

// The pixels of runs of 4, 8 or 24 bits, one or three bytes each, from below.
struct ExpandedRuns {
    Bytes pixels;
    int rows = 0;  // complete rows; the others lie beyond the end of the file
};
ExpandedRuns expanded_dib_runs(ByteSpan runs, int width, int height, uint32_t bits);

}  // namespace texelscope
