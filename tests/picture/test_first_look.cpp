// The first look at an image, and small pictures.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/files/test_images/test_images.h"
#include "app/picture/comparison.h"
#include "app/picture/first_look.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

using Function = std::function<double(int i)>;

// The first look at an image that is opened: which samples are data, and their levels.

// Samples f(0), f(1), … in their order.
template <class T> Image filled(SampleType type, int width, int height, int channels, const Function& f) {
    Image image(width, height, channels, type);
    for (int y = 0; y < height; ++y)
        for (int i = 0; i < width * channels; ++i) image.row_as<T>(y)[i] = T(f(y * width * channels + i));
    return image;
}

std::shared_ptr<const ColourProfile> light() {
    ColourProfile profile;
    profile.exponent = 1;
    profile.linear_light = true;
    return std::make_shared<const ColourProfile>(profile);
}

// 1000 values from low to high.
Function ramp(double low, double high) {
    return [=](int i) { return low + (high - low) * (i % 1000) / 999; };
}

TEST(FirstLook, PhotographsAndPicturesInFloatsNeedNoLevels) {
    EXPECT_FALSE(look_at(filled<uint8_t>(SampleType::u8, 100, 100, 3, ramp(3, 9))).levels) << "dark, in colour";
    EXPECT_FALSE(look_at(filled<uint8_t>(SampleType::u8, 100, 100, 1, ramp(0, 255))).levels);
    EXPECT_FALSE(look_at(filled<uint16_t>(SampleType::u16, 100, 100, 3, ramp(100, 60000))).levels);
    EXPECT_FALSE(look_at(filled<float>(SampleType::f32, 100, 100, 1, ramp(0, 1))).levels);
    EXPECT_FALSE(look_at(filled<float>(SampleType::f32, 100, 100, 1, ramp(-0.03, 1.04))).levels) << "overshoots";
    EXPECT_FALSE(look_at(filled<float>(SampleType::f32, 100, 100, 3, ramp(0, 1))).levels);
    for (const SampleType type : all_sample_types) EXPECT_FALSE(look_at(Image(8, 8, 1, type)).levels) << name_of(type);
}

TEST(FirstLook, HdrColoursAreLightAndKeepTheirExposure) {
    const auto highlights = [](int i) { return i % 10 == 0 ? 40.0 : i % 7 / 7.0; };
    Image image = filled<float>(SampleType::f32, 100, 100, 3, highlights);
    EXPECT_FALSE(look_at(image).levels) << "most of it is in 0 … 1";
    image = filled<float>(SampleType::f32, 100, 100, 3, ramp(0, 5000));
    EXPECT_TRUE(look_at(image).levels) << "nothing says that it is light";
    image.set_profile(light());
    EXPECT_FALSE(look_at(image).levels);
    image = filled<float>(SampleType::f32, 100, 100, 1, ramp(2, 900));
    image.set_profile(light());
    EXPECT_TRUE(look_at(image).levels) << "a single channel is data: depth";
}

// The levels are the 1st and the 999th thousandth.
TEST(FirstLook, DataHaveTheLevelsOfNearlyAllOfThem) {
    const auto kelvin = [](int i) { return i == 500 ? 1e6 : i == 7 ? -1e6 : 268 + 24 * (i % 997) / 996.0; };
    const auto levels = look_at(filled<float>(SampleType::f32, 100, 100, 1, kelvin)).levels;
    ASSERT_TRUE(levels);
    EXPECT_NEAR(levels->black, 268, 0.1);
    EXPECT_NEAR(levels->white, 292, 0.1);
    const auto negative = look_at(filled<double>(SampleType::f64, 100, 100, 1, ramp(-5, 5))).levels;
    ASSERT_TRUE(negative);
    EXPECT_NEAR(negative->black, -5, 0.02);
    EXPECT_NEAR(negative->white, 5, 0.02);
    const auto small = look_at(filled<float>(SampleType::f32, 100, 100, 1, ramp(0, 1e-5))).levels;
    ASSERT_TRUE(small) << "would be black";
    EXPECT_NEAR(small->white, 1e-5, 1e-7);
    EXPECT_EQ(look_at(filled<float>(SampleType::f32, 20, 20, 1, [](int) { return 300.0; })).levels,
              (Levels{299.5, 300.5}));
}

