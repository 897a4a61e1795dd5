// texelscope compare: its figures against an independent float64 evaluation, its table, JSON and sheet.

#include <cmath>

#include <nlohmann/json.hpp>

#include "app/files/reading/image_files.h"
#include "app/state/panes.h"
#include "app/viewer/editing/pane_edits.h"
#include "tests/cli/program.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

class Compare : public Program {
protected:
    std::string store(const Image& image, const std::string& name = "in.pam") const {
        write_image(image, path(name));
        return path(name);
    }
    std::vector<std::string> words(const std::string& in, const std::string& panes,
                                   std::vector<std::string> more) const {
        std::vector<std::string> all = {"compare", in, "--panes", panes, "--backend", "cpu"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    json figures(const std::string& in, const std::string& panes, std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--json", "-"});
        return json::parse(printed(words(in, panes, more)));
    }
    Image rendered(const std::string& in, const std::string& spec, std::vector<std::string> more) const {
        more.insert(more.begin(), {"render", in, "-o", path("r.npy"), "--method", spec, "--backend", "cpu"});
        printed(more);
        return read_image(path("r.npy"));
    }
};

// A program as a pane: it repeats each sample, as nearest does.
TEST_F(Compare, AProgramIsAPane) {
    if (::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0) GTEST_SKIP() << "needs NumPy";
    const std::string in = store(noise(24, 18, 3, SampleType::u8, 5)), original = path("original.npy");
    printed({"resize", in, "-o", original, "--factor", "3", "--method", "lanczos3", "--backend", "cpu"});
    const auto repeat = [&](const char* times) {
        return "command:'/usr/bin/python3 -c \"import numpy as n, sys; a = n.load(sys.argv[1]); f = int(sys.argv[3]); "
               "n.save(sys.argv[2], a.repeat(f, 0).repeat(f, 1))\" {in.npy} {out.npy} " +
               std::string(times) + "'";
    };
    const std::string panes = "nearest; " + repeat("{factor}") + "; catmull-rom";
    for (const std::vector<std::string>& view :
         {std::vector<std::string>{"--zoom", "3"}, {"--reference", original}, {"--zoom", "2", "--size", "48x36"}}) {
        std::vector<std::string> more = view;
        more.insert(more.end(), {"--allow-commands", "--sheet", path("sheet.png")});
        const json pane = figures(in, panes, more)["panes"];
        ASSERT_EQ(pane.size(), 3u);
        EXPECT_TRUE(pane[1]["spec"].get<std::string>().starts_with("command:/usr/bin/python3 -c"));
        EXPECT_NEAR(pane[1]["rmse"], pane[0]["rmse"], 1e-5) << view[0];
        EXPECT_EQ(pane[1]["pixels"], pane[0]["pixels"]);
        EXPECT_GT(pane[1]["microseconds"], 0);
        EXPECT_TRUE(pane[1]["fetches"].is_null());
        EXPECT_TRUE(std::filesystem::exists(path("sheet.png")));
    }
    const json map = figures(in, panes, {"--zoom", "3", "--allow-commands", "--difference", "flip"})["panes"];
    EXPECT_NEAR(map[1]["map"]["mean"], map[0]["map"]["mean"], 1e-4);
    expect_error(2, words(in, panes, {"--zoom", "3"}), {"would run: ", "--allow-commands"});
    expect_error(2, words(in, panes, {"--zoom", "3", "--allow-commands", "--reference", "own"}), {"--reference own"});
    expect_error(1, words(in, "nearest; " + repeat("2"), {"--zoom", "3", "--allow-commands"}),
                 {"it is 48×36 instead of 72×54"});
    expect_error(2, words(in, "nearest; command:cp", {"--allow-commands"}), {"pane B", "single quotes"});
}

struct Expected {
    double square = 0, largest = 0;
    int64_t values = 0;
    void add(double a, double r) {
        square += (a - r) * (a - r);
        largest = std::max(largest, std::abs(a - r));
        ++values;
    }
    double rmse() const { return std::sqrt(square / double(values)); }
};

// The picture as `render` writes it against the tests' own float64 interpolation.
TEST_F(Compare, ErrorsAreThoseOfTheRenderedPicture) {
    const Image image = noise(40, 30, 3, SampleType::u8, 11);
    const std::string in = store(image);
    const std::vector<std::string> options = {"--zoom", "2.5", "--rotate", "17", "--size", "61x47"};
    const std::string panes = "bilinear; catmull-rom:path=hardware; bspline:prefilter=fir5,address=mirror; nearest";
    const json result = figures(in, panes, [&] {
        auto o = options;
        o.insert(o.end(), {"--reference", "bspline"});
        return o;
    }());
    ASSERT_EQ(result["panes"].size(), 4u);
    for (const json& pane : result["panes"]) {
        const MethodSpec spec = parse_spec(pane["spec"].get<std::string>());
        MethodSpec exact = parse_spec("bspline");
        exact.address = spec.address;
        const reference::Interpolant reference(image, exact);
        const Image got = rendered(in, pane["spec"], options);
        Expected expected;
        for (int j = 0; j < 47; ++j)
            for (int i = 0; i < 61; ++i) {
                const auto r = reference.at(reference::position({0, 0, 1 / 2.5, 17}, 40, 30, 61, 47, i, j));
                for (int c = 0; c < 3; ++c) expected.add(got.value(i, j, c), r[size_t(c)]);
            }
        EXPECT_NEAR(pane["rmse"], expected.rmse(), 1e-9 + 1e-7 * expected.rmse()) << pane["spec"];
        EXPECT_NEAR(pane["max_abs"], expected.largest, 1e-8) << pane["spec"];
        EXPECT_NEAR(pane["psnr"], -20 * std::log10(expected.rmse()), 1e-4) << pane["spec"];
        EXPECT_EQ(pane["pixels"], 61 * 47);
        EXPECT_GT(pane["microseconds"], 0);
        EXPECT_NEAR(pane["gigapixels_per_second"].get<double>() * pane["microseconds"].get<double>(), 61 * 47 * 1e-3,
                    1e-6);
    }
    EXPECT_EQ(result["reference"], "bspline");
    EXPECT_EQ(result["width"], 61);
    EXPECT_EQ(result["height"], 47);
    EXPECT_EQ(result["view"]["scale"], 1 / 2.5);
    EXPECT_EQ(result["backend"], "cpu");
}

// The cost of the paths per position: 4 fetches instead of 16, 9 if weights are negative.
TEST_F(Compare, FetchesAreThoseOfThePath) {
    const json result =
        figures("@noise:24", "bspline; bspline:path=hardware; catmull-rom:path=hardware; bilinear; nearest");
    const double expected[] = {16, 4, 9, 4, 1};
    for (size_t i = 0; i < 5; ++i) EXPECT_EQ(result["panes"][i]["fetches"], expected[i]) << i;
    const json widened = figures("@noise:64", "bilinear", {"--scale", "2", "--antialias", "on", "--size", "32x32"});
    EXPECT_EQ(widened["panes"][0]["fetches"], 16);
    const json signal = figures(write("s.csv", "1\n2\n4\n3\n2\n"), "bspline");
    EXPECT_EQ(signal["panes"][0]["fetches"], 4);
}

// A picture against itself in float64: only float32's rounding, and for nearest not even that.
TEST_F(Compare, OwnReferencesLeaveOnlyRounding) {
    const std::string in = store(noise(33, 21, 1, SampleType::u8, 3));
    const json result = figures(in, "bspline; lanczos3; nearest", {"--reference", "own", "--zoom", "3.3"});
    EXPECT_EQ(result["reference"], "own");
    for (size_t i : {0, 1}) {
        EXPECT_GT(result["panes"][i]["rmse"], 0);
        EXPECT_LT(result["panes"][i]["max_abs"], 3e-6);
    }
    EXPECT_LE(result["panes"][2]["rmse"], 1e-7);
    EXPECT_GT(result["panes"][0]["ssim"], 0.999999);
}

TEST_F(Compare, WhereNothingDiffersPsnrIsNull) {
    // Floats that both float32 and float64 hold exactly, read without any arithmetic.
    Image image(16, 16, 1, SampleType::f32);
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) image.row_as<float>(y)[x] = float((x * 7 + y * 3) % 5) / 4;
    const json result = figures(store(image, "in.npy"), "nearest", {"--reference", "nearest"});
    EXPECT_EQ(result["panes"][0]["rmse"], 0);
    EXPECT_TRUE(result["panes"][0]["psnr"].is_null());
    EXPECT_EQ(result["panes"][0]["ssim"], 1);
    const json small = figures(store(noise(8, 8, 1, SampleType::u8, 3)), "bilinear");
    EXPECT_TRUE(small["panes"][0]["ssim"].is_null());
}

// A reference is extended as each pane extends; its own address applies to all.
TEST_F(Compare, AReferenceIsExtendedAsThePaneUnlessItNamesItsAddress) {
    const std::string in = store(noise(20, 20, 1, SampleType::u8, 8));
    const auto against = [&](const std::string& reference) {
        return figures(in, "bspline; bspline:address=mirror",
                       {"--scale", "1.5", "--translate", "9,0", "--antialias", "off", "--reference", reference});
    };
    EXPECT_LT(against("bspline")["panes"][1]["max_abs"], 3e-6);
    const json fixed = against("bspline:address=clamp");
    EXPECT_EQ(fixed["reference"], "bspline:address=clamp");
    EXPECT_GT(fixed["panes"][1]["max_abs"], 0.05);
}

// Which pane is first does not matter.
TEST_F(Compare, TheDefaultReferenceIsThatOfTheViewer) {
    const std::string in = store(noise(20, 20, 1, SampleType::u8, 8));
    const std::string id(default_reference().spec.method->id);
    for (const char* panes : {"nearest; bspline", "bspline; nearest"}) {
        const json result = figures(in, panes, {"--zoom", "2"});
        EXPECT_EQ(result["reference"], id);
        for (const json& pane : result["panes"]) EXPECT_LT(pane["psnr"], 60) << pane;
    }
}

TEST_F(Compare, WithoutPanesItTakesTheViewersFourMethods) {
    const json result =
        json::parse(printed({"compare", "@noise:24", "--zoom", "2", "--backend", "cpu", "--json", "-"}));
    std::vector<std::string> ids;
    for (const json& pane : result["panes"]) ids.emplace_back(parse_spec(pane["spec"].get<std::string>()).method->id);
    EXPECT_EQ(ids, (std::vector<std::string>(four_methods.begin(), four_methods.end())));
}

TEST_F(Compare, SettingsApplyToAllPanesUnlessTheirSpecNamesThem) {
    const json result = figures("@noise:24", "bspline; bspline:prefilter=iir,path=global; bilinear:address=wrap",
                                {"--path", "hardware", "--prefilter", "fir5", "--address", "mirror"});
    EXPECT_EQ(result["panes"][0]["spec"], "bspline:path=hardware,address=mirror,prefilter=fir5");
    EXPECT_EQ(result["panes"][1]["spec"], "bspline:path=global,address=mirror,prefilter=iir");
    EXPECT_EQ(result["panes"][2]["spec"], "bilinear:path=hardware,address=wrap");
    EXPECT_EQ(result["outside"], "extend") << "who names an address wants to see it";
}

// Zoomed out, the output ends where the picture does, and is antialiased, as in the viewer.
TEST_F(Compare, MeasuresThePicturesArea) {
    const std::string in = store(noise(99, 60, 1, SampleType::u8, 8));
    const auto area = [&](std::vector<std::string> view) {
        const json result = figures(in, "bilinear", std::move(view));
        EXPECT_EQ(result["outside"], "background");
        EXPECT_EQ(result["antialias"], true);
        const int width = result["width"], height = result["height"];
        return std::tuple(width, height, result["panes"][0]["pixels"].get<int>());
    };
    EXPECT_EQ(area({}), (std::tuple(99, 60, 99 * 60)));
    EXPECT_EQ(area({"--zoom", "4"}), (std::tuple(99, 60, 99 * 60)));
    EXPECT_EQ(area({"--scale", "3"}), (std::tuple(33, 20, 33 * 20)));
    EXPECT_EQ(area({"--scale", "3", "--rotate", "90"}), (std::tuple(20, 33, 20 * 33)));
    EXPECT_EQ(area({"--scale", "3", "--translate", "6,0"}), (std::tuple(37, 20, 33 * 20)));
    const auto [width, height, pixels] = area({"--scale", "3", "--rotate", "45"});
    EXPECT_EQ(std::pair(width, height), std::pair(37, 37));
    EXPECT_NEAR(pixels, 32.5 * 19.5, 32) << "not the corners beyond the picture";
    const json extended = figures(in, "bilinear", {"--scale", "3", "--rotate", "45", "--outside", "extend"});
    EXPECT_EQ(extended["panes"][0]["pixels"], 37 * 37);
}

TEST_F(Compare, WidenedMethodsAreAlikeAndNoneIsBest) {
    const auto table = [&](const std::vector<std::string>& more) {
        return printed(words("@noise:24", "nearest; bilinear", more));
    };
    const std::string smaller = table({"--zoom", "0.5", "--reference", "bspline"});
    EXPECT_NE(smaller.find("likeness to cubic B-spline"), std::string::npos) << smaller;
    EXPECT_NE(smaller.find("--restore shrink:2"), std::string::npos) << smaller;
    EXPECT_EQ(table({"--zoom", "2", "--reference", "bspline"}).find("likeness"), std::string::npos);
    EXPECT_EQ(table({"--zoom", "0.5", "--reference", "bspline", "--antialias", "off"}).find("likeness"),
              std::string::npos)
        << "not widened";
}

TEST_F(Compare, TheTableMarksTheReferenceAndErrorsOfArithmetic) {
    const std::string table =
        printed(words("@noise:24", "nearest; bspline", {"--zoom", "2", "--reference", "bspline"}));
    EXPECT_NE(table.find("PSNR against cubic B-spline"), std::string::npos) << table;
    EXPECT_NE(table.find("is the reference"), std::string::npos) << table;
    EXPECT_EQ(table.find("At 100 %"), std::string::npos) << table;
    const std::string own = printed(words("@noise:24", "nearest; bspline", {"--zoom", "2", "--reference", "own"}));
    EXPECT_NE(own.find("arithmetic error"), std::string::npos) << own;
    for (const char* none : {"PSNR", "SSIM"}) EXPECT_EQ(own.find(none), std::string::npos) << own;
    EXPECT_NE(printed(words("@noise:24", "nearest; bspline", {})).find("At 100 %"), std::string::npos);
}

TEST_F(Compare, AnImageCanBeTheReference) {
    const Image a = noise(20, 16, 1, SampleType::u8, 1), b = noise(20, 16, 1, SampleType::u8, 2);
    const std::string in = store(a), other = store(b, "b.pam");
    const json result = figures(in, "bilinear", {"--reference", other});
    Expected expected;
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 20; ++x) expected.add(a.value(x, y, 0), double(std::lround(b.value(x, y, 0) * 255)) / 255);
    EXPECT_NEAR(result["panes"][0]["rmse"], expected.rmse(), 1e-7);
    EXPECT_EQ(result["reference"], other);
    expect_error(2, words(in, "bilinear", {"--reference", store(noise(20, 17, 1, SampleType::u8, 2), "c.pam")}),
                 {"c.pam has 20×17 samples", "20×16", "the same ratio"});
    expect_error(2, words(in, "bilinear", {"--reference", store(noise(20, 16, 3, SampleType::u8, 2), "d.pam")}),
                 {"d.pam", "the same channels"});
    expect_error(1, words(in, "bilinear", {"--reference", path("none.png")}), {"none.png", "no such file"});
}

