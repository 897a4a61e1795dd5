// Maps of errors against direct readings of the papers in float64: two-dimensional sums, one pixel after the other.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>

#include "gpu/compare/compared_pixel.h"
#include "gpu/compare/error_map.h"
#include "gpu/compare/flip.h"
#include "tests/engine/flip_by_definition.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Two pictures and their map, on every backend.

struct Seen {
    int width = 0, height = 0, channels = 3;
    std::vector<float> a, r;
    ColourPlane plane(const std::vector<float>& from, const std::function<double(double)>& light) const {
        ColourPlane plane{width, height, {}};
        for (size_t k = 0; k < from.size(); k += size_t(channels)) {
            Triple& pixel = plane.v.emplace_back();
            for (size_t c = 0; c < 3; ++c) pixel[c] = light(double(from[k + (channels >= 3 ? c : 0)]));
        }
        return plane;
    }
};

// Blobs, edges and noise, and something else that is nearly the same.
Seen seen_pictures(int width, int height, int channels, double most = 1) {
    Seen seen{width, height, channels, {}, {}};
    Random random(5);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c) {
                const double wave = 0.5 + 0.4 * std::sin(0.21 * x * (c + 1) + 0.13 * y), edge = x > width / 2 ? 0.3 : 0;
                const double r = std::clamp(0.7 * wave + edge + random.between(-0.05, 0.05), 0.0, 1.0);
                const double a = y < height / 3 ? r : std::clamp(0.97 * r + random.between(-0.1, 0.1), -0.1, 1.2);
                seen.r.push_back(float(r * most));
                seen.a.push_back(float(a * most));
            }
    return seen;
}

