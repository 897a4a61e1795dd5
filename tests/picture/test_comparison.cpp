// Comparisons by bands of the output: the figures of the image in memory.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/files/test_images/test_images.h"
#include "app/picture/comparison.h"
#include "app/picture/source_cache.h"
#include "app/state/report.h"
#include "gpu/core/half.h"
#include "gpu/core/tile_source.h"
#include "gpu/interop/present_target.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// SSIM's constants keep the deviations that it divides by from being below 0.03: it differs by some 1 / 0.03 of what
// renderings do. RMSE is a norm: it differs by no more than they do.
constexpr double ssim_factor = 40;

ComparedPane pane_of(const RenderRequest& request, const char* spec, const char* reference) {
    ComparedPane pane;
    pane.picture.shown.request = request;
    pane.picture.shown.request.spec = spec_of(spec);
    pane.reference = pane.picture.shown;
    pane.reference->float64 = true;
    pane.reference->request.spec = spec_of(reference);
    pane.reference->request.spec.address = pane.picture.shown.request.spec.address;
    return pane;
}

class StreamedComparisons : public OnBackend {
protected:
    // The figures of these panes with the image in memory.
    std::vector<PaneFigures> resident(const std::shared_ptr<const Image>& image, std::vector<ComparedPane> panes,
                                      Light light) {
        SourceCache sources(backend_);
        Comparison comparison(sources);
        std::vector<PaneFigures> figures;
        for (ComparedPane& pane : panes) {
            pane.picture.shown.image = pane.reference->image = image;
            pane.picture.shown.light = pane.reference->light = light;
            figures.push_back(comparison.figures_untimed(pane));
        }
        return figures;
    }

    void expect_same(const std::shared_ptr<const Image>& image, const std::vector<ComparedPane>& panes, int rows = 512,
                     Light light = Light::stored) {
        const std::vector<PaneFigures> expected = resident(image, panes, light);
        StreamedComparison streamed(backend_, std::make_shared<ImageTiles>(image, 64),
                                    {least_compared_memory, light, rows});
        const std::vector<PaneFigures> got = streamed.figures(panes);
        ASSERT_EQ(got.size(), panes.size());
        const double error = light == Light::linear ? 12.92 * tolerance::widened : tolerance::widened;
        for (size_t i = 0; i < panes.size(); ++i) {
            SCOPED_TRACE(to_string(panes[i].picture.shown.request.spec) + ", rows by " + std::to_string(rows));
            const Metrics &m = *got[i].metrics, &right = *expected[i].metrics;
            EXPECT_EQ(m.pixels, right.pixels);
            EXPECT_EQ(m.left_out, right.left_out);
            EXPECT_NEAR(m.rmse, right.rmse, error);
            EXPECT_NEAR(m.max_abs, right.max_abs, error);
            EXPECT_NEAR(m.psnr, right.psnr, 20 / std::log(10) * error / right.rmse + 1e-9);
            EXPECT_NEAR(m.ssim, right.ssim, ssim_factor * error);
            EXPECT_EQ(got[i].cost.fetches, expected[i].cost.fetches);
            EXPECT_EQ(got[i].pixels, expected[i].pixels);
        }
    }
};

std::vector<ComparedPane> panes_of(const RenderRequest& request, const std::string& address = "") {
    std::vector<ComparedPane> panes;
    for (const char* spec : {"nearest", "bilinear", "bspline:prefilter=fir7", "lanczos3", "bspline:prefilter=none"})
        panes.push_back(pane_of(
            request,
            (spec + (address.empty() ? "" : (std::string(spec).find(':') == std::string::npos ? ":" : ",") + address))
                .c_str(),
            "quintic"));
    panes.push_back(pane_of(request, "catmull-rom", "catmull-rom"));
    return panes;
}

