// Figures of frames: latency, the peak of an image's values, values on their way from the backend.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

#include "app/picture/source_cache.h"
#include "app/state/report.h"
#include "gpu/core/half.h"
#include "gpu/interop/host_copy.h"
#include "tests/support/backends.h"

namespace texelscope::test {
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