double srgb_to_linear(double v) {
    v = std::clamp(v, 0.0, 1.0);
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

struct Wanted {
    DifferenceKind kind = DifferenceKind::flip;
    double pixels_per_degree = double(usual_pixels_per_degree);
    FlipExposures exposures = {};
    int colours = 3;
};

class ErrorMap : public OnBackend {
protected:
    std::vector<float> map_of(const Seen& seen, const Wanted& wanted) {
        ErrorMapJob job;
        job.kind = wanted.kind;
        job.pixels_per_degree = wanted.pixels_per_degree;
        job.exposures = wanted.exposures;
        job.colours = wanted.colours;
        const Plane a(*backend_, seen.a), r(*backend_, seen.r);
        job.values = a;
        job.reference = r;
        job.width = seen.width;
        job.height = seen.height;
        job.channels = seen.channels;
        if (job.colours == 3 && seen.channels < 3) job.colours = 1;
        const auto memory = backend_->allocate(map_size(job) * sizeof(float));
        backend_->map_errors(job, static_cast<float*>(memory.get()));
        std::vector<float> map(map_size(job));
        backend_->read_back(map.data(), memory.get(), map.size() * sizeof(float));
        return map;
    }

    static void expect_map(const std::vector<float>& got, const std::vector<double>& right, double tolerance,
                           int width) {
        ASSERT_EQ(got.size(), right.size());
        size_t shown = 0;
        for (size_t k = 0; k < got.size() && shown < 5; ++k) {
            const bool same = std::isnan(right[k])
                                  ? std::isnan(got[k])
                                  : std::abs(double(got[k]) - right[k]) <= tolerance * std::max(1.0, right[k]);
            if (same) continue;
            ADD_FAILURE() << got[k] << " instead of " << right[k] << " at " << k % size_t(width) << ", "
                          << k / size_t(width);
            ++shown;
        }
    }
};

TEST_P(ErrorMap, FlipIsThatOfThePaper) {
    for (const double per_degree : {67.02, 20.0}) {
        const Seen seen = seen_pictures(61, 83, 3);
        const std::vector<float> map = map_of(seen, {.pixels_per_degree = per_degree});
        expect_map(
            map, flip_by_definition(seen.plane(seen.a, srgb_to_linear), seen.plane(seen.r, srgb_to_linear), per_degree),
            1e-4, seen.width);
    }
    const Seen grey = seen_pictures(40, 33, 1);
    expect_map(map_of(grey, {}),
               flip_by_definition(grey.plane(grey.a, srgb_to_linear), grey.plane(grey.r, srgb_to_linear),
                                  double(usual_pixels_per_degree)),
               1e-4, grey.width);
}

TEST_P(ErrorMap, FlipOfHighRangesIsTheLargestOverTheExposures) {
    const Seen seen = seen_pictures(37, 29, 3, 40);
    const FlipExposures exposures{-3.5, 1.25, 4};
    std::vector<double> right(seen.a.size() / 3, 0.0);
    for (int k = 0; k < 4; ++k) {
        const double gain = std::exp2(-3.5 + k * 4.75 / 3);
        const auto tone_mapped = [&](double v) {
            const double x = 0.6 * gain * std::max(v, 0.0);
            return std::clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
        };
        const std::vector<double> one =
            flip_by_definition(seen.plane(seen.a, tone_mapped), seen.plane(seen.r, tone_mapped), 67);
        for (size_t n = 0; n < right.size(); ++n) right[n] = std::max(right[n], one[n]);
    }
    expect_map(map_of(seen, {.pixels_per_degree = 67, .exposures = exposures}), right, 1e-4, seen.width);
}

TEST_P(ErrorMap, OfEqualPicturesIsZeroAndOfBlackAndWhiteNearlyOne) {
    Seen seen = seen_pictures(32, 32, 3);
    seen.a = seen.r;
    for (const DifferenceKind kind : all_difference_kinds) {
        if (!is_map(kind)) continue;
        for (const float value : map_of(seen, {.kind = kind}))
            // A GPU fuses the products of both pictures differently; 0.7 is the exponent of FLIP's colours.
            EXPECT_TRUE(std::isnan(value) || std::abs(value) < (kind == DifferenceKind::flip ? 1e-5f : 1e-7f))
                << name_of(kind) << value;
    }
    std::fill(seen.r.begin(), seen.r.end(), 0.0f);
    std::fill(seen.a.begin(), seen.a.end(), 1.0f);
    // HyAB of black and white is 100, and 100^0.7 is between the knee and the largest error of colours.
    const double largest = 41.2764, knee = 0.4 * largest;
    const double white_on_black = 0.95 + 0.05 * (std::pow(100, 0.7) - knee) / (largest - knee);
    for (const float value : map_of(seen, {})) EXPECT_NEAR(value, white_on_black, 1e-4);
}

TEST_P(ErrorMap, ColoursAreThoseOfEachPixel) {
    Seen seen = seen_pictures(23, 19, 4);
    seen.a[7] = NAN;
    std::vector<double> right;
    for (size_t k = 0; k < seen.a.size(); k += 4) {
        const auto lab = [&](const std::vector<float>& v) {
            const auto level = [&](size_t c) { return std::clamp(double(v[k + c]), 0.0, 1.0); };
            return lab_of_srgb(level(0), level(1), level(2));
        };
        right.push_back(k == 4 ? nothing : delta_e_2000(lab(seen.a), lab(seen.r)));
    }
    expect_map(map_of(seen, {.kind = DifferenceKind::delta_e}), right, 1e-6, seen.width);
}

// All channels of each pixel, with pixels further apart than they are wide.
TEST_P(ErrorMap, DifferencesOfValuesAreThoseOfEachChannel) {
    Seen seen = seen_pictures(21, 13, 4);
    seen.a[6] = NAN;
    const Plane a(*backend_, seen.a), r(*backend_, seen.r);
    const auto memory = backend_->allocate(size_t(21 * 13 * 3) * sizeof(float));
    for (const DifferenceKind kind : all_difference_kinds) {
        if (is_map(kind)) continue;
        ErrorMapJob job;
        job.kind = kind;
        job.values = a, job.reference = r;
        job.width = seen.width, job.height = seen.height;
        job.channels = 3, job.pixel_values = 4;
        ASSERT_EQ(map_size(job), size_t(21 * 13 * 3));
        backend_->map_errors(job, static_cast<float*>(memory.get()));
        std::vector<float> map(map_size(job));
        backend_->read_back(map.data(), memory.get(), map.size() * sizeof(float));
        std::vector<double> right;
        for (size_t k = 0; k < seen.a.size(); ++k) {
            if (k % 4 == 3) continue;
            const double d = double(seen.a[k]) - double(seen.r[k]), size = std::abs(d);
            right.push_back(kind == DifferenceKind::signed_    ? d
                            : kind == DifferenceKind::absolute ? size
                            : kind == DifferenceKind::squared  ? d * d
                                                               : size / std::max(double(seen.r[k]), 1 / 255.0));
        }
        expect_map(map, right, 1e-6, 3 * seen.width);
    }
}

// Its mean is what is missing to SSIM's figure.
TEST_P(ErrorMap, SsimIsThatOfTheFigures) {
    const Seen seen = seen_pictures(45, 37, 3);
    const std::vector<float> map = map_of(seen, {.kind = DifferenceKind::ssim});
    double sum = 0;
    int count = 0;
    for (int y = 0; y < seen.height; ++y)
        for (int x = 0; x < seen.width; ++x) {
            const float value = map[size_t(y * seen.width + x)];
            const bool fits = x >= 5 && y >= 5 && x < seen.width - 5 && y < seen.height - 5;
            ASSERT_EQ(std::isnan(value), !fits);
            if (fits) sum += double(value), ++count;
        }
    const Plane a(*backend_, seen.a), r(*backend_, seen.r);
    MeasureJob job;
    job.values = a, job.reference = r;
    job.width = seen.width, job.height = seen.height, job.channels = 3;
    EXPECT_NEAR(1 - sum / count, backend_->measure(job).ssim, 1e-6);
}

// Xue et al. 2014, with the gradients of MATLAB's Prewitt operator.
TEST_P(ErrorMap, GradientsAreThoseOfThePaper) {
    const Seen seen = seen_pictures(38, 27, 3);
    const int across = seen.width / 2, down = seen.height / 2;
    const auto halved = [&](const std::vector<float>& from) {
        std::vector<double> grey;
        for (int y = 0; y < down; ++y)
            for (int x = 0; x < across; ++x) {
                double sum = 0;
                for (int n = 0; n < 4; ++n) {
                    const float* v = &from[size_t(((2 * y + n / 2) * seen.width + 2 * x + n % 2) * 3)];
                    sum += 255 * (0.298936021293775 * double(v[0]) + 0.587043074451121 * double(v[1]) +
                                  0.114020904255103 * double(v[2]));
                }
                grey.push_back(sum / 4);
            }
        return grey;
    };
    const std::vector<double> a = halved(seen.a), r = halved(seen.r);
    const auto magnitude = [&](const std::vector<double>& g, int x, int y) {
        double gx = 0, gy = 0;
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
                gx += i / 3.0 * g[size_t((y + j) * across + x + i)];
                gy += j / 3.0 * g[size_t((y + j) * across + x + i)];
            }
        return std::hypot(gx, gy);
    };
    std::vector<double> right(size_t(seen.width * seen.height), nothing);
    for (int y = 0; y < 2 * down; ++y)
        for (int x = 0; x < 2 * across; ++x) {
            const int i = x / 2, j = y / 2;
            if (i < 1 || j < 1 || i >= across - 1 || j >= down - 1) continue;
            const double m = magnitude(a, i, j), d = magnitude(r, i, j);
            right[size_t(y * seen.width + x)] = 1 - (2 * m * d + 170) / (m * m + d * d + 170);
        }
    expect_map(map_of(seen, {.kind = DifferenceKind::gradient}), right, 1e-6, seen.width);
}

