#pragma once
// Converts CIE Lab to sRGB, by Little CMS.

#include <cstdint>
#include <memory>

namespace texelscope {

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
