// Metrics against their definitions in float64: errors by plain sums, SSIM as published, window by window.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "gpu/compare/metrics.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

// Two renderings of one size.
struct Pair {
    int width = 0, height = 0, channels = 1;
    std::vector<double> a, r;
    double peak = 1;
    std::optional<MeasureJob::Selection> selection;

    size_t at(int x, int y, int c) const {
        return (size_t(y) * size_t(width) + size_t(x)) * size_t(channels) + size_t(c);
    }
};

Pair random_pair(int width, int height, int channels, uint64_t seed, double difference = 0.1) {
    Random random(seed);
    Pair pair{width, height, channels, {}, {}, 1, {}};
    for (int k = 0; k < width * height * channels; ++k) {
        pair.a.push_back(double(float(random.unit())));
        pair.r.push_back(pair.a.back() + random.between(-difference, difference));
    }
    return pair;
}

// Compared pixels by a direct reading of metrics.h.
std::vector<bool> compared(const Pair& p, int64_t& left_out) {
    std::vector<bool> mask;
    left_out = 0;
    for (int y = 0; y < p.height; ++y)
        for (int x = 0; x < p.width; ++x) {
            bool asked = true, finite = true;
            if (p.selection) {
                const Point q = apply(p.selection->positions, x, y);
                asked = q.x >= p.selection->x0 && q.x < p.selection->x1 &&
                        (p.selection->x_only || (q.y >= p.selection->y0 && q.y < p.selection->y1));
            }
            for (int c = 0; c < p.channels; ++c)
                finite = finite && std::isfinite(p.a[p.at(x, y, c)]) && std::isfinite(p.r[p.at(x, y, c)]);
            left_out += asked && !finite;
            mask.push_back(asked && finite);
        }
    return mask;
}

double window_weight(int i, int j) { return std::exp(-(i * i + j * j) / (2 * 1.5 * 1.5)); }

// SSIM of one channel in the window with this first pixel: variances by their definition, not as E[a²] − μ².
double window_ssim(const Pair& p, int left, int top, int c) {
    double total = 0, mean_a = 0, mean_r = 0;
    const auto over_window = [&](const std::function<void(double, double, double)>& visit) {
        for (int j = 0; j < 11; ++j)
            for (int i = 0; i < 11; ++i)
                visit(window_weight(i - 5, j - 5), p.a[p.at(left + i, top + j, c)], p.r[p.at(left + i, top + j, c)]);
    };
    over_window([&](double w, double, double) { total += w; });
    over_window([&](double w, double a, double r) { mean_a += w / total * a, mean_r += w / total * r; });
    double aa = 0, rr = 0, ar = 0;
    over_window([&](double w, double a, double r) {
        aa += w / total * (a - mean_a) * (a - mean_a);
        rr += w / total * (r - mean_r) * (r - mean_r);
        ar += w / total * (a - mean_a) * (r - mean_r);
    });
    const double c1 = std::pow(0.01 * p.peak, 2), c2 = std::pow(0.03 * p.peak, 2);
    return (2 * mean_a * mean_r + c1) * (2 * ar + c2) / ((mean_a * mean_a + mean_r * mean_r + c1) * (aa + rr + c2));
}

Metrics expected_of(const Pair& p) {
    Metrics m;
    const std::vector<bool> mask = compared(p, m.left_out);
    double squares = 0, ssim = 0;
    int64_t windows = 0;
    m.max_abs = -1;
    for (int y = 0; y < p.height; ++y)
        for (int x = 0; x < p.width; ++x) {
            if (!mask[size_t(y) * size_t(p.width) + size_t(x)]) continue;
            ++m.pixels;
            for (int c = 0; c < p.channels; ++c) {
                const double d = std::abs(p.a[p.at(x, y, c)] - p.r[p.at(x, y, c)]);
                squares += d * d;
                if (d > m.max_abs) m.max_abs = d, m.worst_x = x, m.worst_y = y;
            }
        }
    for (int y = 0; y + 11 <= p.height; ++y)
        for (int x = 0; x + 11 <= p.width; ++x) {
            bool whole = true;
            for (int k = 0; k < 121; ++k)
                whole = whole && mask[size_t(y + k / 11) * size_t(p.width) + size_t(x + k % 11)];
            for (int c = 0; whole && c < p.channels; ++c) ssim += window_ssim(p, x, y, c), ++windows;
        }
    m.rmse = std::sqrt(squares / double(m.pixels * p.channels));
    m.psnr = 10 * std::log10(p.peak * p.peak * double(m.pixels * p.channels) / squares);
    m.ssim = windows ? ssim / double(windows) : NAN;
    return m;
}

