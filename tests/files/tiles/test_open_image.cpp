// Which images are read by regions when they are opened, and which as a whole.

#include <gtest/gtest.h>

#include <filesystem>

#include "app/files/image_files.h"
#include "app/files/image_source.h"
#include "app/files/tiles/open_image.h"
#include "gpu/core/tile_source.h"
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

TEST(OpenImage, WhatIsUnknownIsSaidAsEver) {
    EXPECT_THROW(open_image("@no-such-image:100"), Error);
    EXPECT_THROW(open_image("/no/such/file.png"), FileError);
    EXPECT_FALSE(may_be_read_by_regions("-"));
    EXPECT_FALSE(may_be_read_by_regions("/no/such/file.png"));
    EXPECT_TRUE(may_be_read_by_regions("@zone-plate:64"));
}

}  // namespace
}  // namespace texelscope::test
