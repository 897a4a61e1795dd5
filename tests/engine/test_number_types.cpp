// Samples of types that the engine does not read in place are held as floats, and give the same pictures as these.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/backend/source_image.h"
#include "gpu/tiles/image_tiles.h"
#include "gpu/tiles/tiled_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/exact_tolerance.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

constexpr SampleType number_types[] = {SampleType::i8,  SampleType::i16, SampleType::i32, SampleType::u32,
                                       SampleType::i64, SampleType::u64, SampleType::f64};

double largest(SampleType type) {
    switch (type) {
        case SampleType::i8: return 127;
        case SampleType::i16: return 32767;
        case SampleType::i32: return 0x1p31 - 1;
        case SampleType::u32: return 0x1p32 - 1;
        case SampleType::i64: return 0x1p62;
        case SampleType::u64: return 0x1p63;
        default: return 1e30;
    }
}

// Noise over the range of the type, of both signs if it has them.
Image numbers(int width, int height, int channels, SampleType type, uint64_t seed) {
    Random random(seed);
    const bool below_zero = name_of(type)[0] != 'u';
    Image image(width, height, channels, type);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c)
                set_value(image, x, y, c, std::floor(random.between(below_zero ? -1 : 0, 1) * largest(type)));
    return image;
}

// The image's numbers, each rounded to float.
Image floats_of(const Image& image) {
    const reference::Samples samples(image);
    Image floats(image.width(), image.height(), image.channels(), SampleType::f32);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < image.channels(); ++c)
                floats.row_as<float>(y)[x * image.channels() + c] = float(samples.at(x, y)[c]);
    return floats;
}

std::vector<RenderRequest> requests(const Image& image) {
    std::vector<RenderRequest> all;
    for (const char* spec : {"nearest", "bilinear", "bspline:address=mirror/border", "catmull-rom:path=lookup",
                             "lanczos3:path=global", "bilinear:path=hardware"}) {
        RenderRequest request = beyond_borders(parse_spec(spec), image.width(), image.height(), 4);
        request.view = {0.3, 0.2, 0.8, 12};
        all.push_back(request);
        request.view = {0.3, 0.2, 3, 0};
        request.antialias = request.spec.path != FetchPath::hardware;
        all.push_back(request);
    }
    return all;
}

class NumberTypes : public OnBackend {};

TEST_P(NumberTypes, GiveThePicturesOfTheirFloats) {
    for (const SampleType type : number_types)
        for (int channels = 1; channels <= 4; ++channels) {
            const Image image = numbers(37, 23, channels, type, 50 + uint64_t(channels));
            SourceImage source(backend_, image), floats(backend_, floats_of(image));
            for (const RenderRequest& request : requests(image))
                ASSERT_EQ(between(source.render_to_image(request), floats.render_to_image(request)).error, 0)
                    << describe_request(image, request);
        }
}

TEST_P(NumberTypes, AgreeWithFloat64) {
    for (const SampleType type : number_types) {
        const Image image = numbers(37, 23, 2, type, 61);
        for (const RenderRequest& request : requests(image)) {
            if (request.antialias || request.spec.path == FetchPath::hardware) continue;
            const Difference difference = render_and_compare(backend_, image, request, 200);
            // The samples lie in [−1, 1] instead of [0, 1], and are rounded to float.
            const double tolerance = (2 * exact_tolerance(request.spec) + 0x1p-24 * 8) * largest(type);
            EXPECT_LE(difference.error, tolerance) << difference;
        }
    }
}

TEST_P(NumberTypes, ByRegionsTooTheyAreHeldAsFloats) {
    for (const SampleType type : number_types) {
        const auto image = std::make_shared<const Image>(numbers(150, 130, 3, type, 71));
        SourceImage source(backend_, *image);
        TiledImage tiled(backend_, std::make_shared<ImageTiles>(image, 32), {.memory = least_tiled_memory});
        for (const RenderRequest& request : requests(*image)) {
            const double error = between(tiled.render_to_image(request), source.render_to_image(request)).error;
            EXPECT_LE(error, 2 * exact_tolerance(request.spec) * largest(type)) << describe_request(*image, request);
        }
    }
}

TEST_P(NumberTypes, StraightAlphaMultipliesThem) {
    Image image = numbers(8, 8, 4, SampleType::i16, 81), floats = floats_of(image);
    image.set_alpha(Alpha::straight);
    floats.set_alpha(Alpha::straight);
    const RenderRequest request = beyond_borders(parse_spec("bilinear"), 8, 8, 0);
    EXPECT_EQ(between(SourceImage(backend_, image).render_to_image(request),
                      SourceImage(backend_, floats).render_to_image(request))
                  .error,
              0);
}

// Numbers of these types take as much memory as floats.
TEST_P(NumberTypes, TheirMemoryIsThatOfFloats) {
    for (const SampleType type : number_types)
        EXPECT_EQ(backend_->upload(numbers(64, 16, 1, type, 91))->size_bytes(),
                  backend_->upload(numbers(64, 16, 1, SampleType::i32, 92))->size_bytes());
    const auto shared = std::make_shared<const Image>(numbers(64, 16, 1, SampleType::f64, 93));
    EXPECT_FALSE(backend_->reads_in_place(*shared));
    EXPECT_GE(backend_->upload(shared)->size_bytes(), size_t(64 * 16 * 4));
}

TEST_P(NumberTypes, AreNotReadInPlace) {
    const Image image = numbers(8, 8, 1, SampleType::i32, 95);
    try {
        backend_->adopt(view_of(image));
        ADD_FAILURE() << "i32 was read as f32";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("i32"), std::string::npos) << error.what();
    }
}

TEST_P(NumberTypes, ASignalOfThemIsInterpolated) {
    Image line(3, 1, 1, SampleType::i64);
    const int64_t values[] = {-4, 0, 8};
    std::copy_n(values, 3, line.row_as<int64_t>(0));
    line.set_one_dimensional(true);
    SourceImage source(backend_, line);
    EXPECT_EQ(sampled(source, parse_spec("bilinear"), {0, 0.5, 1.5, 2}), (std::vector<float>{-4, -2, 4, 8}));
}

ON_EVERY_BACKEND(NumberTypes);

}  // namespace
}  // namespace texelscope::test
