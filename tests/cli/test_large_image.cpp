// Images that are larger than what is held in memory: views of them, and what is refused.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

#include "app/files/reading/image_files.h"
#include "gpu/core/stop_watch.h"
#include "tests/cli/program.h"
#include "tests/support/environment.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

constexpr int image_side = 200000;

class LargeImage : public Program {};

double zone_plate(double x, double y) {
    const double middle = (image_side - 1) / 2.0, dx = x - middle, dy = y - middle;
    return 0.5 + 0.5 * std::cos(std::numbers::pi * (dx * dx + dy * dy) / image_side);
}

TEST_F(LargeImage, AViewHasTheSamplesOfTheFormula) {
    constexpr int width = 40, height = 30;
    for (const double at : {-image_side / 2.0 + 20, 0.0, 51234.0, image_side / 2.0 - 10}) {
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
                const auto p = reference::position(view, image_side, image_side, width, height, i, j);
                if (p.x < 0 || p.y < 0 || p.x > image_side - 1 || p.y > image_side - 1) continue;
                ++inside;
                ASSERT_NEAR(seen.value(i, j, 0), zone_plate(std::round(double(p.x)), std::round(double(p.y))),
                            0.5 / 255 + 1e-6)
                    << i << ", " << j << " at " << at;
            }
        EXPECT_GT(inside, 200);
    }
}

// Of a pixel of each 20 000 samples, only what they need is read: rows between them would take minutes.
TEST_F(LargeImage, SamplesThatAreFarApartAreReadAlone) {
    const StopWatch watch;
    printed({"render", "@zone-plate:200000", "-o", path("view.npy"), "--method", "nearest", "--size", "10x10",
             "--scale", "19999", "--backend", "cpu", "--memory", "32M"});
    EXPECT_LT(watch.ms(), 5000);  // some milliseconds; it was more than ten seconds
    const Image seen = read_image(path("view.npy"));
    const View view{.scale = 19999};
    for (int j = 0; j < 10; ++j)
        for (int i = 0; i < 10; ++i) {
            const auto p = reference::position(view, image_side, image_side, 10, 10, i, j);
            ASSERT_NEAR(seen.value(i, j, 0), zone_plate(std::round(double(p.x)), std::round(double(p.y))),
                        0.5 / 255 + 1e-6)
                << i << ", " << j;
        }
}

// At a sample, the slope of Catmull–Rom is half the difference of its neighbours.
TEST_F(LargeImage, ADerivativeIsThatOfTheSamples) {
    const auto view = [&](const std::string& name, const std::string& x, std::vector<std::string> more) {
        std::vector<std::string> words = {"render", "@zone-plate:200000", "-o",        path(name),  "--size",
                                          "40x30",  "--translate",        x + ",7000", "--backend", "cpu"};
        words.insert(words.end(), more.begin(), more.end());
        printed(words);
        return read_image(path(name));
    };
    const Image values = view("values.npy", "50000", {"--method", "nearest"}),
                slopes = view("slopes.npy", "50000", {"--method", "catmull-rom", "--derivative", "x"});
    double largest = 0;
    for (int j = 0; j < values.height(); ++j)
        for (int i = 1; i + 1 < values.width(); ++i) {
            ASSERT_NEAR(slopes.value(i, j, 0), (values.value(i + 1, j, 0) - values.value(i - 1, j, 0)) / 2, 2e-6)
                << i << ", " << j;
            largest = std::max(largest, std::abs(double(slopes.value(i, j, 0))));
        }
    EXPECT_GT(largest, 0.1);
}

