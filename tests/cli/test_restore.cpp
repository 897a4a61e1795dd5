// texelscope compare --restore: its table, JSON and refusals.

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "app/files/reading/image_source.h"
#include "tests/cli/program.h"

namespace texelscope::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class Restore : public Program {
protected:
    std::vector<std::string> words(const std::string& in, const std::string& how,
                                   std::vector<std::string> more = {}) const {
        std::vector<std::string> all = {"compare", in, "--restore", how, "--backend", "cpu"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    json figures(const std::string& in, const std::string& how, std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--json", "-"});
        return json::parse(printed(words(in, how, more)));
    }
};

TEST_F(Restore, TheTableSaysWhatWasDoneAndNamesEveryMethod) {
    const std::string table = printed(words("@dead-leaves:130x96", "4"));
    for (const char* part : {"130×96 u8×3", "shrunk to 33×24 by lanczos3", "all but 32 pixels at each edge",
                             "the image itself", "PSNR dB", "SSIM", "ΔE mean", "ΔE 95 %", "time ms", "fetches", "took",
                             "Closer to the original than anything with as few fetches: "})
        EXPECT_THAT(table, HasSubstr(part));
    for (const MethodInfo* method : all_methods()) {
        EXPECT_THAT(table, HasSubstr(std::string(method->name)));
        EXPECT_THAT(table, HasSubstr("  " + std::string(method->id) + "  "));
    }
    EXPECT_THAT(table, Not(HasSubstr("address=")));
    const std::string chosen =
        printed(words("@natural:96", "2", {"--panes", "nearest; bspline:path=hardware", "--shrink-with", "bspline"}));
    EXPECT_THAT(chosen, HasSubstr("by bspline"));
    EXPECT_THAT(chosen, HasSubstr("bspline:path=hardware,address=clamp"));
    EXPECT_THAT(chosen, Not(HasSubstr("ΔE")));
    EXPECT_LT(chosen.find("hardware"), chosen.find("nearest")) << "the best is first";
}

TEST_F(Restore, PerfectPicturesHaveNoNumberForTheirPsnr) {
    EXPECT_THAT(printed(words("@constant:64", "rotate:4x90", {"--panes", "nearest"})), HasSubstr("∞"));
    const json method = figures("@constant:64", "rotate:4x90", {"--panes", "nearest"})["methods"][0];
    EXPECT_TRUE(method["interior"]["psnr"].is_null());
    EXPECT_EQ(method["interior"]["rmse"], 0);
    EXPECT_EQ(method["interior"]["ssim"], 1);
}

TEST_F(Restore, JsonHasEveryFigure) {
    const json result = figures("@text:128", "2.5", {"--panes", "bilinear; bspline"});
    EXPECT_EQ(result["restore"]["kind"], "shrink");
    EXPECT_EQ(result["restore"]["factor"], 2.5);
    EXPECT_EQ(result["restore"]["width"], 51);
    EXPECT_EQ(result["interior"]["margin_x"], 20);
    EXPECT_GT(result["seconds"], 0);
    EXPECT_TRUE(result["methods"][0]["front"]) << "none is closer";
    ASSERT_EQ(result["methods"].size(), 2u);
    for (const json& method : result["methods"]) {
        for (const char* region : {"interior", "all"})
            for (const char* figure : {"psnr", "ssim", "rmse", "max_abs", "pixels", "delta_e_mean", "delta_e_95"})
                EXPECT_GT(method[region][figure], 0) << region << " " << figure;
        EXPECT_GT(method["microseconds"], 0);
        EXPECT_GT(method["fetches"], 0);
        EXPECT_TRUE(method["front"].is_boolean());
    }
    const json turned = figures("@natural:64", "rotate:10x36", {"--panes", "bilinear"});
    EXPECT_EQ(turned["restore"]["degrees"], 36);
    EXPECT_EQ(turned["restore"]["times"], 10);
    EXPECT_EQ(turned["interior"]["radius"], 0.45 * 64);
    EXPECT_EQ(turned["methods"][0]["spec"], "bilinear:path=auto,address=mirror");
    EXPECT_TRUE(turned["methods"][0]["interior"]["delta_e_mean"].is_null());
    printed(words("@natural:96", "2", {"--panes", "bilinear", "--json", path("f.json")}));
    EXPECT_EQ(json::parse(content("f.json"))["methods"].size(), 1u);
}

TEST_F(Restore, ReductionsAreComparedWithTheIdealOne) {
    const std::string table = printed(words("@natural:128x110", "shrink:2", {"--panes", "bilinear; lanczos3"}));
    for (const char* part : {"shrunk to 64×55 by each method", "the ideal reduction: the image's spectrum",
                             "Closer to the ideal reduction than anything with as few fetches: "})
        EXPECT_THAT(table, HasSubstr(part));
    const json result = figures("@natural:128x110", "shrink:2", {"--panes", "bilinear"});
    EXPECT_EQ(result["restore"]["kind"], "reduce");
    EXPECT_EQ(result["restore"]["height"], 55);
    EXPECT_EQ(result["reference"], "the ideal reduction");
    EXPECT_EQ(result["methods"][0]["spec"], "bilinear:path=auto,address=mirror");
    expect_error(2, words("@natural:128", "shrink:2", {"--shrink-with", "bspline"}), {"--shrink-with", "shrink:2"});
}

TEST_F(Restore, WrongWordsAreRefused) {
    for (const char* how : {"0",
                            "0.5",
                            "-4",
                            "four",
                            "",
                            "nan",
                            "rotate:",
                            "rotate:10",
                            "rotate:0x10",
                            "rotate:1.5x10",
                            "rotate:10x0",
                            "rotate:10x400",
                            "rotate:2000x10",
                            "shift:0x8",
                            "shift:0.5",
                            "shift:x",
                            "turn:3x4",
                            "shrink:",
                            "shrink:0.9",
                            "shrink:x"})
        expect_error(2, words("@natural:96", how), {"--restore", "rotate:36x10", "'" + std::string(how) + "'"});
    expect_error(2, words("@natural:96", "4", {"--panes", "bspline; cubic"}), {"pane B", "cubic"});
    expect_error(2, words("@natural:96", "4", {"--shrink-with", "cubic"}), {"--shrink-with", "cubic"});
    expect_error(2, words("@natural:96", "shift:0.5x2", {"--shrink-with", "bspline"}),
                 {"--shrink-with", "shift:0.5x2"});
    expect_error(2, {"compare", "@natural:96", "--panes", "bspline", "--shrink-with", "bspline"},
                 {"--shrink-with needs --restore"});
}

TEST_F(Restore, OptionsOfTheOtherComparisonAreRefused) {
    const std::vector<std::vector<std::string>> others = {{"--reference", "own"},  {"--zoom", "2"},
                                                          {"--rotate", "2"},       {"--size", "9x9"},
                                                          {"--select", "0,0,9,9"}, {"--outside", "background"},
                                                          {"--antialias", "on"},   {"--difference", "signed"}};
    for (const auto& other : others)
        expect_error(2, words("@natural:96", "2", other), {"--restore", other[0], "leave out"});
}

TEST_F(Restore, TheSheetShowsTheOriginalAndTheBestMethodsAtTheWorstSpot) {
    const auto sheet_of = [&](const std::string& picture, std::vector<std::string> more) {
        more.insert(more.end(), {"--sheet", path("sheet.png"), "--columns", "1"});
        printed(words(picture, "4", more));
        return load_image(path("sheet.png"));
    };
    const Image best = sheet_of("@natural:128", {}), two = sheet_of("@natural:128", {"--panes", "nearest; bspline"});
    // One below the other, all equally high.
    const int cell = (best.height() - two.height()) / 2;
    EXPECT_GT(cell, 96);
    EXPECT_NEAR(best.height() - 5 * cell, two.height() - 3 * cell, 2);
    expect_error(2, words("@natural:128", "4", {"--sheet", path("sheet.xyz")}), {"sheet.xyz"});
    expect_error(2, words("@natural:128", "4", {"--columns", "2"}), {"--columns needs --sheet"});
    expect_error(2, words("@natural:128", "4", {"--sheet", path("a.png"), "--report", path("a.png")}),
                 {"--sheet and --report both name"});
    expect_error(2, {"compare", "@natural:96", "--report", path("r.html")}, {"--report needs --restore"});
}

TEST_F(Restore, SamplesThatAreNotFiniteAreSaidOnce) {
    std::string values, none;
    for (int k = 0; k < 200; ++k) values += k == 100 ? "nan\n" : "0.5\n", none += "nan\n";
    expect_error(1, words(write("gap.csv", values), "shrink:2"), {"gap.csv", "not finite", "ideal reduction"});
    EXPECT_THAT(printed(words(path("gap.csv"), "2", {"--panes", "nearest"})),
                HasSubstr("Closer to the original than anything with as few fetches: nearest neighbour."));
    const std::string table = printed(words(write("none.csv", none), "2", {"--panes", "nearest"}));
    EXPECT_THAT(table, HasSubstr("No method can be judged: the picture has no finite values"));
}

TEST_F(Restore, PicturesThatAreTooSmallAreRefused) {
    expect_error(1, words("@natural:64", "8"), {"@natural:64", "too small to be shrunk by 8", "at least 144 samples"});
    expect_error(1, words("@natural:200x64", "1e300"), {"too small"});
    expect_error(1, words("@natural:200", "shrink:100000"), {"too small to be shrunk by 100000"});
    expect_error(1, words("@natural:80", "shrink:3"), {"too small to be shrunk by 3", "at least 96 samples"});
    expect_error(1, words("@natural:80", "shift:0.5x40"), {"too small", "shifted"});
    expect_error(1, words("@natural:12", "rotate:36x10"), {"too small to be rotated"});
    expect_error(1, words(write("s.csv", "1\n2\n4\n3\n2\n"), "4"), {"s.csv", "too small", "in all"});
    expect_error(1, words(write("s.csv", "1\n2\n4\n3\n2\n"), "rotate:2x180"), {"s.csv", "cannot be rotated"});
    expect_error(1, words(path("none.png"), "4"), {"none.png", "no such file"});
}

}  // namespace
}  // namespace texelscope::test