TEST_F(Compare, OnlyTheSelectionIsMeasured) {
    const Image image = noise(32, 24, 1, SampleType::u8, 6);
    const std::string in = store(image);
    const json result =
        figures(in, "nearest", {"--translate", "0.25,0", "--reference", "bilinear", "--select", "4,5,12.25,9"});
    Expected expected;
    for (int y = 5; y < 9; ++y)
        for (int x = 4; x < 12; ++x) {
            const double here = std::lround(image.value(x, y, 0) * 255),
                         next = std::lround(image.value(x + 1, y, 0) * 255);
            expected.add(here / 255, (0.75 * here + 0.25 * next) / 255);
        }
    EXPECT_EQ(result["panes"][0]["pixels"], 8 * 4);
    EXPECT_NEAR(result["panes"][0]["rmse"], expected.rmse(), 1e-7);
    const json inside = figures(in, "bilinear", {"--scale", "2", "--outside", "background"});
    EXPECT_LT(inside["panes"][0]["pixels"], 16 * 12 + 1);
}

TEST_F(Compare, TheTableNamesWhatWasCompared) {
    const std::string table = printed(words("@noise:24", "bspline:path=hardware; nearest", {"--zoom", "2"}));
    for (const char* part :
         {"@noise:24", "24×24", "200 % (2:1)", "reference  quintic B-spline (quintic), exact, in float64", "(cpu)",
          "RMSE", "PSNR against quintic B-spline", " dB", "SSIM", "Gpixel/s",
          "A  bspline:path=hardware,address=clamp,prefilter=iir", "B  nearest:path=auto,address=clamp"})
        EXPECT_NE(table.find(part), std::string::npos) << part << "\n" << table;
}

