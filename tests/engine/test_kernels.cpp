// Kernels of one's own: one that says what a built-in method computes gives its picture; loops without an end, indices beyond
// an Array and taps far outside leave the backend working; the examples do what they say.

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "gpu/backend/source_image.h"
#include "gpu/core/timing.h"
#include "gpu/kernels/kernel_code.h"
#include "gpu/method/kernel_method.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/kernels.h"
#include "tests/support/reference.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;

// Where values are not a number; they become 0.
std::vector<bool> without_nan(Image& image) {
    std::vector<bool> where;
    for (int y = 0; y < image.height(); ++y)
        for (int i = 0; i < image.width() * image.channels(); ++i) {
            float& value = image.row_as<float>(y)[i];
            where.push_back(std::isnan(value));
            if (where.back()) value = 0;
        }
    return where;
}

class Kernels : public OnKernels {
protected:
    using OnKernels::rendered;
    Image rendered(const Image& image, const MethodSpec& spec, const View& view = {}, int width = 61, int height = 43,
                   Outside outside = Outside::extend) {
        RenderRequest request = request_of(spec, width, height);
        request.view = view;
        request.outside = outside;
        return rendered(image, request);
    }

    std::string why_not(const std::string& body, int width = 61, int height = 43) {
        const Image image = noise(17, 11, 1, SampleType::f32, 3);
        return refusal([&] { rendered(image, spec(kernel_text(body)), {0, 0, 0.2, 0}, width, height); });
    }

    // Whatever happened before, the backend computes as it did.
    void expect_alive() {
        const Image image = noise(23, 19, 4, SampleType::u8, 4);
        const Difference d = between(rendered(image, spec(bilinear_kernel), {0.3, 0.1, 0.7, 20}),
                                     rendered(image, parse_spec("bilinear"), {0.3, 0.1, 0.7, 20}));
        EXPECT_LE(d.error, same_picture) << d;
    }
};

TEST_P(Kernels, HaveNoReference) {
    const Image image = noise(17, 11, 1, SampleType::f32, 3);
    SourceImage source(backend_, image);
    RenderRequest request;
    request.spec = spec(bilinear_kernel);
    std::vector<double> values(1);
    EXPECT_REFUSED(source.render_reference(request, values.data()), "no float64 reference");
}

TEST_P(Kernels, ABilinearOneIsBilinear) {
    const MethodSpec standard = spec(bilinear_kernel);
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
        for (const int channels : {1, 2, 3, 4})
            for (const AddressPair& address : all_address_pairs())
                for (const View& view : {View{0, 0, 1, 0}, View{1.3, -0.7, 0.41, 0}, View{0.4, 20.2, 1.9, 31}})
                    for (const Outside outside : {Outside::extend, Outside::background, Outside::nan}) {
                        const Image image = noise(41, 31, channels, type, 5);
                        MethodSpec own = standard, built_in = parse_spec("bilinear");
                        own.address = built_in.address = address;
                        Image mine = rendered(image, own, view, 61, 43, outside),
                              expected = rendered(image, built_in, view, 61, 43, outside);
                        ASSERT_EQ(without_nan(mine), without_nan(expected)) << to_string(address);
                        const Difference d = between(mine, expected);
                        ASSERT_LE(d.error, same_picture)
                            << name_of(type) << " × " << channels << ", " << to_string(address) << ": " << d;
                    }
}

TEST_P(Kernels, BeyondABorderTapTheBorderValue) {
    const float numbers[] = {-0.5f, 1.25f, 0.3f, 0.7f};
    for (const int channels : {1, 2, 3, 4})
        for (const Alpha alpha : {Alpha::none, Alpha::straight})
            for (const AddressPair& address : all_address_pairs()) {
                if (alpha == Alpha::straight && channels % 2 == 1) continue;
                const Image image = noise(41, 31, channels, SampleType::u8, 7, alpha);
                MethodSpec own = spec(bilinear_kernel), built_in = parse_spec("bilinear");
                own.address = address;
                own.address.border.count = channels;
                std::copy_n(numbers, channels, own.address.border.value);
                built_in.address = own.address;
                const View view{0.4, 20.2, 1.9, 31};
                const Difference d = between(rendered(image, own, view), rendered(image, built_in, view));
                ASSERT_LE(d.error, 1.75 * same_picture) << channels << ", " << to_string(built_in) << ": " << d;
            }
}