TEST_P(StreamedComparisons, FiguresAreThoseOfTheImageInMemory) {
    const auto image = std::make_shared<const Image>(noise(310, 260, 3, SampleType::u8, 4));
    const std::pair<View, const char*> views[] = {{{3, -5, 0.4, 0}, "address=clamp"},
                                                  {{40, 10, 0.9, 20}, "address=mirror/wrap"},
                                                  {{0, 0, 3.3, 0}, "address=border"},
                                                  {{1, 2, 2.2, 50}, "address=reflect101/clamp"}};
    for (const auto& [view, address] : views) {
        RenderRequest request;
        request.width = 150;
        request.height = 97;
        request.view = view;
        request.antialias = true;
        request.outside = Outside::extend;
        expect_same(image, panes_of(request, address));
    }
}

TEST_P(StreamedComparisons, BandsOfAnyHeightGiveTheSame) {
    const auto image = std::make_shared<const Image>(noise(200, 180, 1, SampleType::u16, 5));
    RenderRequest request;
    request.width = 120;
    request.height = 75;
    request.view = {2, 3, 0.7, 10};
    request.outside = Outside::background;
    StreamedComparison whole(backend_, std::make_shared<ImageTiles>(image, 64), {.memory = least_compared_memory});
    const std::vector<ComparedPane> panes = panes_of(request);
    const std::vector<PaneFigures> right = whole.figures(panes);
    for (const int rows : {1, 2, 10, 11, 33, 74}) {
        StreamedComparison streamed(backend_, std::make_shared<ImageTiles>(image, 64),
                                    {least_compared_memory, Light::stored, rows});
        const std::vector<PaneFigures> got = streamed.figures(panes);
        for (size_t i = 0; i < panes.size(); ++i) {
            const Metrics &a = *got[i].metrics, &b = *right[i].metrics;
            // Windows of other bands have coordinates that are rounded in other places, and sums are added in another order.
            EXPECT_NEAR(a.rmse, b.rmse, 1e-7) << rows;
            EXPECT_NEAR(a.ssim, b.ssim, 1e-6) << rows;
            EXPECT_EQ(a.pixels, b.pixels) << rows;
            EXPECT_EQ(a.left_out, b.left_out) << rows;
        }
    }
}

TEST_P(StreamedComparisons, LevelsSelectionsAndLinearLight) {
    const auto image = std::make_shared<const Image>(noise(700, 600, 4, SampleType::u8, 6, Alpha::straight));
    RenderRequest request;
    request.width = 60;
    request.height = 50;
    request.antialias = true;
    for (const double scale : {9.0, 17.0}) {
        request.view.scale = scale;
        std::vector<ComparedPane> panes = panes_of(request, "address=mirror");
        for (ComparedPane& pane : panes)
            pane.selection = MeasureJob::Selection{positions_of(request, 700, 600), 100.2, 50, 650, 590.7, false};
        expect_same(image, panes, 20);
        expect_same(image, panes, 512, Light::linear);
    }
}

TEST_P(StreamedComparisons, TheFormulaIsTheTruth) {
    const TestImageRequest formula = parse_test_image("@waves:300x200");
    const auto image = std::make_shared<const Image>(make_test_image("@waves:300x200"));
    RenderRequest request;
    request.width = 130;
    request.height = 90;
    request.view = {10, -4, 0.6, 15};
    request.outside = Outside::background;
    std::vector<ComparedPane> panes = panes_of(request);
    for (ComparedPane& pane : panes) {
        pane.reference->formula = formula;
        pane.reference->masked = true;
    }
    expect_same(image, panes, 32);
}

TEST_P(StreamedComparisons, ProgressRisesToTheEndAndAStopEndsIt) {
    const auto image = std::make_shared<const Image>(noise(100, 90, 1, SampleType::u8, 7));
    RenderRequest request;
    request.width = 100;
    request.height = 90;
    StreamedComparison streamed(backend_, std::make_shared<ImageTiles>(image, 64),
                                {least_compared_memory, Light::stored, 20});
    const std::vector<ComparedPane> panes = panes_of(request);
    double last = 0;
    std::stop_source stop;
    const auto follow = [&](double part) {
        EXPECT_GT(part, last);
        last = part;
    };
    streamed.figures(panes, {follow, {}});
    EXPECT_NEAR(last, 1, 1e-12);
    EXPECT_THROW(streamed.figures(panes, {[&](double) { stop.request_stop(); }, stop.get_token()}), Cancelled);
}

