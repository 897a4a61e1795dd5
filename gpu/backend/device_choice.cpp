#include "gpu/backend/device_choice.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#if TEXELSCOPE_WITH_CUDA
#include "gpu/backend/cuda_memory.h"
#endif

namespace texelscope {
namespace {

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const size_t end = std::min(text.find(separator), text.size());
        if (end > 0) parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

// The number that the text begins with, and the text after it; −1 if there is none.
std::pair<int, std::string_view> leading_number(std::string_view text) {
    int number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return {-1, text};
    return {number, text.substr(size_t(end - text.data()))};
}

// Whether the build has machine code, not only PTX, for devices of this compute capability.
bool has_real_code(std::string_view architectures, int capability) {
    for (const std::string_view architecture : parts_of(architectures, ' ')) {
        if (architecture == "native" || architecture == "all" || architecture == "all-major") return true;
        if (leading_number(architecture).first == capability && !architecture.ends_with("-virtual")) return true;
    }
    return false;
}

constexpr std::array<std::pair<std::string_view, ProbeFault>, 5> fault_names = {
    {{"no-code", ProbeFault::no_code},
     {"old-driver", ProbeFault::old_driver},
     {"no-context", ProbeFault::no_context},
     {"out-of-memory", ProbeFault::out_of_memory},
     {"wrong-answer", ProbeFault::wrong_answer}}};

// Every device once, the preferred ones first.
std::vector<int> in_order(const DeviceWish& wish, int count) {
    std::vector<int> order;
    const auto add = [&](int device) {
        const bool there = device >= 0 && device < count && (wish.only == any_device || device == wish.only);
        if (there && std::find(order.begin(), order.end(), device) == order.end()) order.push_back(device);
    };
    for (const int device : wish.preferred) add(device);
    for (int device = 0; device < count; ++device) add(device);
    return order;
}

#if !TEXELSCOPE_WITH_CUDA
class NoDevices final : public Devices {
public:
    int count(std::string& why_none) override {
        why_none = "this build has no CUDA: configure where nvcc is installed";
        return 0;
    }
    DeviceAnswer ask(int device) override { return {.index = device, .why_not = "this build has no CUDA"}; }
};
#endif

Devices& real_devices() {
#if TEXELSCOPE_WITH_CUDA
    static CudaDevices devices;
#else
    static NoDevices devices;
#endif
    return devices;
}

}  // namespace

std::string label_of(const DeviceAnswer& device) {
    return fmt::format("CUDA device {}{}", device.index, device.name.empty() ? "" : fmt::format(" ({})", device.name));
}

Devices& machine_devices() {
    const char* faults = std::getenv("TEXELSCOPE_TEST_FAULT");
    if (!faults) return real_devices();
    static DevicesWithFaults devices(real_devices(), faults);
    return devices;
}

DeviceChoice choose_device(Devices& devices, const DeviceWish& wish) {
    DeviceChoice choice;
    std::string none;
    const int count = devices.count(none);
    if (count < 1) {
        choice.reason = none;
        return choice;
    }
    if (wish.only != any_device && (wish.only < 0 || wish.only >= count)) {
        choice.reason = fmt::format("there is no device {}: this machine's are 0 to {}", wish.only, count - 1);
        return choice;
    }
    for (const int device : in_order(wish, count)) {
        const auto avoided = std::find_if(wish.avoid.begin(), wish.avoid.end(),
                                          [&](const AvoidedDevice& each) { return each.device == device; });
        DeviceAnswer answer =
            avoided == wish.avoid.end() ? devices.ask(device) : DeviceAnswer{.index = device, .why_not = avoided->why};
        if (answer.usable()) {
            choice.taken = std::move(answer);
            return choice;
        }
        choice.refused = true;
        choice.reason += fmt::format("{}{}: {}", choice.reason.empty() ? "" : "; ", label_of(answer), answer.why_not);
    }
    return choice;
}

void stay_on_device_of([[maybe_unused]] const Backend& backend) {
#if TEXELSCOPE_WITH_CUDA
    if (backend.info().kind == BackendKind::cuda) stay_on_device(backend.info().device_index);
#endif
}

std::string capability_text(int compute_capability) {
    return fmt::format("{}.{}", compute_capability / 10, compute_capability % 10);
}

std::string words_of_fault(ProbeFault fault, const DeviceLimits& limits, std::string_view architectures,
                           std::string_view cuda) {
    const std::string because = cuda.empty() ? "" : fmt::format(" ({})", cuda);
    switch (fault) {
        case ProbeFault::no_code:
            return fmt::format(
                "no code for its compute capability {} is in this program, which was built for "
                "CMAKE_CUDA_ARCHITECTURES={}",
                capability_text(limits.compute_capability), architectures);
        case ProbeFault::old_driver:
            return fmt::format("its driver cannot compile this program's code{}; update the NVIDIA driver", because);
        case ProbeFault::no_context: return fmt::format("no CUDA context can be made there{}", because);
        case ProbeFault::out_of_memory: return "its memory is full";
        case ProbeFault::wrong_answer: return "a kernel runs there, but computes something wrong";
    }
    return std::string(cuda);
}

// -real and plain architectures are compiled from PTX of the same version. If both versions agree and the build has no
// machine code for them, the driver has compiled that PTX.
bool is_compiled_by_driver(CodeVersions versions, std::string_view architectures) {
    return versions.binary != versions.ptx || !has_real_code(architectures, versions.binary);
}

std::string words_of_code(CodeVersions versions, std::string_view architectures) {
    if (is_compiled_by_driver(versions, architectures))
        return fmt::format("compiled by the driver from PTX {}", capability_text(versions.ptx));
    return fmt::format("compiled for compute capability {}", capability_text(versions.binary));
}

DevicesWithFaults::DevicesWithFaults(Devices& devices, std::string_view faults)
    : devices_(devices), none_(faults == "none") {
    if (none_) return;
    for (const std::string_view each : parts_of(faults, ',')) {
        const size_t equals = std::min(each.find('='), each.size());
        const std::string_view device = each.substr(0, equals), name = each.substr(std::min(equals + 1, each.size()));
        const auto known =
            std::find_if(fault_names.begin(), fault_names.end(), [&](const auto& f) { return f.first == name; });
        const auto [number, rest] = leading_number(device);
        if (known == fault_names.end() || (device != "*" && (number < 0 || !rest.empty())))
            throw UsageError(
                fmt::format("TEXELSCOPE_TEST_FAULT: '{}' is not DEVICE=FAULT, with a number or * and one of "
                            "no-code, old-driver, no-context, out-of-memory, wrong-answer",
                            each));
        faults_.push_back({device == "*" ? any_device : number, known->second});
    }
}

int DevicesWithFaults::count(std::string& why_none) {
    if (!none_) return devices_.count(why_none);
    why_none = "no CUDA device is visible (TEXELSCOPE_TEST_FAULT)";
    return 0;
}

// A device with a simulated fault is not asked: it keeps its memory.
DeviceAnswer DevicesWithFaults::ask(int device) {
    for (const Fault& fault : faults_)
        if (fault.device == any_device || fault.device == device)
            return {.index = device,
                    .why_not = words_of_fault(fault.fault, {}, "TEXELSCOPE_TEST_FAULT", "TEXELSCOPE_TEST_FAULT")};
    return devices_.ask(device);
}

}  // namespace texelscope