TEST_P(Kernels, PointsBeyondABorderReadItsValue) {
    const double value = 0.75;
    const auto at = [](int k) { return std::sin(0.3 * k); };
    SourceImage source(backend_, signal(50, at));
    MethodSpec own = spec(bilinear_kernel);
    own.address.x = AddressMode::border;
    own.address.border = {.value = {float(value)}, .count = 1};
    const std::vector<double> points = {-3.2, -0.5, 0, 7.25, 49.5, 60};
    const double wanted[] = {value, (value + at(0)) / 2, at(0), 0.75 * at(7) + 0.25 * at(8), (at(49) + value) / 2,
                             value};
    const auto values = sampled(source, own, points);
    for (size_t i = 0; i < points.size(); ++i) EXPECT_NEAR(values[i], wanted[i], same_picture) << points[i];
}

TEST_P(Kernels, AlphaScreenSignalsAndPointsAreThoseOfTheBuiltInMethod) {
    for (const int channels : {2, 4}) {
        const Image image = noise(41, 31, channels, SampleType::u8, 6, Alpha::straight);
        const View view{0.3, 0.2, 0.37, 11};
        const Difference d =
            between(rendered(image, spec(bilinear_kernel), view), rendered(image, parse_spec("bilinear"), view));
        EXPECT_LE(d.error, same_picture) << channels << ": " << d;
        RenderRequest request = request_of(parse_spec("bilinear"), 61, 43);
        request.view = view;
        for (const Light light : {Light::stored, Light::linear}) {
            SourceImage source(backend_, image, light);
            const Image built_in = source.render_to_rgba8(request);
            RenderRequest own = request;
            own.spec = spec(bilinear_kernel);
            const Image mine = source.render_to_rgba8(own);
            int most = 0;
            for (int y = 0; y < 43; ++y)
                for (int x = 0; x < 4 * 61; ++x)
                    most =
                        std::max(most, std::abs(int(mine.row_as<uint8_t>(y)[x]) - int(built_in.row_as<uint8_t>(y)[x])));
            EXPECT_LE(most, 1);  // rounded to the other side
        }
    }
    const Image line = signal(50, [](int k) { return std::sin(0.3 * k); });
    const std::vector<double> points = {-3.2, 0, 0.5, 7.25, 48.9, 60};
    SourceImage source(backend_, line);
    const auto own = sampled(source, spec(bilinear_kernel), points),
               built_in = sampled(source, parse_spec("bilinear"), points);
    for (size_t i = 0; i < points.size(); ++i) EXPECT_NEAR(own[i], built_in[i], same_picture) << points[i];
}

TEST_P(Kernels, OutputsLargerThanALaunchAreWhole) {
    const Image image = noise(300, 200, 1, SampleType::f32, 7);
    const Image own = rendered(image, spec(bilinear_kernel), {0, 0, 0.2, 0}, 1501, 997),
                built_in = rendered(image, parse_spec("bilinear"), {0, 0, 0.2, 0}, 1501, 997);
    const Difference d = between(own, built_in);
    EXPECT_LE(d.error, same_picture) << d;
}

TEST_P(Kernels, KnowTheirPixelScaleSizeAndParameters) {
    const Image image = noise(7, 5, 4, SampleType::f32, 8);
    MethodSpec own = spec(kernel_text(
        "    return make_float4(s.i + 1000 * s.j, (float)s.scale, s.width + 100 * s.height + 10000 * s.output_width, p.amount);",
        "//! parameter amount = 0.5 from 0 to 4\n"));
    own.parameters.value[0] = 2.75;
    const Image picture = rendered(image, own, {0, 0, 0.25, 30}, 31, 23);
    for (const auto& [x, y] : {std::pair{0, 0}, std::pair{30, 22}, std::pair{11, 5}}) {
        const float* pixel = picture.row_as<float>(y) + 4 * x;
        EXPECT_EQ(pixel[0], float(x + 1000 * y));
        EXPECT_NEAR(pixel[1], 0.25, 1e-7);
        EXPECT_EQ(pixel[2], 7 + 100 * 5 + 10000 * 31);
        EXPECT_EQ(pixel[3], 2.75f);
    }
}

