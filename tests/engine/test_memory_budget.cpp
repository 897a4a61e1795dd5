// The budget in isolation: what is given up first, what stays, what is counted.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "gpu/backend/memory_budget.h"

namespace texelscope::test {
namespace {

constexpr size_t mebibyte = size_t(1) << 20;

// Things that a budget may give up, each of this many bytes; `gone` records the order.
class Things {
public:
    explicit Things(MemoryBudget& budget) : budget_(budget) {}

    struct Thing {
        std::string name;
        bool in_use = false;
        MemoryBudget::Kept kept;
        std::vector<Thing*> with_it;  // that end when it does
    };

    Thing& add(const std::string& name, size_t bytes) {
        things_.push_back(std::make_unique<Thing>());
        Thing& thing = *things_.back();
        thing.name = name;
        thing.kept = budget_.keep(bytes, [this, &thing] {
            if (thing.in_use) return;
            for (Thing* other : thing.with_it) other->kept = {};
            gone += thing.name;
            thing.kept = {};
        });
        return thing;
    }

    std::string gone;

private:
    MemoryBudget& budget_;
    std::vector<std::unique_ptr<Thing>> things_;
};

TEST(MemoryBudget, WhatWasUsedLongestAgoMakesRoom) {
    MemoryBudget budget(30, {});
    Things things(budget);
    things.add("a", 10);
    Things::Thing& b = things.add("b", 10);
    things.add("c", 10);
    EXPECT_EQ(budget.kept(), 30u);
    EXPECT_EQ(things.gone, "");
    b.kept.use();
    things.add("d", 10);
    EXPECT_EQ(things.gone, "a");
    things.add("e", 15);
    EXPECT_EQ(things.gone, "acb");
    EXPECT_EQ(budget.kept(), 25u);
    EXPECT_EQ(budget.room(), 5u);
}

TEST(MemoryBudget, SomethingBeyondTheLimitIsKeptAlone) {
    MemoryBudget budget(30, {});
    Things things(budget);
    things.add("a", 10);
    things.add("b", 100);
    EXPECT_EQ(things.gone, "a");
    EXPECT_EQ(budget.kept(), 100u);
    EXPECT_EQ(budget.room(), 0u);
    things.add("c", 10);
    EXPECT_EQ(things.gone, "ab");
}

TEST(MemoryBudget, WhatIsInUseStays) {
    MemoryBudget budget(20, {});
    Things things(budget);
    Things::Thing& a = things.add("a", 10);
    things.add("b", 10);
    a.in_use = true;
    things.add("c", 10);
    EXPECT_EQ(things.gone, "b");
    EXPECT_TRUE(budget.free_memory());
    EXPECT_EQ(things.gone, "bc");
    EXPECT_FALSE(budget.free_memory());
    a.in_use = false;
    EXPECT_TRUE(budget.free_memory());
    EXPECT_EQ(budget.kept(), 0u);
}

TEST(MemoryBudget, ALowerLimitActsAtOnce) {
    MemoryBudget budget(100, {});
    Things things(budget);
    for (const char* name : {"a", "b", "c"}) things.add(name, 10);
    budget.set_limit(20);
    EXPECT_EQ(things.gone, "a");
    EXPECT_EQ(budget.limit(), 20u);
}

TEST(MemoryBudget, FreesNoMoreThanIsNeeded) {
    MemoryBudget budget(100, {});
    Things things(budget);
    for (const char* name : {"a", "b", "c", "d"}) things.add(name, 10);
    EXPECT_TRUE(budget.free_memory(15));
    EXPECT_EQ(things.gone, "ab");
    EXPECT_TRUE(budget.free_memory(0));  // something at least
    EXPECT_EQ(things.gone, "abc");
}

// An image that is given up takes its coefficients with it.
TEST(MemoryBudget, WhatGoesMayTakeOthersWithIt) {
    MemoryBudget budget(100, {});
    Things things(budget);
    Things::Thing& image = things.add("i", 10);
    Things::Thing& levels = things.add("l", 10);
    things.add("x", 10);
    Things::Thing& coefficients = things.add("c", 10);
    image.with_it = {&levels, &coefficients};
    EXPECT_TRUE(budget.free_memory(35));
    EXPECT_EQ(things.gone, "ix");
    EXPECT_EQ(budget.kept(), 0u);
}

TEST(MemoryBudget, WhatIsFreedAlreadyIsReturnedBeforeAnythingIsGivenUp) {
    std::string log;
    size_t freed = 30;
    MemoryBudget budget(20, {.reclaim = [&] {
                            log += "return ";
                            return std::exchange(freed, 0);
                        }});
    std::vector<MemoryBudget::Kept> kept(2);
    for (size_t i = 0; i < kept.size(); ++i)
        kept[i] = budget.keep(10, [&, i] {
            log += std::to_string(i) + " ";
            kept[i] = {};
        });
    const auto failing = [&](int times) {
        log.clear();
        budget.obtain(10, [&, left = times]() mutable {
            if (left-- > 0) throw OutOfMemory("none");
        });
        return log;
    };
    EXPECT_EQ(failing(0), "");
    EXPECT_EQ(failing(1), "return ");
    EXPECT_EQ(failing(1), "return 0 return ");
    freed = 5;
    EXPECT_EQ(failing(2), "return return 1 return ");
    EXPECT_THROW(failing(1), OutOfMemory);
}

TEST(MemoryBudget, AnAllocationIsTriedAgainAsLongAsSomethingCanBeGivenUp) {
    MemoryBudget budget(100, {});
    Things things(budget);
    for (const char* name : {"a", "b", "c", "d"}) things.add(name, 10);
    int tries = 0;
    EXPECT_EQ(budget.obtain(10,
                            [&] {
                                ++tries;
                                if (budget.kept() > 20) throw OutOfMemory("none");
                                return 7;
                            }),
              7);
    EXPECT_EQ(tries, 3);
    EXPECT_EQ(things.gone, "ab");
    tries = 0;
    const auto never = [&]() -> int {
        ++tries;
        throw OutOfMemory("try " + std::to_string(tries));
    };
    try {
        budget.obtain(10, never);
        ADD_FAILURE();
    } catch (const OutOfMemory& error) {
        EXPECT_STREQ(error.what(), "try 3");  // after c and d
    }
    EXPECT_EQ(things.gone, "abcd");
    tries = 0;
    EXPECT_THROW(budget.obtain(10,
                               [&]() -> int {
                                   ++tries;
                                   throw Error("another");
                               }),
                 Error);
    EXPECT_EQ(tries, 1);
}

TEST(MemoryBudget, CountsWhatIsTakenAndHowMuchItWas) {
    MemoryBudget budget(100, {});
    auto a = budget.take(1000, "a");
    {
        const auto b = budget.take(500, "b");
        EXPECT_EQ(budget.taken(), 1500u);
    }
    EXPECT_EQ(budget.taken(), 1000u);
    auto moved = std::move(a);
    EXPECT_EQ(budget.taken(), 1000u);
    moved = {};
    EXPECT_EQ(budget.taken(), 0u);
    EXPECT_EQ(budget.most_taken(), 1500u);
}

TEST(MemoryBudget, ACapacityIsTheMemoryThereIs) {
    MemoryBudget budget(100, {});
    EXPECT_EQ(budget.available(), MemoryBudget::unlimited);
    const auto a = budget.take(3 * mebibyte, "a");
    budget.set_capacity(10 * mebibyte);
    EXPECT_EQ(budget.available(), 7 * mebibyte);
    try {
        budget.take(8 * mebibyte, "no memory for a test");
        ADD_FAILURE();
    } catch (const OutOfMemory& error) {
        EXPECT_STREQ(error.what(), "no memory for a test: 8 MiB are needed, 7 MiB available");
    }
    EXPECT_EQ(budget.taken(), 3 * mebibyte);
    EXPECT_NO_THROW(budget.take(7 * mebibyte, "a"));
    budget.set_capacity(MemoryBudget::unlimited);
    EXPECT_NO_THROW(budget.take(8 * mebibyte, "a"));
}

TEST(MemoryBudget, AsksTheSystemFirstWhereThatGrantsMoreThanThereIs) {
    size_t there = 100 * mebibyte;
    MemoryBudget asks(0, {.available = [&] { return there; }, .ask_first = true});
    MemoryBudget trusts(0, {.available = [&] { return there; }});
    EXPECT_NO_THROW(asks.take(100 * mebibyte, "a"));
    EXPECT_THROW(asks.take(101 * mebibyte, "a"), OutOfMemory);
    EXPECT_NO_THROW(trusts.take(101 * mebibyte, "a"));
}

TEST(MemoryBudget, SixteenPanesNeverLoseWhatEveryFrameUses) {
    MemoryBudget budget(MemoryBudget::unlimited, {});
    Things things(budget);
    std::vector<Things::Thing*> shown;
    for (int i = 0; i < 16; ++i) shown.push_back(&things.add("s", (sizeof(size_t) == 8 ? 512 : 64) * mebibyte));
    for (int frame = 0; frame < 10; ++frame) {
        for (Things::Thing* thing : shown) thing->kept.use();
        budget.next_frame();
    }
    EXPECT_EQ(things.gone, "");
}

TEST(MemoryBudget, OfIdleThingsTheLatestStayAndTheSmall) {
    MemoryBudget budget(MemoryBudget::unlimited, {});
    Things large(budget);
    for (int i = 0; i < 12; ++i) large.add(std::string(1, char('a' + i)), MemoryBudget::idle_bytes);
    for (int frame = 0; frame < 2; ++frame) budget.next_frame();
    EXPECT_EQ(large.gone, "");  // used by the last frame or the one before
    budget.next_frame();
    EXPECT_EQ(large.gone, "abcd");
    EXPECT_EQ(budget.kept(), MemoryBudget::most_idle * MemoryBudget::idle_bytes);

    MemoryBudget other(MemoryBudget::unlimited, {});
    Things small(other);
    for (int i = 0; i < 600; ++i) small.add(".", mebibyte);
    for (int frame = 0; frame < 3; ++frame) other.next_frame();
    EXPECT_EQ(other.kept(), MemoryBudget::idle_bytes);
}

TEST(MemoryBudget, WhatIsGivenBackAfterItsEndDoesNoHarm) {
    MemoryBudget::Kept kept;
    MemoryBudget::Taken taken;
    {
        MemoryBudget budget(100, {});
        kept = budget.keep(10, [] {});
        taken = budget.take(10, "a");
    }
    kept.use();
    kept = {};
    taken = {};
}

TEST(MemoryBudget, LeavesRoomForOthersByDefault) {
    if (sizeof(size_t) < 8) GTEST_SKIP() << "these cards have more memory than 32 bits can say";
    const size_t gibibyte = 1024 * mebibyte;
    const auto default_budget = [](size_t available, size_t total) {
        return memory_plan({.available = available, .total = total}).kept;
    };
    EXPECT_EQ(default_budget(gibibyte * 7 / 2, 4 * gibibyte), 4 * gibibyte / 5 * 3);  // a laptop's card at rest
    EXPECT_EQ(default_budget(gibibyte * 3 / 2, 4 * gibibyte), gibibyte);              // the same under a game
    EXPECT_EQ(default_budget(139 * gibibyte, 140 * gibibyte), 140 * gibibyte / 5 * 3);
    EXPECT_EQ(default_budget(300 * mebibyte, 24 * gibibyte), 75 * mebibyte);  // nearly full
    EXPECT_EQ(default_budget(0, 24 * gibibyte), 0u);
    for (size_t total = gibibyte; total < 200 * gibibyte; total += gibibyte)
        for (size_t free = 0; free <= total; free += total / 16) {
            ASSERT_LE(default_budget(free, total), total / 5 * 3);
            ASSERT_LE(default_budget(free, total), free);
        }
}

// In eighths and sixteenths, as the comment of memory_plan.h has them.
TEST(MemoryPlan, DividesWhatAnImageMayTake) {
    const MemoryPlan plan = memory_plan({.image = 1600 * mebibyte});
    EXPECT_EQ(plan.tiled.tiles, 400 * mebibyte);
    EXPECT_EQ(plan.tiled.levels, 400 * mebibyte);
    for (const size_t share : {plan.tiled.making, plan.tiled.rows, plan.tiled.region}) EXPECT_EQ(share, 200 * mebibyte);
    EXPECT_EQ(plan.live.maker, 1000 * mebibyte);
    EXPECT_EQ(plan.live.held, 600 * mebibyte);
    EXPECT_EQ(plan.live.region, 300 * mebibyte);
    const auto on_gpu = [](size_t kept) { return memory_plan({.image = 1600 * mebibyte, .kept_on_gpu = kept}).live; };
    EXPECT_EQ(on_gpu(100000 * mebibyte).maker, 1000 * mebibyte) << "tiles are the machine's";
    EXPECT_EQ(on_gpu(100000 * mebibyte).held, 900 * mebibyte);
    EXPECT_EQ(on_gpu(100000 * mebibyte).region, 600 * mebibyte);
    EXPECT_EQ(on_gpu(800 * mebibyte).held, 450 * mebibyte) << "no more than the GPU keeps";
    EXPECT_EQ(on_gpu(0).held, least_live_memory / 16 * 9);
}

}  // namespace
}  // namespace texelscope::test