TEST(FirstLook, TwelveBitsInSixteenAndNarrowRanges) {
    const auto twelve = look_at(filled<uint16_t>(SampleType::u16, 100, 100, 1, ramp(0, 4095))).levels;
    ASSERT_TRUE(twelve);
    EXPECT_NEAR(twelve->black * 65535, 4, 4);
    EXPECT_NEAR(twelve->white * 65535, 4091, 4);
    const auto thermal = look_at(filled<uint16_t>(SampleType::u16, 100, 100, 1, ramp(29000, 31000))).levels;
    ASSERT_TRUE(thermal);
    EXPECT_NEAR(thermal->black * 65535, 29002, 3);
    EXPECT_NEAR(thermal->white * 65535, 30998, 3);
    Image profiled = filled<uint16_t>(SampleType::u16, 100, 100, 1, ramp(0, 4095));
    profiled.set_profile(std::make_shared<const ColourProfile>());
    EXPECT_FALSE(look_at(profiled).levels) << "its colours are defined";
    // A coarse look skips the one bright sample.
    Image large(3000, 2000, 1, SampleType::u16);
    for (int y = 0; y < 2000; ++y)
        for (int x = 0; x < 3000; ++x) large.row_as<uint16_t>(y)[x] = uint16_t(x);
    ASSERT_TRUE(look_at(large).levels);
    large.row_as<uint16_t>(1999)[2999] = 60000;
    EXPECT_FALSE(look_at(large).levels);
}

// Every label has a grey of its own, however rare it is.
TEST(FirstLook, LabelsAndMasksSpanAllOfTheirIntegers) {
    const auto labels = [](int i) { return i == 4321 ? 20.0 : double(i % 3); };
    EXPECT_EQ(look_at(filled<int32_t>(SampleType::i32, 100, 100, 1, labels)).levels, (Levels{0, 20}));
    EXPECT_EQ(look_at(filled<int64_t>(SampleType::i64, 100, 100, 1, labels)).levels, (Levels{0, 20}));
    EXPECT_EQ(look_at(filled<uint8_t>(SampleType::u8, 100, 100, 1, labels)).levels, (Levels{0, 20 / 255.0f}));
    const auto mask = [](int i) { return double(i % 50 == 0); };
    EXPECT_EQ(look_at(filled<uint8_t>(SampleType::u8, 100, 100, 1, mask)).levels, (Levels{0, 1 / 255.0f}));
    EXPECT_EQ(look_at(filled<uint16_t>(SampleType::u16, 100, 100, 1, mask)).levels, (Levels{0, 1 / 65535.0f}));
    EXPECT_FALSE(look_at(filled<int16_t>(SampleType::i16, 100, 100, 1, mask)).levels) << "0 and 1 as they are";
    const auto seldom = [](int i) { return i == 77 ? 255.0 : 0.0; };
    EXPECT_FALSE(look_at(filled<uint8_t>(SampleType::u8, 100, 100, 1, seldom)).levels);
}

TEST(FirstLook, ComplexNumbersFromNoMagnitudeOn) {
    const auto waves = [](int i) { return 1000 * (i % 2 ? std::sin(i / 2 * 0.01) : std::cos(i / 2 * 0.01)); };
    const auto levels = look_at(filled<float>(SampleType::f32, 100, 100, 2, waves)).levels;
    ASSERT_TRUE(levels);
    EXPECT_EQ(levels->black, 0);
    EXPECT_NEAR(levels->white, 1000, 1);
    EXPECT_FALSE(look_at(filled<float>(SampleType::f32, 100, 100, 2, [&](int i) { return waves(i) / 1000; })).levels);
    const auto pole = [&](int i) { return waves(i) * (i < 200 ? 1e6 : 1); };
    const auto with_pole = look_at(filled<float>(SampleType::f32, 100, 100, 2, pole)).levels;
    ASSERT_TRUE(with_pole);
    EXPECT_NEAR(with_pole->white, 4000, 1) << "the others are seen beside it";
}

