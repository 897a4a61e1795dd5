#pragma once
// PresentTarget: a GL pixel buffer that a backend writes and GL then draws. The three rungs of the ladder.

#include <cstdint>
#include <memory>
#include <string>

#include "gpu/backend/backend.h"

namespace texelscope {

enum class Rung { cuda_gl, cuda_staged, cpu };

constexpr std::string_view name_of(Rung rung) {
    switch (rung) {
        case Rung::cuda_gl: return "CUDA·GL";
        case Rung::cuda_staged: return "CUDA, staged copy";
        case Rung::cpu: return "CPU";
    }
    return "";
}

// RGBA8 rows without padding, in the backend's memory; valid between acquire and release.
struct WritablePixels {
    void* data = nullptr;
    size_t size_bytes = 0;
};

// Needs a current GL context (3.3 or later) in all calls, the destructor included.
class PresentTarget {
public:
    virtual ~PresentTarget() = default;
    virtual Rung rung() const = 0;

    // Makes the buffer hold at least this many bytes (≥ 4). Registers it anew where it had to grow or shrink.
    virtual void resize(size_t bytes) = 0;

    // acquire → write on backend.stream() → release. After release GL may read the buffer.
    virtual WritablePixels acquire() = 0;
    virtual void release() = 0;

    // GL name of the pixel buffer.
    virtual unsigned buffer() const = 0;

    // Milliseconds of the last acquire and release on the host's clock.
    double last_acquire_ms() const { return acquire_ms_; }
    double last_release_ms() const { return release_ms_; }

protected:
    double acquire_ms_ = 0, release_ms_ = 0;
};

// What presents on this machine: the backend, the target, and why no higher rung could be had (empty on the top rung).
struct Presenter {
    std::shared_ptr<Backend> backend;
    std::unique_ptr<PresentTarget> target;
    std::string reason;
};

// Climbs down: CUDA on the device that drives the current GL context, CUDA with staged copies, CPU.
// choice `cuda` throws Unavailable where there is no CUDA; `allow_interop` false starts at the second rung.
Presenter make_presenter(BackendChoice choice, bool allow_interop = true);

}  // namespace texelscope
