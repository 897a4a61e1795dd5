// The ingredients of a resize, as options of like:texelscope/resize, against their definitions in float64 and whole numbers.

#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "app/studies/recipes/recipe_study.h"
#include "gpu/backend/cpu_backend.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/core/errors.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

constexpr double float_error = 2e-6;

Image ramp_along_x(int width, int height) {
    Image image(width, height, 1, SampleType::f32);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) set_value(image, x, y, 0, x / (width - 1.0));
    return image;
}

class Ingredients : public OnBackend {
protected:
    Image resized(const Image& image, std::string_view options, Extent size) const {
        return resized_like(backend_, image, parse_recipe(fmt::format("like:texelscope/resize:{}", options)), size);
    }
};

TEST_P(Ingredients, AConstantStaysOne) {
    Image image(13, 9, 1, SampleType::f32);
    for (int y = 0; y < 9; ++y)
        for (int x = 0; x < 13; ++x) set_value(image, x, y, 0, 0.3);
    for (const char* options : {"edges=normalise", "edges=normalise,method=lanczos3", "edges=mirror,method=bspline",
                                "edges=wrap,method=lanczos3,widening=by_phase", "method=area", "method=bins",
                                "blur=1.5,edges=reflect101", "align=corners,method=gaussian", "factor=3.5"})
        for (const Extent size : {Extent{5, 4}, Extent{40, 31}, Extent{1, 1}}) {
            const Image made = resized(image, options, size);
            for (int y = 0; y < size.height; ++y)
                for (int x = 0; x < size.width; ++x)
                    ASSERT_NEAR(made.value(x, y, 0), 0.3, float_error) << options << ' ' << size.width;
        }
}

TEST_P(Ingredients, AlignedCornersKeepTheCornerSamples) {
    const Image image = noise(7, 5, 1, SampleType::f32, 3);
    const Image made = resized(image, "align=corners,antialias=false,edges=clamp", {19, 23});
    for (const int y : {0, 1})
        for (const int x : {0, 1})
            EXPECT_NEAR(made.value(18 * x, 22 * y, 0), image.value(6 * x, 4 * y, 0), float_error);
}

// From 4 to 2 samples positions are ½ and 2½.
TEST_P(Ingredients, NearestAtTies) {
    const Image image = ramp_along_x(4, 4);
    const auto first = [&](std::string_view rule) {
        return std::lround(3 * resized(image, fmt::format("method=nearest,nearest={}", rule), {2, 2}).value(0, 0, 0));
    };
    EXPECT_EQ(first("half_up"), 1);
    EXPECT_EQ(first("half_down"), 0);
    EXPECT_EQ(first("half_to_even"), 0);
    EXPECT_EQ(first("floor"), 0);
    EXPECT_EQ(first("ceil"), 1);
}

// Adaptive pooling: samples floor(i·n/N) … ceil((i + 1)·n/N) − 1. Areas: the integral of the samples over the pixel.
TEST_P(Ingredients, BinsAndAreas) {
    constexpr int n = 23, pixels = 9;
    Image image = noise(n, 2, 1, SampleType::f32, 4);
    for (int x = 0; x < n; ++x) set_value(image, x, 1, 0, double(image.value(x, 0, 0)));
    const Image bins = resized(image, "method=bins", {pixels, 1}), areas = resized(image, "method=area", {pixels, 1});
    const auto integral = [&](double to) {
        double sum = 0;
        for (int x = 0; x < n; ++x) sum += double(image.value(x, 0, 0)) * std::clamp(to - x, 0.0, 1.0);
        return sum;
    };
    for (int i = 0; i < pixels; ++i) {
        const int from = i * n / pixels, to = ((i + 1) * n + pixels - 1) / pixels;
        EXPECT_NEAR(bins.value(i, 0, 0), (integral(to) - integral(from)) / (to - from), float_error) << i;
        const double step = double(n) / pixels;
        EXPECT_NEAR(areas.value(i, 0, 0), (integral((i + 1) * step) - integral(i * step)) / step, float_error) << i;
    }
}

