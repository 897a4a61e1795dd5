#pragma once
// PresentTarget: a GL pixel buffer that a backend writes and GL then draws. The three rungs of the ladder.

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/backend/device_choice.h"
#include "gpu/core/profiler.h"
#include "gpu/core/stop_watch.h"

namespace texelscope {

enum class Rung { cuda_gl, cuda_staged, cpu };

inline constexpr NamedValue<Rung> rungs[] = {
    {Rung::cuda_gl, "CUDA·GL"}, {Rung::cuda_staged, "CUDA, staged copy"}, {Rung::cpu, "CPU"}};
constexpr auto& names_table(Rung) { return rungs; }

// RGBA8 rows without padding, in the backend's memory; valid between acquire and release.
struct WritablePixels {
    void* data = nullptr;
    size_t size_bytes = 0;
};

// Needs a current GL context (3.3 or later) in all calls, including the destructor.
class PresentTarget {
public:
    virtual ~PresentTarget() = default;
    virtual Rung rung() const = 0;

    // Makes the buffer hold at least this many bytes (≥ 4). It grows and shrinks in steps (see pixel_buffer.h), because
    // registering it anew takes time.
    virtual void resize(size_t bytes) = 0;

    // acquire → write on backend.stream() → release. After release GL may read the buffer, unless it returns false:
    // then GL has lost what was written, and it must be written again.
    WritablePixels acquire() {
        const ProfilerRange range(work::acquire);
        const StopWatch watch;
        const WritablePixels pixels = map();
        acquire_ms_ = watch.ms();
        return pixels;
    }
    bool release() {
        const ProfilerRange range(work::release);
        const StopWatch watch;
        const bool kept = unmap();
        release_ms_ = watch.ms();
        return kept;
    }

    // GL name of the pixel buffer.
    virtual unsigned buffer() const = 0;

    // Milliseconds of the last acquire and release on the host's clock.
    double last_acquire_ms() const { return acquire_ms_; }
    double last_release_ms() const { return release_ms_; }

private:
    virtual WritablePixels map() = 0;
    virtual bool unmap() = 0;

    double acquire_ms_ = 0, release_ms_ = 0;
};

// The presentation on this machine.
struct Presenter {
    std::shared_ptr<Backend> backend;
    std::unique_ptr<PresentTarget> target;
    std::string reason;    // why no higher rung, or no earlier device; empty on the top rung
    bool refused = false;  // a device exists that could not be used
};

struct PresenterOptions {
    bool interop = true;                    // false: from the second rung on
    std::vector<AvoidedDevice> avoid = {};  // devices that must not be used
};

// Climbs down: CUDA on a device that drives the current GL context, CUDA with staged copies, CPU; each rung only if a
// kernel really runs there (see device_choice.h). The chosen device becomes the thread's current CUDA device. Choice
// `cuda` throws Unavailable if no CUDA device can be used.
Presenter make_presenter(BackendChoice choice, const PresenterOptions& options = {});

// Begins to make the machine's CUDA device ready, in a thread, while a window is made, which takes as long: make_presenter()
// then finds a context there. Does nothing for `cpu`, nor if there are several devices, of which OpenGL takes one.
std::future<void> start_device(BackendChoice choice);

}  // namespace texelscope
