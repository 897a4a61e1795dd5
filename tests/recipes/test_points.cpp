// Recipes where their positions are not along the axes: rotated and warped views, maps, points. All ingredients count there.

#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "app/studies/recipes/recipe_study.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

constexpr double near_enough = 4e-6;

class RecipesAtPoints : public OnBackend {
protected:
    RenderRequest request(std::string_view recipe, int width, int height) const {
        RenderRequest request;
        request.spec = recipe_spec(recipe);
        request.width = width;
        request.height = height;
        return request;
    }
};

constexpr const char* of_all_kinds[] = {
    "like:pillow/bicubic",
    "like:pillow/lanczos",
    "like:pillow/box",
    "like:opencv/linear",
    "like:opencv/cubic",
    "like:opencv/nearest",
    "like:torch/bicubic",
    "like:torch/bilinear:antialias=true",
    "like:torch/bicubic:antialias=true,dtype=uint8",
    "like:torch/area",
    "like:onnx/resize:mode=cubic,exclude_outside=1",
    "like:scipy/zoom:order=3,mode=mirror",
    "like:scipy/zoom:order=5,mode=nearest,grid_mode=true",
    "like:scipy/zoom:order=2,mode=grid-constant,cval=0.3,grid_mode=true",
    "like:skimage/resize:order=1",
    "like:imagemagick/mitchell",
    "like:libvips/lanczos3",
    "like:swscale/bicubic",
    "like:browser/canvas",
    "like:pica/lanczos3",
    "like:texelscope/resize:method=catmull-rom,edges=normalise,position_steps=32",
    "like:texelscope/resize:method=bspline,edges=wrap,antialias=false,levels=u8,round=each",
    "like:texelscope/resize:method=bilinear,levels=u8,weight_bits=8,round=each,antialias=false",
    "like:texelscope/resize:method=area,blur=0.7",
};

// Those that read the same turned upside down: positions are those of centres, and rounded to the nearest if at all.
constexpr const char* symmetric[] = {
    "like:pillow/bicubic",
    "like:pillow/lanczos",
    "like:opencv/linear",
    "like:opencv/cubic",
    "like:torch/bicubic",
    "like:torch/bilinear:antialias=true",
    "like:torch/bicubic:antialias=true,dtype=uint8",
    "like:torch/area",
    "like:scipy/zoom:order=3,mode=mirror",
    "like:skimage/resize:order=1",
    "like:swscale/bicubic",
    "like:pica/lanczos3",
    "like:texelscope/resize:method=catmull-rom,edges=normalise,position_steps=32",
    "like:texelscope/resize:method=bspline,edges=wrap,antialias=false,levels=u8,round=each",
    "like:texelscope/resize:method=bilinear,levels=u8,weight_bits=8,round=each,antialias=false",
    "like:texelscope/resize:method=area,blur=0.7",
};

// The sums of both ways are added up in different orders: a level in few pixels.
void expect_alike(const Image& a, const Image& b, bool levels, const std::string& where) {
    int different = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            for (int c = 0; c < a.channels(); ++c) {
                const double difference = std::abs(double(a.value(x, y, c)) - double(b.value(x, y, c)));
                different += difference > near_enough;
                ASSERT_LE(difference, levels ? 1.01 / 255 : near_enough) << where << " at " << x << ", " << y;
            }
    EXPECT_LE(different, std::max(1, a.width() * a.height() / 50)) << where;
}

// A view that is turned upside down is the other one, turned afterwards; a rotation of 180° is computed by points.
TEST_P(RecipesAtPoints, UpsideDownIsTheSamePicture) {
    for (const char* recipe : symmetric)
        for (const SampleType type : {SampleType::u8, SampleType::f32})
            for (const double scale : {1.0, 0.4, 2.5}) {
                const Image image = noise(41, 29, 3, type, 9);
                Image turned(41, 29, 3, type);
                for (int y = 0; y < 29; ++y)
                    for (int x = 0; x < 41; ++x)
                        for (int c = 0; c < 3; ++c) set_value(turned, 40 - x, 28 - y, c, double(image.value(x, y, c)));
                RenderRequest upright = request(recipe, 37, 31);
                upright.view.scale = scale;
                upright.view.translate_x = -1.3;
                upright.view.translate_y = 0.8;
                RenderRequest rotated = upright;
                rotated.view.rotate = 180;
                rotated.view.translate_x *= -1;
                rotated.view.translate_y *= -1;
                if (!is_by_rules(upright, shape_of(image))) continue;
                const Image along = SourceImage(backend_, image).render_to_image(upright),
                            at_points = SourceImage(backend_, turned).render_to_image(rotated);
                expect_alike(along, at_points, type == SampleType::u8,
                             fmt::format("{} {} scale {}", recipe, name_of(type), scale));
            }
}

