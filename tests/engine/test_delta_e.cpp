// ΔE2000 against the published pairs, and sRGB to CIELAB against published primaries.

#include <gtest/gtest.h>

#include "gpu/compare/delta_e.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

struct Pair {
    Lab p, q;
    double difference;
};

// Sharma, Wu & Dalal 2005, table 1.
constexpr Pair published[] = {
    {{50.0000, 2.6772, -79.7751}, {50.0000, 0.0000, -82.7485}, 2.0425},
    {{50.0000, 3.1571, -77.2803}, {50.0000, 0.0000, -82.7485}, 2.8615},
    {{50.0000, 2.8361, -74.0200}, {50.0000, 0.0000, -82.7485}, 3.4412},
    {{50.0000, -1.3802, -84.2814}, {50.0000, 0.0000, -82.7485}, 1.0000},
    {{50.0000, -1.1848, -84.8006}, {50.0000, 0.0000, -82.7485}, 1.0000},
    {{50.0000, -0.9009, -85.5211}, {50.0000, 0.0000, -82.7485}, 1.0000},
    {{50.0000, 0.0000, 0.0000}, {50.0000, -1.0000, 2.0000}, 2.3669},
    {{50.0000, -1.0000, 2.0000}, {50.0000, 0.0000, 0.0000}, 2.3669},
    {{50.0000, 2.4900, -0.0010}, {50.0000, -2.4900, 0.0009}, 7.1792},
    {{50.0000, 2.4900, -0.0010}, {50.0000, -2.4900, 0.0010}, 7.1792},
    {{50.0000, 2.4900, -0.0010}, {50.0000, -2.4900, 0.0011}, 7.2195},
    {{50.0000, 2.4900, -0.0010}, {50.0000, -2.4900, 0.0012}, 7.2195},
    {{50.0000, -0.0010, 2.4900}, {50.0000, 0.0009, -2.4900}, 4.8045},
    {{50.0000, -0.0010, 2.4900}, {50.0000, 0.0010, -2.4900}, 4.8045},
    {{50.0000, -0.0010, 2.4900}, {50.0000, 0.0011, -2.4900}, 4.7461},
    {{50.0000, 2.5000, 0.0000}, {50.0000, 0.0000, -2.5000}, 4.3065},
    {{50.0000, 2.5000, 0.0000}, {73.0000, 25.0000, -18.0000}, 27.1492},
    {{50.0000, 2.5000, 0.0000}, {61.0000, -5.0000, 29.0000}, 22.8977},
    {{50.0000, 2.5000, 0.0000}, {56.0000, -27.0000, -3.0000}, 31.9030},
    {{50.0000, 2.5000, 0.0000}, {58.0000, 24.0000, 15.0000}, 19.4535},
    {{50.0000, 2.5000, 0.0000}, {50.0000, 3.1736, 0.5854}, 1.0000},
    {{50.0000, 2.5000, 0.0000}, {50.0000, 3.2972, 0.0000}, 1.0000},
    {{50.0000, 2.5000, 0.0000}, {50.0000, 1.8634, 0.5757}, 1.0000},
    {{50.0000, 2.5000, 0.0000}, {50.0000, 3.2592, 0.3350}, 1.0000},
    {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
    {{63.0109, -31.0961, -5.8663}, {62.8187, -29.7946, -4.0864}, 1.2630},
    {{61.2901, 3.7196, -5.3901}, {61.4292, 2.2480, -4.9620}, 1.8731},
    {{35.0831, -44.1164, 3.7933}, {35.0232, -40.0716, 1.5901}, 1.8645},
    {{22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}, 2.0373},
    {{36.4612, 47.8580, 18.3852}, {36.2715, 50.5065, 21.2231}, 1.4146},
    {{90.8027, -2.0831, 1.4410}, {91.1528, -1.6435, 0.0447}, 1.4441},
    {{90.9257, -0.5406, -0.9208}, {88.6381, -0.8985, -0.7239}, 1.5381},
    {{6.7747, -0.2908, -2.4247}, {5.8714, -0.0985, -2.2286}, 0.6377},
    {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082},
};
static_assert(std::size(published) == 34);

TEST(DeltaE, AgreesWithThePublishedPairs) {
    constexpr double last_digit = 5e-5;  // of the table, rounded
    for (size_t k = 0; k < std::size(published); ++k)
        EXPECT_NEAR(delta_e_2000(published[k].p, published[k].q), published[k].difference, last_digit)
            << "pair " << k + 1;
}

TEST(DeltaE, IsSymmetricAndZeroForEqualColours) {
    Random random(7);
    const auto any = [&] { return Lab{random.between(0, 100), random.between(-90, 90), random.between(-90, 90)}; };
    for (int k = 0; k < 10000; ++k) {
        const Lab p = any(), q = any();
        EXPECT_NEAR(delta_e_2000(p, q), delta_e_2000(q, p), 1e-12);
        EXPECT_EQ(delta_e_2000(p, p), 0);
        EXPECT_GT(delta_e_2000(p, q), 0);
    }
    for (const Pair& pair : published) EXPECT_NEAR(delta_e_2000(pair.q, pair.p), delta_e_2000(pair.p, pair.q), 1e-12);
}

// Along greys, chroma and hue do not differ: equation 22 is ΔL / S_L.
TEST(DeltaE, OfGreysIsThatOfTheirLightness) {
    EXPECT_NEAR(delta_e_2000({49, 0, 0}, {51, 0, 0}), 2, 1e-12);
    EXPECT_NEAR(delta_e_2000({0, 0, 0}, {100, 0, 0}), 100, 1e-12);
}

TEST(DeltaE, LabOfSrgbColours) {
    const auto expect = [](const Lab& got, const Lab& wanted, double tolerance) {
        EXPECT_NEAR(got.l, wanted.l, tolerance);
        EXPECT_NEAR(got.a, wanted.a, tolerance);
        EXPECT_NEAR(got.b, wanted.b, tolerance);
    };
    // Of the standard's primaries, as colour calculators give them.
    expect(lab_of_srgb(1, 0, 0), {53.2408, 80.0925, 67.2032}, 0.01);
    expect(lab_of_srgb(0, 1, 0), {87.7347, -86.1827, 83.1793}, 0.01);
    expect(lab_of_srgb(0, 0, 1), {32.2970, 79.1875, -107.8602}, 0.01);
    expect(lab_of_srgb(1, 1, 1), {100, 0, 0}, 1e-10);
    expect(lab_of_srgb(0, 0, 0), {0, 0, 0}, 1e-12);
    for (int level = 0; level <= 255; ++level) {
        const Lab grey = lab_of_srgb(level / 255.0, level / 255.0, level / 255.0);
        EXPECT_NEAR(grey.a, 0, 1e-10) << level;
        EXPECT_NEAR(grey.b, 0, 1e-10) << level;
    }
}

}  // namespace
}  // namespace texelscope::test
