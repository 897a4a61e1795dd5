// Which images are read by regions when they are opened, and which as a whole.

#include <gtest/gtest.h>

#include <filesystem>

#include "app/files/reading/image_files.h"
#include "app/files/reading/image_source.h"
#include "app/files/tiles/open_image.h"
#include "gpu/core/tile_source.h"
#include "tests/files/bytes.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

TEST(OpenImage, SmallOnesAreInMemoryAndTheSameAsEver) {
    const Image opened = open_image("@zone-plate:256"), loaded = load_image("@zone-plate:256");
    ASSERT_TRUE(opened.in_memory());
    ASSERT_EQ(opened.size_bytes(), loaded.size_bytes());
    EXPECT_TRUE(std::equal(opened.data(), opened.data() + opened.size_bytes(), loaded.data()));
}

TEST(OpenImage, ATestImageOfMoreThanAGigabyteIsReadByRegions) {
    const Image image = open_image("@zone-plate:200000");
    EXPECT_FALSE(image.in_memory());
    EXPECT_EQ(image.width(), 200000);
    EXPECT_EQ(image.height(), 200000);
    EXPECT_EQ(image.size_bytes(), 0u);
    ASSERT_TRUE(image.tiles());
    EXPECT_EQ(image.tiles()->info().channels, image.channels());
}

#if TEXELSCOPE_WITH_OIIO
// A tiled TIFF of grey bytes, all of whose tiles are the same megabyte of the file.
std::string small_file_of_a_large_picture(int columns, int rows) {
    constexpr uint32_t tile = 1024, word = 3, number = 4;
    const auto count = uint32_t(columns * rows), samples = 8u, offsets = samples + tile * tile,
               sizes = offsets + 4 * count;
    std::string file = std::string("II*\0", 4) + little32(sizes + 4 * count);
    for (uint32_t y = 0; y < tile; ++y)
        for (uint32_t x = 0; x < tile; ++x) file += char(x ^ y);
    for (uint32_t k = 0; k < count; ++k) file += little32(samples);
    for (uint32_t k = 0; k < count; ++k) file += little32(tile * tile);
    const uint32_t entries[][4] = {{256, number, 1, uint32_t(columns) * tile},
                                   {257, number, 1, uint32_t(rows) * tile},
                                   {258, word, 1, 8},
                                   {259, word, 1, 1},
                                   {262, word, 1, 1},
                                   {277, word, 1, 1},
                                   {322, number, 1, tile},
                                   {323, number, 1, tile},
                                   {324, number, count, offsets},
                                   {325, number, count, sizes}};
    file += little16(uint32_t(std::size(entries)));
    for (const auto& [tag, type, values, value] : entries)
        file += little16(tag) + little16(type) + little32(values) + little32(value);
    return file + little32(0);
}

TEST(OpenImage, ASmallFileOfALargePictureIsReadByRegions) {
    const Folder folder;
    const auto path = folder.write("scan.tif", small_file_of_a_large_picture(40, 32));
    ASSERT_LT(std::filesystem::file_size(path), 2u << 20);
    const Image image = open_image(path.string());
    EXPECT_FALSE(image.in_memory());
    EXPECT_EQ(image.width(), 40 * 1024);
    EXPECT_EQ(image.height(), 32 * 1024);
    uint8_t sample = 0;
    image.tiles()->read(0, {40000, 20000, 1, 1}, reinterpret_cast<std::byte*>(&sample), 1);
    EXPECT_EQ(sample, uint8_t((40000 % 1024) ^ (20000 % 1024)));
}
#endif

TEST(OpenImage, WhatIsUnknownIsSaidAsEver) {
    EXPECT_THROW(open_image("@no-such-image:100"), Error);
    EXPECT_THROW(open_image("/no/such/file.png"), FileError);
}

}  // namespace
}  // namespace texelscope::test