TEST(FirstLook, FindsWhatIsNotFiniteWhereverItIs) {
    Image image = filled<float>(SampleType::f32, 2000, 1000, 1, ramp(0, 1));
    EXPECT_TRUE(look_at(image).finite());
    image.row_as<float>(999)[1999] = NAN;
    ImageLook look = look_at(image);
    EXPECT_TRUE(look.nan);
    EXPECT_FALSE(look.plus_infinity || look.minus_infinity);
    image.row_as<float>(3)[1] = INFINITY;
    image.row_as<float>(997)[3] = -INFINITY;
    look = look_at(image);
    EXPECT_TRUE(look.plus_infinity && look.minus_infinity);
    EXPECT_FALSE(look.levels) << "the others are in 0 … 1";
    look = look_at(filled<float>(SampleType::f32, 9, 9, 1, [](int) { return NAN; }));
    EXPECT_TRUE(look.nan);
    EXPECT_FALSE(look.levels);
}

TEST(FirstLook, ValuesStandForSamplesThatAreNotInMemory) {
    const auto samples = std::make_shared<const Image>(filled<uint16_t>(SampleType::u16, 100, 100, 1, ramp(0, 4095)));
    const Image large(std::make_shared<ImageTiles>(samples));
    EXPECT_TRUE(may_be_data(large));
    EXPECT_FALSE(look_at(large).levels);
    const auto levels =
        look_at_values(filled<float>(SampleType::f32, 50, 50, 1, ramp(0, 4095 / 65535.0)), large).levels;
    ASSERT_TRUE(levels);
    EXPECT_NEAR(levels->white * 65535, 4091, 4);
    EXPECT_FALSE(look_at_values(filled<float>(SampleType::f32, 50, 50, 1, ramp(0, 1)), large).levels);
    EXPECT_FALSE(may_be_data(Image(8, 8, 3, SampleType::u8)));
}

// Test images are made to be seen as they are, in the lessons too.
TEST(FirstLook, TestImagesNeedNoLevels) {
    for (const TestImage& each : test_images()) {
        const ImageLook look = look_at(make_test_image(fmt::format("@{}:64", each.id)));
        EXPECT_FALSE(look.levels) << each.id;
        EXPECT_TRUE(look.finite()) << each.id;
    }
}

// Small pictures: size, light, alpha, colours.

int level(const Image& image, int x, int y, int c = 0) { return image.row_as<uint8_t>(y)[x * image.channels() + c]; }

TEST(SmallPicture, FitsTheBoxAndIsNeverEnlarged) {
    EXPECT_EQ(fitted_extent({4000, 3000}, {128, 128}), (Extent{128, 96}));
    EXPECT_EQ(fitted_extent({3000, 4000}, {112, 72}), (Extent{54, 72}));
    EXPECT_EQ(fitted_extent({100, 50}, {128, 128}), (Extent{100, 50}));
    EXPECT_EQ(fitted_extent({100000, 2}, {128, 128}), (Extent{128, 1}));
    const Image small = small_picture(Image(40, 30, 1, SampleType::u8), {128, 128});
    EXPECT_EQ(small.width(), 40);
    EXPECT_EQ(small.channels(), 3);
}

// Black and white pixels in equal parts shine half: sRGB level 188 (IEC 61966-2-1), where the mean of the levels is 128.
TEST(SmallPicture, KeepsTheLight) {
    for (const SampleType type : {SampleType::u8, SampleType::u16}) {
        Image checks(600, 400, 3, type);
        for (int y = 0; y < checks.height(); ++y)
            for (int i = 0; i < 3 * checks.width(); ++i) {
                const bool white = (i / 3 + y) % 2 == 0;
                if (type == SampleType::u8) checks.row_as<uint8_t>(y)[i] = white ? 255 : 0;
                else checks.row_as<uint16_t>(y)[i] = white ? 65535 : 0;
            }
        const Image small = small_picture(checks, {128, 128});
        ASSERT_EQ(small.width(), 128);
        for (const auto& [x, y] : {std::pair{64, 40}, {3, 3}, {100, 80}}) EXPECT_NEAR(level(small, x, y), 188, 2);
    }
}

// Where nothing is seen, its colour does not count.
TEST(SmallPicture, TransparentPixelsDoNotColour) {
    Image image(512, 512, 4, SampleType::u8, Alpha::straight);
    for (int y = 0; y < 512; ++y)
        for (int x = 0; x < 512; ++x) {
            const uint8_t red[] = {255, 0, 0, 255}, nothing[] = {0, 255, 0, 0};
            std::copy_n((x / 2) % 2 == 0 ? red : nothing, 4, image.row_as<uint8_t>(y) + 4 * x);
        }
    const Image small = small_picture(image, {64, 64});
    ASSERT_EQ(small.channels(), 4);
    EXPECT_NEAR(level(small, 30, 30, 0), 255, 1);
    EXPECT_NEAR(level(small, 30, 30, 1), 0, 1);
    EXPECT_NEAR(level(small, 30, 30, 3), 128, 2);
}

