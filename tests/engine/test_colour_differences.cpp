// Differences of colours.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpu/compare/compared_pixel.h"
#include "gpu/compare/error_map.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

// ΔE2000 against the published pairs, and sRGB to CIELAB against published primaries.

struct PublishedPair {
    Lab p, q;
    double difference;
};

// Sharma, Wu & Dalal 2005, table 1.
constexpr PublishedPair published[] = {
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
    for (const PublishedPair& pair : published)
        EXPECT_NEAR(delta_e_2000(pair.q, pair.p), delta_e_2000(pair.p, pair.q), 1e-12);
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
    // Lab of the standard's primaries, as colour calculators give them.
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

// Comparing the colours of two renderings, on every backend.

struct Pictures {
    int width = 0, height = 0, channels = 3;
    std::vector<float> a, r;
    std::vector<int> rows;
    std::optional<Interior> inside;
};

struct BothFigures {
    MapFigures all, inside;
};

class ComparedColours : public OnBackend {
protected:
    template <class Number> std::shared_ptr<void> uploaded(const std::vector<Number>& values) {
        const std::shared_ptr<void> memory = backend_->allocate(values.size() * sizeof(Number));
        backend_->write(memory.get(), values.data(), values.size() * sizeof(Number));
        return memory;
    }

    BothFigures figures(const Pictures& p) {
        const std::vector<int> first{0};  // a GPU has no memory of no size
        const auto a = uploaded(p.a), r = uploaded(p.r), rows = uploaded(p.rows.empty() ? first : p.rows);
        ErrorMapJob job{PicturePair{
            .values = {a.get()}, .reference = {r.get()}, .width = p.width, .height = p.height, .channels = p.channels}};
        job.kind = DifferenceKind::delta_e;
        job.colours = p.channels == 1 ? 1 : 3;
        job.rows = static_cast<const int*>(rows.get());
        job.row_count = int(p.rows.size());
        const auto memory = backend_->allocate(map_size(job) * sizeof(float) + 4);
        auto* map = static_cast<float*>(memory.get());
        backend_->map_errors(job, map);
        BothFigures both;
        for (int k = 0; k < 2; ++k)  // the second does not add to the first
            both.all = backend_->map_figures({.map = map,
                                              .width = p.width,
                                              .height = p.height,
                                              .rows = job.rows,
                                              .row_count = job.row_count,
                                              .inside = p.inside,
                                              .step = map_step(job.kind)},
                                             &both.inside);
        return both;
    }
};

Pictures random_pictures(int width, int height, int channels) {
    Pictures p{width, height, channels, {}, {}, {}, {}};
    Random random(7);
    for (int k = 0; k < width * height * channels; ++k) {
        p.a.push_back(float(random.between(-0.1, 1.1)));
        p.r.push_back(p.a.back() + float(random.between(-0.2, 0.2)));
    }
    for (int y = 0; y < height; ++y) p.rows.push_back(y);
    return p;
}

Lab lab_of(const float* v) {
    return lab_of_srgb(std::clamp(v[0], 0.0f, 1.0f), std::clamp(v[1], 0.0f, 1.0f), std::clamp(v[2], 0.0f, 1.0f));
}

// With every difference at hand: the mean, and the percentile of the sorted ones.
struct ExpectedColours {
    double mean, percentile_95;
};

ExpectedColours expected(const Pictures& p, bool only_inside) {
    std::vector<double> differences;
    for (const int y : p.rows)
        for (int x = 0; x < p.width; ++x) {
            if (only_inside && (!p.inside || !p.inside->contains(x, y, {p.width, p.height}))) continue;
            const size_t at = size_t(y * p.width + x) * size_t(p.channels);
            const double difference = delta_e_2000(lab_of(&p.a[at]), lab_of(&p.r[at]));
            if (!std::isnan(p.a[at] + p.r[at])) differences.push_back(difference);
        }
    std::sort(differences.begin(), differences.end());
    double sum = 0;
    for (const double d : differences) sum += d;
    const double rank = 0.95 * double(differences.size() - 1);
    const size_t below = size_t(rank), above = std::min(below + 1, differences.size() - 1);
    return {sum / double(differences.size()),
            differences[below] + (rank - double(below)) * (differences[above] - differences[below])};
}

void expect_near(const MapFigures& got, const ExpectedColours& right) {
    EXPECT_NEAR(got.mean, right.mean, 1e-5);
    EXPECT_NEAR(got.percentile_95, right.percentile_95, map_step(DifferenceKind::delta_e));
}

TEST_P(ComparedColours, MeanAndPercentileOfAllAndInside) {
    for (const int channels : {3, 4}) {
        Pictures p = random_pictures(61, 47, channels);
        for (const Interior& inside : {Interior{.margin_x = 5, .margin_y = 9}, Interior{.radius = 17.5}}) {
            p.inside = inside;
            const BothFigures both = figures(p);
            expect_near(both.all, expected(p, false));
            expect_near(both.inside, expected(p, true));
        }
        p.rows = {3, 4, 20, 46};
        p.inside = {};
        const BothFigures both = figures(p);
        EXPECT_EQ(both.all.pixels, 4 * 61);
        EXPECT_EQ(both.inside.pixels, 0);
        EXPECT_TRUE(std::isnan(both.inside.mean));
        expect_near(both.all, expected(p, false));
    }
}

TEST_P(ComparedColours, KnownDifferencesAndPixelsThatAreNotFinite) {
    Pictures p = random_pictures(20, 20, 3);
    std::fill(p.r.begin(), p.r.end(), 0.0f);             // black
    std::fill(p.a.begin(), p.a.end(), -1.0f);            // clamped
    std::fill(p.a.begin(), p.a.begin() + 3 * 40, 7.0f);  // white: ΔE 100
    p.a[3 * 399 + 1] = std::nanf("");
    p.r[3 * 398] = INFINITY;
    p.inside = Interior{.margin_y = 2};
    const BothFigures both = figures(p);
    EXPECT_EQ(both.all.pixels, 398);
    EXPECT_NEAR(both.all.mean, 100 * 40 / 398.0, 1e-5);
    EXPECT_NEAR(both.all.percentile_95, 100, 1e-9);
    EXPECT_EQ(both.inside.mean, 0);
    EXPECT_EQ(both.inside.percentile_95, 0);
}

TEST_P(ComparedColours, WhatHasNoColoursIsRefused) {
    EXPECT_THROW(figures(random_pictures(4, 4, 2)), Error);
    Pictures none = random_pictures(4, 4, 3);
    none.rows.clear();
    EXPECT_THROW(figures(none), Error);
}

ON_EVERY_BACKEND(ComparedColours);

}  // namespace
}  // namespace texelscope::test
