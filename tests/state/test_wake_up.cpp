// When a sleeping window wakes.

#include "app/state/wake_up.h"

#include <gtest/gtest.h>

namespace texelscope::test {
namespace {

TEST(WakeUp, SleepsUntilThereIsInputIfNothingIsWished) {
    const WakeUp wake_up(10);
    EXPECT_LT(wake_up.patience(10), 0);
    EXPECT_FALSE(wake_up.draws_by(1e9));
}

TEST(WakeUp, TheEarliestWishCounts) {
    WakeUp wake_up(10);
    wake_up.draw_in(3);
    wake_up.look_in(1);
    wake_up.draw_in(5);
    EXPECT_NEAR(wake_up.patience(10), 1, 1e-9);
    EXPECT_NEAR(wake_up.patience(10.75), 0.25, 1e-9) << "a wish stands for a moment, however late one begins to wait";
    EXPECT_EQ(wake_up.patience(20), 0);
}

TEST(WakeUp, LookingIsNotYetDrawing) {
    WakeUp wake_up(10);
    wake_up.look_in(1);
    wake_up.draw_in(3);
    EXPECT_FALSE(wake_up.draws_by(12));
    EXPECT_TRUE(wake_up.draws_by(13));
    EXPECT_TRUE(wake_up.draws_by(12.9995)) << "a wait may end a little early";
}

TEST(WakeUp, WhatIsOverdueIsDueNow) {
    WakeUp wake_up(10);
    wake_up.draw_in(-5);
    EXPECT_EQ(wake_up.patience(10), 0);
    EXPECT_TRUE(wake_up.draws_by(10));
}

}  // namespace
}  // namespace texelscope::test
