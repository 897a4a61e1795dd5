// What takes long or is lost: messages before, and what follows.

#include <gtest/gtest.h>

#include <set>

#include "app/viewer/loop/first_use.h"
#include "app/viewer/loop/long_work.h"
#include "app/viewer/loop/recovery.h"
#include "gpu/interop/buffer_room.h"

namespace texelscope::test {
namespace {

// Which pictures say beforehand that they are computed.

FramePlan plan_of(int panes, std::string_view method, bool differences = false) {
    FramePlan plan;
    for (int i = 0; i < panes; ++i) {
        PlacedPicture& item = plan.pictures.emplace_back();
        item.pane = i;
        item.picture.shown.request.spec = default_spec(parse_method(method));
        item.picture.shown.request.width = 300;
        item.picture.shown.request.height = 200;
        if (!differences) continue;
        item.picture.against = item.picture.shown;
        item.picture.against->float64 = true;
    }
    return plan;
}

TEST(LongWork, IsExpectedOfDifferencesInManyPanes) {
    LongWork work;
    EXPECT_FALSE(work.expects(plan_of(16, "bspline", true))) << "nothing is known of this machine yet";
    work.took(plan_of(16, "bspline"), 100);
    EXPECT_TRUE(work.expects(plan_of(16, "bspline", true)));
    EXPECT_FALSE(work.expects(plan_of(1, "bspline", true)));
    work.took(plan_of(16, "bspline", true), 1400);
    EXPECT_FALSE(work.expects(plan_of(16, "bspline"))) << "without them it is short";
}

TEST(LongWork, IsNotExpectedOfReferencesThatAreComputedInTheBackground) {
    LongWork work(true);
    work.took(plan_of(16, "bspline"), 100);
    EXPECT_FALSE(work.expects(plan_of(16, "bspline", true)));
    work.took(plan_of(16, "bspline"), 250);
    EXPECT_TRUE(work.expects(plan_of(16, "lanczos4"))) << "twice the taps along each axis";
}

TEST(LongWork, IsNotExpectedOfAFastMachine) {
    LongWork work;
    work.took(plan_of(16, "bspline"), 4);
    EXPECT_FALSE(work.expects(plan_of(16, "bspline", true)));
}

TEST(LongWork, IsNotExpectedOfAMotion) {
    LongWork work;
    FramePlan plan = plan_of(16, "bspline", true);
    work.took(plan, 2000);
    for (PlacedPicture& item : plan.pictures) item.picture.shown.request.view.scale = 0.5;
    EXPECT_FALSE(work.expects(plan));
    EXPECT_TRUE(work.expects(plan_of(16, "lanczos3", true)));
}

// The message before the GPU's driver compiles a method's kernels.

FramePlan plan_of(const std::vector<std::string_view>& shown, std::string_view against = "") {
    FramePlan plan;
    for (const std::string_view id : shown) {
        PlacedPicture& item = plan.pictures.emplace_back();
        item.picture.shown.request.spec = default_spec(parse_method(id));
        if (!against.empty()) item.picture.against.emplace().request.spec = default_spec(parse_method(against));
    }
    return plan;
}

TEST(FirstUse, IsAnnouncedOnceForEachMethod) {
    FirstUse first_use;
    first_use.begin(true);
    EXPECT_NE(first_use.announce(plan_of({"bspline"})).find("compiles Cubic B-spline for this GPU"), std::string::npos);
    EXPECT_EQ(first_use.announce(plan_of({"bspline", "bspline"})), "");
    const std::string two = first_use.announce(plan_of({"nearest", "bspline", "lanczos3"}));
    EXPECT_NE(two.find("compiles Nearest neighbour, Lanczos 3 for"), std::string::npos) << two;
    EXPECT_NE(first_use.announce(plan_of({"bspline"}, "bilinear")).find("Bilinear"), std::string::npos);
    EXPECT_EQ(first_use.announce({}), "");
}

TEST(FirstUse, BeginsAnewWithAnotherBackend) {
    FirstUse first_use;
    first_use.begin(true);
    first_use.announce(plan_of({"bspline"}));
    first_use.begin(true);
    EXPECT_NE(first_use.announce(plan_of({"bspline"})), "");
    first_use.begin(false);
    EXPECT_EQ(first_use.announce(plan_of({"bspline", "nearest"})), "") << "its kernels are there";
}

// After a lost device: is it tried again, and the message. And how pixel buffers grow while a window is dragged.

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
