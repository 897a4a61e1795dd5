// Antialiased shrinking is computed in blocks: without rotation along one axis after the other, with rotation by products
// of matrices. The picture is that of the kernel of one thread per pixel, wherever blocks meet, end and stand outside.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/images.h"
#include "tests/support/placed.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class Shrinking : public OnBackend {
protected:
    static RenderRequest request(const char* method, int width, int height, const Affine& positions) {
        RenderRequest request;
        request.spec = default_spec(parse_method(method));
        request.width = width;
        request.height = height;
        request.positions = positions;
        request.antialias = true;
        return request;
    }
    // Turned about the middle of the image.
    static RenderRequest turned(const char* method, int width, int height, double scale, double degrees) {
        RenderRequest request = Shrinking::request(method, width, height, {});
        request.positions.reset();
        request.view = {.translate_x = 0.37, .translate_y = -1.21, .scale = scale, .rotate = degrees};
        return request;
    }
    void expect_same(SourceImage& source, RenderRequest request, const std::string& what) {
        const Image blocks = source.render_to_image(request);
        request.simple = true;
        const Image pixels = source.render_to_image(request);
        ASSERT_EQ(blocks.size_bytes(), pixels.size_bytes());
        double largest = 0;
        for (int y = 0; y < blocks.height(); ++y)
            for (int x = 0; x < blocks.width(); ++x)
                for (int c = 0; c < blocks.channels(); ++c) {
                    const float a = blocks.value(x, y, c), b = pixels.value(x, y, c);
                    ASSERT_EQ(std::isfinite(a), std::isfinite(b)) << what << " at " << x << ", " << y;
                    if (std::isfinite(a)) largest = std::max(largest, std::abs(double(a) - double(b)));
                }
        EXPECT_LE(largest, tolerance::exact_path) << what;
    }
};

TEST_P(Shrinking, ManyBlocksAreTheSamePictureForEveryTypeMethodAndScale) {
    struct Case {
        int channels;
        SampleType type;
    };
    for (const auto& [channels, type] : {Case{3, SampleType::u8},
                                         {1, SampleType::u16},
                                         {2, SampleType::f16},
                                         {4, SampleType::f32},
                                         {1, SampleType::u8}}) {
        const Image image = noise(913, 640, channels, type, 11);
        SourceImage source(backend_, image);
        for (const char* method : {"nearest", "bilinear", "catmull-rom", "bspline", "lanczos3", "lanczos4"})
            for (const double scale : {1.003, 1.7, 2.0, 4.0, 5.3, 7.99}) {
                const int width = int(900 / scale), height = int(630 / scale);
                expect_same(source, request(method, width, height, {scale, 0, scale / 2, 0, scale * 0.99, 1.5}),
                            fmt::format("{} channels of type {}, {}, scale {}", channels, int(type), method, scale));
            }
    }
}

TEST_P(Shrinking, BeyondTheImageEveryAddressModeAndOutsideIsTheSame) {
    const Image image = noise(300, 200, 3, SampleType::u8, 12);
    SourceImage source(backend_, image);
    for (const Outside outside : {Outside::extend, Outside::background, Outside::nan})
        for (const AddressMode mode : all_address_modes)
            for (const Affine& positions : {Affine{3.1, 0, -400, 0, 3.1, -300}, Affine{2.5, 0, 900, 0, 2.5, 10},
                                            Affine{-4.3, 0, 500, 0, 4.1, -2000}, Affine{0.4, 0, -20, 0, 6.2, -900}}) {
                RenderRequest r = request("lanczos3", 330, 310, positions);
                r.outside = outside;
                r.spec.address = {mode, mode};
                expect_same(source, r,
                            fmt::format("outside {}, mode {}, x0 {}", int(outside), int(mode), positions.x0));
            }
}

