// Numbers that float32 cannot hold, through nearest: each pixel has all bits of the sample that it reads.

#include "app/picture/moved_numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "gpu/tiles/image_tiles.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

constexpr SampleType large_types[] = {SampleType::i32, SampleType::u32, SampleType::i64, SampleType::u64,
                                      SampleType::f64};

// Samples of random bits, among them NaN with any payload.
std::shared_ptr<const Image> random_bits(int width, int height, int channels, SampleType type) {
    Random random(7);
    Image image(width, height, channels, type);
    for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = std::byte(random.integer(0, 255));
    return std::make_shared<const Image>(std::move(image));
}

// Samples that are their own numbers, which float32 holds: a picture of them tells which sample each pixel reads.
Image numbers_of_samples(int width, int height) {
    Image numbers(width, height, 1, SampleType::f32);
    for (int k = 0; k < width * height; ++k) numbers.row_as<float>(k / width)[k % width] = float(k);
    return numbers;
}

std::vector<RenderRequest> requests() {
    std::vector<RenderRequest> all;
    for (const char* spec : {"nearest:address=clamp", "nearest:address=mirror/wrap", "nearest:path=lookup",
                             "nearest:path=hardware", "nearest:path=global"}) {
        RenderRequest request = beyond_borders(parse_spec(spec), 31, 17, 3);
        request.view = {0.37, -0.21, 0.4, 20};
        all.push_back(request);
        request.view = {0.37, -0.21, 1.7, 0};
        all.push_back(request);
    }
    return all;
}

// All bits must be those of the samples with these numbers.
void expect_samples(const Image& got, const Image& image, const Image& which) {
    ASSERT_EQ(got.type(), image.type());
    ASSERT_EQ(got.channels(), image.channels());
    const size_t pixel = size_t(image.channels()) * size_t(bytes_per_sample(image.type()));
    for (int y = 0; y < got.height(); ++y)
        for (int x = 0; x < got.width(); ++x) {
            const int k = int(which.value(x, y, 0));
            ASSERT_EQ(std::memcmp(got.row(y) + size_t(x) * pixel,
                                  image.row(k / image.width()) + size_t(k % image.width()) * pixel, pixel),
                      0)
                << x << ", " << y << " of " << describe(image);
        }
}

class MovedNumbersOn : public OnBackend {
protected:
    Image rendered(const std::shared_ptr<const Image>& image, const RenderRequest& request, SampleType written) {
        return moved_numbers(image, request, Light::stored, written,
                             [&](const std::shared_ptr<const Image>& samples, const RenderRequest& of_samples) {
                                 return SourceImage(backend_, samples).render_to_image(of_samples);
                             });
    }
};

TEST_P(MovedNumbersOn, EveryBitOfEveryTypeArrives) {
    SourceImage which(backend_, numbers_of_samples(31, 17));
    for (const SampleType type : large_types)
        for (int channels = 1; channels <= 4; ++channels) {
            const auto image = random_bits(31, 17, channels, type);
            for (const RenderRequest& request : requests())
                expect_samples(rendered(image, request, type), *image, which.render_to_image(request));
        }
}

TEST_P(MovedNumbersOn, ByRegionsToo) {
    for (const SampleType type : {SampleType::i32, SampleType::u64, SampleType::f64})
        for (const int channels : {1, 3}) {
            const auto image = random_bits(300, 200, channels, type);
            RenderRequest request = beyond_borders(parse_spec("nearest"), 300, 200, 2);
            request.view = {0.37, -0.21, 0.9, 20};
            const Image expected = SourceImage(backend_, numbers_of_samples(300, 200)).render_to_image(request);
            double done = 0;
            MovedRows rows(backend_, std::make_shared<ImageTiles>(image, 64), request, least_tiled_memory,
                           [&](double part) { done = part; });
            expect_samples(whole_of(rows.source()), *image, expected);
            EXPECT_EQ(done, 1);
        }
}

TEST_P(MovedNumbersOn, BeyondABorderIsItsNumber) {
    const auto image = random_bits(3, 3, 2, SampleType::i64);
    RenderRequest request = beyond_borders(parse_spec("nearest:address=border,border=-5:16777216"), 3, 3, 1);
    const Image got = rendered(image, request, SampleType::i64);
    EXPECT_EQ(std::get<int64_t>(got.number(0, 0, 0)), -5);
    EXPECT_EQ(std::get<int64_t>(got.number(0, 0, 1)), 16777216);
    EXPECT_EQ(got.number(1, 1, 1), image->number(0, 0, 1));
}

TEST_P(MovedNumbersOn, PointsHaveThemToo) {
    const auto image = random_bits(5, 4, 3, SampleType::u64);
    SampleRequest request;
    request.spec = parse_spec("nearest");
    request.outside = Outside::nan;
    const double points[] = {3.2, 1.9, 0, 0, 9, 9};
    const auto values = MovedValues(backend_, *image, request).at(PointsView::pairs(points, 3));
    ASSERT_EQ(values.size(), 9u);
    for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(values[size_t(c)], image->number(3, 2, c));
        EXPECT_EQ(values[size_t(3 + c)], image->number(0, 0, c));
        EXPECT_EQ(text_of(values[size_t(6 + c)]), "nan");
    }
}

ON_EVERY_BACKEND(MovedNumbersOn);

// Renderings that compute cannot keep such numbers, and numbers that float32 holds need not be cut.
TEST(MovedNumbers, OnlyWhereSamplesAreMovedAndNeedIt) {
    RenderRequest request = beyond_borders(parse_spec("nearest"), 8, 8, 0);
    const auto moves = [](const RenderRequest& of, SampleType type, SampleType written, Light light = Light::stored) {
        return moves_numbers(of, {.width = 8, .height = 8, .channels = 1, .type = type}, light, written);
    };
    EXPECT_TRUE(moves(request, SampleType::i32, SampleType::i32));
    EXPECT_TRUE(moves(request, SampleType::u32, SampleType::f64));
    EXPECT_FALSE(moves(request, SampleType::i32, SampleType::f32));
    EXPECT_FALSE(moves(request, SampleType::i16, SampleType::i16));
    EXPECT_FALSE(moves(request, SampleType::i32, SampleType::i32, Light::linear));
    RenderRequest shrunk = request;
    shrunk.view.scale = 3;
    EXPECT_TRUE(moves(shrunk, SampleType::i32, SampleType::i32));
    shrunk.antialias = true;
    EXPECT_FALSE(moves(shrunk, SampleType::i32, SampleType::i32));
    RenderRequest smooth = request;
    smooth.spec = parse_spec("bilinear");
    EXPECT_FALSE(moves(smooth, SampleType::i32, SampleType::i32));
    RenderRequest cut = request;
    cut.outside = Outside::background;
    EXPECT_FALSE(moves(cut, SampleType::i32, SampleType::i32));
}

}  // namespace
}  // namespace texelscope::test
