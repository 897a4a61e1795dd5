// The whole image at another size: sizes are rounded, and the outer edges of both pictures agree.

#include "app/picture/whole_picture.h"

#include <gtest/gtest.h>

namespace texelscope::test {
namespace {

TEST(WholePictures, SizesAreRoundedAndNeverEmpty) {
    const Image image(50, 41, 1, SampleType::u8);
    WholePicture picture{.spec = parse_spec("bspline")};
    picture.factor = {2.5, 0.5};
    EXPECT_EQ(extent_of(picture, image), (Extent{125, 21}));
    picture.factor = {0.001, 0.001};
    EXPECT_EQ(extent_of(picture, image), (Extent{1, 1}));
    picture.size = {7, 9};
    EXPECT_EQ(extent_of(picture, image), (Extent{7, 9}));
    picture.size = {};
    picture.factor = {1e6, 1};
    EXPECT_THROW(extent_of(picture, image), UsageError);
}

TEST(WholePictures, OuterEdgesAgree) {
    const Image image(50, 40, 1, SampleType::u8);
    WholePicture picture{.spec = parse_spec("bspline")};
    picture.size = {100, 10};
    const RenderRequest request = request_for(picture, image);
    // A pixel's outer edge is half a pixel from its centre, a sample's half a sample.
    const Affine& a = *request.positions;
    EXPECT_DOUBLE_EQ(a.x0 - a.xx / 2, -0.5);
    EXPECT_DOUBLE_EQ(a.x0 + a.xx * 99.5, 49.5);
    EXPECT_DOUBLE_EQ(a.y0 - a.yy / 2, -0.5);
    EXPECT_DOUBLE_EQ(a.y0 + a.yy * 9.5, 39.5);
}

TEST(WholePictures, ASignalKeepsItsOnlyRow) {
    Image image(50, 1, 1, SampleType::f32);
    image.set_one_dimensional(true);
    WholePicture picture{.spec = parse_spec("bspline")};
    picture.factor = {3, 3};
    EXPECT_EQ(extent_of(picture, image), (Extent{150, 1}));
}

}  // namespace
}  // namespace texelscope::test
