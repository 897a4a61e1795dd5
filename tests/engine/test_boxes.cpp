// Shrinking by area: pixels are means of all samples in their area, both axes at once (gpu/method/box.h). Against sums in
// float64, in every type, with any number of channels, at any factor and beyond every edge; bit for bit as OpenCV rounds them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gpu/backend/least_squares.h"
#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// The part of sample k that an interval fills.
double part_of_sample(double from, double to, int k) {
    return std::max(0.0, std::min(to, k + 1.0) - std::max(from, double(k)));
}

// Of an image that is resized to width × height: the mean over the area of pixel (i, j).
double mean_of_area(const Image& image, int width, int height, int i, int j, int channel) {
    const double step_x = double(image.width()) / width, step_y = double(image.height()) / height;
    double sum = 0;
    for (int y = int(j * step_y); y < std::min(image.height(), int(std::ceil((j + 1) * step_y))); ++y)
        for (int x = int(i * step_x); x < std::min(image.width(), int(std::ceil((i + 1) * step_x))); ++x)
            sum += part_of_sample(i * step_x, (i + 1) * step_x, x) * part_of_sample(j * step_y, (j + 1) * step_y, y) *
                   double(image.value(x, y, channel));
    return sum / (step_x * step_y);
}

class ShrinkingByArea : public OnBackend {
protected:
    RenderRequest antialiased_nearest(const SourceImage& source, int width, int height) const {
        RenderRequest request = resize_request(source.samples(), default_spec(parse_method("nearest")), width, height);
        request.pyramid = false;
        return request;
    }
    static void expect_means(const Image& image, const Image& shrunk, const std::string& what) {
        double largest = 0;
        for (int j = 0; j < shrunk.height(); ++j)
            for (int i = 0; i < shrunk.width(); ++i)
                for (int c = 0; c < image.channels(); ++c)
                    largest =
                        std::max(largest, std::abs(double(shrunk.value(i, j, c)) -
                                                   mean_of_area(image, shrunk.width(), shrunk.height(), i, j, c)));
        EXPECT_LE(largest, tolerance::exact_path) << what;
    }
    std::string_view kernel() const { return name_of(backend_->last_kernel().kernel); }
};

TEST_P(ShrinkingByArea, MakesMeansOfWholeFactorsInEveryTypeAndNumberOfChannels) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (const int channels : {1, 2, 3, 4}) {
            const Image image = noise(240, 192, channels, type, 31);
            SourceImage source(backend_, image);
            for (const auto& [width, height] :
                 {std::pair{120, 96}, {60, 48}, {80, 64}, {30, 192}, {240, 24}, {12, 8}, {2, 3}}) {
                const std::string what =
                    fmt::format("{} channels of type {} to {}×{}", channels, int(type), width, height);
                expect_means(image, source.render_to_image(antialiased_nearest(source, width, height)), what);
                EXPECT_EQ(kernel(), name_of(ResampleKernel::box)) << what;
            }
        }
}

TEST_P(ShrinkingByArea, MakesMeansOfAnyFactor) {
    const bool on_gpu = backend_->info().kind == BackendKind::cuda;
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f32})
        for (const int channels : {1, 3, 4}) {
            const Image image = noise(211, 190, channels, type, 32);
            SourceImage source(backend_, image);
            for (const auto& [width, height] : {std::pair{60, 50}, {140, 99}, {211, 31}, {7, 190}, {3, 2}}) {
                const Image shrunk = least_squares_image(
                    source, resize_request(source.samples(), default_spec(parse_method("nearest")), width, height));
                const std::string what =
                    fmt::format("{} channels of type {} to {}×{}", channels, int(type), width, height);
                expect_means(image, shrunk, what);
                if (on_gpu) {
                    EXPECT_EQ(kernel(), name_of(ResampleKernel::box)) << what;
                }
            }
        }
}

// Halves: whole numbers, half up; others: to the nearest, ties to the even level.
TEST_P(ShrinkingByArea, RoundsLevelsAsOpenCVDoes) {
    for (const int channels : {1, 3, 4})
        for (const int factor : {2, 3, 4, 5, 16}) {
            const int side = 7 * factor;
            const Image image = noise(side, side, channels, SampleType::u8, 33 + uint64_t(factor));
            SourceImage source(backend_, image);
            const RenderRequest request =
                resize_request(source.samples(), parse_spec("like:opencv/area"), 7, 7, Align::centers, false);
            const Image shrunk = source.render_to_image(request);
            EXPECT_EQ(kernel(), name_of(ResampleKernel::box)) << factor;
            for (int j = 0; j < 7; ++j)
                for (int i = 0; i < 7; ++i)
                    for (int c = 0; c < channels; ++c) {
                        int sum = 0;
                        for (int y = 0; y < factor; ++y)
                            for (int x = 0; x < factor; ++x)
                                sum += image.row_as<uint8_t>(j * factor + y)[(i * factor + x) * channels + c];
                        const double mean = double(sum) / (factor * factor),
                                     level = factor == 2 ? std::floor((sum + 2) / 4.0) : std::nearbyint(mean);
                        ASSERT_EQ(std::lround(255 * double(shrunk.value(i, j, c))), std::lround(level))
                            << "factor " << factor << " at " << i << ", " << j << ", sum " << sum;
                    }
        }
}