// A grey of a linear profile: the sRGB level of that light.
TEST(SmallPicture, IsInTheColoursOfItsProfile) {
    Image image(300, 300, 3, SampleType::u8);
    for (int y = 0; y < 300; ++y) std::fill_n(image.row_as<uint8_t>(y), 900, uint8_t(55));
    ColourProfile profile;
    profile.exponent = 1;
    image.set_profile(std::make_shared<const ColourProfile>(profile));
    const double light = 55 / 255.0, coded = 1.055 * std::pow(light, 1 / 2.4) - 0.055;
    EXPECT_NEAR(level(small_picture(image, {100, 100}), 50, 50, 1), 255 * coded, 1.5);
    Image light_file(300, 300, 3, SampleType::f32);
    std::fill_n(light_file.row_as<float>(0), 300 * 900, float(light));
    profile.linear_light = true;
    light_file.set_profile(std::make_shared<const ColourProfile>(profile));
    EXPECT_NEAR(level(small_picture(light_file, {100, 100}), 50, 50, 1), 255 * coded, 1.5);
}

// Floats are shown whatever their range is.
TEST(SmallPicture, OfMeasuredValuesShowsMoreThanWhite) {
    const auto small_of = [](float low, float high) {
        Image image(200, 100, 1, SampleType::f32);
        for (int y = 0; y < 100; ++y)
            for (int x = 0; x < 200; ++x) image.row_as<float>(y)[x] = low + (high - low) * float(x) / 199;
        image.row_as<float>(50)[100] = INFINITY;
        return small_picture(image, {100, 50});
    };
    for (const auto& [low, high] : {std::pair{0.0f, 10000.0f}, {-5.0f, 5.0f}, {1000.0f, 1001.0f}}) {
        const Image small = small_of(low, high);
        EXPECT_LE(level(small, 0, 10), 5) << low;
        EXPECT_NEAR(level(small, 25, 10), 64, 4) << low;
        EXPECT_NEAR(level(small, 75, 10), 191, 4) << low;
        EXPECT_GE(level(small, 99, 10), 250) << low;
    }
    const Image picture = small_of(0.25f, 0.5f);
    EXPECT_NEAR(level(picture, 2, 10), 65, 2) << "within [0, 1] as it is stored";
    EXPECT_NEAR(level(picture, 97, 10), 126, 2);
}

// Edges stay where they are, and detail that the small picture cannot hold is grey, not a pattern.
TEST(SmallPicture, IsAntialiased) {
    Image image(1000, 1000, 1, SampleType::u8);
    for (int y = 0; y < 1000; ++y)
        for (int x = 0; x < 1000; ++x) image.row_as<uint8_t>(y)[x] = x < 500 ? (x % 3 == 0 ? 255 : 0) : 0;
    const Image small = small_picture(image, {100, 100});
    const int expected = int(std::lround(255 * (1.055 * std::pow(1 / 3.0, 1 / 2.4) - 0.055)));
    for (int x = 10; x < 45; ++x) EXPECT_NEAR(level(small, x, 50), expected, 3) << x;
    for (int x = 55; x < 100; ++x) EXPECT_LE(level(small, x, 50), 2) << x;
}

}  // namespace

// Where methods differ most, found from the samples alone, against renderings.

namespace {

constexpr int patch = 48;

// Grey, with a patch of noise.
Image with_patch(int x0, int y0, int channels = 1, SampleType type = SampleType::u8) {
    Image image(512, 384, channels, type);
    const Image noisy = noise(patch, patch, channels, SampleType::f32, 3);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < channels; ++c) {
                const bool in = x >= x0 && x < x0 + patch && y >= y0 && y < y0 + patch;
                set_value(image, x, y, c, in ? double(noisy.value(x - x0, y - y0, c)) : 0.5);
            }
    return image;
}

SampleRegion all_of(const Image& image) { return {0, 0, image.width(), image.height()}; }