TEST_P(StreamedComparisons, WhatCannotBeComparedIsRefused) {
    const auto plate = std::make_shared<FormulaTiles>(
        1 << 23, 1000, [](int64_t x, int64_t y) { return float((x + y) & 255) / 255; }, 256);
    EXPECT_THROW(StreamedComparison(backend_, plate, {.memory = least_compared_memory - 1}), Error);
    StreamedComparison streamed(backend_, plate, {.memory = least_compared_memory});
    RenderRequest request;
    request.width = 1 << 23;  // ten rows of it are more than the memory
    request.height = 1000;
    try {
        streamed.figures(panes_of(request));
        FAIL() << "there was room";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("8388608 pixels wide"));
        EXPECT_THAT(error.what(), testing::HasSubstr("MiB of memory, not 64"));
    }
    EXPECT_EQ(plate->samples_read, 0u);
    ComparedPane alone = pane_of(request, "bilinear", "quintic");
    alone.reference.reset();
    EXPECT_THROW(streamed.figures(std::vector{alone}), Error);
}

// The most memory that the process has had since the last call of forget_most_resident(), in bytes.
size_t most_resident() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6)) << 10;
    return 0;
}

bool forget_most_resident() { return bool(std::ofstream("/proc/self/clear_refs") << "5" << std::flush); }

class SlowStreamedComparison : public OnBackend {};

// 144 MB of samples, of which a view of the whole and a strip of it at full size are compared.
TEST_P(SlowStreamedComparison, StaysWithinItsMemory) {
    if (sanitized) GTEST_SKIP() << "a sanitizer's allocator keeps what is freed";
    if (GetParam() == BackendKind::cuda) GTEST_SKIP() << "the driver's own memory is not counted apart";
    constexpr int side = 6000;
    const auto plate = std::make_shared<FormulaTiles>(
        side, side, [](int64_t x, int64_t y) { return float((x * 7 + y * 13) % side) / float(side); }, 256);
    RenderRequest whole;
    whole.width = whole.height = 250;
    whole.view.scale = side / 250.0;
    whole.antialias = true;
    RenderRequest strip;
    strip.width = side;
    strip.height = 200;
    strip.view = {0.3, 0.4, 1, 0};
    strip.outside = Outside::extend;
    for (const RenderRequest& request : {strip, whole}) {
        if (!forget_most_resident()) GTEST_SKIP() << "no such file in /proc";
        const size_t before = most_resident();
        StreamedComparison streamed(backend_, plate, {.memory = least_compared_memory});
        const std::vector panes = {pane_of(request, "lanczos3", "quintic"), pane_of(request, "bspline", "quintic")};
        EXPECT_EQ(streamed.figures(panes).size(), 2u);
        constexpr size_t heaps = size_t(16) << 20;  // what threads' heaps keep of what was freed
        EXPECT_LE(most_resident() - before, least_compared_memory + heaps) << request.width;
    }
}

ON_EVERY_BACKEND(StreamedComparisons);
ON_EVERY_BACKEND(SlowStreamedComparison);

TEST(PeakOfTiles, IsThatOfTheImageInMemory) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
        Image image = converted(noise(130, 70, 3, SampleType::f32, 8), type);
        if (type == SampleType::f32) image.row_as<float>(69)[389] = 7.5f, image.row_as<float>(30)[64] = NAN;
        const auto shared = std::make_shared<const Image>(std::move(image));
        for (const size_t memory : {size_t(1), size_t(1) << 20})
            EXPECT_EQ(peak_of(ImageTiles(shared, 32), memory), peak_of(*shared));
    }
}

}  // namespace

// Figures of frames: latency, the peak of an image's values, values on their way from the backend.