// Texels are read several at once where they are aligned.
TEST_P(Shrinking, RowsAndColumnsOfAnyAlignmentAreTheSame) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (const int channels : {1, 2, 4}) {
            const Image image = noise(301, 90, channels, type, 16);
            const size_t texel = size_t(channels) * size_t(bytes_per_sample(type));
            for (const size_t beyond : {0, 1, 3})
                for (const size_t before : {0, 1, 2}) {
                    const Placed here = placed(*backend_, image, image.row_bytes() + beyond * texel, before * texel);
                    SourceImage source(backend_, here.view);
                    for (const AddressMode mode :
                         {AddressMode::clamp, AddressMode::mirror, AddressMode::border, AddressMode::reflect101}) {
                        RenderRequest r = request("catmull-rom", 120, 40, {2.9, 0, -17.3, 0, 2.6, -4.1});
                        r.spec.address = {mode, mode};
                        expect_same(source, r,
                                    fmt::format("{} channels of type {}, {} texels beyond, {} before", channels,
                                                int(type), beyond, before));
                    }
                }
        }
}

TEST_P(Shrinking, AnotherStretchAlongEachAxisIsTheSame) {
    const Image image = noise(700, 500, 1, SampleType::f32, 13);
    SourceImage source(backend_, image);
    for (const Affine& positions : {Affine{7.9, 0, 3, 0, 1.05, 3}, Affine{1.02, 0, 3, 0, 7.7, 3},
                                    Affine{0.05, 0, 30, 0, 2, 3}, Affine{3, 0, 3, 0, 0.2, 3}})
        for (const char* method : {"bilinear", "lanczos4"})
            expect_same(source, request(method, 80, 60, positions), fmt::format("{} {}", method, positions.xx));
}

TEST_P(Shrinking, WhatIsNotFiniteReachesTheSamePixels) {
    Image image = noise(400, 300, 1, SampleType::f32, 14);
    image.row_as<float>(77)[133] = std::numeric_limits<float>::quiet_NaN();
    image.row_as<float>(150)[260] = std::numeric_limits<float>::infinity();
    SourceImage source(backend_, image);
    for (const char* method : {"nearest", "bilinear", "catmull-rom", "lanczos3"})
        for (const double scale : {2.0, 3.7})
            expect_same(source, request(method, 100, 75, {scale, 0, 0.5, 0, scale, 0.5}),
                        fmt::format("{} {}", method, scale));
}

TEST_P(Shrinking, WhatIsNotFiniteReachesTheSamePixelsOfTurnedViews) {
    for (const int channels : {1, 4}) {
        Image image = noise(400, 300, channels, SampleType::f32, 14);
        image.row_as<float>(77)[133 * channels] = std::numeric_limits<float>::quiet_NaN();
        image.row_as<float>(150)[260 * channels] = std::numeric_limits<float>::infinity();
        SourceImage source(backend_, image);
        for (const char* method : {"bilinear", "catmull-rom", "lanczos3"})
            for (const double scale : {2.0, 3.7})
                expect_same(source, turned(method, 150, 110, scale, 31), fmt::format("{} {}", method, scale));
    }
}

TEST_P(Shrinking, LinearLightAndScreensAreTheSame) {
    const Image image = noise(600, 400, 4, SampleType::u8, 15, Alpha::straight);
    SourceImage source(backend_, image, Light::linear);
    expect_same(source, request("mitchell", 150, 100, {4, 0, 1.5, 0, 4, 1.5}), "linear light with alpha");
}

TEST_P(Shrinking, TurnedViewsAreTheSameForEveryMethodScaleAndAngle) {
    for (const int channels : {1, 2, 4}) {
        SourceImage source(backend_, noise(913, 640, channels, SampleType::u8, 17));
        for (const char* method : {"bilinear", "catmull-rom", "mitchell", "lanczos3", "lanczos4"})
            for (const double scale : {1.3, 3.7, 7.99})
                for (const double degrees : {1.0, 10.0, 45.0, 88.0, 233.0})
                    expect_same(source, turned(method, int(900 / scale), int(630 / scale), scale, degrees),
                                fmt::format("{} channels, {}, scale {}, {}°", channels, method, scale, degrees));
    }
}

// Also coefficients, which are floats.
TEST_P(Shrinking, TurnedViewsOfAnyTypeAreTheSame) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (const int channels : {1, 2, 4}) {
            SourceImage source(backend_, noise(313, 240, channels, type, 21));
            for (const char* method : {"bilinear", "catmull-rom", "bspline", "lanczos4", "septic"})
                for (const auto& [scale, degrees] : {std::pair{1.7, 10.0}, {4.0, 45.0}, {7.99, 110.0}})
                    expect_same(source, turned(method, int(300 / scale), int(230 / scale), scale, degrees),
                                fmt::format("type {}, {} channels, {}, scale {}, {}°", int(type), channels, method,
                                            scale, degrees));
        }
}