TEST_P(Kernels, ALoopWithoutEndIsStoppedAndTheBackendWorksOn) {
    EXPECT_THAT(why_not("    for (;;) x += 1e-9;\n    return s.tap(0, 0);"),
                HasSubstr("its loops take more than 65536 turns"));
    expect_alive();
    // Also one whose turns are slow, in a large picture: by its time.
    const StopWatch watch;
    EXPECT_THAT(
        why_not(
            "    float4 sum = s.tap(0, 0);\n    while (true) for (int i = 0; i < 9000; ++i) sum += s.tap(i * s.i, i * s.j) * sinf(i + sum.x);\n    return sum;",
            3000, 2000),
        HasSubstr("was stopped at pixel"));
    EXPECT_LT(watch.ms(), 20000);
    expect_alive();
    // A kernel that was stopped is not started again.
    EXPECT_THAT(why_not("    for (;;) x += 1e-9;\n    return s.tap(0, 0);"), HasSubstr("was stopped at pixel"));
    expect_alive();
}

TEST_P(Kernels, LoopsWithinTheBudgetEnd) {
    const Image image = noise(7, 5, 1, SampleType::f32, 8);
    const Image picture = rendered(
        image,
        spec(kernel_text(
            "    int n = 0;\n    for (int j = 0; j < 250; ++j) for (int i = 0; i < 250; ++i) ++n;\n    return make_float4(n, 0, 0, 0);")));
    EXPECT_EQ(picture.row_as<float>(3)[9], 62500);
}

TEST_P(Kernels, WhatIsBeyondAnArrayIsSaidWithItsPixel) {
    EXPECT_THAT(
        why_not(
            "    Array<float, 4> a;\n    a(s.i == 7 && s.j == 3 ? 1 << 30 : 1) = 1;\n    return a(1) * s.tap(0, 0);"),
        HasSubstr("at pixel (7, 3): an index is outside its Array"));
    expect_alive();
    EXPECT_THAT(why_not("    Array<float, 4> a;\n    return a(-1 - s.i) * s.tap(0, 0);"),
                HasSubstr("an index is outside its Array"));
    expect_alive();
}

TEST_P(Kernels, NoTapIsTooFar) {
    const Image image = noise(13, 9, 1, SampleType::u16, 9);
    for (const AddressPair& address : all_address_pairs()) {
        MethodSpec own = spec(kernel_text(
            "    return s.tap(s.i * 70000000 - 2147483647, 2147483647 - s.j * 90000000) + s.tap(1 / whole(x - x), -2147483647 - 1);"));
        own.address = address;
        const Image picture = rendered(image, own);
        EXPECT_FALSE(std::isnan(picture.row_as<float>(2)[2])) << to_string(address);
    }
    expect_alive();
}

TEST_P(Kernels, WhatDoesNotCompileIsSaidWithItsLine) {
    EXPECT_EQ(why_not("    return nothing;"), "line 2, column 12: identifier \"nothing\" is undefined");
    expect_alive();
}

TEST_P(Kernels, TooManyArraysAreRefused) {
    std::string body;
    for (int k = 0; k < 8; ++k)
        body += "    Array<float4, 128> a" + std::to_string(k) + "; for (int i = 0; i < 128; ++i) a" +
                std::to_string(k) + "(i) = s.tap(i * whole(x), " + std::to_string(k) + ");\n";
    body +=
        "    float4 sum = s.tap(0, 0); for (int i = 0; i < 128; ++i) sum += a0(i) * a1(127 - i) + a2(i * whole(x) & 127) + a3(i) * a4(i * 3 & 127) + a5(i * 5 & 127) + a6(i) + a7(i * 7 & 127);\n    return sum;";
    EXPECT_THAT(why_not(body), HasSubstr("bytes for each pixel"));
    expect_alive();
}

TEST_P(Kernels, ManyAreLoadedAndUnloaded) {
    const Image image = noise(7, 5, 1, SampleType::f32, 8);
    for (int round = 0; round < 2; ++round)
        for (int k = 0; k < 20; ++k) {
            const Image picture =
                rendered(image, spec(kernel_text("    return make_float4(" + std::to_string(k) + ", 0, 0, 0);")));
            EXPECT_EQ(picture.row_as<float>(3)[9], float(k));
        }
}