// A pair in the memory of a backend: the values as floats, the reference as doubles.
struct ResidentPair {
    Plane values, reference;

    ResidentPair(Backend& backend, const Pair& p)
        : values(backend, std::vector<float>(p.a.begin(), p.a.end())), reference(backend, p.r) {}

    MeasureJob job(const Pair& p, bool with_ssim = true) const {
        MeasureJob job;
        job.values = values, job.reference = reference;
        job.width = p.width, job.height = p.height, job.channels = p.channels;
        job.peak = p.peak, job.with_ssim = with_ssim, job.selection = p.selection;
        return job;
    }
};

class Measured : public OnBackend {
protected:
    Metrics measure(const Pair& p, bool with_ssim = true) {
        return backend_->measure(ResidentPair(*backend_, p).job(p, with_ssim));
    }

    void expect_as_defined(const Pair& p) { expect_as_defined(p, measure(p)); }
    void expect_as_defined(const Pair& p, const Metrics& got) {
        const Metrics right = expected_of(p);
        EXPECT_NEAR(got.rmse, right.rmse, 1e-12 * right.rmse);
        EXPECT_NEAR(got.psnr, right.psnr, 1e-9);
        EXPECT_EQ(got.max_abs, right.max_abs);
        EXPECT_EQ(got.pixels, right.pixels);
        EXPECT_EQ(got.left_out, right.left_out);
        EXPECT_EQ(got.worst_x, right.worst_x);
        EXPECT_EQ(got.worst_y, right.worst_y);
        EXPECT_EQ(std::isnan(got.ssim), std::isnan(right.ssim));
        if (!std::isnan(right.ssim)) {
            EXPECT_NEAR(got.ssim, right.ssim, 1e-11);
        }
    }
};

TEST_P(Measured, RandomImagesOfOneToFourChannels) {
    for (int channels = 1; channels <= 4; ++channels)
        for (const double difference : {0.5, 0.01, 1e-6})
            expect_as_defined(random_pair(53, 41, channels, uint64_t(channels), difference));
}

TEST_P(Measured, ValuesBetweenPixelsAreNotCompared) {
    const Pair pixels = random_pair(53, 41, 3, 1);
    Pair padded{pixels.width, pixels.height, 4, {}, {}, pixels.peak, {}};
    for (size_t k = 0; k < pixels.a.size(); ++k) {
        padded.a.push_back(pixels.a[k]);
        padded.r.push_back(pixels.r[k]);
        if (k % 3 < 2) continue;
        padded.a.push_back(NAN);
        padded.r.push_back(1e9);
    }
    const ResidentPair resident(*backend_, padded);
    MeasureJob job = resident.job(padded);
    job.channels = 3;
    job.pixel_values = 4;
    expect_as_defined(pixels, backend_->measure(job));
    job.pixel_values = 2;
    EXPECT_THROW(backend_->measure(job), Error);
}

TEST_P(Measured, EverySizeAroundTheWindowAndTheTiles) {
    for (const int width : {11, 12, 42, 43, 75})
        for (const int height : {11, 18, 19, 27})
            expect_as_defined(random_pair(width, height, 1, uint64_t(width * height)));
    for (const auto& [width, height] : {std::pair{266, 42}, {267, 43}, {530, 13}})
        expect_as_defined(random_pair(width, height, 1, 8));
}