// Points on a grid are a view of that scale.
TEST_P(RecipesAtPoints, PointsAreAViewAtFullScale) {
    for (const char* recipe : of_all_kinds) {
        const Image image = noise(23, 17, 1, SampleType::u8, 10);
        RenderRequest view = request(recipe, 29, 27);
        view.positions = Affine{1, 0, -3.37, 0, 1, -4.81};
        if (!is_by_rules(view, shape_of(image))) continue;
        SourceImage source(backend_, image);
        const Image along = source.render_to_image(view);
        std::vector<double> points;
        for (int y = 0; y < 27; ++y)
            for (int x = 0; x < 29; ++x) points.insert(points.end(), {x - 3.37, y - 4.81});
        const auto values = source.sample_to_host(view, PointsView::pairs(points.data(), points.size() / 2));
        Image sampled(29, 27, 1, SampleType::f32);
        std::copy(values.begin(), values.end(), sampled.row_as<float>(0));
        expect_alike(along, sampled, true, recipe);
    }
}

// The float64 reference is that of the rule, not of the weight function.
TEST_P(RecipesAtPoints, TheReferenceFollowsTheRule) {
    for (const char* recipe : of_all_kinds) {
        const Image image = noise(25, 19, 1, SampleType::f32, 11);
        RenderRequest view = request(recipe, 20, 24);
        view.view.rotate = 33;
        view.view.scale = 1.7;
        if (!is_by_rules(view, shape_of(image))) continue;
        SourceImage source(backend_, image);
        const Image made = source.render_to_image(view);
        std::vector<double> exact(20 * 24);
        const auto memory = backend_->allocate(exact.size() * sizeof(double));
        ASSERT_TRUE(source.render_reference(view, static_cast<double*>(memory.get())));
        backend_->read_back(exact.data(), memory.get(), exact.size() * sizeof(double));
        int different = 0;
        for (int y = 0; y < 24; ++y)
            for (int x = 0; x < 20; ++x)
                different += std::abs(double(made.value(x, y, 0)) - exact[size_t(y * 20 + x)]) > 2 * near_enough;
        EXPECT_LE(different, 5) << recipe;  // rounded levels are halves at times
    }
}

// A rule whose weights are a method's, and that rounds nothing, is that method, by its own kernels. INTER_NEAREST reads the
// sample before a pixel's corner: that nearest to half a step before its centre.
TEST_P(RecipesAtPoints, AreTheMethodThatTheirRuleIs) {
    constexpr double scale = 0.8;
    struct Pair {
        const char *recipe, *method;
        double further = 0;  // samples
    };
    const Image floats = noise(71, 53, 2, SampleType::f32, 14);
    for (const Pair& pair : {Pair{"like:opencv/linear", "bilinear"}, Pair{"like:opencv/cubic", "bicubic:a=-0.75"},
                             Pair{"like:opencv/nearest", "nearest", -scale / 2},
                             Pair{"like:scipy/map_coordinates:order=3,mode=mirror", "bspline:address=reflect101"},
                             Pair{"like:scipy/map_coordinates:order=3,mode=nearest", "bspline:address=clamp"}}) {
        RenderRequest view = request(pair.recipe, 60, 66);
        view.view = {2.3, -1.7, scale, 33};
        view.antialias = false;
        RenderRequest plain = view;
        plain.spec = parse_spec(pair.method);
        plain.view.translate_x += pair.further;
        plain.view.translate_y += pair.further;
        SourceImage source(backend_, floats);
        const Image expected = source.render_to_image(plain), made = source.render_to_image(view);
        EXPECT_NE(backend_->last_kernel().kernel, ResampleKernel::long_taps) << pair.recipe;
        expect_alike(expected, made, false, pair.recipe);
    }
}

