#pragma once
// Inks and CIELab.

#include <cstdint>
#include <memory>

#include "app/files/bytes/file_io.h"
#include "gpu/core/image.h"

namespace texelscope {

// Converts four inks (CMYK) to sRGB: by the ICC profile in the file, or plainly.
class Inks {
public:
    // `profile`: the file's; null: none. `inverted`: the maximum is no ink, as Adobe's programs store it in JPEG.
    // `sixteen`: samples have 16 bits, else 8.
    Inks(const ColourProfile* profile, bool inverted, bool sixteen = false);

    // Converts a row of `width` pixels from 4 samples each to 3, of the bits given above; by the profile, with the
    // intent that it names, if it can be used.
    void to_srgb(const uint8_t* inks, uint8_t* rgb, int width) const;
    void to_srgb(const uint16_t* inks, uint16_t* rgb, int width) const;

private:
    struct Delete {
        void operator()(void* transform) const;
    };
    std::unique_ptr<void, Delete> transform_;
    bool inverted_;
};

// Converts CIE Lab to sRGB, by Little CMS.
class LabToSrgb {
public:
    // Throws OutOfMemory.
    LabToSrgb();

    // Converts pixels of L (0 to 100), a and b, relative to a white that becomes white, to sRGB of 16 bits; colours
    // outside sRGB are clipped. Callable from any thread.
    void convert(const float* lab, uint16_t* rgb, int pixels) const;

private:
    std::shared_ptr<void> transform_;
};

}  // namespace texelscope