TEST_P(ErrorMap, WhatIsNotComparedIsNoNumber) {
    Seen seen = seen_pictures(64, 40, 3);
    for (int y = 0; y < 40; ++y)
        for (int c = 0; c < 3; ++c) seen.a[size_t((y * 64 + 3) * 3 + c)] = NAN;
    const std::vector<float> map = map_of(seen, {});
    for (int k = 0; k < 64 * 40; ++k) EXPECT_EQ(std::isnan(map[size_t(k)]), k % 64 == 3);
    for (const double wrong : {4.0, 401.0, nothing}) EXPECT_THROW(map_of(seen, {.pixels_per_degree = wrong}), Error);
    EXPECT_THROW(map_of(seen_pictures(8, 8, 2), {.colours = 2}), Error);
}

TEST_P(ErrorMap, FiguresOfAMap) {
    std::vector<float> numbers;
    for (int k = 0; k < 1000; ++k) numbers.push_back(float((k * 37) % 1000) / 1000);
    numbers[10] = NAN;
    const Plane memory(*backend_, numbers);
    MapSumJob job{.map = static_cast<const float*>(ValuePlane(memory).values), .width = 50, .height = 20};
    job.inside = Interior{.margin_x = 25};
    MapFigures inside;
    const MapFigures all = backend_->map_figures(job, &inside);
    std::vector<double> sorted;
    for (const float v : numbers)
        if (!std::isnan(v)) sorted.push_back(double(v));
    std::sort(sorted.begin(), sorted.end());
    double sum = 0, squares = 0;
    for (const double v : sorted) sum += v, squares += v * v;
    const double mean = sum / 999;
    EXPECT_EQ(all.pixels, 999);
    EXPECT_NEAR(all.mean, mean, 1e-9);
    EXPECT_NEAR(all.deviation, std::sqrt(squares / 999 - mean * mean), 1e-9);
    double before = 0;
    size_t k = 0;
    while ((before += sorted[k]) < sum / 2) ++k;
    EXPECT_NEAR(all.weighted_median, sorted[k], 1e-4);
    EXPECT_NEAR(all.percentile_95, 0.95, 2e-3);
    EXPECT_NEAR(all.largest, 0.999, 1e-6);
    EXPECT_EQ(numbers[size_t(all.worst_y * 50 + all.worst_x)], 0.999f);
    int64_t counted = 0;
    for (const int64_t pixels : all.histogram) counted += pixels;
    EXPECT_EQ(counted, 999);
    EXPECT_EQ(inside.pixels, 0);
    EXPECT_TRUE(std::isnan(inside.mean));
}

