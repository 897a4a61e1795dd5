// The answer in one sentence: the best, and what comes near it at a lower cost.

#include "app/studies/restoring/verdict.h"

#include <cmath>

#include <gtest/gtest.h>

namespace texelscope::test {
namespace {

RestoredMethod method(const char* id, double psnr, double fetches) {
    RestoredMethod result{.spec = parse_spec(id)};
    result.inside.metrics.psnr = psnr;
    result.fetches = fetches;
    return result;
}

Restoration enlarging() { return parse_restoration("--restore", "4"); }

TEST(RestoringVerdict, NamesTheBestAndWhatIsNearlyAsGoodAndCheaper) {
    EXPECT_EQ(
        verdict(enlarging(), {method("quintic", 32.14, 36), method("lanczos4", 32.1, 64), method("bspline", 31.93, 16),
                              method("nearest", 27, 1)}),
        "Quintic B-spline restores this picture best: 32.1 dB against the original, one other within 0.05 dB; cubic "
        "B-spline is 0.2 dB behind with 16 instead of 36 fetches.");
    EXPECT_EQ(verdict(enlarging(), {method("omoms:path=global", 20.02, 16), method("bspline:path=hardware", 20.0, 4)}),
              "Cubic o-MOMS restores this picture better: 20.0 dB against the original; cubic B-spline is as good "
              "with 4 instead of 16 fetches.");
}

// The best of many that are as good is no better than they are.
TEST(RestoringVerdict, SaysHowManyAreAsGood) {
    EXPECT_EQ(verdict(enlarging(), {method("omoms:path=global", 28.11, 16), method("quintic", 28.11, 36),
                                    method("lanczos4", 28.07, 64), method("lanczos3", 28.0, 36)}),
              "Cubic o-MOMS restores this picture best: 28.1 dB against the original, 2 others within 0.05 dB; nothing "
              "near it reads much less.");
    EXPECT_EQ(verdict(enlarging(), {method("omoms:path=global", 28.11, 16), method("bspline:path=hardware", 28.1, 4),
                                    method("nearest", 20, 1)}),
              "Cubic o-MOMS restores this picture best: 28.1 dB against the original; cubic B-spline is as good with 4 "
              "instead of 16 fetches.")
        << "the one that is named is not counted besides";
    EXPECT_EQ(verdict(enlarging(), {method("quintic", 28.11, 36), method("lanczos3", 28.1, 36)}),
              "Quintic B-spline restores this picture better: 28.1 dB against the original; Lanczos 3 is as good.");
}

TEST(RestoringVerdict, NothingCheaperIsWorthNaming) {
    EXPECT_EQ(
        verdict(enlarging(), {method("bspline", 40, 16), method("bilinear", 33.5, 4), method("nearest", 20, 1)}),
        "Cubic B-spline restores this picture best: 40.0 dB against the original; bilinear follows 6.5 dB behind, "
        "and nothing near it reads much less.");
    EXPECT_EQ(verdict(enlarging(), {method("nearest", INFINITY, 1), method("bilinear", 33, 1)}),
              "Nearest neighbour restores this picture exactly.");
    EXPECT_EQ(verdict(enlarging(), {method("bspline", 31, 1)}),
              "Cubic B-spline restores this picture with 31.0 dB against the original.");
}

TEST(RestoringVerdict, OfTwoOneIsBetterAndNothingElseIsMentioned) {
    EXPECT_EQ(
        verdict(parse_restoration("--restore", "shrink:3"), {method("lanczos3", 41, 36), method("bilinear", 30, 4)}),
        "Lanczos 3 reduces this picture better: 41.0 dB against the ideal reduction; bilinear follows 11.0 dB behind.");
}

TEST(RestoringVerdict, WithoutFiniteValuesThereIsNone) {
    EXPECT_EQ(verdict(enlarging(), {method("bspline", NAN, 1), method("nearest", NAN, 1)}),
              "No method can be judged: the picture has no finite values to compare.");
    EXPECT_EQ(verdict(enlarging(), {}), "No method can be judged: the picture has no finite values to compare.");
}

TEST(RestoringVerdict, NamesWhatTheFiguresAreAgainst) {
    EXPECT_EQ(
        verdict(parse_restoration("--restore", "shrink:3"),
                {method("lanczos3", 41, 36), method("bilinear", 30, 4), method("nearest", 20, 1)}),
        "Lanczos 3 reduces this picture best: 41.0 dB against the ideal reduction; bilinear follows 11.0 dB behind, "
        "and nothing near it reads much less.");
}

}  // namespace
}  // namespace texelscope::test
