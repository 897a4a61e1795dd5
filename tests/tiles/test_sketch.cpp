// Sketches: what is shown of an image until its samples have been read.

#include <cmath>

#include <gtest/gtest.h>

#include "gpu/tiles/sketch.h"
#include "tests/support/formula_tiles.h"

namespace texelscope::test {
namespace {

constexpr int tile = 512;
constexpr double most = 0x1p24;

// Across the image, from 0 to 1.
std::shared_ptr<FormulaTiles> ramp(int width, int height) {
    return std::make_shared<FormulaTiles>(
        width, height, [width](int64_t x, int64_t) { return float((double(x) + 0.5) / width); }, tile);
}

// Ten gigasamples in tiles, without smaller images: few tiles must be enough.
TEST(Sketches, OfAnImageThatIsOnlyReadInTilesTakeFewOfThem) {
    const auto source = ramp(100000, 100000);
    const SketchPlan plan = affordable(*source, sketch_of_all(source->info(), 192), most);
    EXPECT_GE(plan.width, 8);
    EXPECT_EQ(plan.width, plan.height);
    TileCache tiles(source, size_t(64) << 20);
    const Image cells = sketched(tiles, Light::stored, plan, true);
    EXPECT_LE(double(source->samples_read), most);
    for (int y = 0; y < cells.height(); ++y)
        for (int x = 0; x < cells.width(); ++x)  // the tile is somewhere around the cell's middle
            EXPECT_NEAR(double(cells.row_as<float>(y)[x]), (x + 0.5) / cells.width(), double(tile) / 100000);
}

// A long image keeps its shape, and a small one all of its cells: those are exact means.
TEST(Sketches, AreAsFineAsTheyMayCost) {
    const auto strip = ramp(400000, 3000);
    const SketchPlan of_strip = affordable(*strip, sketch_of_all(strip->info(), 192), most);
    EXPECT_GT(of_strip.width, 20);
    EXPECT_LE(cost_of_sketch(*strip, of_strip, true), most);

    const auto small = ramp(1920, 960);
    const SketchPlan plan = sketch_of_all(small->info(), 192);
    EXPECT_EQ(affordable(*small, plan, most), plan);
    TileCache tiles(small, size_t(64) << 20);
    const Image cells = sketched(tiles, Light::stored, plan, true);
    for (int x = 0; x < 192; ++x) EXPECT_NEAR(double(cells.row_as<float>(40)[x]), (x + 0.5) / 192, 1e-6);
}

}  // namespace
}  // namespace texelscope::test
