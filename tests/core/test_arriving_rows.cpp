// Rows that another thread fills: whoever waits for them.

#include <chrono>
#include <future>
#include <stop_token>

#include <gtest/gtest.h>

#include "gpu/core/arriving_rows.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope::test {
namespace {

using namespace std::chrono_literals;

// Throws what waiting throws.
std::future<void> waiting(ArrivingRows& rows, int count, std::stop_token stop = {}) {
    return std::async(std::launch::async, [&rows, count, stop] {
        const StoppableLoops stoppable(stop);
        rows.wait_for(count);
    });
}

TEST(ArrivingRowsTest, WaitingEndsWithTheRowThatIsNeeded) {
    ArrivingRows rows(100);
    rows.arrived(40);
    rows.wait_for(40);
    auto later = waiting(rows, 41);
    EXPECT_EQ(later.wait_for(20ms), std::future_status::timeout);
    rows.arrived(30);  // told again
    EXPECT_EQ(later.wait_for(20ms), std::future_status::timeout);
    EXPECT_FALSE(rows.complete());
    rows.arrived(100);
    later.get();
    EXPECT_TRUE(rows.complete());
    rows.wait_for(1000);  // all
}

TEST(ArrivingRowsTest, WhatWillNotComeIsCancelled) {
    ArrivingRows rows(100);
    rows.arrived(60);
    auto later = waiting(rows, 61);
    rows.end();
    EXPECT_THROW(later.get(), Cancelled);
    EXPECT_THROW(rows.wait_for(100), Cancelled);
    rows.wait_for(60);
}

TEST(ArrivingRowsTest, WaitingEndsAsLoopsDo) {
    ArrivingRows rows(100);
    std::stop_source stop;
    auto later = waiting(rows, 1, stop.get_token());
    EXPECT_EQ(later.wait_for(20ms), std::future_status::timeout);
    stop.request_stop();
    EXPECT_THROW(later.get(), Cancelled);
}

}  // namespace
}  // namespace texelscope::test
