// Two ways of shrinking that read the picture's own samples: by area, pixels being means of all samples in their area, bit for
// bit as OpenCV rounds them (gpu/method/box.h); and by the widened weight function. Against sums in float64.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gpu/backend/least_squares.h"
#include "gpu/backend/source_image.h"
#include "gpu/method/polar_method.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
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
    bool adds(SampleType type, int channels) const {  // four floats are weighed on a GPU, in less time
        return kernel() == name_of(ResampleKernel::box) ||
               (backend_->info().kind == BackendKind::cuda && type == SampleType::f32 && channels > 2);
    }
};

TEST_P(ShrinkingByArea, MakesMeansOfWholeFactorsInEveryTypeAndNumberOfChannels) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (const int channels : {1, 2, 3, 4}) {
            const Image image = noise(240, 192, channels, type, 31);
            SourceImage source(backend_, image);
            for (const auto& [width, height] :
                 {std::pair{120, 96}, {60, 48}, {80, 64}, {30, 192}, {240, 24}, {12, 8}, {2, 3}}) {
                expect_means(image, source.render_to_image(antialiased_nearest(source, width, height)),
                             fmt::format("{} channels of type {} to {}×{}", channels, int(type), width, height));
                EXPECT_TRUE(adds(type, channels)) << kernel();
            }
        }
}

TEST_P(ShrinkingByArea, MakesMeansOfAnyFactor) {
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
                EXPECT_TRUE(backend_->info().kind == BackendKind::cpu || kernel() == "boxes") << what;
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
                        EXPECT_TRUE(adds(type, channels)) << kernel();
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

// Antialiasing without the pyramid: from the samples themselves it is the widened weight function at any factor, and the
// prefilter means what it means at 1.

class OwnSamples : public OnMethod {
protected:
    RenderRequest resize(const SourceImage& source, const MethodSpec& by, int width, int height) const {
        RenderRequest request = resize_request(source.samples(), by, width, height);
        request.pyramid = false;
        return request;
    }

    // All pixels against float64.
    void check(const Image& image, const RenderRequest& request) const {
        SourceImage source(backend_, image);
        ASSERT_TRUE(source.plan(request).by_own_samples) << describe_request(image, request);
        const Affine a = positions_of(request, image.width(), image.height());
        const reference::Stretch s = reference::stretch_of(a);
        const reference::Widened widened(image, request.spec);
        const Image out = source.render_to_image(request);
        for (int j = 0; j < request.height; ++j)
            for (int i = 0; i < request.width; ++i) {
                const Point p = apply(a, i, j);
                const reference::Value expected = widened.at({p.x, p.y}, s.x, s.y);
                for (int c = 0; c < image.channels(); ++c)
                    ASSERT_NEAR(out.value(i, j, c), expected[size_t(c)], tolerance::widened)
                        << describe_request(image, request) << " at " << p.x << ", " << p.y;
            }
    }
};

TEST_P(OwnSamples, AreWeighedByTheWidenedWeightFunctionInEveryAddressPair) {
    if (is_polar(method())) GTEST_SKIP() << "its weights are not along the axes: it reads the pyramid";
    Random random(21);
    for (const AddressPair& address : all_address_pairs()) {
        const Image image =
            noise(random.integer(30, 90), random.integer(20, 60), random.integer(1, 4), SampleType::f32, 22);
        RenderRequest request = request_of(spec(), 3, 2);
        request.antialias = true;
        request.pyramid = false;
        request.spec.address = address;
        request.positions = Affine{random.between(8, 45),  0, random.between(-20, 60), 0, random.between(0.4, 45),
                                   random.between(-20, 40)};
        check(image, request);
    }
}

TEST_P(OwnSamples, AreFilteredBeforeByTheChosenPrefilter) {
    if (!method().has_prefilter()) GTEST_SKIP() << method().id << " has no prefilter";
    const Image image = noise(120, 100, 1, SampleType::u8, 23);
    for (const Prefilter& prefilter : {Prefilter{Prefilter::Kind::none}, fir(3), fir(15), Prefilter{}}) {
        RenderRequest request = request_of(spec(), 5, 4);
        request.antialias = true;
        request.pyramid = false;
        request.spec.prefilter = prefilter;
        request.positions = Affine{24, 0, 11.5, 0, 25, 12};
        check(image, request);
    }
}

// A wave along y at half of the pixels' Nyquist frequency, where x shrinks by 12 and y by 4.07: damped by the widened
// function's gain, and amplified by the prefilter's.
TEST_P(OwnSamples, DampAWaveAlongEachAxisByTheGainOfThatAxis) {
    if (is_polar(method())) GTEST_SKIP() << "its weights are not along the axes";
    const double step = 480.0 / 118, frequency = 0.25 / step;
    Image image(96, 480, 1, SampleType::f32);
    for (int y = 0; y < 480; ++y)
        std::fill_n(image.row_as<float>(y), 96, float(std::cos(2 * std::numbers::pi * frequency * (y + 0.5))));
    SourceImage source(backend_, image);
    MethodSpec mirrored = spec();
    mirrored.address = {AddressMode::mirror, AddressMode::mirror};
    const Image out = source.render_to_image(resize(source, mirrored, 8, 118));
    const reference::Widened widened(image, mirrored);
    for (int j = 0; j < 118; j += 13)
        EXPECT_NEAR(out.value(3, j, 0), widened.at({5.5, (j + 0.5) * step - 0.5}, 1, step)[0], tolerance::widened) << j;
}

TEST_P(OwnSamples, OfASignalAreThoseOfAPictureOfEqualRows) {
    if (is_polar(method())) GTEST_SKIP() << "it reads the pyramid";
    Random random(24);
    for (const auto& [samples, pixels] : {std::pair{37, 3}, {96, 8}, {1000, 25}, {5000, 3}}) {
        const Image row = signal(samples, [&](int) { return random.unit(); });
        Image rows(samples, 33, 1, SampleType::f32);
        for (int y = 0; y < 33; ++y) std::copy_n(row.row_as<float>(0), samples, rows.row_as<float>(y));
        SourceImage of_row(backend_, row), of_rows(backend_, rows);
        const Image a = of_row.render_to_image(resize(of_row, spec(), pixels, 1)),
                    b = of_rows.render_to_image(resize(of_rows, spec(), pixels, 3));
        for (int i = 0; i < pixels; ++i)
            ASSERT_NEAR(a.value(i, 0, 0), b.value(i, 1, 0), tolerance::exact_path) << samples << " to " << pixels;
    }
}

// Rows are left out that a part does not read, and those kept that continue it beyond the edges.
TEST_P(OwnSamples, OfAPartOfThePictureMakeTheSamePixels) {
    const Image image = noise(90, 230, 3, SampleType::u8, 25);
    SourceImage source(backend_, image);
    for (const AddressMode mode : all_address_modes) {
        MethodSpec by = spec();
        by.address = {mode, mode};
        const RenderRequest all = resize(source, by, 9, 23);
        const Image whole = source.render_to_image(all);
        for (const int first : {0, 1, 10, 21}) {
            RenderRequest part = all;
            part.height = 2;
            part.positions->y0 += first * part.positions->yy;
            const Image rows = source.render_to_image(part);
            for (int j = 0; j < 2; ++j)
                for (int i = 0; i < 9; ++i)
                    ASSERT_NEAR(rows.value(i, j, 1), whole.value(i, first + j, 1), tolerance::exact_path)
                        << name_of(mode) << ", row " << first + j;
        }
    }
}

TEST_P(OwnSamples, LeaveAConstantConstantWhateverIsBeyondTheBorder) {
    Image image(70, 40, 2, SampleType::f32);
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 70; ++x) image.row_as<float>(y)[2 * x] = 0.25f, image.row_as<float>(y)[2 * x + 1] = -3;
    SourceImage source(backend_, image);
    MethodSpec by = spec();
    by.address = {AddressMode::border, AddressMode::border, BorderValue{{0.25, -3}, 2}};
    for (const int pixels : {1, 2, 5}) {
        const Image out = source.render_to_image(resize(source, by, pixels, pixels));
        for (int i = 0; i < pixels; ++i) {
            ASSERT_NEAR(out.value(i, i, 0), 0.25, tolerance::exact_path);
            ASSERT_NEAR(out.value(i, i, 1), -3, 4 * tolerance::exact_path);
        }
    }
}

