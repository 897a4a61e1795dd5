// The ideal reduction: waves that the small picture can hold pass, all others vanish. tests/scipy/check_restoring.py compares
// it with an independent model.

#include <gtest/gtest.h>

#include <cmath>

#include "app/studies/restoring/band_limited.h"

namespace texelscope::test {
namespace {

// Half a period of a mirrored picture is its side: waves of whole numbers of halves.
double wave(double x, int halves, int side) { return std::cos(M_PI * halves * (x + 0.5) / side); }

struct Case {
    Extent from, to;
};

class BandLimited : public testing::TestWithParam<Case> {};

TEST_P(BandLimited, KeepsWavesBelowNyquistAndNoOthers) {
    const auto [from, to] = GetParam();
    const int halves[] = {0, 1, to.width - 1, to.width, from.width - 1};
    for (const int across : halves)
        for (const int down : {1, to.height - 1, to.height}) {
            Image picture(from.width, from.height, 3, SampleType::f32);
            for (int y = 0; y < from.height; ++y)
                for (int x = 0; x < from.width; ++x)
                    for (int c = 0; c < 3; ++c)
                        picture.row_as<float>(y)[3 * x + c] =
                            float((c + 1) * (0.3 + wave(x, across, from.width) * wave(y, down, from.height)));
            const Image small = band_limited(picture, to);
            ASSERT_EQ((Extent{small.width(), small.height()}), to);
            const bool passes =
                (across < to.width || to.width == from.width) && (down < to.height || to.height == from.height);
            for (int y = 0; y < to.height; ++y)
                for (int x = 0; x < to.width; ++x)
                    for (int c = 0; c < 3; ++c) {
                        // At the same place of the picture, outer edges aligned.
                        const double value = 0.3 + (passes ? wave(x, across, to.width) * wave(y, down, to.height) : 0);
                        ASSERT_NEAR(small.row_as<float>(y)[3 * x + c], (c + 1) * value, 1e-6)
                            << across << ", " << down << " half waves at " << x << ", " << y;
                    }
        }
}

// Even and odd sides, ratios that are no whole numbers, prime sides small and large, one axis that stays, a line.
INSTANTIATE_TEST_SUITE_P(Sizes, BandLimited,
                         testing::Values(Case{{48, 36}, {16, 12}}, Case{{49, 37}, {16, 12}}, Case{{60, 41}, {41, 17}},
                                         Case{{97, 53}, {61, 29}}, Case{{40, 30}, {20, 30}}, Case{{90, 2}, {31, 1}}));

TEST(BandLimited, RefusesWhatHasNoSpectrum) {
    Image picture(8, 8, 1, SampleType::f32);
    picture.row_as<float>(5)[3] = std::nanf("");
    EXPECT_THROW(band_limited(picture, {4, 4}), Error);
}

}  // namespace
}  // namespace texelscope::test
