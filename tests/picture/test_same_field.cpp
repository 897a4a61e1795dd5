// Which images can show the same field, and how one is read over the field of the other.

#include "app/picture/same_field.h"

#include <gtest/gtest.h>

namespace texelscope::test {
namespace {

Image image(int width, int height) { return Image(width, height, 1, SampleType::u8); }

TEST(SameField, NeedsSidesOfTheSameRatioUpToRounding) {
    const auto alike = [](int w, int h, int ow, int oh) {
        EXPECT_EQ(same_shape(image(w, h), image(ow, oh)), same_shape(image(ow, oh), image(w, h)));
        return same_shape(image(w, h), image(ow, oh));
    };
    EXPECT_TRUE(alike(16, 12, 64, 48));
    EXPECT_TRUE(alike(16, 12, 16, 12));
    EXPECT_TRUE(alike(16, 12, 65, 49)) << "65 / 4 and 49 / 4, rounded";
    EXPECT_TRUE(alike(1000, 667, 6000, 4000)) << "rounded to nearest";
    EXPECT_TRUE(alike(1000, 666, 6000, 4000)) << "rounded down";
    EXPECT_TRUE(alike(1001, 667, 6001, 4000)) << "rounded up";
    EXPECT_TRUE(alike(1, 1, 300, 200)) << "a single sample";
    EXPECT_FALSE(alike(1000, 665, 6000, 4000));
    EXPECT_FALSE(alike(16, 12, 64, 40));
    EXPECT_FALSE(alike(16, 12, 48, 64));
    EXPECT_FALSE(alike(16, 12, 16, 13)) << "cut off";
    Image signal = image(100, 1), longer = image(150, 1);
    signal.set_one_dimensional(true);
    EXPECT_FALSE(same_shape(signal, longer));
    longer.set_one_dimensional(true);
    EXPECT_TRUE(same_shape(signal, longer));
}

TEST(SameField, OuterEdgesAgree) {
    Rendition shown;
    shown.image = std::make_shared<const Image>(image(16, 12));
    shown.request.view = {1.5, -2, 0.3, 30};
    shown.request.width = shown.request.height = 20;
    shown.request.spec = parse_spec("nearest:address=wrap");
    shown.request.warp = {Warp::Kind::ripple, 2};
    const Rendition over = over_same_field(shown, std::make_shared<const Image>(image(65, 47)));
    const Affine a = positions_of(shown.request, 16, 12), b = positions_of(over.request, 65, 47);
    for (const Point& pixel : {Point{0, 0}, Point{19, 3}, Point{7, 19}}) {
        const Point p = apply(a, pixel.x, pixel.y), q = apply(b, pixel.x, pixel.y);
        EXPECT_NEAR((p.x + 0.5) / 16, (q.x + 0.5) / 65, 1e-12);
        EXPECT_NEAR((p.y + 0.5) / 12, (q.y + 0.5) / 47, 1e-12);
    }
    EXPECT_TRUE(over.float64);
    EXPECT_EQ(over.request.warp.strength, 2 * 65 / 16.0) << "in samples";
}

// With another size the method is always the same, so that all panes are measured against one picture.
TEST(SameField, OfAnotherSizeIsReadAlikeForEveryMethod) {
    Rendition shown;
    shown.image = std::make_shared<const Image>(image(16, 12));
    shown.request.antialias = false;
    for (const char* spec : {"nearest:address=wrap", "lanczos3:path=hardware,address=wrap"}) {
        shown.request.spec = parse_spec(spec);
        const RenderRequest over = over_same_field(shown, std::make_shared<const Image>(image(32, 24))).request;
        EXPECT_EQ(to_string(over.spec), "bspline:path=global,address=wrap,prefilter=iir");
        EXPECT_TRUE(over.antialias);
        const RenderRequest same = over_same_field(shown, std::make_shared<const Image>(image(16, 12))).request;
        EXPECT_EQ(same, shown.request) << "interpolated like the pane";
    }
}

}  // namespace
}  // namespace texelscope::test
