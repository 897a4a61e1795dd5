// The whole image at another size: sizes are rounded, and the outer edges of both pictures agree.

#include "app/picture/whole_picture.h"

#include <cmath>

#include <gtest/gtest.h>

#include "app/files/reading/image_source.h"
#include "gpu/backend/backend.h"

namespace texelscope::test {
namespace {

TEST(WholePictures, SizesAreRoundedAndNeverEmpty) {
    const Image image(50, 41, 1, SampleType::u8);
    WholePicture picture{.spec = parse_spec("bspline")};
    picture.factor = {2.5, 0.5};
    EXPECT_EQ(extent_of(picture, shape_of(image)), (Extent{125, 21}));
    picture.factor = {0.001, 0.001};
    EXPECT_EQ(extent_of(picture, shape_of(image)), (Extent{1, 1}));
    picture.size = {7, 9};
    EXPECT_EQ(extent_of(picture, shape_of(image)), (Extent{7, 9}));
    picture.size = {};
    picture.factor = {1e6, 1};
    EXPECT_THROW(extent_of(picture, shape_of(image)), UsageError);
}

TEST(WholePictures, OuterEdgesAgree) {
    const Image image(50, 40, 1, SampleType::u8);
    WholePicture picture{.spec = parse_spec("bspline")};
    picture.size = {100, 10};
    const RenderRequest request = request_for(picture, shape_of(image));
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
    EXPECT_EQ(extent_of(picture, shape_of(image)), (Extent{150, 1}));
}

// Bands of rows are the picture that is rendered at once, and the work ends before the band whose progress throws.
TEST(WholePictures, BandsMakeTheSamePicture) {
    const Image image = load_image("@dead-leaves:300x260");
    SourceImage source(make_cpu_backend(), image);
    for (const char* method : {"bspline", "catmull-rom:path=hardware", "nearest"})
        for (const double factor : {4.7, 1.5, 0.3}) {
            const WholePicture picture{.spec = parse_spec(method), .factor = {factor, factor}, .antialias = false};
            const RenderRequest request = request_for(picture, shape_of(image));
            int bands = 0;
            const Image banded = render_in_bands(source, request, [&](int, int) { ++bands; });
            const Image whole = source.render_to_image(request);
            EXPECT_GT(bands, factor > 2 && std::string_view(method) == "bspline" ? 1 : 0);
            ASSERT_EQ(banded.size_bytes(), whole.size_bytes());
            float most = 0;
            for (size_t k = 0; k < whole.size_bytes() / sizeof(float); ++k)
                most = std::max(most, std::abs(reinterpret_cast<const float*>(banded.data())[k] -
                                               reinterpret_cast<const float*>(whole.data())[k]));
            EXPECT_LE(most, 1e-6f) << method << " ×" << factor;
        }
    const RenderRequest request =
        request_for({.spec = parse_spec("bspline"), .size = Extent{3000, 3000}}, ImageShape{9, 9});
    SourceImage small(make_cpu_backend(), Image(9, 9, 1, SampleType::u8));
    int rows = 0;
    const auto stop = [&](int row, int) {
        rows = row;
        if (row > 1000) throw Error("cancelled");
    };
    EXPECT_THROW(render_in_bands(small, request, stop), Error);
    EXPECT_LT(rows, 2000);
}

}  // namespace
}  // namespace texelscope::test
