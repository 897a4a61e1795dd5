// By what methods are ranked, and over many pictures: the statistics against a model in NumPy and SciPy, and facts in closed
// form.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "app/files/reading/image_files.h"
#include "app/studies/restoring/many_pictures.h"
#include "app/studies/restoring/restoring.h"
#include "gpu/core/errors.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// What /usr/bin/python3 prints, as numbers; empty without NumPy and SciPy.
std::vector<double> numbers_of_python(const std::string& script) {
    const std::string command = "/usr/bin/python3 -c '" + script + "' 2>/dev/null";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    if (!pipe) return {};
    std::string text;
    std::array<char, 4096> bytes;
    while (const size_t count = std::fread(bytes.data(), 1, bytes.size(), pipe)) text.append(bytes.data(), count);
    ::pclose(pipe);
    std::istringstream words(text);
    std::vector<double> numbers;
    for (double number; words >> number;) numbers.push_back(number);
    return numbers;
}

std::vector<double> some_differences(size_t count) {
    std::vector<double> values;
    for (size_t k = 0; k < count; ++k) values.push_back(0.1 + std::sin(double(k * k) + 0.3));
    return values;
}

std::string python_list(const std::vector<double>& values) {
    std::ostringstream text;
    text.precision(17);
    for (const double value : values) text << (text.tellp() == 0 ? "[" : ",") << value;
    return text.str() + "]";
}

// A record of a picture as restoring_json() writes it.
std::string record_of(const std::vector<std::pair<std::string, double>>& methods, double factor = 4) {
    std::ostringstream text;
    text.precision(17);
    text << R"({"image": "p", "restore": {"kind": "shrink", "factor": )" << factor
         << R"(, "filter": "lanczos3:path=auto,address=clamp", "width": 8, "height": 8}, "linear_light": false,)"
         << R"("backend": "cpu", "device": "a CPU", "methods": [)";
    for (size_t k = 0; k < methods.size(); ++k) {
        std::ostringstream figures;
        figures.precision(17);
        figures << R"({"psnr": )";
        if (std::isinf(methods[k].second)) figures << R"(null, "rmse": 0)";
        else figures << methods[k].second << R"(, "rmse": 0.5)";
        figures << R"(, "ssim": 0.5, "max_abs": 0.1, "pixels": 9, "worst": [3, 4], "delta_e_mean": null,)"
                << R"("delta_e_95": null})";
        text << (k > 0 ? "," : "") << R"({"spec": ")" << methods[k].first << R"(", "interior": )" << figures.str()
             << R"(, "all": )" << figures.str() << R"(, "microseconds": 1000, "fetches": 4})";
    }
    return text.str() + "]}";
}

const std::vector<std::string> three = {"nearest:path=auto,address=clamp", "bilinear:path=auto,address=clamp",
                                        "catmull-rom:path=auto,address=clamp"};

// Pictures of these figures of nearest, bilinear and Catmull–Rom.
std::vector<JudgedPicture> pictures_with(const std::vector<std::array<double, 3>>& psnr) {
    std::vector<JudgedPicture> pictures;
    for (size_t k = 0; k < psnr.size(); ++k)
        pictures.push_back(
            judged_picture(k, "p" + std::to_string(k) + ".png",
                           record_of({{three[2], psnr[k][2]}, {three[0], psnr[k][0]}, {three[1], psnr[k][1]}}), three));
    return pictures;
}

const MethodSummary& summary_for(const PicturesResult& result, std::string_view id) {
    for (const MethodSummary& summary : result.methods)
        if (summary.average.spec.method->id == id) return summary;
    throw Error("no such method");
}

