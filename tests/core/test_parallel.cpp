// Loops that threads share: every iteration once, and errors reach the caller.

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope::test {
namespace {

constexpr WorkName some_work{"a test"};

// How often each of the iterations was done.
std::vector<int> counts(int n, int chunk) {
    std::vector<std::atomic<int>> times(static_cast<size_t>(n));
    parallel_for(some_work, n, chunk, [&](int i) { ++times[size_t(i)]; });
    return {times.begin(), times.end()};
}

TEST(Parallel, EveryIterationIsDoneOnce) {
    for (const int n : {1, 2, 3, 7, 64, 65, 1000})
        for (const int chunk : {1, 2, 4, 63, 64, 2000})
            EXPECT_EQ(counts(n, chunk), std::vector<int>(size_t(n), 1)) << n << " in chunks of " << chunk;
}

TEST(Parallel, NothingIsDoneForAnEmptyLoop) {
    for (const long long n : {0, -1}) parallel_for(some_work, n, 1, [](long long) { FAIL(); });
}

TEST(Parallel, ASingleChunkIsDoneByTheCaller) {
    const auto caller = std::this_thread::get_id();
    parallel_for(some_work, 8, 8, [&](int) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

// No two threads use the same scratch, so that its own count, which is not atomic, is right.
TEST(Parallel, EveryThreadHasItsScratch) {
    static std::atomic<int> made, done;
    struct Scratch {
        int calls = 0;
        Scratch() { ++made; }
        ~Scratch() { done += calls; }
    };
    made = done = 0;
    parallel_for_with<Scratch>(some_work, 10'000, 1, [](Scratch& scratch, int) { ++scratch.calls; });
    EXPECT_EQ(done, 10'000);
    EXPECT_GE(made, 1);
    EXPECT_LE(made, thread_count());
}

TEST(Parallel, AnExceptionReachesTheCallerAndTheNextLoopIsWhole) {
    for (const int thrower : {0, 41, 99}) {
        try {
            parallel_for(some_work, 100, 1, [&](int i) {
                if (i == thrower) throw std::runtime_error("number " + std::to_string(i));
            });
            FAIL() << "nothing was thrown";
        } catch (const std::runtime_error& error) {
            EXPECT_EQ(error.what(), "number " + std::to_string(thrower));
        }
        EXPECT_EQ(counts(100, 3), std::vector<int>(100, 1));
    }
}

TEST(Parallel, OneOfManyExceptionsReachesTheCaller) {
    EXPECT_THROW(parallel_for(some_work, 1000, 1, [](int) { throw std::bad_alloc(); }), std::bad_alloc);
    struct Refusing {
        Refusing() { throw std::bad_alloc(); }
    };
    EXPECT_THROW(parallel_for_with<Refusing>(some_work, 1000, 1, [](Refusing&, int) {}), std::bad_alloc);
}

TEST(Parallel, ALoopWithinALoop) {
    std::vector<std::vector<int>> inner(20);
    parallel_for(some_work, 20, 1, [&](int i) { inner[size_t(i)] = counts(i + 1, 2); });
    for (int i = 0; i < 20; ++i) EXPECT_EQ(inner[size_t(i)], std::vector<int>(size_t(i) + 1, 1));
}

TEST(Parallel, AnExceptionLeavesNestedLoops) {
    EXPECT_THROW(parallel_for(some_work, 10, 1,
                              [](int i) {
                                  parallel_for(some_work, 10, 1, [i](int j) {
                                      if (i == 3 && j == 7) throw std::out_of_range("3, 7");
                                  });
                              }),
                 std::out_of_range);
}

// As when two backends compute at the same time.
TEST(Parallel, LoopsOfDifferentThreadsDoNotMix) {
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int round = 0; round < 20; ++round) right += counts(500, 3) == std::vector<int>(500, 1);
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, 80);
}

TEST(StoppableLoop, EndsEarlyOnceAStopIsRequested) {
    std::stop_source source;
    const StoppableLoops stoppable(source.get_token());
    constexpr int n = 100000;
    std::atomic<int> done = 0;
    EXPECT_THROW(parallel_for(some_work, n, 1,
                              [&](int) {
                                  if (++done == 10) source.request_stop();
                              }),
                 Cancelled);
    EXPECT_LT(done, 10 + 2 * thread_count()) << "each thread ends with its chunk";
}

TEST(StoppableLoop, OtherThreadsAreNotStopped) {
    std::stop_source source;
    source.request_stop();
    {
        const StoppableLoops stoppable(source.get_token());
        EXPECT_THROW(counts(100, 1), Cancelled);
        std::jthread([] { EXPECT_EQ(counts(100, 1), std::vector<int>(100, 1)); }).join();
    }
    EXPECT_EQ(counts(100, 1), std::vector<int>(100, 1)) << "nor this one afterwards";
}

}  // namespace
}  // namespace texelscope::test