// Levels between the axes, by a model in whole numbers: bilinear to three times the size, with weights of 8 bits.
TEST_P(Ingredients, OrderRoundingAndFixedPoint) {
    constexpr int n = 8, pixels = 24;
    const Image image = noise(n, n, 1, SampleType::u8, 5);
    struct Taps {
        int index[2], weight[2];
    };
    const auto taps = [](int i) {
        const double x = (i + 0.5) / 3 - 0.5, low = std::floor(x);
        const int one = int(low), far = int(std::lround(256 * (x - low)));
        return Taps{{std::clamp(one, 0, n - 1), std::clamp(one + 1, 0, n - 1)}, {256 - far, far}};
    };
    const auto sum = [&](int i, auto value) {
        const Taps t = taps(i);
        return (t.weight[0] * value(t.index[0]) + t.weight[1] * value(t.index[1]) + 128) >> 8;
    };
    const auto level = [&](int x, int y) { return int(std::lround(image.value(x, y, 0) * 255)); };
    for (const bool y_first : {false, true}) {
        const Image made =
            resized(image,
                    fmt::format("method=bilinear,edges=clamp,levels=u8,round=each,weight_bits=8,order={}",
                                y_first ? "yx" : "xy"),
                    {pixels, pixels});
        for (int j = 0; j < pixels; ++j)
            for (int i = 0; i < pixels; ++i) {
                const int wanted = y_first ? sum(i, [&](int x) { return sum(j, [&](int y) { return level(x, y); }); })
                                           : sum(j, [&](int y) { return sum(i, [&](int x) { return level(x, y); }); });
                ASSERT_EQ(std::lround(made.value(i, j, 0) * 255), wanted) << i << ' ' << j << ' ' << y_first;
            }
    }
}

TEST_P(Ingredients, PositionsInSteps) {
    const Image image = ramp_along_x(9, 2);
    const Image made = resized(image, "method=bilinear,antialias=false,edges=clamp,position_steps=4", {23, 2});
    for (int i = 0; i < 23; ++i) {
        const double x = std::nearbyint(4 * ((i + 0.5) * 9 / 23 - 0.5)) / 4;
        EXPECT_NEAR(made.value(i, 0, 0), std::clamp(x, 0.0, 8.0) / 8, float_error) << i;
    }
}

TEST_P(Ingredients, ARegionAndWhatIsOutside) {
    const Image image = ramp_along_x(9, 4);
    const Image made = resized(
        image, "method=bilinear,antialias=false,align=region,x_start=0.25,x_end=1.5,beyond=one_value,outside=0.7",
        {6, 4});
    for (int i = 0; i < 6; ++i) {
        const double at = 0.25 + i * 1.25 / 5;
        EXPECT_NEAR(made.value(i, 1, 0), at > 1 ? 0.7 : at, float_error) << i;
    }
}

TEST_P(Ingredients, ABlurBefore) {
    Image image(21, 3, 1, SampleType::f32);
    for (int y = 0; y < 3; ++y) set_value(image, 10, y, 0, 1);
    const Image made = resized(image, "method=nearest,edges=mirror,blur=1.5,blur_y=0,truncate=3", {21, 3});
    double sum = 0;
    for (int k = -5; k <= 5; ++k) sum += std::exp(-k * k / 4.5);
    for (int x = 0; x < 21; ++x)
        EXPECT_NEAR(made.value(x, 1, 0), std::abs(x - 10) > 5 ? 0 : std::exp(-(x - 10) * (x - 10) / 4.5) / sum,
                    float_error);
}

// Raw: sinc(d)·sinc(d/3) at the widened distance, of all samples that it reaches, divided by their sum.
TEST_P(Ingredients, RawWeightsAreWidened) {
    constexpr int n = 40, pixels = 11;
    Image image = noise(n, 2, 1, SampleType::f32, 6);
    for (int x = 0; x < n; ++x) set_value(image, x, 1, 0, double(image.value(x, 0, 0)));
    const Image raw = resized(image, "method=lanczos3", {pixels, 1}),
                by_phase = resized(image, "method=lanczos3,widening=by_phase", {pixels, 1});
    const double step = double(n) / pixels;
    double apart = 0;
    for (int i = 0; i < pixels; ++i) {
        double sum = 0, weights = 0;
        for (int x = 0; x < n; ++x) {
            const double d = (x - ((i + 0.5) * step - 0.5)) / step, a = M_PI * d;
            const double w = std::abs(d) >= 3 ? 0 : d == 0 ? 1 : 3 * std::sin(a) * std::sin(a / 3) / (a * a);
            sum += w * double(image.value(x, 0, 0));
            weights += w;
        }
        EXPECT_NEAR(raw.value(i, 0, 0), sum / weights, float_error) << i;
        apart = std::max(apart, std::abs(double(raw.value(i, 0, 0)) - double(by_phase.value(i, 0, 0))));
    }
    EXPECT_GT(apart, 1e-4);
}