// The bootstrap's draws in NumPy: SplitMix64 in wrapping 64-bit arithmetic.
TEST(ManyPictures, TheIntervalIsThatOfNumPyWithTheSameDraws) {
    for (const size_t count : {1, 2, 7, 24}) {
        const std::vector<double> values = some_differences(count);
        const std::vector<double> expected = numbers_of_python(R"(
import numpy as np
d = np.array()" + python_list(values) + R"()
n = d.size
k = np.arange(1, 10000 * n + 1, dtype=np.uint64)
z = np.uint64(44) + k * np.uint64(0x9E3779B97F4A7C15)
z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
z = z ^ (z >> np.uint64(31))
at = ((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)
means = d[at.astype(int)].reshape(10000, n).mean(axis=1)
print(*[repr(float(v)) for v in np.percentile(means, [2.5, 97.5])])
)");
        if (expected.empty()) GTEST_SKIP() << "needs /usr/bin/python3 with NumPy";
        ASSERT_EQ(expected.size(), 2u);
        const ValueRange range = bootstrapped_mean(values);
        EXPECT_NEAR(range.low, expected[0], 1e-12) << count;
        EXPECT_NEAR(range.high, expected[1], 1e-12) << count;
    }
}

// Other draws differ by chance: by about 1/√(10 000 · 0.025) of the spread of the means at their ends.
TEST(ManyPictures, TheIntervalIsNearThatOfSciPysBootstrap) {
    const std::vector<double> values = some_differences(24);
    const std::vector<double> expected = numbers_of_python(R"(
import numpy as np, scipy.stats
d = np.array()" + python_list(values) + R"()
r = scipy.stats.bootstrap((d,), np.mean, n_resamples=100000, method="percentile", batch=1000, random_state=1)
print(r.confidence_interval.low, r.confidence_interval.high, r.standard_error)
)");
    if (expected.empty()) GTEST_SKIP() << "needs /usr/bin/python3 with SciPy";
    ASSERT_EQ(expected.size(), 3u);
    const ValueRange range = bootstrapped_mean(values);
    EXPECT_NEAR(range.low, expected[0], 0.1 * expected[2]);
    EXPECT_NEAR(range.high, expected[1], 0.1 * expected[2]);
    EXPECT_TRUE(range.contains(0.1));
}

TEST(ManyPictures, EqualDifferencesHaveAnIntervalWithoutWidth) {
    const ValueRange range = bootstrapped_mean(std::vector<double>(9, 0.25));
    EXPECT_EQ(range.low, 0.25);
    EXPECT_EQ(range.high, 0.25);
    EXPECT_TRUE(std::isnan(bootstrapped_mean({}).low));
}

TEST(ManyPictures, StatisticsAreThoseOfTheFigures) {
    const PicturesResult result =
        summary_of(pictures_with({{20, 30, 31}, {22, 33, 31}, {INFINITY, INFINITY, INFINITY}, {19, 27, 28}}));
    const MethodSummary &nearest = summary_for(result, "nearest"), &bilinear = summary_for(result, "bilinear"),
                        &cubic = summary_for(result, "catmull-rom");
    EXPECT_DOUBLE_EQ(nearest.average.inside.metrics.psnr, (20 + 22 + 120 + 19) / 4.0) << "exact counts as 120 dB";
    EXPECT_DOUBLE_EQ(nearest.median, 21);
    EXPECT_DOUBLE_EQ(nearest.least, 19);
    EXPECT_DOUBLE_EQ(nearest.low, 19.75);
    EXPECT_DOUBLE_EQ(nearest.high, 46.5);
    EXPECT_DOUBLE_EQ(nearest.most, 120);
    // numpy.std([20, 22, 120, 19], ddof=1)
    EXPECT_NEAR(nearest.spread, 49.84893847081066, 1e-12);
    EXPECT_EQ(nearest.wins, 1u);
    EXPECT_EQ(bilinear.wins, 2u);
    EXPECT_EQ(cubic.wins, 3u);
    EXPECT_DOUBLE_EQ(nearest.rank, (3 + 3 + 2 + 3) / 4.0);
    EXPECT_DOUBLE_EQ(bilinear.rank, (2 + 1 + 2 + 2) / 4.0);
    EXPECT_DOUBLE_EQ(cubic.rank, (1 + 2 + 2 + 1) / 4.0);
    EXPECT_EQ(nearest.best, 2u);
    EXPECT_EQ(nearest.worst, 3u);
    EXPECT_EQ(cubic.average.inside.metrics.psnr, bilinear.average.inside.metrics.psnr);
    EXPECT_DOUBLE_EQ(nearest.behind, bilinear.average.inside.metrics.psnr - nearest.average.inside.metrics.psnr);
}

TEST(ManyPictures, TheVerdictSaysHowSureTheOrderIs) {
    std::vector<std::array<double, 3>> figures;
    EXPECT_EQ(verdict(summary_of({})), "No picture could be judged.");
    figures.push_back({20, 30, 31});
    EXPECT_THAT(verdict(summary_of(pictures_with(figures))),
                testing::HasSubstr("One picture says nothing about others"));
    for (int k = 0; k < 4; ++k) figures.push_back({20.0 + k, 30.0 + k, 31.0 + k});
    EXPECT_THAT(verdict(summary_of(pictures_with(figures))), testing::HasSubstr("With fewer than 6 pictures"));
    figures.push_back({18, 28, 29.5});
    const std::string sure = verdict(summary_of(pictures_with(figures)));
    EXPECT_THAT(sure, testing::StartsWith("Catmull–Rom restores 6 pictures best: "));
    EXPECT_THAT(sure, testing::HasSubstr("bilinear is behind by 1.08 dB (1.00 to "));
    for (int k = 0; k < 6; ++k) figures.push_back({20, k % 2 ? 33.0 : 30.0, 31});
    const std::string open = verdict(summary_of(pictures_with(figures)));
    EXPECT_THAT(open, testing::StartsWith("Catmull–Rom and bilinear cannot be told apart with 12 pictures: ")) << open;
    EXPECT_THAT(open, testing::HasSubstr("nearest neighbour is behind by "));
}

TEST(ManyPictures, PicturesWithoutValuesAreLeftOut) {
    std::vector<JudgedPicture> pictures = pictures_with({{20, 30, 31}, {21, 31, 32}});
    pictures.push_back({.index = 2, .source = "broken.png", .problem = "broken.png: no picture", .record = {}});
    const PicturesResult result = summary_of(std::move(pictures));
    EXPECT_EQ(result.judged(), 2u);
    EXPECT_EQ(result.pictures.size(), 3u);
    EXPECT_DOUBLE_EQ(summary_for(result, "nearest").median, 20.5);
}

TEST(ManyPictures, MergedPartsAreTheWhole) {
    const std::vector<std::array<double, 3>> figures = {{20, 30, 31}, {21, 31, 30}, {22, 32, 35}, {17, 29, INFINITY}};
    const std::vector<JudgedPicture> all = pictures_with(figures);
    const std::string whole = pictures_json(summary_of(all));
    std::vector<NamedText> parts;
    for (size_t part = 0; part < 3; ++part) {
        std::vector<JudgedPicture> some;
        for (size_t k = part; k < all.size(); k += 3) some.push_back(all[k]);
        parts.push_back({"part" + std::to_string(part), pictures_json(summary_of(some))});
    }
    EXPECT_EQ(pictures_json(summary_of(merged_pictures(parts))), whole);
    std::swap(parts[0], parts[2]);
    EXPECT_EQ(pictures_json(summary_of(merged_pictures(parts))), whole);

    const auto refusal = [&](NamedText other) {
        const NamedText both[] = {parts[0], std::move(other)};
        return test::refusal([&] { merged_pictures(both); });
    };
    EXPECT_THAT(refusal(parts[0]), testing::HasSubstr("p2.png is in part2 already"));
    EXPECT_THAT(refusal({"x.json", "{}"}), testing::HasSubstr("x.json: it is no result of"));
    EXPECT_THAT(refusal({"x.json", "<html>"}), testing::HasSubstr("x.json: it is no result of"));
    JudgedPicture other =
        judged_picture(9, "q.png", record_of({{three[0], 1}, {three[1], 2}, {three[2], 3}}, 2), three);
    EXPECT_THAT(refusal({"y.json", pictures_json(summary_of({other}))}),
                testing::HasSubstr("y.json: it is of another test"));
}

// By what methods are ranked: the names, the order, and the sentence when figures disagree.

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RestoredMethod with_figures(const char* spec, double psnr, double flip) {
    RestoredMethod method{.spec = parse_spec(spec)};
    method.inside.metrics.psnr = psnr;
    method.inside.metrics.rmse = std::pow(10, -psnr / 20);
    method.inside.metrics.pixels = 100;
    method.inside.flip.emplace().mean = flip;
    method.all = method.inside;
    return method;
}

TEST(Judges, AreNamedTheFirstRanksAndPsnrIsAlwaysThere) {
    EXPECT_THAT(parse_judges("--judge", "flip,gmsd"), ElementsAre(Judge::flip, Judge::gmsd, Judge::psnr));
    EXPECT_THAT(parse_judges("--judge", "psnr"), ElementsAre(Judge::psnr));
    EXPECT_THAT(parse_judges("--judge", "ssim,psnr,ssim"), ElementsAre(Judge::ssim, Judge::psnr));
    for (const char* wrong : {"", "flop", "flip,", "flip, ssim"})
        EXPECT_THROW(parse_judges("--judge", wrong), UsageError);
}

TEST(Judges, LessIsBetterOfFlipAndWhatIsNotKnownComesLast) {
    const RestoredMethod a = with_figures("lanczos3", 31, 0.03), b = with_figures("quintic", 32, 0.04);
    RestoredMethod none = b;
    none.inside.flip.reset();
    EXPECT_TRUE(better(a, b, Judge::flip));
    EXPECT_FALSE(better(b, a, Judge::flip));
    EXPECT_TRUE(better(b, a, Judge::psnr));
    EXPECT_TRUE(better(b, none, Judge::flip));
    EXPECT_FALSE(better(none, b, Judge::flip));
    EXPECT_EQ(figure_of(with_figures("nearest", INFINITY, 0), Judge::psnr), most_counted_psnr);
}

TEST(Judges, TheVerdictNamesDisagreement) {
    const std::vector<Judge> judges = {Judge::flip, Judge::psnr};
    const std::vector<RestoredMethod> apart = {with_figures("lanczos3", 31, 0.0312),
                                               with_figures("quintic", 32.1, 0.04)};
    EXPECT_EQ(
        judges_words(judges, apart),
        "Which is best depends on the figure: by FLIP it is Lanczos 3 (0.0312), by PSNR quintic B-spline (32.1 dB).");
    const std::vector<RestoredMethod> agreed = {with_figures("quintic", 32.1, 0.02),
                                                with_figures("lanczos3", 31, 0.03)};
    EXPECT_EQ(judges_words(judges, agreed), "Quintic B-spline is best by FLIP (0.0200) and PSNR (32.1 dB).");
    EXPECT_EQ(judges_words({Judge::gmsd}, agreed), "") << "nobody has computed it";
}

TEST(Judges, WhatTheyLookAtMustBeThere) {
    const Image grey(8, 8, 1, SampleType::u8), two(8, 8, 2, SampleType::f32), colour(8, 8, 3, SampleType::u8);
    EXPECT_THAT(why_no_judge(Judge::delta_e, grey), HasSubstr("compares colours"));
    EXPECT_EQ(why_no_judge(Judge::flip, grey), "");
    EXPECT_THAT(why_no_judge(Judge::flip, two), HasSubstr("not two channels"));
    for (const Judge judge : all_judges) EXPECT_EQ(why_no_judge(judge, colour), "");
    for (const Judge judge : {Judge::psnr, Judge::ssim}) EXPECT_EQ(why_no_judge(judge, two), "");
}

// Seven pictures, of which the first method has less FLIP in all, and more PSNR in none.
TEST(Judges, ManyPicturesAreSummedUpByTheFirst) {
    const auto figures = [](double psnr, double flip) {
        return R"({"psnr":)" + std::to_string(psnr) +
               R"(,"rmse":0.1,"ssim":0.9,"max_abs":0.2,"pixels":100,"worst":[1,2],)" +
               R"("delta_e_mean":null,"delta_e_95":null,"flip_mean":)" + std::to_string(flip) +
               R"(,"flip_weighted_median":0.1})";
    };
    const auto method = [&](const char* spec, double psnr, double flip) {
        return std::string(R"({"spec":")") + spec + R"(","interior":)" + figures(psnr, flip) + R"(,"all":)" +
               figures(psnr, flip) + R"(,"microseconds":5,"fetches":4})";
    };
    const std::vector<std::string> specs = {to_string(parse_spec("lanczos3")), to_string(parse_spec("quintic"))};
    std::vector<JudgedPicture> pictures;
    for (int k = 0; k < 7; ++k) {
        const std::string record =
            R"({"restore":{"kind":"shrink","factor":4,"filter":"lanczos3"},"linear_light":false,"backend":"cpu","device":"one",)"
            R"("judges":["flip","psnr"],"pixels_per_degree":67,"methods":[)" +
            method(specs[0].c_str(), 30 + k, 0.02 + 0.001 * k) + "," +
            method(specs[1].c_str(), 31 + k, 0.03 + 0.001 * k) + "]}";
        pictures.push_back(judged_picture(size_t(k), "p" + std::to_string(k), record, specs));
    }
    const PicturesResult result = summary_of(pictures);
    EXPECT_EQ(result.judge(), Judge::flip);
    ASSERT_EQ(result.methods.size(), 2u);
    const MethodSummary &first = result.methods[0], &second = result.methods[1];
    EXPECT_EQ(first.average.spec.method->id, "lanczos3");
    EXPECT_NEAR(first.mean, 0.023, 1e-9);
    EXPECT_NEAR(first.least, 0.02, 1e-9);
    EXPECT_EQ(first.wins, 7u);
    EXPECT_EQ(first.rank, 1);
    EXPECT_EQ(first.best, 0u) << "the least FLIP";
    EXPECT_EQ(first.worst, 6u);
    EXPECT_NEAR(second.behind, 0.01, 1e-9);
    EXPECT_TRUE(second.apart);
    EXPECT_THAT(verdict(result), HasSubstr("Lanczos 3 restores 7 pictures best: FLIP 0.0230"));
    EXPECT_THAT(verdict(result), HasSubstr("By PSNR quintic B-spline is best on average"));
}

// A function of the position, at pixels that are moved and stretched about the centre.
Image waves(Extent size, const Displacement& lies) {
    Image image(size.width, size.height, 1, SampleType::f32);
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            const double u = (2 * x + 1.0) / size.width - 1, v = (2 * y + 1.0) / size.height - 1;
            const double px = x - lies.right - lies.wider * u, py = y - lies.down - lies.higher * v;
            image.row_as<float>(y)[x] = float(0.5 + 0.15 * std::sin(0.11 * px + 0.05 * py) +
                                              0.1 * std::cos(0.13 * py - 0.02 * px) + 0.1 * std::sin(0.021 * px * 3.1));
        }
    return image;
}

TEST(OutsidePrograms, ResultsThatLieElsewhereAreFound) {
    constexpr Extent size{160, 120};
    const Image original = waves(size, {});
    for (const double blur : {1.0, 2.0, 4.0})
        for (const Displacement& lies : {Displacement{}, Displacement{0.5, 0.5, 0, 0}, Displacement{-0.3, 0.8, 0, 0},
                                         Displacement{0, 0, 1.5, 1.5}, Displacement{0.25, 0, -0.5, 0.6}}) {
            const auto found = displacement_of(waves(size, lies), original, blur);
            ASSERT_TRUE(found);
            EXPECT_NEAR(found->right, lies.right, 0.03) << blur;
            EXPECT_NEAR(found->down, lies.down, 0.03) << blur;
            EXPECT_NEAR(found->wider, lies.wider, 0.06) << blur;
            EXPECT_NEAR(found->higher, lies.higher, 0.06) << blur;
            EXPECT_EQ(found->matters(), lies.right != 0 || lies.wider != 0);
        }
    EXPECT_FALSE(displacement_of(Image(160, 120, 1, SampleType::f32), Image(160, 120, 1, SampleType::f32), 2));
    EXPECT_FALSE(displacement_of(Image(9, 9, 1, SampleType::f32), Image(9, 9, 1, SampleType::f32), 2));
    RestoredMethod method{.spec = outside_spec("result:it", "it")};
    method.displacement = {-0.5, 0.25, 1.5, 0};
    EXPECT_EQ(displacement_words({method}),
              "It is not where the original is: about 0.50 pixels to the left, 0.25 pixels down, 3.00 pixels too wide; "
              "figures count that as an error.");
}

// The examples of the dialog, as far as their programs are here: the result is the picture, as large as it should be.
TEST(OutsidePrograms, ExamplesEnlargeThePicture) {
    const Image given = load_image("@dead-leaves:32");
    for (const ExampleCommand& example : example_commands()) {
        const std::string program = std::string(example.command).substr(0, std::string(example.command).find(' '));
        const bool there = ::system(("command -v " + program + " >/dev/null").c_str()) == 0;
        const std::string name = example.name;
        const bool special = name.find("GPU") != name.npos || name.find("potrace") != name.npos ||
                             name.find("waifu2x") != name.npos;  // drivers, another program, black and white
        if (!there || special) continue;
        const int side = int(std::lround(32 * example.factor));
        const OutsideResult made = program_method(example.command, {}).make(given, {side, side}, [] {});
        const Image values = outside_values(made.image, given, {side, side}, name);
        double mean = 0, wanted = 0, least = 1, most = 0;
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                mean += double(values.value(x, y, 1)) / (side * side);
                least = std::min(least, double(values.value(x, y, 1)));
                most = std::max(most, double(values.value(x, y, 1)));
            }
        for (int y = 0; y < 32; ++y)
            for (int x = 0; x < 32; ++x) wanted += double(given.value(x, y, 1)) / (32 * 32);
        EXPECT_NEAR(mean, wanted, 0.03) << name;
        EXPECT_GT(least, -0.3) << name;
        EXPECT_LT(most, 1.3) << name;
    }
}

}  // namespace
}  // namespace texelscope::test
