// Images that are larger than what is held in memory: views of them, comparisons, and what is refused.

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>

#include "app/files/reading/image_files.h"
#include "gpu/core/timing.h"
#include "tests/cli/program.h"
#include "tests/support/reference.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// Images that are larger than what is held in memory: views of them, and what is refused.

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

// With a pixel for each 20 000 samples, only what the pixels need is read: rows between them would take minutes.
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
    expect_error(2, large({"--method", "area"}), {"--method area", "too large"});
    expect_error(2, large({"--pyramid", "off"}), {"--pyramid off", "too large"});
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

using nlohmann::json;

// texelscope compare of images that are larger than what is held in memory: its figures, and what is refused.

constexpr int canvas_side = 200000;

class LargeComparison : public Program {
protected:
    static std::vector<std::string> words(std::vector<std::string> more) {
        std::vector<std::string> all = {"compare", "@zone-plate:200000", "--backend", "cpu", "--memory", "64M"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
};

// The picture as `render` writes it against the tests' own float64 interpolation of the part that is seen.
TEST_F(LargeComparison, ErrorsAreThoseOfTheRenderedPicture) {
    const std::vector<std::string> view = {"--size", "61x47", "--translate", "20000,20000.25", "--zoom", "2.5"};
    std::vector<std::string> more = {"--panes", "bilinear; lanczos3", "--reference", "bspline", "--json", "-"};
    more.insert(more.end(), view.begin(), view.end());
    const json result = json::parse(printed(words(more)));
    // At 100 %, moved by whole samples, nearest copies what is stored around that place.
    constexpr int first = canvas_side / 2 - 100 + 20000;
    printed({"render", "@zone-plate:200000", "-o", path("part.pgm"), "--method", "nearest", "--size", "200x200",
             "--translate", "20000,20000", "--backend", "cpu"});
    const reference::Interpolant reference(read_image(path("part.pgm")), parse_spec("bspline"));
    for (const json& pane : result["panes"]) {
        std::vector<std::string> render = {"render",   "@zone-plate:200000", "-o",        path("r.npy"),
                                           "--method", pane["spec"],         "--backend", "cpu"};
        render.insert(render.end(), view.begin(), view.end());
        printed(render);
        const Image got = read_image(path("r.npy"));
        double squares = 0, largest = 0;
        for (int j = 0; j < 47; ++j)
            for (int i = 0; i < 61; ++i) {
                const auto p =
                    reference::position({20000, 20000.25, 1 / 2.5, 0}, canvas_side, canvas_side, 61, 47, i, j);
                const double d = std::abs(got.value(i, j, 0) - reference.at({p.x - first, p.y - first})[0]);
                squares += d * d;
                largest = std::max(largest, d);
            }
        const double rmse = std::sqrt(squares / (61 * 47));
        EXPECT_GT(rmse, 1e-3);
        EXPECT_NEAR(pane["rmse"], rmse, 1e-9 + 1e-7 * rmse) << pane["spec"];
        EXPECT_NEAR(pane["max_abs"], largest, 1e-7) << pane["spec"];
        EXPECT_NEAR(pane["psnr"], -20 * std::log10(rmse), 1e-4) << pane["spec"];
        EXPECT_EQ(pane["pixels"], 61 * 47);
        EXPECT_TRUE(pane["microseconds"].is_null());
        EXPECT_TRUE(pane["gigapixels_per_second"].is_null());
    }
    EXPECT_EQ(result["panes"][0]["fetches"], 4);
}

TEST_F(LargeComparison, TheTableSaysThatTheImageIsReadByRegions) {
    const std::string table = printed(words({"--size", "40x30", "--zoom", "3", "--reference", "truth"}));
    EXPECT_NE(table.find("200000×200000 u8×1, read by regions"), std::string::npos) << table;
    EXPECT_NE(table.find("the formula"), std::string::npos) << table;
    EXPECT_NE(table.find("rounded to 8 bits"), std::string::npos) << table;
}

// The formula is nearest to what interpolates best.
TEST_F(LargeComparison, TruthRanksMethods) {
    const json result =
        json::parse(printed(words({"--size", "64x64", "--zoom", "4", "--translate", "30000,0", "--reference", "truth",
                                   "--panes", "nearest; bilinear; quintic", "--json", "-"})));
    EXPECT_LT(result["panes"][0]["psnr"], result["panes"][1]["psnr"]);
    EXPECT_LT(result["panes"][1]["psnr"], result["panes"][2]["psnr"]);
}

TEST_F(LargeComparison, WhatCannotBeIsRefusedBeforeAnythingIsRead) {
    const auto with = [](std::vector<std::string> more) {
        std::vector<std::string> all = {"compare", "@zone-plate:200000"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    expect_error(2, with({"--memory", "63M"}), {"--memory 63M", "at least 64M"});
    expect_error(2, with({"--sheet", path("out.png")}), {"--sheet", "@zone-plate:200000", "too large"});
    expect_error(2, with({"--restore", "4"}), {"@zone-plate: 200000×200000 is too large"});
    expect_error(2, with({"--reference", "@zone-plate:512"}), {"--reference @zone-plate:512", "too large"});
    expect_error(1, {"compare", "@zone-plate:16000000x200", "--memory", "64M", "--backend", "cpu"},
                 {"16000000 pixels wide", "MiB of memory, not 64"});
}

}  // namespace
}  // namespace texelscope::test
