// Which CUDA device computes, and why not another: over made-up machines, and over this one.

#include <cstdlib>
#include <map>
#include <set>

#include "gpu/backend/device_choice.h"
#include "gpu/core/errors.h"
#include "tests/support/backends.h"

namespace texelscope::test {
namespace {

// Device k fails with refusals[k]; devices not in it answer.
class MadeUpDevices final : public Devices {
public:
    MadeUpDevices(int count, std::map<int, std::string> refusals) : count_(count), refusals_(std::move(refusals)) {}
    int count(std::string& why_none) override {
        if (count_ == 0) why_none = "no CUDA device is visible";
        return count_;
    }
    DeviceAnswer ask(int device) override {
        asked.push_back(device);
        DeviceAnswer answer;
        answer.index = device;
        answer.name = "card " + std::to_string(device);
        if (refusals_.contains(device)) answer.why_not = refusals_[device];
        else answer.code = "compiled for compute capability 9.0";
        return answer;
    }
    std::vector<int> asked;

private:
    int count_;
    std::map<int, std::string> refusals_;
};

TEST(DeviceChoice, TakesTheFirstThatAnswersAndAsksNoOther) {
    MadeUpDevices devices(3, {});
    const DeviceChoice choice = choose_device(devices);
    ASSERT_TRUE(choice.taken);
    EXPECT_EQ(choice.taken->index, 0);
    EXPECT_EQ(choice.reason, "");
    EXPECT_FALSE(choice.refused);
    EXPECT_EQ(devices.asked, std::vector<int>{0}) << "asking makes a context, which takes memory";
}

TEST(DeviceChoice, TakesTheSecondWhereTheFirstCannotBeUsedAndSaysWhy) {
    MadeUpDevices devices(3, {{0, "its memory is full"}});
    const DeviceChoice choice = choose_device(devices);
    ASSERT_TRUE(choice.taken);
    EXPECT_EQ(choice.taken->index, 1);
    EXPECT_EQ(choice.reason, "CUDA device 0 (card 0): its memory is full");
    EXPECT_TRUE(choice.refused);
}

TEST(DeviceChoice, NamesEveryDeviceWhereNoneAnswers) {
    MadeUpDevices devices(2, {{0, "its memory is full"}, {1, "no code"}});
    const DeviceChoice choice = choose_device(devices);
    EXPECT_FALSE(choice.taken);
    EXPECT_EQ(choice.reason, "CUDA device 0 (card 0): its memory is full; CUDA device 1 (card 1): no code");
    EXPECT_TRUE(choice.refused);
}

TEST(DeviceChoice, SaysWhyThereIsNone) {
    MadeUpDevices devices(0, {});
    const DeviceChoice choice = choose_device(devices);
    EXPECT_FALSE(choice.taken);
    EXPECT_EQ(choice.reason, "no CUDA device is visible");
    EXPECT_FALSE(choice.refused);
}

TEST(DeviceChoice, AsksThePreferredFirstInTheirOrder) {
    MadeUpDevices devices(4, {{2, "x"}, {1, "y"}});
    const DeviceChoice choice = choose_device(devices, {.preferred = {2, 1}});
    ASSERT_TRUE(choice.taken);
    EXPECT_EQ(choice.taken->index, 0);
    EXPECT_EQ(devices.asked, (std::vector<int>{2, 1, 0}));
    EXPECT_EQ(choice.reason, "CUDA device 2 (card 2): x; CUDA device 1 (card 1): y");
}

TEST(DeviceChoice, PreferredDevicesThatAreNotThereAreLeftOut) {
    MadeUpDevices devices(2, {});
    const DeviceChoice choice = choose_device(devices, {.preferred = {5, -1, 1, 1}});
    ASSERT_TRUE(choice.taken);
    EXPECT_EQ(choice.taken->index, 1);
    EXPECT_EQ(devices.asked, std::vector<int>{1});
}

TEST(DeviceChoice, DoesNotAskWhatIsAvoided) {
    MadeUpDevices devices(2, {});
    const DeviceChoice choice = choose_device(devices, {.preferred = {0}, .avoid = {{0, "it stopped answering"}}});
    ASSERT_TRUE(choice.taken);
    EXPECT_EQ(choice.taken->index, 1);
    EXPECT_EQ(choice.reason, "CUDA device 0: it stopped answering");
    EXPECT_EQ(devices.asked, std::vector<int>{1});
}

TEST(DeviceChoice, TakesNoOtherThanTheOneThatWasAskedFor) {
    MadeUpDevices devices(3, {{1, "its memory is full"}});
    EXPECT_EQ(choose_device(devices, {.only = 2}).taken.value().index, 2);
    const DeviceChoice refused = choose_device(devices, {.only = 1});
    EXPECT_FALSE(refused.taken);
    EXPECT_EQ(refused.reason, "CUDA device 1 (card 1): its memory is full");
    const DeviceChoice missing = choose_device(devices, {.only = 3});
    EXPECT_FALSE(missing.taken);
    EXPECT_EQ(missing.reason, "there is no device 3: this machine's are 0 to 2");
    EXPECT_EQ(devices.asked, (std::vector<int>{2, 1}));
}

TEST(DeviceFaults, StandInForDevicesThatFail) {
    MadeUpDevices devices(4, {});
    DevicesWithFaults faulty(devices, "0=no-code,1=out-of-memory,2=no-context");
    const DeviceChoice choice = choose_device(faulty);
    ASSERT_TRUE(choice.taken);
    EXPECT_EQ(choice.taken->index, 3);
    for (const char* words : {"CUDA device 0: no code for", "CUDA device 1: its memory is full",
                              "CUDA device 2: no CUDA context can be made there"})
        EXPECT_NE(choice.reason.find(words), std::string::npos) << choice.reason;
    EXPECT_EQ(devices.asked, std::vector<int>{3});
    DevicesWithFaults all(devices, "*=old-driver");
    EXPECT_FALSE(choose_device(all).taken);
    DevicesWithFaults none(devices, "none");
    EXPECT_FALSE(choose_device(none).taken);
    EXPECT_FALSE(choose_device(none).refused);
    for (const char* wrong : {"0", "0=", "=no-code", "x=no-code", "0=slow", "-1=no-code", "0 =no-code"})
        EXPECT_THROW(DevicesWithFaults(devices, wrong), UsageError) << wrong;
}

TEST(DeviceFaults, AreSaidSoThatOneKnowsWhatToDo) {
    DeviceLimits limits;
    limits.compute_capability = 61;
    const std::string no_code = words_of_fault(ProbeFault::no_code, limits, "75-virtual 90", "CUDA's words");
    EXPECT_NE(no_code.find("6.1"), std::string::npos) << no_code;
    EXPECT_NE(no_code.find("CMAKE_CUDA_ARCHITECTURES=75-virtual 90"), std::string::npos) << no_code;
    const std::string driver = words_of_fault(ProbeFault::old_driver, limits, "75-virtual", "unsupported PTX");
    EXPECT_NE(driver.find("(unsupported PTX); update the NVIDIA driver"), std::string::npos) << driver;
    std::set<std::string> all;
    for (const ProbeFault fault : {ProbeFault::no_code, ProbeFault::old_driver, ProbeFault::no_context,
                                   ProbeFault::out_of_memory, ProbeFault::wrong_answer})
        EXPECT_TRUE(all.insert(words_of_fault(fault, limits, "90", "words")).second);
}

// binaryVersion and ptxVersion as cudaFuncGetAttributes gives them, for what CMake makes of each list of architectures.
TEST(DeviceCode, IsMachineCodeOnlyWhereTheBuildHasIt) {
    EXPECT_EQ(words_of_code({90, 75}, "75-virtual"), "compiled by the driver from PTX 7.5");
    EXPECT_EQ(words_of_code({90, 90}, "75-virtual 90-real"), "compiled for compute capability 9.0");
    EXPECT_EQ(words_of_code({90, 90}, "90"), "compiled for compute capability 9.0");
    EXPECT_EQ(words_of_code({90, 90}, "75-real 90-virtual"), "compiled by the driver from PTX 9.0");
    EXPECT_EQ(words_of_code({80, 80}, "80-real 90"), "compiled for compute capability 8.0");  // on a card of 8.6
    EXPECT_EQ(words_of_code({86, 80}, "80"), "compiled by the driver from PTX 8.0");          // when that was forced
    EXPECT_EQ(words_of_code({120, 120}, "all-major"), "compiled for compute capability 12.0");
    EXPECT_EQ(words_of_code({130, 120}, "all-major"), "compiled by the driver from PTX 12.0");
    EXPECT_EQ(words_of_code({89, 89}, "native"), "compiled for compute capability 8.9");
    EXPECT_EQ(words_of_code({90, 90}, "90a-real"), "compiled for compute capability 9.0");
    EXPECT_EQ(words_of_code({90, 90}, "900"), "compiled by the driver from PTX 9.0");
}

TEST(MakeBackend, SaysWhyItIsNotCuda) {
    std::string reason = "left over";
    EXPECT_EQ(make_backend(BackendChoice::cpu, {}, &reason)->info().kind, BackendKind::cpu);
    EXPECT_EQ(reason, "the CPU backend was requested");
    const auto backend = make_backend(BackendChoice::automatic, {}, &reason);
    EXPECT_EQ(backend->info().kind == BackendKind::cpu, !why_no_cuda().empty());
    if (backend->info().kind == BackendKind::cpu) {
        EXPECT_EQ(reason, why_no_cuda());
    }
}

TEST(MakeBackend, OnADeviceThatIsNotThereFallsOrIsRefused) {
    std::string reason;
    EXPECT_EQ(make_backend(BackendChoice::automatic, {.device = 1000}, &reason)->info().kind, BackendKind::cpu);
    EXPECT_FALSE(reason.empty());
    EXPECT_THROW(make_backend(BackendChoice::cuda, {.device = 1000}), Unavailable);
}

class OnChosenDevice : public OnBackend {};

TEST_P(OnChosenDevice, ItAnswersAndIsNotLost) {
    EXPECT_EQ(backend_->why_lost(), "");
    backend_->allocate(1 << 20);
    backend_->synchronize();
    EXPECT_EQ(backend_->why_lost(), "");
    stay_on_device_of(*backend_);
    if (GetParam() == BackendKind::cpu) return;
    const BackendInfo& info = backend_->info();
    const DeviceAnswer answer = machine_devices().ask(info.device_index);
    EXPECT_TRUE(answer.usable()) << answer.why_not;
    EXPECT_EQ(answer.name, info.device);
    EXPECT_TRUE(answer.code.starts_with("compiled ")) << answer.code;
    EXPECT_EQ(answer.limits.compute_capability, info.limits.compute_capability);
    std::string reason = "left over";
    EXPECT_EQ(make_backend(BackendChoice::automatic, {.device = info.device_index}, &reason)->info().kind,
              BackendKind::cuda);
    EXPECT_EQ(reason, "");
}

ON_EVERY_BACKEND(OnChosenDevice);

}  // namespace
}  // namespace texelscope::test
