// The small picture of the rows that have been decoded so far.

#include <algorithm>
#include <cmath>
#include <iterator>

#include <gtest/gtest.h>

#include "app/viewer/loop/preview.h"

namespace texelscope::test {
namespace {

TEST(PreviewOfRows, ShowsTheSamplesThatThereAreAndGreyBelow) {
    Image image(1000, 600, 1, SampleType::u8);
    for (int y = 0; y < 600; ++y)
        for (int x = 0; x < 1000; ++x) image.row_as<uint8_t>(y)[x] = uint8_t(100 + x / 10 + y / 10);
    Preview preview;
    EXPECT_EQ(preview.take(), nullptr);
    preview.note(image, 0);
    EXPECT_EQ(preview.take(), nullptr) << "no row yet";
    preview.note(image, 301);
    const auto half = preview.take();
    ASSERT_TRUE(half);
    EXPECT_EQ(half->width(), 200);  // every fifth sample
    EXPECT_EQ(half->height(), 120);
    EXPECT_EQ(half->channels(), 3);
    for (int c = 0; c < 3; ++c) EXPECT_EQ(half->row_as<uint8_t>(60)[3 * 100 + c], 100 + 50 + 30);
    EXPECT_EQ(half->row_as<uint8_t>(61)[0], half->row_as<uint8_t>(119)[0]) << "to come";
    EXPECT_EQ(preview.take(), nullptr) << "nothing new";
    preview.note(image, 600);
    EXPECT_EQ(preview.take()->row_as<uint8_t>(119)[0], 100 + 59);
}

TEST(PreviewOfRows, ColoursAreClampedAndAlphaIsLeftOut) {
    Image image(2, 1, 4, SampleType::f32);
    const float samples[] = {2.0f, -1.0f, 0.5f, 0.1f, NAN, 0.25f, 1.0f, 0.0f};
    std::copy(std::begin(samples), std::end(samples), image.row_as<float>(0));
    Preview preview;
    preview.note(image, 1);
    const auto small = preview.take();
    const uint8_t expected[] = {255, 0, 128, 0, 64, 255};
    EXPECT_TRUE(std::equal(std::begin(expected), std::end(expected), small->row_as<uint8_t>(0)));
}

}  // namespace
}  // namespace texelscope::test