ON_EVERY_BACKEND(ErrorMap);

// 1080p within half a second on two cores: a second of processor time, whatever else the machine does.
TEST(SlowFlip, TakesHalfASecondFor1080pOnTwoCores) {
    const Seen seen = seen_pictures(1920, 1080, 3);
    ErrorMapJob job;
    job.values = {seen.a.data()};
    job.reference = {seen.r.data()};
    job.width = seen.width;
    job.height = seen.height;
    job.channels = 3;
    std::vector<float> map(map_size(job));
    error_map_on_cpu(job, map.data());
    const std::clock_t before = std::clock();
    error_map_on_cpu(job, map.data());
    const double seconds = double(std::clock() - before) / CLOCKS_PER_SEC;
    RecordProperty("processor_milliseconds", int(1000 * seconds));
    EXPECT_LT(seconds, 1.0);
}

class SlowErrorMap : public ErrorMap {};

// Once what it needs has been allocated.
TEST_P(SlowErrorMap, FlipOf1080pTakesThreeMillisecondsOnAGpu) {
    const Seen seen = seen_pictures(1920, 1080, 3);
    const Plane a(*backend_, seen.a), r(*backend_, seen.r);
    ErrorMapJob job;
    job.values = a;
    job.reference = r;
    job.width = seen.width;
    job.height = seen.height;
    job.channels = 3;
    const auto memory = backend_->allocate(map_size(job) * sizeof(float));
    const auto run = [&] { backend_->map_errors(job, static_cast<float*>(memory.get())); };
    double ms = backend_->time_ms(run);
    for (int k = 0; k < 5; ++k) ms = std::min(ms, backend_->time_ms(run));
    RecordProperty("microseconds", int(1000 * ms));
    EXPECT_LT(ms, 3);
}