TEST_P(Ingredients, EachAxisHasAMethodOfItsOwn) {
    const Image image = noise(6, 5, 1, SampleType::f32, 7);
    const Image made = resized(image, "method=nearest,method_y=area,factor_y=0.5", {6, 2});
    for (int x = 0; x < 6; ++x)
        EXPECT_NEAR(made.value(x, 1, 0), (double(image.value(x, 2, 0)) + double(image.value(x, 3, 0))) / 2,
                    float_error);
}

// In whole numbers there is no error of arithmetic; in floats a level at ties.
TEST_P(Ingredients, TheReferenceIsTheRecipesOwnRule) {
    const Image image = noise(40, 30, 3, SampleType::u8, 8);
    SourceImage source(backend_, image);
    for (const auto& [text, most] : {std::pair{"like:pillow/bicubic", 1e-6}, {"like:opencv/cubic", 1 / 255.0 + 1e-6}}) {
        const RenderRequest request = resize_request(source.samples(), parse_spec(text), 17, 23);
        const Image made = source.render_to_image(request);
        std::vector<double> reference(17 * 23 * 3);
        const auto memory = backend_->allocate(reference.size() * sizeof(double));
        ASSERT_TRUE(source.render_reference(request, static_cast<double*>(memory.get())));
        backend_->read_back(reference.data(), memory.get(), reference.size() * sizeof(double));
        size_t off = 0;
        for (int y = 0; y < 23; ++y)
            for (int x = 0; x < 17; ++x)
                for (int c = 0; c < 3; ++c) {
                    const double error =
                        std::abs(double(made.value(x, y, c)) - reference[size_t((y * 17 + x) * 3 + c)]);
                    ASSERT_LE(error, most) << text;
                    off += error > 1e-6;
                }
        EXPECT_LE(off, reference.size() / 50) << text;
    }
}

ON_EVERY_BACKEND(Ingredients);

TEST(IngredientOptions, ThatDoNotGoTogetherGetOneSentence) {
    for (const char* options :
         {"nearest=floor", "method=lanczos3,a=-0.6", "method=bc,sigma=0.7", "antialias=false,widening=by_phase",
          "truncate=3", "x_start=0.2", "align=corners,factor=2", "outside=0.5", "rounding=floor", "weight_bits=8",
          "levels=u8,weight_rounding=floor", "position_rounding=floor", "method=area,align=origin", "method=bspline",
          "levels=u8,weight_bits=20", "levels=u8,weight_bits=8,rounding=half_to_even",
          "edges=border,outside=1,levels=u8,weight_bits=8"})
        try {
            parse_spec(fmt::format("like:texelscope/resize:{}", options));
            ADD_FAILURE() << options;
        } catch (const UsageError& error) {
            EXPECT_NE(std::string(error.what()).find("like:texelscope/resize"), std::string::npos) << options;
        }
}

// The same bits by any instructions where passes round: sums have one order, and products are rounded.
TEST(RecipePasses, AreTheSameByAllInstructions) {
    using enum simd::Instructions;
    std::vector<std::shared_ptr<Backend>> backends;
    for (const auto level : {baseline, avx2, avx512})
        if (level <= simd::best_instructions()) backends.push_back(make_cpu_backend(level));
    for (const SampleType type : {SampleType::u8, SampleType::u16})
        for (const int channels : {1, 3, 4}) {
            const Image image = noise(53, 37, channels, type, 9);
            for (const std::string_view text : {"like:pillow/lanczos", "like:opencv/cubic", "like:opencv/linear",
                                                "like:matlab/imresize", "like:scipy/zoom:mode=grid-wrap"}) {
                const Image first = resized_like(backends.front(), image, parse_recipe(text), {29, 61});
                for (const auto& backend : backends)
                    ASSERT_TRUE(closeness(resized_like(backend, image, parse_recipe(text), {29, 61}), first).exact())
                        << text << ' ' << channels;
            }
        }
}

}  // namespace
}  // namespace texelscope::test
