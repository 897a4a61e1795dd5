// texelscope compare against what is right: a truth, and a restored original.

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>

#include "app/files/reading/image_files.h"
#include "app/picture/pane_picture.h"
#include "tests/cli/program.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

// texelscope compare against a truth: the formula of a test image, and the larger original of a picture.

class CompareTruth : public Program {
protected:
    std::string store(const Image& image, const std::string& name) const {
        write_image(image, path(name));
        return path(name);
    }
    json figures(std::vector<std::string> words) const {
        words.insert(words.begin(), "compare");
        words.insert(words.end(), {"--json", "-", "--backend", "cpu"});
        return json::parse(printed(words));
    }
    Image made_by(std::vector<std::string> words) const {
        words.insert(words.end(), {"-o", path("r.npy"), "--backend", "cpu"});
        printed(words);
        return read_image(path("r.npy"));
    }
    std::string refusal(const std::vector<std::string>& words) const {
        const Result result = run(words);
        EXPECT_EQ(result.status, 2);
        EXPECT_EQ(result.errors.size(), 1u);
        return result.errors.empty() ? "" : result.errors[0];
    }
    // Sixteen by twelve samples, and another picture with four times as many along each axis.
    const Image small_ = noise(16, 12, 1, SampleType::u8, 5), large_ = noise(64, 48, 1, SampleType::u8, 6);
};

double rmse_of(const Image& a, const std::function<double(int i, int j)>& truth) {
    double sum = 0;
    for (int j = 0; j < a.height(); ++j)
        for (int i = 0; i < a.width(); ++i) sum += std::pow(double(a.value(i, j, 0)) - truth(i, j), 2);
    return std::sqrt(sum / (double(a.width()) * a.height()));
}

TEST_F(CompareTruth, IsTheFormulaAtTheOutputsPositions) {
    const json result = figures({"@zone-plate:64", "--panes", "nearest; quintic", "--reference", "truth", "--zoom", "3",
                                 "--rotate", "20", "--size", "50x40"});
    EXPECT_EQ(result["reference"], "truth");
    const double c = std::cos(std::numbers::pi / 9) / 3, s = std::sin(std::numbers::pi / 9) / 3;
    for (const json& pane : result["panes"]) {
        const Image got = made_by(
            {"render", "@zone-plate:64", "--method", pane["spec"], "--zoom", "3", "--rotate", "20", "--size", "50x40"});
        const double expected = rmse_of(got, [&](int i, int j) {
            const double u = i - 24.5, v = j - 19.5, x = c * u - s * v, y = s * u + c * v;
            return 0.5 + 0.5 * std::cos(std::numbers::pi * (x * x + y * y) / 64);
        });
        EXPECT_NEAR(pane["rmse"], expected, 1e-8) << pane["spec"];
        EXPECT_EQ(pane["left_out"], 0);
    }
    EXPECT_GT(result["panes"][1]["psnr"], result["panes"][0]["psnr"].get<double>() + 20);
}

TEST_F(CompareTruth, SaysWhatIsNotMeasured) {
    const std::string table = printed({"compare", "@step:16x8", "--panes", "nearest", "--reference", "truth", "--zoom",
                                       "8", "--size", "16x8", "--backend", "cpu"});
    EXPECT_NE(table.find("Not measured: 64 pixels above Nyquist, at a jump"), std::string::npos) << table;
    EXPECT_NE(table.find("rounded to 8 bits, the formula is not: 58.9 dB"), std::string::npos) << table;
    EXPECT_NE(table.find("PSNR against the formula"), std::string::npos) << table;
}

TEST_F(CompareTruth, NeedsAFunction) {
    for (const std::string& input : {std::string("@text:32"), store(small_, "photo.pam")}) {
        const std::string why = refusal({"compare", input, "--reference", "truth"});
        EXPECT_NE(why.find(input), std::string::npos) << why;
        EXPECT_NE(why.find("@waves"), std::string::npos) << why;
    }
}

