// Comparing the colours of two renderings, on every backend.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpu/compare/colours.h"
#include "gpu/compare/delta_e.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

struct Pictures {
    int width = 0, height = 0, channels = 3;
    std::vector<float> a, r;
    std::vector<int> rows;
    std::optional<Interior> inside;
};

class ComparedColours : public OnBackend {
protected:
    template <class Number> std::shared_ptr<void> uploaded(const std::vector<Number>& values) {
        const std::shared_ptr<void> memory = backend_->allocate(values.size() * sizeof(Number));
        backend_->write(memory.get(), values.data(), values.size() * sizeof(Number));
        return memory;
    }

    std::unique_ptr<BothColours> sums_of(const Pictures& p) {
        const auto a = uploaded(p.a), r = uploaded(p.r), rows = uploaded(p.rows);
        const auto memory = backend_->allocate(sizeof(BothColours));
        const ColourJob job{static_cast<const float*>(a.get()),
                            static_cast<const float*>(r.get()),
                            p.width,
                            p.height,
                            p.channels,
                            static_cast<const int*>(rows.get()),
                            int(p.rows.size()),
                            p.inside};
        auto sums = std::make_unique<BothColours>();
        for (int k = 0; k < 2; ++k) {  // the second does not add to the first
            backend_->compare_colours(job, static_cast<BothColours*>(memory.get()));
            backend_->read_back(sums.get(), memory.get(), sizeof(BothColours));
        }
        return sums;
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
ColourFigures expected(const Pictures& p, bool only_inside) {
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

void expect_near(const ColourFigures& got, const ColourFigures& right) {
    EXPECT_NEAR(got.mean, right.mean, 1e-5);
    EXPECT_NEAR(got.percentile_95, right.percentile_95, colour_step);
}

TEST_P(ComparedColours, MeanAndPercentileOfAllAndInside) {
    for (const int channels : {3, 4}) {
        Pictures p = random_pictures(61, 47, channels);
        for (const Interior& inside : {Interior{.margin_x = 5, .margin_y = 9}, Interior{.radius = 17.5}}) {
            p.inside = inside;
            const auto sums = sums_of(p);
            expect_near(figures_of(sums->all), expected(p, false));
            expect_near(figures_of(sums->inside), expected(p, true));
        }
        p.rows = {3, 4, 20, 46};
        p.inside = {};
        const auto sums = sums_of(p);
        EXPECT_EQ(sums->all.pixels, 4 * 61);
        EXPECT_EQ(sums->inside.pixels, 0);
        EXPECT_TRUE(std::isnan(figures_of(sums->inside).mean));
        expect_near(figures_of(sums->all), expected(p, false));
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
    const auto sums = sums_of(p);
    EXPECT_EQ(sums->all.pixels, 398);
    EXPECT_NEAR(figures_of(sums->all).mean, 100 * 40 / 398.0, 1e-5);
    EXPECT_NEAR(figures_of(sums->all).percentile_95, 100, 1e-9);
    EXPECT_EQ(figures_of(sums->inside).mean, 0);
    EXPECT_EQ(figures_of(sums->inside).percentile_95, 0);
}

TEST_P(ComparedColours, WhatHasNoColoursIsRefused) {
    EXPECT_THROW(sums_of(random_pictures(4, 4, 1)), Error);
    Pictures none = random_pictures(4, 4, 3);
    none.rows.clear();
    EXPECT_THROW(sums_of(none), Error);
}

ON_EVERY_BACKEND(ComparedColours);

}  // namespace
}  // namespace texelscope::test
