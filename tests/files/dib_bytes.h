#pragma once
// Bitmaps of Windows and OS/2, byte by byte, by Microsoft's description of their headers.

#include "tests/files/bytes.h"

namespace texelscope::test {

// A BITMAPINFOHEADER or one of its successors; `more` holds the bytes behind biClrImportant.
inline std::string dib_header(int width, int height, int bits, int compression, int colours = 0,
                              const std::string& more = "") {
    return little32(uint32_t(40 + more.size())) + little32(uint32_t(width)) + little32(uint32_t(height)) + little16(1) +
           little16(uint32_t(bits)) + little32(uint32_t(compression)) + little32(0) + little32(2835) + little32(2835) +
           little32(uint32_t(colours)) + little32(0) + more;
}

inline std::string masks(uint32_t red, uint32_t green, uint32_t blue) {
    return little32(red) + little32(green) + little32(blue);
}

// A whole file; `head` has the header, masks and colours, and the pixels begin `gap` bytes behind it.
inline std::string bmp(const std::string& head, const std::string& pixels, size_t gap = 0) {
    const auto offset = uint32_t(14 + head.size() + gap);
    return "BM" + little32(uint32_t(offset + pixels.size())) + little32(0) + little32(offset) + head +
           std::string(gap, '\x55') + pixels;
}

}  // namespace texelscope::test
