// Threads and memory of the host.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <limits>
#include <new>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "gpu/backend/cpu_backend.h"
#include "gpu/core/errors.h"
#include "gpu/core/machine.h"
#include "gpu/core/parallel.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// Loops that threads share: every iteration once, and errors reach the caller.

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
                                  if (++done >= 10) source.request_stop();  // whoever is first, or overtakes it
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

using namespace std::chrono_literals;

// Rows that another thread fills: whoever waits for them.

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

namespace fs = std::filesystem;

// How much memory the host can give, according to files of machines that are written here.

class AvailableMemory : public ::testing::Test {
protected:
    void SetUp() override {
        if (sizeof(size_t) < 8) GTEST_SKIP() << "these machines have more memory than 32 bits can say";
    }
    void write(const std::string& path, const std::string& text) const {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }
    size_t here() const { return available_host_memory(root_); }

    const Folder root_;
    static constexpr size_t kibibyte = 1024, gibibyte = size_t(1) << 30;
};

constexpr const char* of_8_gib =
    "MemTotal:       16384000 kB\nMemFree:         1000000 kB\nMemAvailable:    8388608 kB\n";

TEST_F(AvailableMemory, IsUnknownWhereNothingTells) { EXPECT_EQ(here(), std::numeric_limits<size_t>::max()); }

TEST_F(AvailableMemory, IsThatOfTheMachine) {
    write("proc/meminfo", of_8_gib);
    EXPECT_EQ(here(), 8 * gibibyte);
}

TEST_F(AvailableMemory, IsWhatTheTightestControlGroupLeaves) {
    write("proc/meminfo", of_8_gib);
    write("proc/self/cgroup", "0::/user/job\n");
    write("sys/fs/cgroup/user/memory.max", "2147483648\n");
    write("sys/fs/cgroup/user/memory.current", "1610612736\n");
    write("sys/fs/cgroup/user/job/memory.max", "max\n");
    write("sys/fs/cgroup/user/job/memory.current", "4096\n");
    EXPECT_EQ(here(), gibibyte / 2);
    // Cached files can be dropped.
    write("sys/fs/cgroup/user/memory.stat",
          "anon 1073741824\nfile 536870912\ninactive_file 268435456\nactive_file 268435456\n");
    EXPECT_EQ(here(), gibibyte);
}

TEST_F(AvailableMemory, IsWhatAContainerLeavesWhosePathIsThatOfTheMachineOutside) {
    write("proc/meminfo", of_8_gib);
    write("proc/self/cgroup", "0::/docker/0123456789abcdef\n");
    write("sys/fs/cgroup/memory.max", "1073741824\n");
    write("sys/fs/cgroup/memory.current", "1048576\n");
    EXPECT_EQ(here(), gibibyte - 1024 * kibibyte);
}

TEST_F(AvailableMemory, IsWhatControlGroupsOfTheFirstVersionLeave) {
    write("proc/meminfo", of_8_gib);
    write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/batch/7\n0::/\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/memory/memory.usage_in_bytes", "12345678\n");
    write("sys/fs/cgroup/memory/batch/7/memory.limit_in_bytes", "3221225472\n");
    write("sys/fs/cgroup/memory/batch/7/memory.usage_in_bytes", "1073741824\n");
    EXPECT_EQ(here(), 2 * gibibyte);
}

TEST_F(AvailableMemory, IsNothingWhereAGroupUsesMoreThanItMay) {
    write("proc/self/cgroup", "0::/\n");
    write("sys/fs/cgroup/memory.max", "1000\n");
    write("sys/fs/cgroup/memory.current", "2000\n");
    EXPECT_EQ(here(), 0u);
}

TEST(WordsOfBytes, AreRoundedAsFarAsOneWantsToKnow) {
    EXPECT_EQ(words_of_bytes(0), "0 MiB");
    EXPECT_EQ(words_of_bytes(1), "1 MiB");
    EXPECT_EQ(words_of_bytes(size_t(640) << 20), "640 MiB");
    EXPECT_EQ(words_of_bytes(size_t(1) << 31), "2.0 GiB");
    if (sizeof(size_t) == 8) {
        EXPECT_EQ(words_of_bytes(size_t(14400) * 1000000), "13.4 GiB");
    }
}

}  // namespace
}  // namespace texelscope::test