// As if all other pixels were not there.
TEST_P(Measured, ThePartInside) {
    Pair pair = random_pair(70, 55, 3, 9);
    pair.a[pair.at(30, 25, 1)] = NAN;
    for (const Interior& inside :
         {Interior{.margin_x = 7, .margin_y = 12}, Interior{.radius = 24.75}, Interior{.margin_x = 40}}) {
        const ResidentPair resident(*backend_, pair);
        MeasureJob job = resident.job(pair);
        job.inside = inside;
        Metrics part;
        expect_as_defined(pair, backend_->measure(job, &part));
        Pair only = pair;
        for (int y = 0; y < 55; ++y)
            for (int x = 0; x < 70; ++x)
                if (!inside.contains(x, y, {70, 55})) only.a[only.at(x, y, 0)] = NAN;
        if (expected_of(only).pixels == 0) {
            EXPECT_EQ(part.pixels, 0);
            EXPECT_TRUE(std::isnan(part.psnr) && std::isnan(part.ssim));
            continue;
        }
        EXPECT_EQ(part.left_out, 1);
        part.left_out = expected_of(only).left_out;
        expect_as_defined(only, part);
    }
}

TEST_P(Measured, NoWindowFitsIntoLessThanElevenPixels) {
    for (const auto& [width, height] : {std::pair{10, 40}, {40, 10}, {1, 1}, {11, 1}})
        expect_as_defined(random_pair(width, height, 2, 3));
}

TEST_P(Measured, LeavesOutWhatIsNotFinite) {
    Pair pair = random_pair(60, 50, 3, 4);
    pair.a[pair.at(20, 20, 1)] = NAN;
    pair.r[pair.at(40, 30, 0)] = INFINITY;
    for (int x = 0; x < 60; ++x) pair.a[pair.at(x, 49, 2)] = NAN;
    expect_as_defined(pair);
    EXPECT_EQ(measure(pair).left_out, 62);
}

TEST_P(Measured, OnlyInsideTheSelection) {
    Pair pair = random_pair(64, 48, 2, 5);
    pair.a[pair.at(30, 20, 0)] = NAN;
    pair.a[pair.at(0, 0, 0)] = NAN;  // outside: neither compared nor left out
    const Affine positions = sampling_affine({3, -2, 0.5, 20}, 40, 30, 64, 48);
    pair.selection = MeasureJob::Selection{positions, 15.2, 8.5, 31.7, 24.1, false};
    expect_as_defined(pair);
    EXPECT_GT(expected_of(pair).pixels, 500);
    pair.selection->x_only = true;
    expect_as_defined(pair);
    pair.selection = MeasureJob::Selection{Affine{}, 10, 12, 21, 23, false};  // exactly one window
    expect_as_defined(pair);
    pair.selection->x1 = 20;
    EXPECT_TRUE(std::isnan(measure(pair).ssim));
}

// The pair's rows from the top, `rows` at a time, each band with those before that its windows of SSIM reach.
ComparisonSums sums_of_bands(Backend& backend, const Pair& pair, int rows) {
    ComparisonSums all;
    const std::shared_ptr<void> memory = backend.allocate(sizeof all);
    for (int row = 0; row < pair.height; row += rows) {
        const int seen = std::min(row, rows_seen_twice), end = std::min(row + rows, pair.height);
        Pair band{pair.width, end - row + seen, pair.channels, {}, {}, pair.peak, pair.selection};
        const auto first = ptrdiff_t(pair.at(0, row - seen, 0)), last = ptrdiff_t(pair.at(0, end, 0));
        band.a.assign(pair.a.begin() + first, pair.a.begin() + last);
        band.r.assign(pair.r.begin() + first, pair.r.begin() + last);
        const ResidentPair resident(backend, band);
        MeasureJob job = resident.job(band);
        job.first_row = row - seen;
        job.seen_rows = seen;
        ComparisonSums sums;
        backend.compare(job, static_cast<ComparisonSums*>(memory.get()));
        backend.read_back(&sums, memory.get(), sizeof sums);
        all.join(sums);
    }
    return all;
}