TEST_F(Compare, WritesJsonAndSheet) {
    const std::string table = printed(words("@zone-plate:300x200", "bilinear; bspline; nearest",
                                            {"--zoom", "3", "--json", path("f.json"), "--sheet", path("s.png"),
                                             "--columns", "3", "--difference", "signed", "--map", "balance"}));
    EXPECT_NE(table.find("Gpixel/s"), std::string::npos);
    EXPECT_EQ(json::parse(content("f.json"))["panes"].size(), 3u);
    const Image sheet = read_image(path("s.png"));
    EXPECT_GT(sheet.width(), 3 * 300);
    EXPECT_GT(sheet.height(), 200);
    EXPECT_LT(sheet.height(), 500);
}

TEST_F(Compare, WrongWordsAreRefused) {
    const auto refuse = [&](const std::string& panes, std::vector<std::string> more, std::vector<std::string> parts) {
        expect_error(2, words("@step:16", panes, more), parts);
    };
    expect_error(2, {"compare"}, {"IN"});
    refuse("", {}, {"--panes must list 1 to 16 methods", "\"bspline; catmull-rom"});
    refuse("bspline", {"--path", "texture"}, {"texture", "hardware"});
    refuse("bspline;;nearest", {}, {"pane B is empty"});
    refuse("bspline; cubic", {}, {"--panes, pane B", "unknown method 'cubic'"});
    std::string many = "nearest";
    for (int i = 0; i < 16; ++i) many += ";nearest";
    refuse(many, {}, {"1 to 16", "17"});
    refuse("bspline", {"--reference", "cubic"}, {"--reference", "unknown method 'cubic'", "own"});
    refuse("bspline", {"--select", "1,2,3"}, {"--select", "X0,Y0,X1,Y1"});
    refuse("bspline", {"--select", "4,2,3,9"}, {"X0 below X1"});
    refuse("bspline", {"--select", "1000,0,1010,9"}, {"--select must be on the picture", "from -0.5,-0.5 to "});
    refuse("bspline", {"--select", "0,-9,9,-0.5"}, {"--select must be on the picture", "'0,-9,9,-0.5'"});
    refuse("bspline", {"--size", "0x4"}, {"--size"});
    refuse("bspline", {"--columns", "2"}, {"--columns", "--sheet"});
    refuse("bspline", {"--sheet", path("out.frob")}, {".frob", ".png"});
    refuse("bspline", {"--sheet", path("out.png"), "--columns", "2.5"}, {"--columns", "2.5"});
    refuse("bspline", {"--difference", "signed"}, {"--difference", "--sheet"});
    refuse("bspline", {"--gain", "2"}, {"--gain", "--difference"});
    refuse("bspline", {"--sheet", path("out.png"), "--difference", "cubed"},
           {"signed, absolute, squared, relative", "flip"});
    refuse("bspline", {"--sheet", path("out.png"), "--difference", "signed", "--gain", "0"}, {"--gain", "from 1"});
    refuse("bspline", {"--sheet", path("out.png"), "--difference", "signed", "--map", "jet"}, {"--map", "ember"});
    expect_error(2, {"compare", "@step:16", "--panes", "bspline", "--backend", "opencl"}, {"opencl", "cpu"});
}

// A session instead of images: reported before there is a window.
TEST_F(Compare, SessionsAreReadBeforeTheWindowOpens) {
    const std::string session = write("s.json", R"({"texelscope":1,"panes":[{"spec":"bicubix"}]})");
    expect_error(1, {session}, {"s.json: panes[0].spec", "unknown method 'bicubix'"});
    expect_error(2, {session, "@step:16"}, {"s.json", "open it on its own"});
    expect_error(2, {session, "--zoom", "2"}, {"s.json", "leave out these options"});
    expect_error(1, {path("none.json")}, {"none.json", "no such file"});
}

}  // namespace
}  // namespace texelscope::test
