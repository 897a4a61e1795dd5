// By what methods are ranked: the names, the order, and the sentence when figures disagree.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "app/studies/restoring/many_pictures.h"
#include "app/studies/restoring/restoring.h"
#include "gpu/core/errors.h"

namespace texelscope::test {
namespace {

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

}  // namespace
}  // namespace texelscope::test
