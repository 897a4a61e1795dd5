// Antialiased shrinking is computed in blocks: without rotation along one axis after the other, with rotation by products
// of matrices. The picture is that of the kernel of one thread per pixel, wherever blocks meet, end and stand outside.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
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
    // A request rotated about the middle of the image.
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
        EXPECT_LE(largest, 2 * tolerance::exact_path) << what;  // as far from the exact value, each to its side
    }

    // For one in `share` combinations of settings.
    void check_blocks(int share);
    void check_beyond(int share);
    void check_turned(int share);
    void check_turned_beyond(int share);

    const std::vector<Outside> everything_outside_ = {Outside::extend, Outside::background, Outside::nan};
    const std::vector<AddressMode> modes_{all_address_modes.begin(), all_address_modes.end()};
};

void Shrinking::check_blocks(int share) {
    struct Case {
        int channels;
        SampleType type;
    };
    int place = 0;
    for (const Case& of : {Case{3, SampleType::u8},
                           {1, SampleType::u16},
                           {2, SampleType::f16},
                           {4, SampleType::f32},
                           {1, SampleType::u8}}) {
        SourceImage source(backend_, noise(913, 640, of.channels, of.type, 11));
        const auto check = [&](const char* method, double scale) {
            const int width = int(900 / scale), height = int(630 / scale);
            expect_same(source, request(method, width, height, {scale, 0, scale / 2, 0, scale * 0.99, 1.5}),
                        fmt::format("{} channels of type {}, {}, scale {}", of.channels, int(of.type), method, scale));
        };
        for_share(share, place++, check,
                  std::vector{"nearest", "bilinear", "catmull-rom", "bspline", "lanczos3", "lanczos4"},
                  std::vector{1.003, 1.7, 2.0, 4.0, 5.3, 7.99});
    }
}

TEST_P(Shrinking, ManyBlocksAreTheSamePictureForEveryTypeMethodAndScale) { check_blocks(5); }

void Shrinking::check_beyond(int share) {
    SourceImage source(backend_, noise(300, 200, 3, SampleType::u8, 12));
    const auto check = [&](Outside outside, AddressMode mode, const Affine& positions) {
        RenderRequest r = request("lanczos3", 330, 310, positions);
        r.outside = outside;
        r.spec.address = {mode, mode};
        expect_same(source, r, fmt::format("outside {}, mode {}, x0 {}", int(outside), int(mode), positions.x0));
    };
    for_share(share, 0, check, everything_outside_, modes_,
              std::vector{Affine{3.1, 0, -400, 0, 3.1, -300}, Affine{2.5, 0, 900, 0, 2.5, 10},
                          Affine{-4.3, 0, 500, 0, 4.1, -2000}, Affine{0.4, 0, -20, 0, 6.2, -900}});
}

TEST_P(Shrinking, BeyondTheImageEveryAddressModeAndOutsideIsTheSame) { check_beyond(3); }

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
        for (const char* method : {"bilinear", "catmull-rom", "gaussian", "lanczos3"})
            for (const double scale : {1.3, 2.0, 3.7})
                for (const int width : {150, 320})  // few pixels, and many
                    expect_same(source, turned(method, width, 110, scale, 31), fmt::format("{} {}", method, scale));
    }
}

TEST_P(Shrinking, LinearLightAndScreensAreTheSame) {
    const Image image = noise(600, 400, 4, SampleType::u8, 15, Alpha::straight);
    SourceImage source(backend_, image, Light::linear);
    expect_same(source, request("mitchell", 150, 100, {4, 0, 1.5, 0, 4, 1.5}), "linear light with alpha");
}

void Shrinking::check_turned(int share) {
    int place = 0;
    for (const int channels : {1, 2, 4}) {
        SourceImage source(backend_, noise(913, 640, channels, SampleType::u8, 17));
        const auto check = [&](const char* method, double scale, double degrees) {
            expect_same(source, turned(method, int(900 / scale), int(630 / scale), scale, degrees),
                        fmt::format("{} channels, {}, scale {}, {}°", channels, method, scale, degrees));
        };
        for_share(share, place++, check, std::vector{"bilinear", "catmull-rom", "mitchell", "lanczos3", "lanczos4"},
                  std::vector{1.3, 3.7, 7.99}, std::vector{1.0, 10.0, 45.0, 88.0, 233.0});
    }
}

TEST_P(Shrinking, TurnedViewsAreTheSameForEveryMethodScaleAndAngle) { check_turned(5); }