// Without a view, the picture is shown at the size of its original: whose samples are the truth as they are.
TEST_F(CompareTruth, IsTheLargerOriginal) {
    const json result = figures(
        {store(small_, "small.pam"), "--panes", "nearest; bilinear", "--reference", store(large_, "large.pam")});
    EXPECT_EQ(result["width"], 64);
    EXPECT_EQ(result["height"], 48);
    EXPECT_EQ(result["view"]["scale"], 0.25);
    for (const size_t pane : {0, 1}) {
        const json& figures = result["panes"][pane];
        MethodSpec spec = parse_spec(figures["spec"].get<std::string>());
        const reference::Interpolant interpolant(small_, spec);
        double sum = 0;
        int64_t count = 0;
        for (int j = 0; j < 48; ++j)
            for (int i = 0; i < 64; ++i) {
                const double x = (i + 0.5) / 4 - 0.5, y = (j + 0.5) / 4 - 0.5;
                if (x < 0 || y < 0 || x > 15 || y > 11) continue;  // beyond the outermost samples
                sum += std::pow(interpolant.at({x, y})[0] - large_.value(i, j, 0), 2);
                ++count;
            }
        const double rmse = std::sqrt(sum / double(count));
        EXPECT_EQ(figures["pixels"], count);
        EXPECT_NEAR(figures["rmse"], rmse, 1e-7);
        EXPECT_NEAR(figures["psnr"], -20 * std::log10(rmse), 1e-5);
    }
}

// Shrunk to the output, it is the same picture for every method, as `resize` shrinks it.
TEST_F(CompareTruth, IsTheOriginalShrunkAlikeForAllMethods) {
    const std::string small = store(small_, "small.pam"), large = store(large_, "large.pam");
    const json result = figures({small, "--panes", "nearest; bilinear", "--reference", large, "--zoom", "2", "--size",
                                 "32x24", "--outside", "extend"});
    const Image shrunk = made_by({"resize", large, "--size", "32x24"});
    for (const json& pane : result["panes"]) {
        const Image got = made_by({"render", small, "--method", pane["spec"], "--zoom", "2", "--size", "32x24"});
        EXPECT_NEAR(pane["rmse"], rmse_of(got, [&](int i, int j) { return double(shrunk.value(i, j, 0)); }), 1e-7);
    }
}

TEST_F(CompareTruth, OfAnotherShapeIsRefused) {
    const std::string small = store(small_, "small.pam");
    for (const auto& [width, height] : {std::pair{64, 64}, {64, 40}, {48, 64}, {20, 12}}) {
        const std::string why =
            refusal({"compare", small, "--reference", store(noise(width, height, 1, SampleType::u8, 1), "other.pam")});
        EXPECT_NE(why.find("must have the same ratio"), std::string::npos) << why;
        EXPECT_NE(why.find("16×12"), std::string::npos) << why;
    }
}

TEST_F(CompareTruth, IsTheWindowsToo) {
    const std::string small = store(small_, "small.pam"), large = store(large_, "large.pam");
    AppState state;
    for (const char* spec : {"nearest", "bspline:path=hardware"}) state.scene.panes.push_back({parse_spec(spec)});
    for (const Image* image : {&small_, &large_}) {
        Document& document = state.scene.documents.emplace_back();
        document.source = image == &small_ ? small : large;
        document.image = std::make_shared<const Image>(*image);
        document.view.scale = 0.25;
    }
    state.scene.current = 0;
    state.places.picture = {0, 0, 64, 48};
    state.scene.reference = {Reference::Kind::image, {}, large};
    const json result = figures({small, "--panes", "nearest; bspline:path=hardware", "--reference", large});
    SourceCache sources(make_cpu_backend());
    for (int pane = 0; pane < 2; ++pane) {
        state.scene.active = pane;
        const Metrics m =
            PaneRenderer(sources).measure(pane_rendition(state, pane), *reference_rendition(state, pane), {});
        EXPECT_NEAR(result["panes"][size_t(pane)]["rmse"], m.rmse, 1e-9);
        EXPECT_EQ(result["panes"][size_t(pane)]["pixels"], m.pixels);
    }
}

using ::testing::HasSubstr;

// texelscope compare --restore: its table, JSON and refusals.

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
    for (const char* part : {"130×96 u8×3", "shrunk to 33×24 by lanczos3", "all but 36 pixels at each edge",
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
    EXPECT_EQ(result["interior"]["margin_x"], 23);
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
    const std::vector<std::vector<std::string>> others = {{"--reference", "own"},    {"--zoom", "2"},
                                                          {"--rotate", "2"},         {"--size", "9x9"},
                                                          {"--select", "0,0,9,9"},   {"--outside", "background"},
                                                          {"--difference", "signed"}};
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
    expect_error(1, words("@natural:64", "8"), {"@natural:64", "too small to be shrunk by 8", "at least 160 samples"});
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
