#pragma once
// Unpacks the samples that libtiff delivers to one of our types.

#include <cstddef>
#include <memory>
#include <vector>

#include "app/files/codecs/tiff/tiff_page.h"
#include "app/files/colour/inks.h"

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

// Converts samples of a TIFF that are not screen colours to RGB or grey.
class TiffColourMaker {
public:
    // The page must outlive the object. `profile`: the file's, for inks; may be null. Throws OutOfMemory.
    TiffColourMaker(const TiffPage& page, const ColourProfile* profile);

    // Converts a row of `pixels` from samples as TiffUnpacker makes them to delivered ones. Callable from any thread.
    void row(const std::byte* samples, int pixels, std::byte* to) const;

    // Spreads subsampled YCbCr, as libtiff delivers it (section 21): one row of its blocks, all Y of a block before its
    // Cb and Cr, to Y, Cb, Cr of each pixel.
    void spread(const std::byte* blocks, int row, int width, std::byte* to) const;

private:
    template <class T> void palette(const T* from, int pixels, std::byte* to) const;
    void inks(const std::byte* from, int pixels, std::byte* to) const;
    void lab(const std::byte* from, int pixels, uint16_t* to) const;
    void ycbcr(const uint8_t* from, int pixels, uint8_t* to) const;
    void xyz(const float* from, int pixels, float* to) const;

    const TiffPage& page_;
    std::unique_ptr<const Inks> inks_;
    std::unique_ptr<const LabToSrgb> lab_;
};

}  // namespace texelscope