// Where it counts in which order products are added: as one pass after the other has it.
TEST_P(ShrinkingByArea, RoundsSumsOfPartsAsThePassesDo) {
    Random random(38);
    for (int n = 0; n < 60; ++n) {
        const SampleType type = n % 2 ? SampleType::u8 : SampleType::u16;
        const int channels = 1 + n % 4, width = random.integer(1, 50), height = random.integer(1, 50);
        const Image image =
            noise(width + random.integer(0, 120), height + random.integer(0, 120), channels, type, uint64_t(n));
        SourceImage source(backend_, image);
        RenderRequest request =
            resize_request(source.samples(), parse_spec("like:opencv/area"), width, height, Align::centers, false);
        const Image at_once = source.render_to_image(request);
        request.simple = true;
        const Image passes = source.render_to_image(request);
        for (int j = 0; j < height; ++j)
            for (int i = 0; i < width; ++i)
                for (int c = 0; c < channels; ++c)
                    ASSERT_EQ(at_once.value(i, j, c), passes.value(i, j, c))
                        << image.width() << "×" << image.height() << "×" << channels << " to " << width << "×"
                        << height;
    }
}

// Where boxes are moved, turned over, or beyond the image: as each pixel by itself, by weights from a table.
TEST_P(ShrinkingByArea, IsTheSameAtAnyPlaceInEveryAddressMode) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f32})
        for (const int channels : {1, 2, 3, 4}) {
            SourceImage source(backend_, noise(61, 47, channels, type, 34));
            for (const AddressMode mode : all_address_modes)
                for (const Affine& positions : {Affine{3.1, 0, -40.3, 0, 2.7, -31.2}, Affine{-4, 0, 70.5, 0, 4, -9.5},
                                                Affine{7.9, 0, -100, 0, 1, 0.2}})
                    for (const Outside outside : {Outside::extend, Outside::background, Outside::nan}) {
                        RenderRequest request = antialiased_nearest(source, 40, 33);
                        request.positions = positions;
                        request.outside = outside;
                        request.spec.address = {mode, mode};
                        const Image boxes = source.render_to_image(request);
                        EXPECT_EQ(kernel(), name_of(ResampleKernel::box));
                        request.simple = true;
                        const Image pixels = source.render_to_image(request);
                        for (int j = 0; j < 33; ++j)
                            for (int i = 0; i < 40; ++i)
                                for (int c = 0; c < channels; ++c) {
                                    const float a = boxes.value(i, j, c), b = pixels.value(i, j, c);
                                    ASSERT_EQ(std::isnan(a), std::isnan(b)) << i << ", " << j;
                                    if (!std::isnan(a)) {
                                        ASSERT_NEAR(a, b, tolerance::exact_path)
                                            << channels << " channels of type " << int(type) << ", " << name_of(mode)
                                            << " at " << i << ", " << j;
                                    }
                                }
                    }
        }
}

// On a GPU several threads share a pixel's rows then.
TEST_P(ShrinkingByArea, AddsManyRowsUpForFewPixels) {
    const Image image = noise(640, 900, 4, SampleType::u8, 35), numbers = noise(900, 640, 1, SampleType::f32, 36);
    for (const Image* const each : {&image, &numbers}) {
        SourceImage source(backend_, *each);
        for (const auto& [width, height] : {std::pair{20, 10}, {5, 4}, {1, 1}}) {
            const Image shrunk = source.render_to_image(antialiased_nearest(source, width, height));
            for (int j = 0; j < height; ++j)
                for (int i = 0; i < width; ++i)
                    ASSERT_NEAR(shrunk.value(i, j, 0), mean_of_area(*each, width, height, i, j, 0),
                                tolerance::exact_path)
                        << width << "×" << height;
        }
    }
}

// A NaN makes NaN of the pixel in whose area it is, and of no other.
TEST_P(ShrinkingByArea, KeepsANaNInItsPixel) {
    Image image = noise(64, 64, 1, SampleType::f32, 37);
    image.row_as<float>(21)[34] = std::nanf("");
    SourceImage source(backend_, image);
    const Image shrunk = source.render_to_image(antialiased_nearest(source, 16, 16));
    for (int j = 0; j < 16; ++j)
        for (int i = 0; i < 16; ++i) EXPECT_EQ(std::isnan(shrunk.value(i, j, 0)), i == 8 && j == 5) << i << ", " << j;
}

ON_EVERY_BACKEND(ShrinkingByArea);

}  // namespace
}  // namespace texelscope::test
