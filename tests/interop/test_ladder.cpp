// The ladder over made-up machines: which rung, on which device, and why no higher one.

#include <set>

#include <gtest/gtest.h>

#include "gpu/interop/present_target.h"

namespace texelscope::test {
namespace {

class StandInTarget final : public PresentTarget {
public:
    explicit StandInTarget(Rung rung) : rung_(rung) {}
    Rung rung() const override { return rung_; }
    void resize(size_t) override {}
    WritablePixels map() override { return {}; }
    bool unmap() override { return true; }
    unsigned buffer() const override { return 0; }

private:
    Rung rung_;
};

// A machine with some devices, some of which fail at one stage or another.
struct MadeUpMachine final : Devices {
    int devices = 1;
    std::vector<int> draw = {0};                 // OpenGL
    std::set<int> without_code, without_memory;  // found by asking a device, and by making a backend
    bool registers = true, stages = true;
    std::vector<int> made;  // the devices of the backends made

    int count(std::string& why_none) override {
        if (devices == 0) why_none = "CUDA_VISIBLE_DEVICES is \"\"";
        return devices;
    }
    DeviceAnswer ask(int device) override {
        DeviceAnswer answer;
        answer.index = device;
        if (without_code.contains(device)) answer.why_not = "no code";
        return answer;
    }

    Presenter present(BackendChoice choice = BackendChoice::automatic, const PresenterOptions& options = {}) {
        const auto target = [](Rung rung) { return std::make_unique<StandInTarget>(rung); };
        const LadderParts parts = {
            .devices = *this,
            .devices_of_gl =
                [this](std::string& why) {
                    if (draw.empty()) why = "llvmpipe draws";
                    return draw;
                },
            .cuda_backend =
                [this](int device) {
                    made.push_back(device);
                    if (without_memory.contains(device)) throw OutOfMemory("its memory is full");
                    return make_cpu_backend();
                },
            .registered_target =
                [this, target](std::shared_ptr<Backend>) {
                    if (!registers) throw Error("cannot register");
                    return target(Rung::cuda_gl);
                },
            .staged_target =
                [this, target](std::shared_ptr<Backend>) {
                    if (!stages) throw OutOfMemory("no pinned memory");
                    return target(Rung::cuda_staged);
                },
            .cpu_backend = [] { return make_cpu_backend(); },
            .host_target = [target] { return target(Rung::cpu); },
        };
        return climb_down(parts, choice, options);
    }
};

void expect(const Presenter& presenter, Rung rung, const std::string& reason, bool refused) {
    ASSERT_TRUE(presenter.backend);
    ASSERT_TRUE(presenter.target);
    EXPECT_EQ(presenter.target->rung(), rung) << name_of(presenter.target->rung());
    EXPECT_EQ(presenter.reason, reason);
    EXPECT_EQ(presenter.refused, refused);
}

TEST(Ladder, TopRungOnTheDeviceThatDraws) {
    MadeUpMachine machine;
    machine.devices = 3;
    machine.draw = {2};
    expect(machine.present(), Rung::cuda_gl, "", false);
    EXPECT_EQ(machine.made, std::vector<int>{2});
}

TEST(Ladder, StagedWhereNothingOrAnotherGpuDraws) {
    MadeUpMachine machine;
    machine.draw = {};
    expect(machine.present(), Rung::cuda_staged, "llvmpipe draws", false);
    machine.draw = {0};
    expect(machine.present(BackendChoice::automatic, {.interop = false}), Rung::cuda_staged, "interop was switched off",
           false);
    machine.registers = false;
    expect(machine.present(), Rung::cuda_staged, "cannot register", false);
}

TEST(Ladder, TheSecondDeviceWhereTheFirstHasNoCode) {
    MadeUpMachine machine;
    machine.devices = 2;
    machine.without_code = {0};
    expect(machine.present(), Rung::cuda_staged, "CUDA device 0: no code; another GPU drives OpenGL", true);
    EXPECT_EQ(machine.made, std::vector<int>{1});
    machine.draw = {0, 1};  // like two linked cards
    expect(machine.present(), Rung::cuda_gl, "CUDA device 0: no code", true);
}

TEST(Ladder, TheSecondDeviceWhereTheFirstFailsOnlyWhenItIsUsed) {
    MadeUpMachine machine;
    machine.devices = 2;
    machine.without_memory = {0};
    expect(machine.present(), Rung::cuda_staged, "CUDA device 0: its memory is full; another GPU drives OpenGL", true);
    EXPECT_EQ(machine.made, (std::vector<int>{0, 1}));
}

TEST(Ladder, TheCpuWhereNoDeviceCanBeUsed) {
    MadeUpMachine machine;
    machine.devices = 0;
    expect(machine.present(), Rung::cpu, "CUDA_VISIBLE_DEVICES is \"\"", false);
    machine.devices = 2;
    machine.without_code = {0, 1};
    expect(machine.present(), Rung::cpu, "CUDA device 0: no code; CUDA device 1: no code", true);
    machine.without_code = {1};
    machine.without_memory = {0};
    expect(machine.present(), Rung::cpu, "CUDA device 0: its memory is full; CUDA device 1: no code", true);
}

TEST(Ladder, TheCpuWhereNotEvenStagedCopiesCanBeHad) {
    MadeUpMachine machine;
    machine.registers = machine.stages = false;
    expect(machine.present(), Rung::cpu, "CUDA device 0: no pinned memory", true);
}

TEST(Ladder, DevicesToAvoidAreNotUsed) {
    MadeUpMachine machine;
    machine.devices = 2;
    machine.draw = {0, 1};
    expect(machine.present(BackendChoice::automatic, {.avoid = {{0, "it stopped answering"}}}), Rung::cuda_gl,
           "CUDA device 0: it stopped answering", true);
    EXPECT_EQ(machine.made, std::vector<int>{1});
}

TEST(Ladder, DoesNotFallWhereCudaWasAskedFor) {
    MadeUpMachine machine;
    machine.without_memory = {0};
    try {
        machine.present(BackendChoice::cuda);
        ADD_FAILURE() << "no device could be used";
    } catch (const Unavailable& error) {
        EXPECT_STREQ(error.what(), "backend cuda: CUDA device 0: its memory is full");
    }
    machine.without_memory = {};
    machine.draw = {};
    expect(machine.present(BackendChoice::cuda), Rung::cuda_staged, "llvmpipe draws", false);
}

TEST(Ladder, AsksNoDeviceWhereTheCpuWasAskedFor) {
    MadeUpMachine machine;
    expect(machine.present(BackendChoice::cpu), Rung::cpu, "the CPU backend was requested", false);
    EXPECT_TRUE(machine.made.empty());
}

}  // namespace
}  // namespace texelscope::test