TEST(PlaceOfDifference, IsWhereTheDetailIs) {
    for (const auto& [x, y] : {std::pair{20, 30}, {300, 100}, {440, 320}})
        for (const auto& [channels, type] :
             {std::pair{1, SampleType::u8}, {3, SampleType::u16}, {1, SampleType::f32}}) {
            const Image image = with_patch(x, y, channels, type);
            const auto place = place_of_difference(image, all_of(image));
            ASSERT_TRUE(place);
            EXPECT_NEAR(place->x, x + patch / 2.0, 32);
            EXPECT_NEAR(place->y, y + patch / 2.0, 32);
        }
}

TEST(PlaceOfDifference, IsInThePartThatIsLookedAt) {
    const Image image = with_patch(300, 100);
    EXPECT_FALSE(place_of_difference(image, {0, 0, 200, 384})) << "all of it is grey";
    const auto place = place_of_difference(image, {310, 110, 30, 30});
    ASSERT_TRUE(place);
    EXPECT_GE(place->x, 310);
    EXPECT_LT(place->x, 340);
    EXPECT_GE(place->y, 110);
    EXPECT_LT(place->y, 140);
    EXPECT_FALSE(place_of_difference(Image(64, 64, 1, SampleType::u8), {0, 0, 64, 64}));
}

// A view that shows nothing beyond the edges has its middle further inside.
TEST(PlaceOfDifference, CanBeKeptFromTheEdges) {
    const Region places{119.5, 79.5, 391.5, 303.5};
    for (const auto& [x, y] : {std::pair{0, 0}, {464, 336}, {300, 150}}) {
        const Image image = with_patch(x, y);
        const auto place = place_of_difference(image, all_of(image), places);
        const bool inside = x == 300;
        if (!inside) {
            EXPECT_FALSE(place) << "there is no detail where it may lie";
            continue;
        }
        ASSERT_TRUE(place);
        EXPECT_NEAR(place->x, x + patch / 2.0, 32);
        EXPECT_NEAR(place->y, y + patch / 2.0, 32);
    }
    const Image near = with_patch(60, 100);  // reaches to 108: the places begin just beyond it
    const auto place = place_of_difference(near, all_of(near), places);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->x, places.x0);
    EXPECT_NEAR(place->y, 124, 48);
}

TEST(PlaceOfDifference, PassesOverWhatIsNotFinite) {
    Image image = with_patch(300, 100, 1, SampleType::f32);
    for (int y = 200; y < 300; ++y)
        for (int x = 10; x < 110; ++x)
            image.row_as<float>(y)[x] =
                x % 2 ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
    const auto place = place_of_difference(image, all_of(image));
    ASSERT_TRUE(place);
    EXPECT_NEAR(place->x, 324, 32);
    EXPECT_NEAR(place->y, 124, 32);
}

// The root of the mean squared difference of two methods at 400 %, over what a small pane shows.
double difference_at(SourceImage& source, const Image& image, double x, double y) {
    const auto rendered = [&](const char* spec) {
        RenderRequest request = request_of(parse_spec(spec), 256, 256);
        request.view = {x - (image.width() - 1) / 2.0, y - (image.height() - 1) / 2.0, 0.25, 0};
        return source.render_to_image(request);
    };
    const Image a = rendered("bilinear"), b = rendered("bspline");
    double sum = 0;
    for (int j = 0; j < a.height(); ++j)
        for (int i = 0; i < a.width(); ++i)
            for (int c = 0; c < a.channels(); ++c) {
                const double d = double(a.value(i, j, c)) - double(b.value(i, j, c));
                sum += d * d;
            }
    return std::sqrt(sum / (double(a.width()) * a.height() * a.channels()));
}

TEST(PlaceOfDifference, IsOneWhereMethodsDiffer) {
    for (const char* name : {"@natural:384", "@dead-leaves:384", "@basilica:384"}) {
        const Image image = load_image(name);
        SourceImage source(make_cpu_backend(), image);
        const auto place = place_of_difference(image, all_of(image));
        ASSERT_TRUE(place) << name;
        std::vector<double> others;
        for (double y = 48; y < 384; y += 48)
            for (double x = 48; x < 384; x += 48) others.push_back(difference_at(source, image, x, y));
        std::sort(others.begin(), others.end());
        EXPECT_GT(difference_at(source, image, place->x, place->y), others[others.size() / 2])
            << name << ": more than at most other places";
    }
}

}  // namespace
}  // namespace texelscope::test