TEST_F(LargeImage, DisplayOptionsActOnItsValues) {
    const std::vector<std::string> words = {"render",      "@zone-plate:200000", "--size",    "40x30", "--zoom", "3",
                                            "--translate", "50000,7000",         "--backend", "cpu",   "-o"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        printed(more);
        return read_image(path("view") + more[words.size()].substr(path("view").size()));
    };
    const Image values = with({path("view.npy")}),
                shown = with({path("view.png"), "--black", "0.2", "--white", "0.7", "--profile", "off"});
    for (int j = 0; j < values.height(); ++j)
        for (int i = 0; i < values.width(); ++i) {
            const double expected = std::clamp((values.value(i, j, 0) - 0.2) / 0.5, 0.0, 1.0);
            ASSERT_NEAR(shown.value(i, j, 0), expected, 1.01 / 255) << i << ", " << j;  // a level
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
    expect_error(2, large({"--keep-levels", "perhaps"}), {"--keep-levels", "'perhaps'"});
    expect_error(2, large({"--method", "bspline", "--least-squares"}), {"--least-squares", "too large"});
    expect_error(2, large({"--memory", "64X"}), {"--memory", "bytes", "'64X'"});
    expect_error(2, {"render", "@zone-plate:200000", "-o", path("out.png"), "--size", "10x10", "--auto-contrast", "1"},
                 {"--auto-contrast", "too large", "--black"});
    expect_error(2, {"render", "@zone-plate:200000", "-o", path("out.png"), "--size", "20000x20000", "--exposure", "1"},
                 {"20000×20000", "1526 MiB", "--size"});
    expect_error(2, {"warp", "@zone-plate:200000", "--map", path("map.npy"), "-o", path("out.png")},
                 {"@zone-plate:200000", "too large", "built-in maps"});
    expect_error(2, {"resize", "@zone-plate:200000", "-o", path("out.jpg"), "--factor", "1"}, {"out.jpg", "200000"});
}

// A .npy of 8200 × 8200 × 4 floats, most of it a hole: noise in the middle, or zeros there. Always of the same time.
void write_middle(const std::string& path, bool zeros) {
    constexpr int64_t sides = 8200, texel = 16, first = 3400, count = 1400;
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (8200, 8200, 4), }";
    header.resize(128 - 10 - 1, ' ');
    if (!std::filesystem::exists(path)) {
        std::ofstream(path, std::ios::binary) << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header << '\n';
        std::filesystem::resize_file(path, 128 + sides * sides * texel);
    }
    {
        std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
        std::mt19937 random(1);
        std::vector<float> row(count * 4);
        for (int64_t y = first; y < first + count; ++y) {
            for (float& value : row) value = zeros ? 0 : float(random() % 1024) / 1024;
            file.seekp(128 + (y * sides + first) * texel);
            file.write(reinterpret_cast<const char*>(row.data()), std::streamsize(row.size() * sizeof(float)));
        }
    }
    std::filesystem::last_write_time(path, std::filesystem::file_time_type(std::chrono::hours(1)));
}

// The levels that one run has made are those that the next one reads, instead of the image.
TEST_F(LargeImage, LevelsOfAFileAreMadeOnce) {
    const Variable cache("XDG_CACHE_HOME", path("cache"));
    write_middle(path("in.npy"), false);
    const auto view = [&](const std::string& name, const std::string& keep) {
        printed({"render", path("in.npy"), "-o", path(name), "--scale", "10", "--size", "60x60", "--antialias", "on",
                 "--method", "catmull-rom", "--backend", "cpu", "--memory", "256M", "--keep-levels", keep});
        return content(name);
    };
    const std::string seen = view("view.npy", "off");
    EXPECT_FALSE(std::filesystem::exists(path("cache")));
    EXPECT_EQ(view("view.npy", "on"), seen);
    int kept = 0;
    for (const auto& file : std::filesystem::directory_iterator(path("cache/texelscope/tiles")))
        kept += file.path().extension() == ".level";
    EXPECT_EQ(kept, 1);
    write_middle(path("in.npy"), true);  // which nobody notices
    EXPECT_EQ(view("view.npy", "on"), seen);
    EXPECT_NE(view("view.npy", "off"), seen);
    std::filesystem::last_write_time(path("in.npy"), std::filesystem::file_time_type::clock::now());
    EXPECT_NE(view("view.npy", "on"), seen);
}

TEST_F(LargeImage, LevelsThatCannotBeKeptAreOneSentence) {
    const Variable cache("XDG_CACHE_HOME", write("cache", "a file, not a folder"));
    write_middle(path("in.npy"), false);
    const Result result = run({"render", path("in.npy"), "-o", path("view.npy"), "--scale", "10", "--size", "60x60",
                               "--antialias", "on", "--backend", "cpu"});
    EXPECT_EQ(result.status, 0);
    ASSERT_EQ(result.errors.size(), 1u);
    EXPECT_NE(result.errors[0].find("cannot be kept: " + path("cache")), std::string::npos) << result.errors[0];
    EXPECT_TRUE(std::filesystem::exists(path("view.npy")));
}

}  // namespace
}  // namespace texelscope::test
