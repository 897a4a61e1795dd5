#pragma once
// A picture as Windows and OS/2 keep it in memory, in BMP files and in icons: a header, a palette, rows of pixels.
// Microsoft, "Bitmap storage" and the pages of its headers, BITMAPCOREHEADER to BITMAPV5HEADER; OS/2 2.0, BITMAPINFOHEADER2.

#include <array>
#include <cstdint>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/bit_field.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

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