// Also coefficients, which are floats.
TEST_P(Shrinking, TurnedViewsOfAnyTypeAreTheSame) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (const int channels : {1, 2, 4}) {
            SourceImage source(backend_, noise(413, 340, channels, type, 21));
            for (const char* method : {"bilinear", "catmull-rom", "bspline", "omoms", "lanczos4", "septic"})
                for (const auto& [scale, degrees] : {std::pair{1.7, 10.0}, {4.0, 45.0}, {7.99, 110.0}})
                    expect_same(source, turned(method, int(400 / scale), int(330 / scale), scale, degrees),
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

void Shrinking::check_turned_beyond(int share) {
    int place = 0;
    for (const auto& [width, height] : {std::pair{300, 200}, {37, 2}, {1, 1}}) {
        SourceImage source(backend_, noise(width, height, 3, SampleType::u8, 18));
        const auto check = [&](Outside outside, AddressMode mode, const Affine& positions) {
            RenderRequest r = request("catmull-rom", 230, 210, positions);
            r.outside = outside;
            r.spec.address = {mode, mode};
            expect_same(source, r,
                        fmt::format("{} x {}, outside {}, mode {}, x0 {}", source.samples().width(),
                                    source.samples().height(), int(outside), int(mode), positions.x0));
        };
        for_share(share, place++, check, everything_outside_, modes_,
                  std::vector{Affine{3.1, 0.9, -400, -1.1, 3.1, -300}, Affine{2.5, -2.5, 900, 2.5, 2.5, 10},
                              Affine{0.4, 6.2, -20, -1.7, 0.3, 900}, Affine{-5, 1, 500, 0.01, -1.3, 250}});
    }
}

TEST_P(Shrinking, TurnedViewsBeyondTheImageAreTheSame) { check_turned_beyond(3); }

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

class SlowShrinking : public Shrinking {};

TEST_P(SlowShrinking, ManyBlocksAreTheSamePictureForEveryTypeMethodAndScale) { check_blocks(1); }
TEST_P(SlowShrinking, BeyondTheImageEveryAddressModeAndOutsideIsTheSame) { check_beyond(1); }
TEST_P(SlowShrinking, TurnedViewsAreTheSameForEveryMethodScaleAndAngle) { check_turned(1); }
TEST_P(SlowShrinking, TurnedViewsBeyondTheImageAreTheSame) { check_turned_beyond(1); }

ON_EVERY_BACKEND(SlowShrinking);

// Shrunk views of integer samples are read from the samples themselves on the CPU, with level or prefilter folded into the
// weights: the picture is that of the coefficients, or of the level, and these are not made.

class Folding : public OnBackend {
protected:
    static RenderRequest request(const char* method, double scale, const AddressPair& address) {
        RenderRequest request;
        request.spec = default_spec(parse_method(method));
        request.spec.address = address;
        request.antialias = true;
        request.width = 53;
        request.height = 41;
        request.view = {3.3, -2.7, scale, 0};
        return request;
    }
};

// Floats are not folded, since a NaN would spread: the same picture of the same values is rendered from a level, or from
// coefficients.
TEST_P(Folding, ThePictureIsThatOfLevelsAndCoefficients) {
    for (const auto& [channels, type] : {std::pair(1, SampleType::u8), std::pair(2, SampleType::u16),
                                         std::pair(3, SampleType::u8), std::pair(4, SampleType::u16)}) {
        const Image image = noise(403, 377, channels, type, 61);
        SourceImage integers(backend_, image), floats(backend_, converted(image, SampleType::f32));
        for (const char* method : {"bspline", "quintic", "omoms", "catmull-rom", "lanczos3"})
            for (const double scale : {2.1, 4.7, 7.9, 8.5, 13.3, 15.9})
                for (const AddressMode mode : all_address_modes) {
                    const RenderRequest view = request(method, scale, {mode, AddressMode::clamp});
                    const Difference difference = between(integers.render_to_image(view), floats.render_to_image(view));
                    EXPECT_LE(difference.error, tolerance::widened) << describe_request(image, view) << difference;
                }
    }
}

TEST_P(Folding, IsFloat64MathematicsOfTheCoefficients) {
    const Image image = noise(300, 260, 3, SampleType::u8, 67);
    SourceImage source(backend_, image);
    for (const char* method : {"bspline", "quintic", "omoms"})
        for (const double scale : {2.5, 6.3})
            for (const AddressPair& address : all_address_pairs()) {
                const RenderRequest view = request(method, scale, address);
                const Image out = source.render_to_image(view);
                const Affine a = sampling_affine(view.view, 300, 260, view.width, view.height);
                const reference::Widened widened(image, view.spec);
                for (int n = 0; n < 12; ++n) {
                    const int i = n * 17 % view.width, j = n * 13 % view.height;
                    const Point p = apply(a, i, j);
                    const reference::Value expected = widened.at({p.x, p.y}, scale, scale);
                    for (int c = 0; c < 3; ++c)
                        ASSERT_NEAR(out.value(i, j, c), expected[size_t(c)], tolerance::widened)
                            << describe_request(image, view);
                }
            }
}

TEST_P(Folding, NothingIsMadeOfAPictureThatIsFitted) {
    if (GetParam() != BackendKind::cpu) GTEST_SKIP() << "a GPU makes levels and coefficients";
    const auto image = std::make_shared<const Image>(noise(1500, 1200, 3, SampleType::u8, 71));
    for (const double scale : {2.5, 6.3, 12.9}) {
        const auto backend = make_cpu_backend();
        SourceImage source(backend, image);
        const RenderRequest view = request("bspline", scale, {});
        EXPECT_EQ(source.unprepared(source.plan(view)), 0) << scale;
        EXPECT_FALSE(source.prepare(source.plan(view))) << scale;
        source.render_to_image(view);
        constexpr size_t output = 53 * 41 * 3 * sizeof(float), tables = 64 << 10;
        EXPECT_LE(backend->memory().most_taken(), output + tables) << scale;
    }
}

// In float64 as well, a few rows of the level at a time.
TEST_P(Folding, AReferenceIsThatOfTheLevel) {
    const Image image = noise(1100, 903, 3, SampleType::u8, 73);
    SourceImage integers(backend_, image), floats(backend_, converted(image, SampleType::f32));
    for (const char* method : {"bspline", "quintic", "lanczos3", "bilinear"})
        for (const double scale : {8.5, 13.3})
            for (const AddressMode mode : {AddressMode::clamp, AddressMode::border, AddressMode::mirror})
                for (const Outside outside : {Outside::extend, Outside::nan}) {
                    RenderRequest view = request(method, scale, {mode, mode});
                    view.view.translate_y = 150;  // beyond the lower edge
                    view.height = 90;
                    view.outside = outside;
                    const auto values = [&](SourceImage& source) {
                        const size_t count = size_t(view.width) * size_t(view.height) * 3;
                        const auto memory = backend_->allocate(count * sizeof(double));
                        source.render_reference(view, static_cast<double*>(memory.get()));
                        std::vector<double> read(count);
                        backend_->read_back(read.data(), memory.get(), count * sizeof(double));
                        return read;
                    };
                    const auto folded = values(integers), of_level = values(floats);
                    // The levels are float32, of integers and of floats summed in another order.
                    constexpr double rounding = 2e-7;
                    double worst = 0;
                    for (size_t i = 0; i < folded.size(); ++i) {
                        ASSERT_EQ(std::isnan(folded[i]), std::isnan(of_level[i])) << describe_request(image, view) << i;
                        if (!std::isnan(folded[i])) worst = std::max(worst, std::abs(folded[i] - of_level[i]));
                    }
                    EXPECT_LE(worst, rounding) << describe_request(image, view);
                }
}

// Of a method without coefficients, which would be those of the whole level.
TEST_P(Folding, OfALevelThatAReferenceReadsOnlyAStripIsMade) {
    if (GetParam() != BackendKind::cpu) GTEST_SKIP() << "a GPU makes levels";
    const auto image = std::make_shared<const Image>(noise(1500, 3000, 3, SampleType::u8, 79));
    const auto backend = make_cpu_backend();
    SourceImage source(backend, image);
    RenderRequest view = request("lanczos3", 12.9, {});
    view.height = 230;
    EXPECT_EQ(source.unprepared(source.plan(view), true), 0);
    std::vector<double> values(size_t(view.width) * size_t(view.height) * 3);
    source.render_reference(view, values.data());
    constexpr size_t level = 750 * 1500 * 4 * sizeof(float);
    EXPECT_LE(backend->memory().most_taken(), level / 6);
}

ON_EVERY_BACKEND(Folding);

}  // namespace
}  // namespace texelscope::test
