// texelscope compare of images that are larger than what is held in memory: its figures, and what is refused.

#include <cmath>

#include <nlohmann/json.hpp>

#include "app/files/reading/image_files.h"
#include "tests/cli/program.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

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