TEST_P(OwnSamples, AreReadInsideTheExtentAlone) {
    const Image image = noise(100, 80, 1, SampleType::f32, 26);
    SourceImage source(backend_, image);
    RenderRequest request = request_of(spec(), 20, 18);
    request.antialias = true;
    request.pyramid = false;
    request.view.scale = 9.7;
    const Image extended = source.render_to_image(request);
    const Affine a = positions_of(request, 100, 80);
    for (const Outside outside : {Outside::background, Outside::nan}) {
        request.outside = outside;
        const Image out = source.render_to_image(request);
        const double from = outside == Outside::nan ? 0 : -0.5;  // NaN: beyond the outermost samples
        for (int j = 0; j < 18; ++j)
            for (int i = 0; i < 20; ++i) {
                const Point p = apply(a, i, j);
                const bool inside = p.x >= from && p.x <= 99 - from && p.y >= from && p.y <= 79 - from;
                if (inside) ASSERT_NEAR(out.value(i, j, 0), extended.value(i, j, 0), tolerance::exact_path);
                else if (outside == Outside::nan) ASSERT_TRUE(std::isnan(out.value(i, j, 0)));
                else ASSERT_EQ(out.value(i, j, 0), background_level);
            }
    }
}

ON_EVERY_BACKEND_AND_METHOD(OwnSamples, auto_path());

class OwnSamplesOfABox : public OnBackend {};

TEST_P(OwnSamplesOfABox, AreTheirMean) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f32})
        for (const int factor : {9, 40, 100}) {
            const Image image = noise(5 * factor, 3 * factor, 3, type, uint64_t(factor));
            SourceImage source(backend_, image);
            RenderRequest request = resize_request(source.samples(), spec_of("nearest"), 5, 3);
            request.pyramid = false;
            const Image out = source.render_to_image(request);
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 5; ++i) {
                    double sum = 0;
                    for (int y = 0; y < factor; ++y)
                        for (int x = 0; x < factor; ++x) sum += image.value(i * factor + x, j * factor + y, 2);
                    ASSERT_NEAR(out.value(i, j, 2), sum / (factor * factor), 1e-6) << "factor " << factor;
                }
        }
}

// What only the pyramid can do is as it was.
TEST_P(OwnSamplesOfABox, AreNotReadByRotatedPolarAndSmallerViews) {
    SourceImage source(backend_, noise(200, 180, 1, SampleType::u8, 27));
    const auto check = [&](const char* method, double scale, double rotate) {
        RenderRequest request = request_of(spec_of(method), 13, 11);
        request.antialias = true;
        request.view = {0.3, 0.2, scale, rotate};
        const Image with = source.render_to_image(request);
        request.pyramid = false;
        EXPECT_FALSE(source.plan(request).by_own_samples) << method;
        EXPECT_EQ(between(with, source.render_to_image(request)).error, 0) << method;
    };
    check("bspline", 12, 20);
    check("ewa-lanczos", 12, 0);
    check("lanczos3", 7.5, 0);
}

ON_EVERY_BACKEND(OwnSamplesOfABox);

}  // namespace
}  // namespace texelscope::test
