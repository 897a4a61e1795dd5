#pragma once
// What a colour profile means for the screen, worked out with Little CMS from bytes that may be hostile: to be called where
// a crash harms nothing. The program asks a decoder (reading/image_files.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "gpu/core/image.h"
#include "gpu/display/colour_conversion.h"

namespace texelscope {

struct ProfileConversion {
    std::string name;     // of the profile: "Adobe RGB (1998)"
    std::string problem;  // why it cannot be used, one sentence; then nothing is converted

    // From the image's colours to the screen's. kind `none`: they are the same to the eighth bit.
    ColourConversion conversion;  // without `values`, which are:
    std::vector<float> values;
};

// For 1 or 3 colour channels: from a profile to the screen's; an empty `screen` is sRGB. Relative colorimetric, for tables
// by the intent that the profile names.
ProfileConversion make_conversion(const ColourProfile& profile, int colours, const std::vector<std::byte>& screen);

// As the profile calls itself, or why it has no name: printable ASCII.
std::string name_of_profile(const std::vector<std::byte>& icc);

// The name of a screen's profile, which must be one for RGB. Throws Error for all others.
std::string name_of_screen(const std::vector<std::byte>& icc);

// Inks and CIELab.

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

// What an image file says about its colours: the ICC profile of JPEG, PNG, TIFF, WebP, HEIF, BMP and PSD, sRGB of PNG
// and BMP, gAMA and cHRM of PNG, and the primaries of OpenEXR and Radiance HDR, which are linear light. Read from the
// file's own structure, the same in every build; the picture is not decoded, and a profile's bytes are not inspected.

// Null if the file says nothing, or if its structure is damaged before it does; the formats of linear light always say so. An ICC profile that is incomplete is
// returned as it is. Never reads more than the headers and 32 MiB of a profile; throws only what `read` throws.
std::shared_ptr<const ColourProfile> colour_tags(const ReadAt& read);
std::shared_ptr<const ColourProfile> colour_tags(ByteSpan file);

// The colour tags of an open file, whatever its position. What cannot be read counts as absent.
std::shared_ptr<const ColourProfile> colour_tags(int descriptor);

}  // namespace texelscope
