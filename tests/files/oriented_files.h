#pragma once
// Files that lie on their side, byte by byte; and upright pixels by the words of the EXIF standard.

#include <array>

#include <gtest/gtest.h>

#include "tests/files/bytes.h"

namespace texelscope::test {

// EXIF data with a tag before the orientation.
inline std::string exif(int orientation, bool little) {
    const auto two = [little](uint32_t v) { return little ? little16(v) : big16(v); };
    const auto four = [little](uint32_t v) { return little ? little32(v) : big32(v); };
    return (little ? "II" : "MM") + two(42) + four(8) + two(2) +                            //
           two(0x0100) + two(3) + four(1) + two(9) + two(0) +                               //
           two(0x0112) + two(3) + four(1) + two(uint32_t(orientation)) + two(0) + four(0);  // no next directory
}

// The APP1 segment of JPEG.
inline std::string app1(const std::string& data) {
    return "\xff\xe1" + big16(uint32_t(data.size()) + 8) + std::string("Exif\0\0", 6) + data;
}

// Exif 2.32, table "Orientation": on which side of the visible picture the 0th row and the 0th column are.
enum class Side { top, bottom, left, right };
struct Sides {
    Side row, column;
};
inline Sides sides_of(int orientation) {
    using enum Side;
    constexpr std::array<Sides, 8> all = {{{top, left},
                                           {top, right},
                                           {bottom, right},
                                           {bottom, left},
                                           {left, top},
                                           {right, top},
                                           {right, bottom},
                                           {left, bottom}}};
    return all[size_t(orientation - 1)];
}

// Pixel (x, y) of the visible picture, of this size, as the file's column and row.
struct FilePixel {
    int column, row;
};
inline FilePixel in_file(int orientation, int x, int y, int width, int height) {
    const auto from = [&](Side side) {
        return side == Side::top ? y : side == Side::bottom ? height - 1 - y : side == Side::left ? x : width - 1 - x;
    };
    const Sides sides = sides_of(orientation);
    // The 0th row is on that side: a pixel's row in the file is its distance from there.
    return {from(sides.column), from(sides.row)};
}

// Whether the picture is the stored one, seen upright.
inline testing::AssertionResult is_upright(const Image& picture, const Image& stored, int orientation) {
    const bool lies = sides_of(orientation).row == Side::left || sides_of(orientation).row == Side::right;
    if (picture.width() != (lies ? stored.height() : stored.width()) ||
        picture.height() != (lies ? stored.width() : stored.height()) || picture.channels() != stored.channels())
        return testing::AssertionFailure() << "it has another shape: " << describe(picture);
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            for (int c = 0; c < picture.channels(); ++c) {
                const FilePixel at = in_file(orientation, x, y, picture.width(), picture.height());
                if (picture.value(x, y, c) != stored.value(at.column, at.row, c))
                    return testing::AssertionFailure() << "at " << x << ", " << y << ", channel " << c;
            }
    return testing::AssertionSuccess();
}

}  // namespace texelscope::test
