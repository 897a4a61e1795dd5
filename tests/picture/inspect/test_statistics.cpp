// Statistics of samples against their definitions, on sorted lists of the values in float64.

#include "app/picture/inspect/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/core/half.h"
#include "gpu/tiles/image_tiles.h"

namespace texelscope::test {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN(),
                infinite = std::numeric_limits<float>::infinity();

// Float values; those of integer images in [0, 1].
Image random_image(SampleType type, int width, int height, int channels) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0.4f, 0.3f);
    Image floats(width, height, channels, SampleType::f32);
    for (int y = 0; y < height; ++y)
        for (int i = 0; i < width * channels; ++i) floats.row_as<float>(y)[i] = normal(random);
    return converted(floats, type);
}

// As numpy.percentile computes it by default: linear between the neighbours in rank.
double percentile(std::vector<double> values, double p) {
    std::sort(values.begin(), values.end());
    const double place = p / 100 * double(values.size() - 1);
    const size_t k = std::min(size_t(place), values.size() - 1), next = std::min(k + 1, values.size() - 1);
    return values[k] + (place - double(k)) * (values[next] - values[k]);
}

class StatisticsOf : public testing::TestWithParam<SampleType> {};

TEST_P(StatisticsOf, AgreeWithTheirDefinitionsInAnyPart) {
    const Image image = random_image(GetParam(), 61, 47, 3);
    for (const SampleBox box :
         {SampleBox{0, 0, 60, 46}, SampleBox{5, 7, 5, 7}, SampleBox{10, 0, 11, 0}, SampleBox{3, 40, 59, 46}}) {
        const SampleStatistics all = *statistics_of(image, box);
        ASSERT_EQ(all.channels, 3);
        for (int c = 0; c < 3; ++c) {
            std::vector<double> values;
            for (int y = box.y0; y <= box.y1; ++y)
                for (int x = box.x0; x <= box.x1; ++x) values.push_back(double(image.value(x, y, c)));
            const double n = double(values.size()), mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
            double squares = 0;
            for (const double v : values) squares += (v - mean) * (v - mean);
            const ChannelStatistics& s = all.of[size_t(c)];
            // Image::value rounds n / 255 to float: 2⁻²⁵ of 1.
            EXPECT_EQ(s.finite, int64_t(values.size()));
            EXPECT_NEAR(s.mean, mean, 6e-8);
            EXPECT_NEAR(s.deviation, std::sqrt(squares / n), 6e-8);
            EXPECT_NEAR(s.least, *std::min_element(values.begin(), values.end()), 6e-8);
            EXPECT_NEAR(s.most, *std::max_element(values.begin(), values.end()), 6e-8);
            for (size_t i = 0; i < percentiles_shown.size(); ++i)
                EXPECT_NEAR(s.percentiles[i], percentile(values, percentiles_shown[i]), 6e-8) << percentiles_shown[i];
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, StatisticsOf,
                         testing::Values(SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32,
                                         SampleType::i8, SampleType::i64, SampleType::f64),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

TEST(Statistics, WhatIsNotFiniteIsCountedAside) {
    for (const SampleType type : {SampleType::f16, SampleType::f32}) {
        Image image(6, 1, 1, SampleType::f32);
        const float values[] = {not_a_number, -infinite, -2, 4, infinite, 1};
        std::copy(std::begin(values), std::end(values), image.row_as<float>(0));
        const ChannelStatistics s = statistics_of(converted(image, type), {0, 0, 5, 0})->of[0];
        EXPECT_EQ(s.finite, 3);
        EXPECT_EQ(s.not_a_number, 1);
        EXPECT_EQ(s.infinite, 2);
        EXPECT_EQ(s.mean, 1);
        EXPECT_EQ(s.least, -2);
        EXPECT_EQ(s.most, 4);
        EXPECT_EQ(s.percentiles[3], 1);  // the median
    }
}

TEST(Statistics, NothingFiniteGivesZeros) {
    Image image(2, 2, 1, SampleType::f32);
    std::fill_n(image.row_as<float>(0), 4, not_a_number);
    const ChannelStatistics s = statistics_of(image, {0, 0, 1, 1})->of[0];
    EXPECT_EQ(s.not_a_number, 4);
    EXPECT_EQ(s.finite, 0);
    EXPECT_EQ(s.mean, 0);
}

TEST(Statistics, ARegionHoldsTheSamplesWhoseCentresLieInIt) {
    const Image image(10, 8, 1, SampleType::u8);
    EXPECT_EQ(samples_in({}, image), (SampleBox{0, 0, 9, 7}));
    EXPECT_EQ(samples_in(Region{1.5, 2.0, 4.5, 3.9}, image), (SampleBox{2, 2, 4, 3}));
    EXPECT_EQ(samples_in(Region{4.5, 3.9, 1.5, 2.0}, image), (SampleBox{2, 2, 4, 3}));  // dragged to the upper left
    EXPECT_EQ(samples_in(Region{-5, -5, 50, 50}, image), (SampleBox{0, 0, 9, 7}));
    EXPECT_TRUE(samples_in(Region{2.1, 2.1, 2.9, 2.9}, image).empty());
    EXPECT_TRUE(samples_in(Region{20, 20, 30, 30}, image).empty());
    EXPECT_TRUE(samples_in(Region{-9, -9, -3, -3}, image).empty());
}

// Each piece is read once, whatever tiles it lies in: the same numbers as of the image in memory.
TEST_P(StatisticsOf, OfAnImageThatIsReadByRegionsAreTheSame) {
    const auto image = std::make_shared<const Image>(random_image(GetParam(), 610, 270, 2));
    const Image tiled(std::make_shared<ImageTiles>(image, 64));
    for (const SampleBox box : {SampleBox{0, 0, 609, 269}, SampleBox{63, 64, 64, 200}, SampleBox{100, 130, 500, 130}}) {
        const SampleStatistics expected = *statistics_of(*image, box), found = *statistics_of(tiled, box);
        EXPECT_EQ(found.box, box);
        ASSERT_EQ(found.channels, 2);
        for (size_t c = 0; c < 2; ++c) {
            EXPECT_EQ(found.of[c].finite, expected.of[c].finite);
            // Sums of floats are rounded in another order: 2⁻⁵³ for each of 164 700 at most.
            EXPECT_NEAR(found.of[c].mean, expected.of[c].mean, 2e-11);
            EXPECT_NEAR(found.of[c].deviation, expected.of[c].deviation, 2e-11);
            EXPECT_EQ(found.of[c].least, expected.of[c].least);
            EXPECT_EQ(found.of[c].most, expected.of[c].most);
            EXPECT_EQ(found.of[c].percentiles, expected.of[c].percentiles);
        }
    }
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(statistics_of(tiled, {0, 0, 609, 269}, source.get_token()));
}

// Of both signs and from the least denormal on; a second channel has nothing that is finite.
TEST(Statistics, PercentilesOfFloatsOfAllMagnitudesAreThoseOfTheSortedValues) {
    constexpr int width = 173, height = 91;
    std::mt19937 random(11);
    std::uniform_int_distribution<uint32_t> any;
    auto image = std::make_shared<Image>(width, height, 2, SampleType::f32);
    std::vector<double> values;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float v = std::bit_cast<float>(any(random));
            if (x % 7 == 0) v = 0.5f;  // more than one percentile is the same value
            image->row_as<float>(y)[2 * x] = v;
            image->row_as<float>(y)[2 * x + 1] = x % 2 ? not_a_number : infinite;
            if (std::isfinite(v)) values.push_back(double(v));
        }
    const Image tiled(std::make_shared<ImageTiles>(image, 32));
    for (const Image* const each : std::initializer_list<const Image*>{image.get(), &tiled}) {
        const SampleStatistics all = *statistics_of(*each, {0, 0, width - 1, height - 1});
        EXPECT_EQ(all.of[0].finite, int64_t(values.size()));
        EXPECT_EQ(all.of[1].not_a_number + all.of[1].infinite, width * height);
        for (size_t i = 0; i < percentiles_shown.size(); ++i) {
            const double expected = percentile(values, percentiles_shown[i]);
            EXPECT_NEAR(all.of[0].percentiles[i], expected, 1e-15 * std::abs(expected)) << percentiles_shown[i];
        }
    }
}

TEST(Statistics, StopWhenAsked) {
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(statistics_of(Image(4, 4, 1, SampleType::u8), {0, 0, 3, 3}, source.get_token()));
}

}  // namespace
}  // namespace texelscope::test
