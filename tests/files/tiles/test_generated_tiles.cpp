// Test images of which only regions are made.

#include "app/files/tiles/generated_tiles.h"

#include <cmath>
#include <thread>

#include "app/files/decoding/not_in_parts.h"
#include "app/files/test_images/test_images.h"
#include "tests/files/bytes.h"
#include "tests/files/tiles/regions.h"

namespace texelscope::test {
namespace {

TEST(GeneratedTiles, RegionsAreThoseOfTheWholeImage) {
    int made = 0;
    for (const TestImage& image : test_images()) {
        if (!image.generator.part) continue;
        ++made;
        for (const auto& [width, height] : {std::pair{1, 1}, {301, 173}, {64, 640}}) {
            const std::string spec = fmt::format("@{}:{}x{}", image.id, width, height);
            SCOPED_TRACE(spec);
            const auto tiles = generated_tiles(spec);
            EXPECT_EQ(tiles->levels(), 1);
            expect_same_regions(*tiles, make_test_image(spec), 0, 10);
        }
    }
    EXPECT_GE(made, 20);
}

TEST(GeneratedTiles, WhatDependsOnAllSamplesIsRefused) {
    for (const char* spec : {"@noise:4096", "@natural", "@dead-leaves"})
        EXPECT_THROW(generated_tiles(spec), NotInParts) << spec;
    EXPECT_THROW(generated_tiles("@zone-plat:4096"), UsageError);
    EXPECT_THROW(generated_tiles("@zone-plate:16777217"), UsageError);
}

// The zone plate's formula in integers: the phase is r² / 2N turns, with (2r)² a whole number.
int exact_zone_plate(int64_t size, int64_t x, int64_t y) {
    const int64_t dx = 2 * x - (size - 1), dy = 2 * y - (size - 1);
    const long double turns = (long double)((dx * dx + dy * dy) % (8 * size)) / (long double)(8 * size);
    const long double value = 0.5L + 0.5L * std::cos(2 * 3.14159265358979323846264338327950288L * turns);
    return int(std::floor(value * 255 + 0.5L));
}

TEST(GeneratedTiles, AGiganticZonePlateIsExactEverywhere) {
    constexpr int size = 200000, side = 97;
    const auto tiles = generated_tiles("@zone-plate:200000");
    EXPECT_EQ(tiles->info().width, size);
    EXPECT_EQ(tiles->info().height, size);
    for (const int x : {0, 1, 99951, 131071, size - side})
        for (const int y : {0, 65535, 99999, size - side}) {
            const Image part = region_of(*tiles, {x, y, side, side});
            for (int j = 0; j < side; ++j)
                for (int i = 0; i < side; ++i)
                    ASSERT_EQ(part.row_as<uint8_t>(j)[i], exact_zone_plate(size, x + i, y + j))
                        << x + i << ", " << y + j;
        }
}

TEST(GeneratedTiles, ThreadsReadAtTheSameTime) {
    const auto tiles = generated_tiles("@frequency-chart:701x403");
    const Image whole = make_test_image("@frequency-chart:701x403");
    std::vector<std::string> problems(8);
    {
        std::vector<std::jthread> threads;
        for (size_t i = 0; i < problems.size(); ++i)
            threads.emplace_back([&, i] {
                std::mt19937 random(uint32_t(i) + 1);
                for (int k = 0; k < 30; ++k)
                    problems[i] += difference(*tiles, whole, random_region(random, 701, 403, 99));
            });
    }
    for (const std::string& problem : problems) EXPECT_EQ(problem, "");
}

TEST(GeneratedTiles, WhatIsNotInsideIsRefused) {
    const auto tiles = generated_tiles("@zone-plate:200000");
    std::byte sample{};
    for (const SampleRegion& region :
         {SampleRegion{-1, 0, 1, 1}, {0, 200000, 1, 1}, {199999, 0, 2, 1}, {0, 0, 0, 1}, {INT64_MAX, 0, 1, 1}})
        EXPECT_THROW(tiles->read(0, region, &sample, 1), Error);
    EXPECT_THROW(tiles->read(1, {0, 0, 1, 1}, &sample, 1), Error);
}

}  // namespace
}  // namespace texelscope::test
