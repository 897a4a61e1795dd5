// After a lost device: is it tried again, and the message. And how pixel buffers grow while a window is dragged.

#include <set>

#include <gtest/gtest.h>

#include "app/viewer/loop/recovery.h"
#include "gpu/interop/buffer_room.h"

namespace texelscope::test {
namespace {

const std::string illegal = "cannot unmap the pixel buffer: an illegal memory access was encountered";

TEST(Recovery, TriesADeviceAgainButNotAtOnce) {
    Recovery recovery;
    EXPECT_TRUE(recovery.may_try_again(0, 100, illegal));
    EXPECT_TRUE(recovery.avoided().empty());
    EXPECT_FALSE(recovery.may_try_again(0, 100 + soon_lost_seconds - 1, illegal));
    ASSERT_EQ(recovery.avoided().size(), 1u);
    EXPECT_EQ(recovery.avoided()[0].device, 0);
    EXPECT_EQ(recovery.avoided()[0].why, "it stopped answering again (an illegal memory access was encountered)");
}

TEST(Recovery, GivesADeviceUpThatIsLostTimeAndAgain) {
    Recovery recovery;
    int tries = 0;
    for (double now = 0; now < 1e5 && recovery.avoided().empty(); now += 1000)
        tries += recovery.may_try_again(0, now, illegal);
    EXPECT_EQ(tries, most_losses - 1);
    EXPECT_FALSE(recovery.avoided().empty());
}

TEST(Recovery, CountsEachDeviceByItself) {
    Recovery recovery;
    EXPECT_TRUE(recovery.may_try_again(0, 0, illegal));
    EXPECT_TRUE(recovery.may_try_again(1, 1, illegal));
    EXPECT_FALSE(recovery.may_try_again(1, 2, illegal));
    ASSERT_EQ(recovery.avoided().size(), 1u);
    EXPECT_EQ(recovery.avoided()[0].device, 1);
}

// However often devices are lost, a machine runs out of them, and the CPU cannot be lost.
TEST(Recovery, GivesUpEveryDeviceAfterItsLosses) {
    constexpr int devices = 8;
    Recovery recovery;
    int losses = 0;
    for (int device = 0; device < devices; ++losses) {
        ASSERT_LT(losses, devices * most_losses);
        if (!recovery.may_try_again(device, losses * 1000.0, illegal)) ++device;
    }
}

TEST(Recovery, SaysWhatHappenedAndWhoComputesNow) {
    BackendInfo first, second, cpu;
    first.kind = second.kind = BackendKind::cuda;
    second.device_index = 1;
    second.device = "NVIDIA H200";
    EXPECT_EQ(
        lost_message(illegal, first, cpu),
        "The GPU stopped answering (an illegal memory access was encountered); the pictures are now computed by the CPU.");
    EXPECT_EQ(lost_message(illegal, first, first),
              "The GPU stopped answering (an illegal memory access was encountered); it was started again.");
    EXPECT_EQ(
        lost_message("unknown error", first, second),
        "The GPU stopped answering (unknown error); the pictures are now computed by NVIDIA H200 (CUDA device 1).");
}

// A window dragged pixel by pixel from 640×480 to 3840×2160 and back.
TEST(BufferRoom, IsMadeAnewAFewTimesInADrag) {
    size_t held = 0;
    int made = 0;
    std::set<size_t> sizes;
    const auto show = [&](int width) {
        const size_t bytes = size_t(width) * size_t(480 + (width - 640) * 1680 / 3200) * 4;
        const size_t room = buffer_room(bytes, held);
        ASSERT_GE(room, bytes);
        ASSERT_LE(room, 2 * rounded_room(bytes));
        ASSERT_EQ(room, buffer_room(bytes, room)) << "the same picture again";
        if (room != held) ++made;
        held = room;
        sizes.insert(bytes);
    };
    for (int width = 640; width <= 3840; ++width) show(width);
    EXPECT_LE(made, 20);
    const int growing = made;
    for (int width = 3840; width >= 640; --width) show(width);
    EXPECT_LE(made - growing, 8);
    EXPECT_GT(sizes.size(), 3000u);
}

TEST(BufferRoom, WastesAtMostAQuarter) {
    for (size_t bytes = 4; bytes < size_t(1) << 33; bytes += bytes / 97 + 1) {
        const size_t room = rounded_room(bytes);
        ASSERT_GE(room, bytes);
        ASSERT_LE(room, std::max(least_room, bytes + bytes / 4)) << bytes;
        ASSERT_EQ(room % 4, 0u);
    }
}

}  // namespace
}  // namespace texelscope::test
