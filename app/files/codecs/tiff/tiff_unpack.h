#pragma once
// Unpacks the samples that libtiff delivers to one of our types.

#include <cstddef>
#include <vector>

#include "app/files/codecs/tiff/tiff_page.h"

namespace texelscope {

class TiffUnpacker {
public:
    // The page must outlive the object.
    explicit TiffUnpacker(const TiffPage& page);

    // The type that row() makes. Samples of palettes, Lab and YCbCr stay as stored; others have the delivered type.
    SampleType type() const { return type_; }
    // Whether the packed samples already are as row() makes them.
    bool as_packed() const { return plain_ && !page_.inverted; }

    // Unpacks `count` samples from the beginning of a packed row, each `step` samples behind the one before.
    void row(const std::byte* packed, size_t count, std::byte* to, size_t step) const;

    // Inverts the grey, the first sample, of `pixels` pixels, for pages on which 0 is white.
    void invert(std::byte* samples, size_t pixels) const;

private:
    const TiffPage& page_;
    SampleType type_;
    bool plain_ = false;
    std::vector<uint16_t> scaled_;  // table for unsigned integers of at most 16 bits that are scaled
};

}  // namespace texelscope
