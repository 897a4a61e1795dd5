#pragma once
// How a command's work runs: on which backend, with a bar that shows how far it is, until Ctrl+C.

#include <csignal>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gpu/backend/backend.h"
#include "gpu/backend/device_choice.h"
#include "gpu/core/timing.h"

namespace texelscope {

// Computes on the backend chosen on the command line; with `auto`, on any that works.

using MakeBackend = std::function<std::shared_ptr<Backend>(BackendChoice, std::string* reason)>;

// With `automatic`, one line on stderr says if a GPU exists but cannot be used. Throws Unavailable.
std::shared_ptr<Backend> backend_for(BackendChoice choice);

// Runs `work`. With `automatic`, the CPU replaces a GPU that runs out of memory or stops answering: one line on stderr
// says so, and the work starts again. Throws Unavailable and whatever `work` throws. `make` is for tests.
void on_backend(BackendChoice choice, const std::function<void(const std::shared_ptr<Backend>&)>& work,
                const MakeBackend& make = {});

// The information on CUDA devices that `texelscope info` prints.

using FactRows = std::vector<std::pair<std::string, std::string>>;

// `used` is the ordinal of the device in use; any_device if there is none.
FactRows device_rows(std::span<const DeviceAnswer> devices, int used);
nlohmann::ordered_json devices_as_json(std::span<const DeviceAnswer> devices, int used);

// A bar on stderr for work that takes longer than a second; nothing if stderr is not a terminal.
class Progress {
public:
    explicit Progress(size_t total);
    ~Progress();  // clears the bar
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(size_t done);

private:
    size_t total_;
    bool terminal_, drawn_ = false;
    StopWatch watch_;
};

// While it lives, Ctrl+C, and what ends a session or a job, request cancellation instead of killing the program, so that
// nothing is left half done, no program of others runs on, and the bar is cleared.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    // Throws Cancelled if it was pressed.
    static void check();

private:
    struct sigaction before_[3] = {};
};

}  // namespace texelscope
