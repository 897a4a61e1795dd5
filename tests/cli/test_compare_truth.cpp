// texelscope compare against a truth: the formula of a test image, and the larger original of a picture.

#include <cmath>
#include <numbers>

#include <nlohmann/json.hpp>

#include "app/files/reading/image_files.h"
#include "app/picture/pane_picture.h"
#include "tests/cli/program.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

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
    state.report.frame.picture = {0, 0, 64, 48};
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

}  // namespace
}  // namespace texelscope::test
