#pragma once
// From the packed samples that libtiff delivers to samples of a type of ours.

#include <cstddef>
#include <vector>

#include "app/files/codecs/tiff/tiff_page.h"

namespace texelscope {

class TiffUnpacker {
public:
    // The page outlives it.
    explicit TiffUnpacker(const TiffPage& page);

    // Of what row() makes. The samples of palettes, Lab and YCbCr stay as they are stored; others are what is delivered.
    SampleType type() const { return type_; }
    // Whether the packed samples are that already.
    bool as_packed() const { return plain_ && !page_.inverted; }

    // So many samples from the beginning of a packed row, each `step` samples behind the one before.
    void row(const std::byte* packed, size_t count, std::byte* to, size_t step) const;

    // If 0 is white: so many pixels, whose first sample is the grey.
    void invert(std::byte* samples, size_t pixels) const;

private:
    const TiffPage& page_;
    SampleType type_;
    bool plain_ = false;
    std::vector<uint16_t> scaled_;  // for unsigned integers of at most 16 bits that are scaled
};

}  // namespace texelscope
