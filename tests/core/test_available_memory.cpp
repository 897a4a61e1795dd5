// How much memory the host can give, according to files of machines that are written here.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "gpu/core/available_memory.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class AvailableMemory : public ::testing::Test {
protected:
    void SetUp() override { fs::remove_all(root_); }
    void TearDown() override { fs::remove_all(root_); }
    void write(const std::string& path, const std::string& text) const {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }
    size_t here() const { return available_host_memory(root_); }

    const fs::path root_ = fs::path(testing::TempDir()) / "texelscope_available_memory";
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
    EXPECT_EQ(words_of_bytes(size_t(14400) * 1000000), "13.4 GiB");
}

}  // namespace
}  // namespace texelscope::test
