#pragma once
// From four inks (CMYK) to sRGB: by the ICC profile in the file, or plainly.

#include <cstdint>
#include <memory>

#include "app/files/bytes/raster.h"

namespace texelscope {

class Inks {
public:
    // `file`: where the profile is, if there is one. `inverted`: 255 is no ink, as Adobe's programs store it.
    Inks(ByteSpan file, bool inverted);

    // A row of `width` pixels, 4 samples each, to 3 each. By the profile, with the intent that it names, if it can be used.
    void to_srgb(const uint8_t* inks, uint8_t* rgb, int width) const;

private:
    struct Delete {
        void operator()(void* transform) const;
    };
    std::unique_ptr<void, Delete> transform_;
    bool inverted_;
};

}  // namespace texelscope
