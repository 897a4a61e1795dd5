// Values that are wanted, being made, or there: what comes first, what is dropped, what is cancelled. When a sleeping window
// wakes.

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "app/state/wake_up.h"
#include "app/work/work.h"

namespace texelscope::test {
namespace {

using Squares = Demand<int, int>;

// A maker waits until it may end, or is to.
class Demanding : public testing::Test {
protected:
    template <class Values = Squares> void end_frame(Values& values) {
        values.end_frame([this](int key) {
            begun_.push_back(key);
            return [this, key](const std::stop_token& stop) {
                const std::shared_ptr<void> counted(nullptr, [this](void*) { ++ended_; });
                while (!let_go_ && !stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                if (stop.stop_requested()) throw std::runtime_error("stopped");
                if (key < 0) throw std::runtime_error("negative");
                return key * key;
            };
        });
    }
    void end_frame() { end_frame(squares_); }
    // So many makers have ended, whether anybody wants what they made or not.
    bool have_ended(int makers) {
        let_go_ = true;
        for (int ms = 0; ms < 20000 && ended_ < makers; ++ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return ended_ == makers;
    }
    // What is being made has been made.
    bool comes() {
        let_go_ = true;
        for (int ms = 0; ms < 20000 && !squares_.has_news(); ++ms)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return squares_.take();
    }

    std::atomic<bool> let_go_ = false;
    std::atomic<int> ended_ = 0;
    std::vector<int> begun_;
    Squares squares_;
};

TEST_F(Demanding, WhatIsAskedForIsMadeAndThenThere) {
    EXPECT_EQ(squares_.ask(3), nullptr);
    EXPECT_TRUE(begun_.empty()) << "before all have asked";
    end_frame();
    EXPECT_EQ(squares_.ask(3), nullptr) << "it is being made";
    EXPECT_FALSE(squares_.take());
    end_frame();
    EXPECT_EQ(begun_, std::vector{3}) << "once";
    ASSERT_TRUE(comes());
    ASSERT_NE(squares_.ask(3), nullptr);
    EXPECT_EQ(squares_.find(3)->value, 9);
    EXPECT_EQ(squares_.find(3)->why(), "");
    end_frame();
    EXPECT_EQ(begun_, std::vector{3});
}

TEST_F(Demanding, WhatIsThereStaysAsLongAsEachFrameAsksForIt) {
    squares_.ask(3);
    end_frame();
    ASSERT_TRUE(comes());
    end_frame();
    EXPECT_NE(squares_.find(3), nullptr) << "the frame had asked for it before it came";
    end_frame();
    EXPECT_EQ(squares_.find(3), nullptr) << "to find is not to ask";
}

TEST_F(Demanding, WhatIsKeptStaysUntilItIsForgotten) {
    Squares kept({}, Unasked::kept);
    kept.put({3, 9});
    kept.put({4, 16});
    end_frame(kept);
    end_frame(kept);
    EXPECT_NE(kept.find(3), nullptr);
    kept.forget_if([](int key) { return key == 3; });
    EXPECT_EQ(kept.find(3), nullptr);
    EXPECT_NE(kept.find(4), nullptr);
}

TEST_F(Demanding, WhatNobodyAsksForAnyMoreEnds) {
    squares_.ask(3);
    end_frame();
    squares_.ask(4);
    end_frame();
    EXPECT_EQ(begun_, (std::vector{3, 4}));
    ASSERT_TRUE(comes());
    EXPECT_EQ(squares_.find(3), nullptr);
    EXPECT_NE(squares_.find(4), nullptr);
}

TEST_F(Demanding, WhatIsAskedForFirstIsMadeFirst) {
    for (const int key : {5, 3, 5, 4}) squares_.ask(key);
    end_frame();
    EXPECT_EQ(begun_, std::vector{5});
    for (const int key : {3, 4, 5}) squares_.ask(key);
    end_frame();
    EXPECT_EQ(begun_, std::vector{5}) << "what is being made is not begun again";
    ASSERT_TRUE(comes());
    for (const int key : {4, 5, 3}) squares_.ask(key);
    end_frame();
    EXPECT_EQ(begun_, (std::vector{5, 4}));
}

TEST_F(Demanding, AKeyIsCancelledWhereverItIs) {
    squares_.ask(3);
    squares_.cancel(3);
    end_frame();
    EXPECT_TRUE(begun_.empty()) << "wanted";
    squares_.ask(3);
    end_frame();
    squares_.cancel(4);
    squares_.cancel(3);
    ASSERT_TRUE(have_ended(1));
    EXPECT_FALSE(squares_.take()) << "being made";
    squares_.put({3, 9});
    squares_.cancel(3);
    EXPECT_EQ(squares_.find(3), nullptr) << "there";
}

TEST_F(Demanding, AnErrorIsKeptWithItsKey) {
    squares_.ask(-3);
    end_frame();
    ASSERT_TRUE(comes());
    const auto* made = squares_.ask(-3);
    ASSERT_NE(made, nullptr);
    EXPECT_FALSE(made->value);
    EXPECT_EQ(made->why(), "negative");
    end_frame();
    EXPECT_EQ(begun_, std::vector{-3}) << "it is not made again";
    squares_.ask(7);
    squares_.end_frame([](int) -> Squares::Maker { throw std::runtime_error("cannot begin"); });
    ASSERT_NE(squares_.find(7), nullptr);
    EXPECT_EQ(squares_.find(7)->why(), "cannot begin");
}

TEST_F(Demanding, WhatBelongsTogetherIsMadeTogether) {
    const auto even = [](int first, int other) { return first % 2 == other % 2; };
    const auto count = [](const std::vector<int>& keys) {
        return [n = int(keys.size())](const std::stop_token&) { return n; };
    };
    for (const int key : {2, 3, 4}) squares_.ask(key);
    squares_.end_frame(even, count);
    ASSERT_TRUE(comes());
    EXPECT_EQ(squares_.find(2)->value, 2);
    EXPECT_EQ(squares_.find(4)->value, 2);
    EXPECT_EQ(squares_.find(3), nullptr);
}

TEST_F(Demanding, WhatWasMadeElsewhereIsThere) {
    squares_.ask(3);
    end_frame();
    squares_.put({3, 10});
    ASSERT_TRUE(have_ended(1));
    EXPECT_FALSE(squares_.take()) << "it needs not be made any more";
    EXPECT_EQ(squares_.ask(3)->value, 10);
}

// When a sleeping window wakes.

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
