// Images that are larger than what is held in memory: views of them, and what is refused.

#include <cmath>
#include <numbers>

#include "app/files/image_files.h"
#include "tests/cli/program.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

constexpr int side = 200000;

class LargeImage : public Program {};

double zone_plate(double x, double y) {
    const double middle = (side - 1) / 2.0, dx = x - middle, dy = y - middle;
    return 0.5 + 0.5 * std::cos(std::numbers::pi * (dx * dx + dy * dy) / side);
}

TEST_F(LargeImage, AViewHasTheSamplesOfTheFormula) {
    constexpr int width = 40, height = 30;
    for (const double at : {-side / 2.0 + 20, 0.0, 51234.0, side / 2.0 - 10}) {
        const View view{.translate_x = at, .translate_y = -at / 2};
        printed({"render", "@zone-plate:200000", "-o", path("view.npy"), "--method", "nearest", "--size", "40x30",
                 "--translate", std::to_string(view.translate_x) + "," + std::to_string(view.translate_y), "--backend",
                 "cpu", "--memory", "32M"});
        const Image seen = read_image(path("view.npy"));
        ASSERT_EQ(seen.width(), width);
        ASSERT_EQ(seen.height(), height);
        int inside = 0;
        for (int j = 0; j < height; ++j)
            for (int i = 0; i < width; ++i) {
                const auto p = reference::position(view, side, side, width, height, i, j);
                if (p.x < 0 || p.y < 0 || p.x > side - 1 || p.y > side - 1) continue;
                ++inside;
                ASSERT_NEAR(seen.value(i, j, 0), zone_plate(std::round(double(p.x)), std::round(double(p.y))),
                            0.5 / 255 + 1e-6)
                    << i << ", " << j << " at " << at;
            }
        EXPECT_GT(inside, 200);
    }
}

TEST_F(LargeImage, AResizedPartOfItsFormatIsWrittenRowByRow) {
    printed({"resize", "@frame:40000x30000", "-o", path("thumb.pgm"), "--size", "400x300", "--method", "nearest",
             "--antialias", "off", "--backend", "cpu", "--memory", "32M"});
    const Image small = read_image(path("thumb.pgm"));
    EXPECT_EQ(small.width(), 400);
    EXPECT_EQ(small.height(), 300);
}

TEST_F(LargeImage, WhatCannotBeIsRefusedBeforeAnythingIsRead) {
    const auto large = [&](std::vector<std::string> options) {
        std::vector<std::string> words = {"resize", "@zone-plate:200000", "-o", path("out.png"), "--size", "10x10"};
        words.insert(words.end(), options.begin(), options.end());
        return words;
    };
    expect_error(2, large({"--memory", "1K"}), {"--memory 1K", "at least 32M"});
    expect_error(2, large({"--memory", "lots"}), {"--memory", "'lots'"});
    expect_error(2, large({"--memory", "1e9T"}), {"--memory 1e9T", "no machine"});
    expect_error(2, large({"--method", "bspline", "--least-squares"}), {"--least-squares", "too large"});
    expect_error(2, {"render", "@zone-plate:200000", "-o", path("out.png"), "--size", "10x10", "--exposure", "1"},
                 {"@zone-plate:200000", "too large", "display options"});
    expect_error(2, {"warp", "@zone-plate:200000", "--map", path("map.npy"), "-o", path("out.png")},
                 {"@zone-plate:200000", "too large", "built-in maps"});
    expect_error(2, {"resize", "@zone-plate:200000", "-o", path("out.jpg"), "--factor", "1"}, {"out.jpg", "200000"});
}

}  // namespace
}  // namespace texelscope::test
