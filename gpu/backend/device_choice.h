#pragma once
// The choice of the CUDA device: each is asked to run a kernel of this program, and the first that succeeds is taken.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/core/machine.h"

namespace texelscope {

// What a device answers when it is asked to run a kernel of this program.
struct DeviceAnswer {
    int index = 0;          // CUDA ordinal
    std::string name = {};  // "NVIDIA H200"; empty if not even that is known
    DeviceLimits limits = {};
    std::string code = {};     // which code runs there (see words_of_code)
    std::string why_not = {};  // why no code runs there, without the device's name; empty if it does

    bool usable() const { return why_not.empty(); }
};

// "CUDA device 0 (NVIDIA H200)"
std::string label_of(const DeviceAnswer& device);

// The devices to choose from: this machine's, or a test's.
class Devices {
public:
    virtual ~Devices() = default;

    // Their ordinals are 0 … count − 1. If there are none, says why.
    virtual int count(std::string& why_none) = 0;

    // Creates a context there if there is none. Never throws.
    virtual DeviceAnswer ask(int device) = 0;
};

// This machine's devices, with the faults of TEXELSCOPE_TEST_FAULT (see DevicesWithFaults).
Devices& machine_devices();

struct AvoidedDevice {
    int device = 0;
    std::string why;  // as DeviceAnswer::why_not
};

struct DeviceWish {
    int only = any_device;            // no other device
    std::vector<int> preferred = {};  // asked first, in this order
    std::vector<AvoidedDevice> avoid = {};
};

struct DeviceChoice {
    std::optional<DeviceAnswer> taken;
    std::string reason;    // why no device was taken, or none before the one taken; empty if that was the first
    bool refused = false;  // some devices could not be used
};

// Devices after the one taken are not asked.
DeviceChoice choose_device(Devices& devices, const DeviceWish& wish = {});

// Makes a CUDA backend's device the calling thread's current one from now on: a program that computes on one device
// need not switch back and forth. Does nothing for the CPU.
void stay_on_device_of(const Backend& backend);

// Why no kernel runs on a device.
enum class ProbeFault { no_code, old_driver, no_context, out_of_memory, wrong_answer };

// `cuda` is CUDA's own wording, if any; `architectures` are the build's CMAKE_CUDA_ARCHITECTURES with spaces between
// them.
std::string words_of_fault(ProbeFault fault, const DeviceLimits& limits, std::string_view architectures,
                           std::string_view cuda);

// The versions of a kernel on a device, as cudaFuncGetAttributes reports them: 10 · major + minor.
struct CodeVersions {
    int binary = 0, ptx = 0;
};

// Whether the driver compiled it there, from PTX; `architectures` as above.
bool is_compiled_by_driver(CodeVersions versions, std::string_view architectures);

// "compiled for compute capability 9.0", or "compiled by the driver from PTX 7.5".
std::string words_of_code(CodeVersions versions, std::string_view architectures);

// "9.0" for 90.
std::string capability_text(int compute_capability);

// For tests on machines with GPUs: devices that do not answer. `faults` is a list such as "0=no-code,1=out-of-memory":
// the device's ordinal, or * for all, and no-code, old-driver, no-context, out-of-memory or wrong-answer; or "none":
// there is no device at all. Throws UsageError for other words.
class DevicesWithFaults final : public Devices {
public:
    DevicesWithFaults(Devices& devices, std::string_view faults);
    int count(std::string& why_none) override;
    DeviceAnswer ask(int device) override;

private:
    struct Fault {
        int device = any_device;
        ProbeFault fault;
    };
    Devices& devices_;
    std::vector<Fault> faults_;
    bool none_ = false;
};

#if TEXELSCOPE_WITH_CUDA
// For reset_cuda_device() and break_device() of gpu/interop.
void reset_device(int device);
void write_to_illegal_address(Backend& backend);
#endif

}  // namespace texelscope
