// Falling back to the CPU in the middle of the work, and what `info` reports about devices.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/cli/on_backend.h"
#include "gpu/core/errors.h"
#include "tests/cli/program.h"
#include "tests/support/memory_test.h"

namespace texelscope::test {
namespace {

// A CPU that pretends to be a GPU.
class StandInGpu final : public CountingBackend {
public:
    StandInGpu() : CountingBackend(make_cpu_backend()) {
        info_.kind = BackendKind::cuda;
        info_.device = "stand-in";
    }
    const BackendInfo& info() const override { return info_; }

private:
    BackendInfo info_;
};

std::shared_ptr<Backend> stand_in_gpu(BackendChoice, std::string*) { return std::make_shared<StandInGpu>(); }

// The backends on which the work was begun, when the first of them fails in this way.
template <class Failure>
std::vector<BackendKind> begun(BackendChoice choice, const Failure& failure, const MakeBackend& make) {
    std::vector<BackendKind> kinds;
    try {
        on_backend(
            choice,
            [&](const std::shared_ptr<Backend>& backend) {
                kinds.push_back(backend->info().kind);
                if (kinds.size() == 1) throw failure;
            },
            make);
    } catch (const Failure&) {
        kinds.push_back(kinds.back());  // twice the same: it was not caught
    }
    return kinds;
}

const std::vector<BackendKind> fell = {BackendKind::cuda, BackendKind::cpu},
                               did_not = {BackendKind::cuda, BackendKind::cuda};

TEST(OnBackend, AutoFallsToTheCpuWhereTheGpuIsFullOrLost) {
    EXPECT_EQ(begun(BackendChoice::automatic, OutOfMemory("no memory on the GPU"), stand_in_gpu), fell);
    EXPECT_EQ(begun(BackendChoice::automatic, DeviceLost("an illegal address"), stand_in_gpu), fell);
}

TEST(OnBackend, OtherErrorsAndOtherChoicesStay) {
    EXPECT_EQ(begun(BackendChoice::automatic, Error("the file is damaged"), stand_in_gpu), did_not);
    EXPECT_EQ(begun(BackendChoice::cuda, OutOfMemory("no memory on the GPU"), stand_in_gpu), did_not);
    const auto cpu = [](BackendChoice, std::string*) { return make_cpu_backend(); };
    EXPECT_EQ(begun(BackendChoice::automatic, OutOfMemory("no memory"), cpu), (std::vector(2, BackendKind::cpu)));
}

class FallingProgram : public Program {};

// The device that is said to fail need not exist.
TEST_F(FallingProgram, RendersOnTheCpuWhereNoDeviceCanBeUsed) {
    for (const char* fault : {"none", "*=out-of-memory"}) {
        const std::string out = path("out.png"), errors = path("errors");
        const std::vector<std::string> command = {
            "sh", "-c",       "exec \"$0\" \"$@\" 2>\"$ERR\"", TEXELSCOPE_PROGRAM, "render", "@step:16", "-o",
            out,  "--backend"};
        const std::map<std::string, std::string> environment = {{"TEXELSCOPE_TEST_FAULT", fault}, {"ERR", errors}};
        auto with_auto = command, with_cuda = command;
        with_auto.push_back("auto");
        with_cuda.push_back("cuda");
        EXPECT_EQ(test::run(with_auto, environment), 0) << fault << ": " << content("errors");
        EXPECT_TRUE(std::filesystem::exists(out)) << fault;
        std::filesystem::remove(out);
        EXPECT_EQ(test::run(with_cuda, environment), 1) << fault;
        EXPECT_NE(content("errors").find("backend cuda: "), std::string::npos) << fault << ": " << content("errors");
        EXPECT_FALSE(std::filesystem::exists(out)) << fault;
    }
}

std::vector<DeviceAnswer> two_devices() {
    DeviceAnswer old, good;
    old.index = 0;
    old.name = "NVIDIA GeForce GTX 1080";
    old.limits.compute_capability = 61;
    old.why_not = "no code for its compute capability 6.1 is in this program";
    good.index = 1;
    good.name = "NVIDIA H200";
    good.limits.compute_capability = 90;
    good.limits.multiprocessors = 132;
    good.limits.shared_bytes_per_block = 227 << 10;
    good.limits.texture_width = 131072;
    good.limits.texture_height = 65536;
    good.code = "compiled for compute capability 9.0";
    return {old, good};
}

TEST(DeviceFacts, TellWhichDeviceIsUsedAndWhyNotAnother) {
    const FactRows rows = device_rows(two_devices(), 1);
    const FactRows expected = {
        {"CUDA device 0", "NVIDIA GeForce GTX 1080, compute capability 6.1: cannot be used"},
        {"  reason", "no code for its compute capability 6.1 is in this program"},
        {"CUDA device 1", "NVIDIA H200, compute capability 9.0: in use"},
        {"  code", "compiled for compute capability 9.0"},
        {"  hardware", "132 multiprocessors, 227 KiB of shared memory per block"},
    };
    EXPECT_EQ(rows, expected);
    EXPECT_TRUE(device_rows({}, any_device).empty());
    const auto json = devices_as_json(two_devices(), 1);
    ASSERT_EQ(json.size(), 2u);
    EXPECT_EQ(json[0].at("usable"), false);
    EXPECT_EQ(json[0].at("used"), false);
    EXPECT_EQ(json[0].at("compute_capability"), "6.1");
    EXPECT_FALSE(json[0].contains("code"));
    EXPECT_EQ(json[1].at("used"), true);
    EXPECT_EQ(json[1].at("code"), "compiled for compute capability 9.0");
    EXPECT_EQ(json[1].at("shared_bytes_per_block"), 227 << 10);
    EXPECT_EQ(json[1].at("largest_texture"), (nlohmann::ordered_json{131072, 65536}));
}

}  // namespace
}  // namespace texelscope::test
