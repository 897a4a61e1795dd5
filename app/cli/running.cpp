#include "app/cli/running.h"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "gpu/backend/device_choice.h"

namespace texelscope {
namespace {

// A machine without a GPU needs no message; one whose GPU is not used does.
std::shared_ptr<Backend> made_and_told(BackendChoice choice, std::string* why) {
    auto backend = make_backend(choice, {}, why);
    stay_on_device_of(*backend);
    std::string none;
    if (choice == BackendChoice::automatic && !why->empty() && machine_devices().count(none) > 0)
        fmt::print(stderr, "texelscope: computing on {}: {}\n",
                   backend->info().kind == BackendKind::cpu ? "the CPU" : backend->info().device, *why);
    return backend;
}

// While it lives, explains a long wait for the first result.
std::jthread excuse_for_compiling(const Backend& backend) {
    if (!backend.info().compiled_by_driver) return {};
    return std::jthread([](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any over;
        std::unique_lock lock(mutex);
        over.wait_for(lock, stop, std::chrono::seconds(2), [] { return false; });
        if (!stop.stop_requested())
            fmt::print(stderr,
                       "texelscope: the GPU driver compiles this build's code when a method is first used, which "
                       "takes a few seconds; the result is cached\n");
    });
}

}  // namespace

std::shared_ptr<Backend> backend_for(BackendChoice choice) {
    std::string reason;
    return made_and_told(choice, &reason);
}

void on_backend(BackendChoice choice, const std::function<void(const std::shared_ptr<Backend>&)>& work,
                const MakeBackend& make) {
    std::string reason;
    std::shared_ptr<Backend> backend = make ? make(choice, &reason) : made_and_told(choice, &reason);
    std::string problem;
    try {
        const std::jthread excuse = excuse_for_compiling(*backend);
        return work(backend);
    } catch (const Error& error) {
        const bool device = dynamic_cast<const OutOfMemory*>(&error) || dynamic_cast<const DeviceLost*>(&error);
        if (!device || choice != BackendChoice::automatic || backend->info().kind == BackendKind::cpu) throw;
        problem = error.what();
    }
    fmt::print(stderr, "texelscope: computing on the CPU: {}\n", problem);
    backend.reset();
    work(make_cpu_backend());
}

namespace {

std::string name_of(const DeviceAnswer& device) {
    std::string name = device.name.empty() ? "unknown" : device.name;
    if (const int capability = device.limits.compute_capability)
        name += fmt::format(", compute capability {}", capability_text(capability));
    return name;
}

std::string words_of(const DeviceLimits& limits) {
    return fmt::format("{} multiprocessors, {} KiB of shared memory per block", limits.multiprocessors,
                       limits.shared_bytes_per_block >> 10);
}

}  // namespace

FactRows device_rows(std::span<const DeviceAnswer> devices, int used) {
    FactRows rows;
    for (const DeviceAnswer& device : devices) {
        const char* state = !device.usable() ? "cannot be used" : device.index == used ? "in use" : "not in use";
        rows.emplace_back(fmt::format("CUDA device {}", device.index), fmt::format("{}: {}", name_of(device), state));
        if (!device.usable()) {
            rows.emplace_back("  reason", device.why_not);
            continue;
        }
        rows.emplace_back("  code", device.code);
        rows.emplace_back("  hardware", words_of(device.limits));
    }
    return rows;
}

nlohmann::ordered_json devices_as_json(std::span<const DeviceAnswer> devices, int used) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const DeviceAnswer& device : devices) {
        nlohmann::ordered_json object = {{"index", device.index},
                                         {"name", device.name},
                                         {"usable", device.usable()},
                                         {"used", device.usable() && device.index == used}};
        if (!device.usable()) object["why_not"] = device.why_not;
        else object["code"] = device.code;
        if (const DeviceLimits& limits = device.limits; limits.compute_capability) {
            object["compute_capability"] = capability_text(limits.compute_capability);
            object["multiprocessors"] = limits.multiprocessors;
            object["shared_bytes_per_block"] = limits.shared_bytes_per_block;
            object["largest_texture"] = {limits.texture_width, limits.texture_height};
            object["memory_bytes"] = limits.memory_bytes;
        }
        list.push_back(std::move(object));
    }
    return list;
}

Progress::Progress(size_t total) : total_(total), terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(size_t done) {
    constexpr size_t width = 40;
    const double elapsed = watch_.ms() / 1000;
    if (!terminal_ || elapsed < 1 || done == 0) return;
    const size_t filled = size_t(double(width) * double(done) / double(total_));
    const double left = elapsed * double(total_ - done) / double(done);
    fmt::print(stderr, "\r[{}{}] {:3.0f} %, {:.0f} s left ", std::string(filled, '#'), std::string(width - filled, '.'),
               100.0 * double(done) / double(total_), left);
    std::fflush(stderr);
    drawn_ = true;
}

namespace {

std::atomic<bool> asked = false;

constexpr std::array ending_signals = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

Interrupt::Interrupt() {
    asked = false;
    struct sigaction action {};
    action.sa_handler = [](int) { asked = true; };
    for (size_t k = 0; k < ending_signals.size(); ++k) {
        ::sigaction(ending_signals[k], nullptr, &before_[k]);
        if (before_[k].sa_handler != SIG_IGN)
            ::sigaction(ending_signals[k], &action, nullptr);  // else nohup and the like
    }
}

Interrupt::~Interrupt() {
    for (size_t k = 0; k < ending_signals.size(); ++k) ::sigaction(ending_signals[k], &before_[k], nullptr);
}

void Interrupt::check() {
    if (asked) throw Cancelled("cancelled; nothing was written");
}

}  // namespace texelscope
