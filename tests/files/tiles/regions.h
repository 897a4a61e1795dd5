#pragma once
// Regions of a source of tiles against the same image read as a whole.

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"

namespace texelscope::test {

inline Image region_of(const TileSource& source, const SampleRegion& region, int level = 0) {
    const ImageInfo& info = source.info();
    Image image(region.width, region.height, info.channels, info.type, info.alpha);
    source.read(level, region, image.data(), image.row_bytes());
    return image;
}

// Read into rows with a gap between them, which must stay as it is. "" if all bytes are those of the whole image, of which
// `whole` is the level.
inline std::string difference(const TileSource& source, const Image& whole, const SampleRegion& region, int level = 0) {
    constexpr size_t gap = 13;
    constexpr auto mark = std::byte(0x5a);
    const size_t pixel = whole.row_bytes() / size_t(whole.width()), row_bytes = size_t(region.width) * pixel;
    std::vector<std::byte> got(size_t(region.height) * (row_bytes + gap), mark);
    source.read(level, region, got.data(), row_bytes + gap);
    for (int y = 0; y < region.height; ++y) {
        const std::byte* row = got.data() + size_t(y) * (row_bytes + gap);
        if (std::memcmp(row, whole.row(int(region.y) + y) + size_t(region.x) * pixel, row_bytes) != 0)
            return fmt::format("row {} of {}×{} at {}, {} differs", y, region.width, region.height, region.x, region.y);
        for (size_t i = 0; i < gap; ++i)
            if (row[row_bytes + i] != mark) return fmt::format("what is behind row {} was written to", y);
    }
    return "";
}

inline SampleRegion random_region(std::mt19937& random, int width, int height, int most) {
    const auto from = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    const int w = from(1, std::min(width, most)), h = from(1, std::min(height, most));
    return {from(0, width - w), from(0, height - h), w, h};
}

// The whole, single samples at the corners, tiles of several sizes at their places, and random regions.
inline void expect_same_regions(const TileSource& source, const Image& whole, int level = 0, int random_ones = 40) {
    const int width = whole.width(), height = whole.height();
    ASSERT_EQ(source.level_extent(level), (Extent{width, height}));
    ASSERT_EQ(source.info().channels, whole.channels());
    ASSERT_EQ(source.info().type, whole.type());
    EXPECT_EQ(source.info().alpha, whole.alpha());
    EXPECT_EQ(difference(source, whole, {0, 0, width, height}, level), "");
    for (const int x : {0, width - 1})
        for (const int y : {0, height - 1}) EXPECT_EQ(difference(source, whole, {x, y, 1, 1}, level), "");
    for (const int side : {16, 57, source.tile()})
        for (int y = 0; y < height; y += side)
            for (int x = 0; x < width; x += side)
                ASSERT_EQ(
                    difference(source, whole, {x, y, std::min(side, width - x), std::min(side, height - y)}, level),
                    "");
    std::mt19937 random(19);
    for (int i = 0; i < random_ones; ++i)
        ASSERT_EQ(difference(source, whole, random_region(random, width, height, 300), level), "");
}

}  // namespace texelscope::test