// The largest sums of all: nothing may be lost of them.
TEST_P(Shrinking, ATurnedWhiteImageIsWhite) {
    Image image(600, 500, 4, SampleType::u8);
    std::fill_n(image.data(), image.size_bytes(), std::byte{255});
    SourceImage source(backend_, image);
    for (const char* method : {"bilinear", "catmull-rom", "lanczos3", "lanczos4"})
        for (const double scale : {1.3, 4.0, 7.0}) {
            const Image white = source.render_to_image(turned(method, 101, 77, scale, 33));
            for (int y = 0; y < white.height(); ++y)
                for (int x = 0; x < white.width(); ++x)
                    ASSERT_NEAR(white.value(x, y, 0), 1, tolerance::exact_path) << method << " " << scale;
        }
}

TEST_P(Shrinking, TurnedViewsBeyondTheImageAreTheSame) {
    for (const auto& [width, height] : {std::pair{300, 200}, {37, 2}, {1, 1}}) {
        SourceImage source(backend_, noise(width, height, 3, SampleType::u8, 18));
        for (const Outside outside : {Outside::extend, Outside::background, Outside::nan})
            for (const AddressMode mode : all_address_modes)
                for (const Affine& positions :
                     {Affine{3.1, 0.9, -400, -1.1, 3.1, -300}, Affine{2.5, -2.5, 900, 2.5, 2.5, 10},
                      Affine{0.4, 6.2, -20, -1.7, 0.3, 900}, Affine{-5, 1, 500, 0.01, -1.3, 250}}) {
                    RenderRequest r = request("catmull-rom", 230, 210, positions);
                    r.outside = outside;
                    r.spec.address = {mode, mode};
                    expect_same(source, r,
                                fmt::format("{} x {}, outside {}, mode {}, x0 {}", width, height, int(outside),
                                            int(mode), positions.x0));
                }
    }
}

TEST_P(Shrinking, TurnedFloatsBeyondTheImageAreTheSame) {
    for (const auto& [width, height] : {std::pair{300, 200}, {37, 2}, {1, 1}}) {
        SourceImage source(backend_, noise(width, height, 2, SampleType::f32, 22));
        for (const char* method : {"catmull-rom", "bspline"})
            for (const AddressMode mode : all_address_modes)
                for (const Affine& positions :
                     {Affine{3.1, 0.9, -400, -1.1, 3.1, -300}, Affine{2.5, -2.5, 900, 2.5, 2.5, 10},
                      Affine{0.4, 6.2, -20, -1.7, 0.3, 900}}) {
                    RenderRequest r = request(method, 120, 110, positions);
                    r.spec.address = {mode, mode};
                    expect_same(
                        source, r,
                        fmt::format("{}, {} x {}, mode {}, x0 {}", method, width, height, int(mode), positions.x0));
                }
    }
}

TEST_P(Shrinking, TurnedRowsOfAnyAlignmentAreTheSame) {
    for (const int channels : {1, 2, 4}) {
        const Image image = noise(301, 290, channels, SampleType::u8, 19);
        const size_t texel = size_t(channels);
        for (const size_t beyond : {0, 1, 3})
            for (const size_t before : {0, 1, 2}) {
                const Placed here = placed(*backend_, image, image.row_bytes() + beyond * texel, before * texel);
                SourceImage source(backend_, here.view);
                expect_same(source, turned("catmull-rom", 90, 70, 2.9, 21),
                            fmt::format("{} channels, {} texels beyond, {} before", channels, beyond, before));
            }
    }
}

TEST_P(Shrinking, TurnedLinearLightAndScreensAreTheSame) {
    const Image image = noise(600, 400, 4, SampleType::u8, 20, Alpha::straight);
    SourceImage source(backend_, image, Light::linear);
    expect_same(source, turned("mitchell", 150, 100, 4, 30), "linear light with alpha");
}

ON_EVERY_BACKEND(Shrinking);

}  // namespace
}  // namespace texelscope::test