TEST_P(Kernels, EveryExampleRuns) {
    const Image image = noise(41, 31, 3, SampleType::u8, 12);
    ASSERT_GE(example_kernels().size(), 4u);
    for (const std::string& name : example_kernels()) {
        Image picture = rendered(image, spec(example_kernel(name)), {0.3, 0.1, 0.21, 14}, 301, 203);
        for (const bool nan : without_nan(picture)) ASSERT_FALSE(nan) << name;
        for (int y = 0; y < picture.height(); ++y)  // none of them overshoots
            for (int i = 0; i < 3 * picture.width(); ++i) {
                ASSERT_GE(picture.row_as<float>(y)[i], -1e-5f) << name;
                ASSERT_LE(picture.row_as<float>(y)[i], 1 + 1e-5f) << name;
            }
    }
}

TEST_P(Kernels, TheMeanOfDitheredNearestIsBilinear) {
    const Image image = noise(2, 2, 1, SampleType::f32, 10);
    // One position at every pixel: a picture of scale almost 0.
    const Image picture = rendered(image, spec(example_kernel("dithered-nearest")), {-0.2, 0.1, 1e-9, 0}, 512, 512);
    double sum = 0;
    for (int y = 0; y < 512; ++y)
        for (int x = 0; x < 512; ++x) sum += double(picture.row_as<float>(y)[x]);
    const float* const top = image.row_as<float>(0);
    const float* const bottom = image.row_as<float>(1);
    const double t = 0.3, u = 0.6;
    const double bilinear = (1 - u) * ((1 - t) * top[0] + t * top[1]) + u * ((1 - t) * bottom[0] + t * bottom[1]);
    // The standard deviation of the mean of 2^18 values within [0, 1] is at most 0.001.
    EXPECT_NEAR(sum / (512 * 512), bilinear, 5e-3);
}

TEST_P(Kernels, TheBilateralOneKeepsAnEdgeAndTakesNoiseAway) {
    Image image = noise(64, 64, 1, SampleType::f32, 11);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x)
            image.row_as<float>(y)[x] = (x < 32 ? 0.1f : 0.9f) + 0.05f * (image.row_as<float>(y)[x] - 0.5f);
    MethodSpec own = spec(example_kernel("bilateral"));
    own.parameters.value[0] = 1.5;
    const Image picture = rendered(image, own, {0, 0, 1, 0}, 64, 64);
    double before = 0, after = 0;
    for (int y = 8; y < 56; ++y)
        for (int x = 8; x < 56; ++x) {
            const double level = x < 32 ? 0.1 : 0.9;
            before += std::pow(double(image.row_as<float>(y)[x]) - level, 2);
            after += std::pow(double(picture.row_as<float>(y)[x]) - level, 2);
        }
    EXPECT_LT(after, before / 4);
}

TEST_P(Kernels, PixelArtIsSmoothAlongADiagonal) {
    // Below x + y = 32, stairs of samples; the line itself is the ideal.
    const int n = 32, zoom = 8;
    Image image(n, n, 1, SampleType::f32);
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) image.row_as<float>(y)[x] = x + y < n ? 0.0f : 1.0f;
    const auto error = [&](const MethodSpec& spec) {
        const Image picture = rendered(image, spec, {0, 0, 1.0 / zoom, 0}, n * zoom, n * zoom);
        double sum = 0;
        for (int y = 4 * zoom; y < (n - 4) * zoom; ++y)
            for (int x = 4 * zoom; x < (n - 4) * zoom; ++x) {
                const double px = (x + 0.5) / zoom - 0.5, py = (y + 0.5) / zoom - 0.5;
                sum += std::abs(double(picture.row_as<float>(y)[x]) - (px + py < n - 0.5 ? 0 : 1));
            }
        return sum;
    };
    EXPECT_LT(error(spec(example_kernel("pixel-art"))), error(parse_spec("nearest")) / 2);
    // Horizontal and vertical edges, and what is flat, stay squares.
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) image.row_as<float>(y)[x] = (x < 10) != (y < 20) ? 0.25f : 0.75f;
    const View view{0, 0, 1.0 / zoom, 0};
    const Image art = rendered(image, spec(example_kernel("pixel-art")), view, n * zoom, n * zoom),
                squares = rendered(image, parse_spec("nearest"), view, n * zoom, n * zoom);
    double different = 0;
    for (int y = 0; y < n * zoom; ++y)
        for (int x = 0; x < n * zoom; ++x) different += art.row_as<float>(y)[x] != squares.row_as<float>(y)[x];
    EXPECT_LE(different, zoom * zoom);  // only around the crossing
}

ON_EVERY_BACKEND(Kernels);

}  // namespace
}  // namespace texelscope::test
