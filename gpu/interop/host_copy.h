#pragma once
// HostCopy: values on their way from a backend's memory to the host, for a loop that must not wait for the GPU.

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

#include "gpu/backend/backend.h"

namespace texelscope {

class HostCopy {
public:
    virtual ~HostCopy() = default;

    // Enqueues a copy of `bytes` after earlier work; an earlier copy is given up. Throws OutOfMemory or Error.
    virtual void start(const void* memory, size_t bytes) = 0;

    // Whether what was started has arrived; never waits. False before the first start. Throws Error.
    virtual bool ready() = 0;

    // The values that have arrived; valid until the next start.
    virtual const void* data() const = 0;
};

// Implements ready(), without throwing.
enum class Arrival { under_way, arrived, failed };
inline Arrival arrival(HostCopy& copy) {
    try {
        return copy.ready() ? Arrival::arrived : Arrival::under_way;
    } catch (const std::exception&) {
        return Arrival::failed;
    }
}

// CUDA: through pinned memory, ready some time later. CPU: ready immediately.
std::unique_ptr<HostCopy> make_host_copy(std::shared_ptr<Backend> backend);

using MakeHostCopy = std::function<std::unique_ptr<HostCopy>(std::shared_ptr<Backend>)>;  // that, or a test's

}  // namespace texelscope