TEST_P(Measured, BandsTogetherAreTheWhole) {
    Pair pair = random_pair(70, 55, 3, 12);
    pair.a[pair.at(20, 30, 1)] = NAN;
    pair.r[pair.at(63, 2, 0)] = INFINITY;
    Pair selected = pair;
    selected.selection = MeasureJob::Selection{sampling_affine({3, -2, 0.5, 20}, 40, 30, 70, 55), 8.2, 5.5, 31.7, 24.1};
    for (const Pair& p : {pair, selected})
        for (const int rows : {1, 3, 9, 10, 11, 32, 54, 55})
            expect_as_defined(p, metrics_of(ResidentPair(*backend_, p).job(p), sums_of_bands(*backend_, p, rows)));
}

TEST_P(Measured, BandsThatCannotBeAreRefused) {
    const Pair pair = random_pair(20, 15, 1, 13);
    const ResidentPair resident(*backend_, pair);
    const auto with = [&](int first_row, int seen_rows) {
        MeasureJob job = resident.job(pair);
        job.first_row = first_row;
        job.seen_rows = seen_rows;
        return job;
    };
    EXPECT_EQ(backend_->measure(with(100, 10)).pixels, 20 * 5);
    for (const auto& [first, seen] : {std::pair{-1, 0}, {0, -1}, {100, 11}, {std::numeric_limits<int>::max(), 0}})
        EXPECT_THROW(backend_->measure(with(first, seen)), Error) << first << " " << seen;
    MeasureJob inside = with(100, 10);
    inside.inside = Interior{.margin_x = 1};
    EXPECT_THROW(backend_->measure(inside), Error);
}

TEST_P(Measured, NothingComparedIsNaN) {
    Pair pair = random_pair(20, 20, 1, 6);
    pair.selection = MeasureJob::Selection{Affine{}, 100, 100, 200, 200, false};
    const Metrics m = measure(pair);
    EXPECT_EQ(m.pixels, 0);
    EXPECT_EQ(m.left_out, 0);
    EXPECT_EQ(m.worst_x, -1);
    for (const double figure : {m.rmse, m.max_abs, m.psnr, m.ssim}) EXPECT_TRUE(std::isnan(figure));
}

TEST_P(Measured, EqualImagesAreAsGoodAsCanBe) {
    Pair pair = random_pair(30, 30, 3, 7, 0);
    const Metrics m = measure(pair);
    EXPECT_EQ(m.rmse, 0);
    EXPECT_EQ(m.max_abs, 0);
    EXPECT_EQ(m.psnr, INFINITY);
    EXPECT_NEAR(m.ssim, 1, 1e-15);
}

// Variances are zero: only the first factor is left, (2ar + c₁) / (a² + r² + c₁).
TEST_P(Measured, ConstantImagesLeaveOnlyTheFirstFactorOfSsim) {
    Pair pair{20, 20, 1, std::vector<double>(400, 0.5), std::vector<double>(400, 0.25), 1, {}};
    EXPECT_NEAR(measure(pair).ssim, (2 * 0.125 + 1e-4) / (0.25 + 0.0625 + 1e-4), 1e-12);
    EXPECT_NEAR(measure(pair).psnr, 20 * std::log10(4), 1e-12);
    pair.r = pair.a;
    EXPECT_EQ(measure(pair).ssim, 1);
}

TEST_P(Measured, ThePeakScalesTheConstants) {
    Pair pair = random_pair(40, 30, 1, 8);
    pair.peak = 2;
    expect_as_defined(pair);
    Pair scaled = pair;
    for (double& v : scaled.a) v *= 128;
    for (double& v : scaled.r) v *= 128;
    scaled.peak = 256;
    EXPECT_NEAR(measure(scaled).ssim, measure(pair).ssim, 1e-12);
    EXPECT_NEAR(measure(scaled).psnr, measure(pair).psnr, 1e-9);
}