namespace {

FrameHistory history_of(const std::vector<double>& latencies) {
    FrameHistory history;
    for (const double ms : latencies) {
        history.add({});
        history.latest().latency = ms;
    }
    return history;
}

TEST(Latency, IsThatOfTheLastFrameAndTheMedianOfThoseThatAnsweredAnEvent) {
    const Latency odd = latency_of(history_of({9, 0, 1, 0, 4, 0}));
    EXPECT_EQ(odd.last, 4);
    EXPECT_EQ(odd.median, 4);
    EXPECT_EQ(odd.frames, 3);
    const Latency even = latency_of(history_of({2, 8, 4, 1}));
    EXPECT_EQ(even.last, 1);
    EXPECT_EQ(even.median, 3);
    EXPECT_EQ(even.frames, 4);
}

TEST(Latency, IsUnknownBeforeTheFirstEvent) {
    for (const Latency& none : {latency_of({}), latency_of(history_of({0, 0}))}) {
        EXPECT_EQ(none.frames, 0);
        EXPECT_EQ(none.last, 0);
        EXPECT_EQ(none.median, 0);
        EXPECT_NE(latency_words(none).find("none"), std::string::npos);
    }
}

TEST(Latency, ForgetsWhatIsOlderThanTheHistory) {
    std::vector<double> many(FrameHistory::capacity, 5);
    many.insert(many.begin(), 40, 1000.0);
    const Latency latency = latency_of(history_of(many));
    EXPECT_EQ(latency.median, 5);
    EXPECT_EQ(latency.frames, FrameHistory::capacity);
}

// 37 × 5 values of 3 channels: rows that are not a multiple of any vector.
Image floats(float value) {
    Image image(37, 5, 3, SampleType::f32);
    for (int y = 0; y < image.height(); ++y) std::fill_n(image.row_as<float>(y), 37 * 3, value);
    return image;
}

TEST(Peak, IsTheRangeOfFiniteValuesWhereverTheyStand) {
    constexpr float inf = std::numeric_limits<float>::infinity();
    for (const int low : {0, 1, 15, 16, 63, 110})
        for (const int high : {2, 17, 95, 96, 109}) {
            Image image = floats(0.25f);
            image.row_as<float>(1)[low] = -3;
            image.row_as<float>(4)[high] = 7.5f;
            image.row_as<float>(0)[high] = inf;
            image.row_as<float>(2)[low] = -inf;
            image.row_as<float>(3)[low] = std::nanf("");
            EXPECT_EQ(peak_of(image), 10.5) << low << " " << high;
        }
}

TEST(Peak, IsOneForIntegersAndWhereThereIsNoRange) {
    EXPECT_EQ(peak_of(Image(3, 3, 1, SampleType::u8)), 1);
    EXPECT_EQ(peak_of(Image(3, 3, 1, SampleType::u16)), 1);
    EXPECT_EQ(peak_of(floats(4)), 1);
    EXPECT_EQ(peak_of(floats(std::nanf(""))), 1);
}

TEST(Peak, OfHalfFloatsIsTheirRange) {
    Image image(21, 3, 1, SampleType::f16);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 21; ++x) image.row_as<uint16_t>(y)[x] = float_to_half(0.5f);
    image.row_as<uint16_t>(2)[20] = float_to_half(2.25f);
    image.row_as<uint16_t>(0)[0] = float_to_half(-1);
    EXPECT_EQ(peak_of(image), 3.25);
}

class HostCopies : public OnBackend {};

TEST_P(HostCopies, BringWhatWasEnqueuedBefore) {
    const auto copy = make_host_copy(backend_);
    EXPECT_FALSE(copy->ready());
    std::vector<int> values(1000);
    for (const size_t count : {10u, 1000u, 3u}) {
        std::iota(values.begin(), values.end(), int(count));
        const auto memory = backend_->allocate(values.size() * sizeof(int));
        backend_->write(memory.get(), values.data(), values.size() * sizeof(int));
        copy->start(memory.get(), count * sizeof(int));
        for (int patience = 0; patience < 10000 && !copy->ready(); ++patience)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ASSERT_TRUE(copy->ready());
        EXPECT_TRUE(std::equal(values.begin(), values.begin() + long(count), static_cast<const int*>(copy->data())));
    }
}

ON_EVERY_BACKEND(HostCopies);

}  // namespace
}  // namespace texelscope::test