// Also if it rounds to levels, which the screen does as well.
TEST_P(RecipesAtPoints, AreTheMethodOnTheScreen) {
    const Image image = noise(71, 53, 3, SampleType::u8, 15);
    RenderRequest view = request("like:scipy/map_coordinates:order=1,mode=mirror", 60, 66);
    view.view = {2.3, -1.7, 0.8, 33};
    SourceImage source(backend_, image);
    const Image by_rule = source.render_to_image(view);
    EXPECT_EQ(backend_->last_kernel().kernel, ResampleKernel::long_taps);
    std::vector<uint32_t> pixels(60 * 66);
    const auto memory = backend_->allocate(pixels.size() * sizeof(uint32_t));
    source.render(view, {memory.get(), 60 * sizeof(uint32_t), RenderTarget::Format::rgba8, 0});
    backend_->read_back(pixels.data(), memory.get(), pixels.size() * sizeof(uint32_t));
    EXPECT_NE(backend_->last_kernel().kernel, ResampleKernel::long_taps);
    Image shown(60, 66, 3, SampleType::f32);
    for (int y = 0; y < 66; ++y)
        for (int x = 0; x < 60; ++x)
            for (int c = 0; c < 3; ++c)
                set_value(shown, x, y, c, double(pixels[size_t(y * 60 + x)] >> (8 * c) & 255) / 255);
    expect_alike(by_rule, shown, true, "on the screen");
}

// Weights of taps that are left out go to the others, in any direction: a constant stays one up to the corner.
TEST_P(RecipesAtPoints, NormalisedEdgesKeepAConstant) {
    Image image(13, 9, 1, SampleType::f32);
    for (int y = 0; y < 9; ++y)
        for (int x = 0; x < 13; ++x) set_value(image, x, y, 0, 0.3);
    RenderRequest view = request("like:texelscope/resize:method=lanczos3,edges=normalise", 40, 40);
    view.view.rotate = 40;
    view.view.scale = 0.7;
    const Image made = SourceImage(backend_, image).render_to_image(view);
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 40; ++x) ASSERT_NEAR(made.value(x, y, 0), 0.3, near_enough) << x << ' ' << y;
}

// Positions of bilinear weights that are rounded to quarters.
TEST_P(RecipesAtPoints, PositionsAreRounded) {
    const Image image = noise(9, 7, 1, SampleType::f32, 12);
    const std::vector<double> points = {2.62, 3.13, 2.63, 3.12, 5.4, 1.9};
    const auto at = [&](std::string_view recipe, const std::vector<double>& of) {
        return SourceImage(backend_, image).sample_to_host(request(recipe, 1, 1), PointsView::pairs(of.data(), 3));
    };
    const auto made = at("like:texelscope/resize:method=bilinear,antialias=false,position_steps=4", points);
    const auto expected = at("like:texelscope/resize:method=bilinear,antialias=false", {2.5, 3.25, 2.75, 3, 5.5, 2});
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(made[k], expected[k], near_enough) << k;
}

// Weights of 2^-4 and levels: the sums of whole numbers, rounded after each axis.
TEST_P(RecipesAtPoints, FixedPointIsRoundedAfterEachAxis) {
    const Image image = noise(11, 8, 1, SampleType::u8, 13);
    const double x = 4.3, y = 2.8;
    const auto made = SourceImage(backend_, image)
                          .sample_to_host(request("like:texelscope/resize:method=bilinear,antialias=false,levels=u8,"
                                                  "weight_bits=4,round=each,edges=clamp",
                                                  1, 1),
                                          PointsView::pairs(std::vector<double>{x, y}.data(), 1));
    const auto level = [&](int column, int row) { return int(std::lround(255 * double(image.value(column, row, 0)))); };
    const auto mixed = [](int a, int b, double t) {
        const int w = int(std::nearbyint(16 * t)), v = int(std::nearbyint(16 * (1 - t)));
        return (v * a + w * b + 8) >> 4;
    };
    const int above = mixed(level(4, 2), level(5, 2), 0.3), below = mixed(level(4, 3), level(5, 3), 0.3);
    EXPECT_EQ(std::lround(255 * double(made[0])), mixed(above, below, 0.8));
}

TEST_P(RecipesAtPoints, FarPointsAndThoseThatAreNone) {
    const Image image = noise(9, 7, 1, SampleType::f32, 14);
    const std::vector<double> points = {NAN, 1, 1e12, 2, -1e300, 3, INFINITY, 1};
    for (const char* recipe : {"like:scipy/map_coordinates:mode=mirror", "like:scipy/map_coordinates:mode=nearest",
                               "like:scipy/map_coordinates:cval=0.25", "like:pillow/bicubic"}) {
        const auto made =
            SourceImage(backend_, image).sample_to_host(request(recipe, 1, 1), PointsView::pairs(points.data(), 4));
        EXPECT_TRUE(std::isnan(made[0])) << recipe;
        EXPECT_TRUE(std::isfinite(made[1])) << recipe;
        EXPECT_TRUE(std::isfinite(made[2])) << recipe;
        EXPECT_EQ(std::isnan(made[3]), std::string_view(recipe).ends_with("mirror")) << recipe;
    }
}

ON_EVERY_BACKEND(RecipesAtPoints);

}  // namespace
}  // namespace texelscope::test