TEST_P(Measured, OfEqualErrorsTheFirstPixelIsTheWorst) {
    Pair pair{100, 90, 2, std::vector<double>(18000, 0.5), std::vector<double>(18000, 0.25), 1, {}};
    for (const auto& [x, y] : {std::pair{70, 80}, {13, 44}, {90, 44}}) pair.a[pair.at(x, y, 1)] = 1;
    const Metrics m = measure(pair);
    EXPECT_EQ(m.worst_x, 13);
    EXPECT_EQ(m.worst_y, 44);
}

TEST_P(Measured, SameFiguresEveryTime) {
    const Pair pair = random_pair(400, 300, 3, 10);
    const Metrics first = measure(pair);
    for (int n = 0; n < 5; ++n) {
        const Metrics again = measure(pair);
        EXPECT_EQ(again.rmse, first.rmse);
        EXPECT_EQ(again.ssim, first.ssim);
    }
    EXPECT_TRUE(std::isnan(measure(pair, false).ssim));
}

// Comparisons under way at the same time use separate memory of the backend.
TEST_P(Measured, ComparisonsUnderWayTogetherKeepApart) {
    std::vector<Pair> pairs;
    for (const int side : {300, 20, 500, 40})
        pairs.push_back(random_pair(side, side + 7, 2, uint64_t(side), 1.0 / side));
    std::vector<ResidentPair> resident;
    for (const Pair& p : pairs) resident.emplace_back(*backend_, p);
    const auto memory = backend_->allocate(pairs.size() * sizeof(ComparisonSums));
    auto* const sums = static_cast<ComparisonSums*>(memory.get());
    for (size_t k = 0; k < pairs.size(); ++k) backend_->compare(resident[k].job(pairs[k]), sums + k);
    std::vector<ComparisonSums> come(pairs.size());
    backend_->read_back(come.data(), sums, come.size() * sizeof(ComparisonSums));
    for (size_t k = 0; k < pairs.size(); ++k) {
        const MeasureJob job = resident[k].job(pairs[k]);
        const Metrics got = metrics_of(job, come[k]), waited_for = backend_->measure(job);
        if (pairs[k].width <= 40) expect_as_defined(pairs[k], got);
        EXPECT_EQ(std::pair(got.rmse, got.ssim), std::pair(waited_for.rmse, waited_for.ssim));
        EXPECT_EQ(got.max_abs, waited_for.max_abs);
        EXPECT_EQ(got.worst_x, waited_for.worst_x);
    }
}

ON_EVERY_BACKEND(Measured);

class SlowMeasured : public Measured {};
// More rows than the blocks of a grid have: 8 · 65535 and a few.
TEST_P(SlowMeasured, SsimTakesAnyNumberOfRows) {
    MeasureJob job;
    job.width = 11;
    job.height = 8 * 65535 + 100;
    const size_t pixels = size_t(job.width) * size_t(job.height);
    std::vector<float> values(pixels, 0.5f), reference(pixels, 0.25f);
    const auto measured = [&] {
        const Plane a(*backend_, values), r(*backend_, reference);
        job.values = a;
        job.reference = r;
        return backend_->measure(job);
    };
    EXPECT_NEAR(measured().ssim, (2 * 0.125 + 1e-4) / (0.25 + 0.0625 + 1e-4), 1e-12);
    reference = values;
    for (size_t k = pixels - 11 * 11; k < pixels; ++k) values[k] = float(k % 7) / 7;  // the last window, those near it
    const double windows = job.height - 10, ssim = measured().ssim;
    Pair end;  // the last 21 rows have the last eleven windows: all that differ
    end.width = 11, end.height = 21;
    end.a.assign(values.end() - 11 * 21, values.end());
    end.r.assign(reference.end() - 11 * 21, reference.end());
    EXPECT_NEAR(ssim, (windows - 11 + 11 * expected_of(end).ssim) / windows, 1e-9);
    EXPECT_LT(ssim, 1 - 1e-6);
}

ON_EVERY_BACKEND(SlowMeasured);

}  // namespace
}  // namespace texelscope::test