INSTANTIATE_TEST_SUITE_P(Cuda, SlowErrorMap, ::testing::Values(BackendKind::cuda), backend_name);

// The documented sizes and sums of the filters.
TEST(FlipFilters, HaveTheSizesAndSumsOfThePaper) {
    const FlipFilters f = flip_filters(pixels_per_degree(3840, 0.7, 0.7));
    EXPECT_NEAR(double(usual_pixels_per_degree), 67.0206, 1e-4);
    EXPECT_EQ(f.colour_radius, 10);
    EXPECT_EQ(f.feature_radius, 9);
    const auto sum = [](const float* taps, int radius, bool above, bool below) {
        double total = 0;
        for (int k = 0; k < 2 * radius + 1; ++k)
            if ((taps[k] > 0 && above) || (taps[k] < 0 && below)) total += double(taps[k]);
        return total;
    };
    for (const float* taps : {f.luminance, f.red_green, f.blue_yellow[0], f.blue_yellow[1]})
        EXPECT_NEAR(sum(taps, f.colour_radius, true, true), 1, 1e-6);
    EXPECT_NEAR(double(f.share[0]) + double(f.share[1]), 1, 1e-6);
    EXPECT_NEAR(sum(f.gaussian, f.feature_radius, true, true), 1, 1e-6);
    for (const float* taps : {f.edge, f.point}) {
        EXPECT_NEAR(sum(taps, f.feature_radius, true, false), 1, 1e-6);
        EXPECT_NEAR(sum(taps, f.feature_radius, false, true), -1, 1e-6);
    }
    EXPECT_NEAR(double(f.largest_colour), 41.2764, 1e-3);
    for (const float degree : {least_pixels_per_degree, most_pixels_per_degree})
        EXPECT_LE(flip_filters(double(degree)).colour_radius, FlipFilters::most_radius);
}

TEST(FlipExposures, GoFromTheBrightestPixelToTheMedian) {
    // Where the ACES curve, with its exposure of 0.6, is 0.85.
    const auto aces = [](double v) {
        const double x = 0.6 * v;
        return x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    };
    const FlipExposures e = exposures_of(50, 0.5);
    EXPECT_NEAR(aces(50 * std::exp2(e.start)), 0.85, 1e-9);
    EXPECT_NEAR(aces(0.5 * std::exp2(e.stop)), 0.85, 1e-9);
    EXPECT_EQ(e.count, 7);  // log₂ 100 = 6.6
    EXPECT_EQ(exposures_of(1, 1).count, 2);
    EXPECT_EQ(exposures_of(0, 0).count, 1);
    EXPECT_EQ(exposures_of(1, 0).count, 16);
    Image floats(4, 1, 1, SampleType::f32);
    for (int x = 0; x < 4; ++x) floats.row_as<float>(0)[x] = float(x + 1);
    EXPECT_EQ(exposures_of(floats), exposures_of(4, 2.5));
    for (int x = 0; x < 4; ++x) floats.row_as<float>(0)[x] = 0.25f;
    EXPECT_EQ(exposures_of(floats).count, 0) << "as coded as an integer picture";
    EXPECT_EQ(exposures_of(Image(4, 1, 1, SampleType::u8)).count, 0);
}

}  // namespace
}  // namespace texelscope::test
