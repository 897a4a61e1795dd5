#pragma once
// Converts samples of a TIFF that are not screen colours to RGB or grey.

#include <memory>
#include <vector>

#include "app/files/codecs/tiff/tiff_page.h"
#include "app/files/colour/inks.h"
#include "app/files/colour/lab.h"

namespace texelscope {

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
