#pragma once
// From CIE Lab to sRGB, by Little CMS.

#include <cstdint>
#include <memory>

namespace texelscope {

class LabToSrgb {
public:
    // Throws OutOfMemory.
    LabToSrgb();

    // So many pixels of L (0 to 100), a and b, relative to a white that becomes white, to sRGB of 16 bits; what sRGB cannot
    // show is clipped. From any thread.
    void convert(const float* lab, uint16_t* rgb, int pixels) const;

private:
    std::shared_ptr<void> transform_;
};

}  // namespace texelscope
