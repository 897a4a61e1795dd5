#pragma once
// PresentTarget: a GL pixel buffer that a backend writes and GL then draws. The three rungs of the ladder.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include <glad/gl.h>

#include "gpu/backend/backend.h"
#include "gpu/backend/device_choice.h"
#include "gpu/core/errors.h"
#include "gpu/core/timing.h"

namespace texelscope {

// A GL pixel buffer.

class PixelBuffer {
public:
    PixelBuffer() { glGenBuffers(1, &name_); }
    ~PixelBuffer() {
        if (name_) glDeleteBuffers(1, &name_);
    }
    PixelBuffer(const PixelBuffer&) = delete;
    PixelBuffer& operator=(const PixelBuffer&) = delete;

    unsigned name() const { return name_; }

    // New storage; the old content is lost. Throws OutOfMemory.
    void allocate(size_t bytes) {
        while (glGetError() != GL_NO_ERROR) {}
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, name_);
        glBufferData(GL_PIXEL_UNPACK_BUFFER, GLsizeiptr(bytes), nullptr, GL_STREAM_DRAW);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        if (glGetError() != GL_NO_ERROR)
            throw OutOfMemory("OpenGL has no memory for a picture of " + std::to_string(bytes >> 20) + " MiB");
    }

    // Host pointer to the whole buffer, its old content discarded. Throws Error.
    void* map(size_t bytes) {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, name_);
        void* memory = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, GLsizeiptr(bytes),
                                        GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        if (!memory) throw Error("OpenGL refused to map the pixel buffer");
        return memory;
    }

    // False if OpenGL has lost what was written meanwhile, as a change of the display mode may cause.
    bool unmap() {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, name_);
        const bool kept = glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER) == GL_TRUE;
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        return kept;
    }

private:
    unsigned name_ = 0;
};

// How large a pixel buffer is made, so that a window that is dragged to another size needs few new ones: making one and
// registering it with CUDA takes milliseconds.

inline constexpr size_t least_room = size_t(1) << 20;

// At least `bytes`, in steps of a quarter to an eighth of it.
constexpr size_t rounded_room(size_t bytes) {
    if (bytes <= least_room) return least_room;
    const size_t step = std::bit_floor(bytes - 1) / 4;
    return (bytes + step - 1) / step * step;
}

// The new size of a buffer of `held` bytes (0: none yet) if `bytes` are needed: it stays until it is too small, or
// twice too large.
constexpr size_t buffer_room(size_t bytes, size_t held) {
    const size_t wanted = rounded_room(bytes);
    return bytes <= held && held <= 2 * wanted ? held : wanted;
}

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

    // Makes the buffer hold at least this many bytes (≥ 4). It grows and shrinks in steps (see rounded_room), because
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

// Begins to make the machine's CUDA device ready, in a thread, which takes longer than to make a window: make_presenter()
// then finds a context there. Not for `cpu`, nor if there are several devices, of which OpenGL takes one.
std::future<void> start_device(BackendChoice choice);

// HostCopy: values on their way from a backend's memory to the host, for a loop that must not wait for the GPU.

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

// The ladder over what a machine has: make_presenter() uses this machine's parts, tests make up their own.

using MakeTarget = std::function<std::unique_ptr<PresentTarget>(std::shared_ptr<Backend>)>;

struct LadderParts {
    Devices& devices;
    std::function<std::vector<int>(std::string& why_none)> devices_of_gl;  // CUDA devices that drive the GL context
    std::function<std::shared_ptr<Backend>(int device)> cuda_backend;      // may throw Error, like all that follow
    MakeTarget registered_target, staged_target;
    std::function<std::shared_ptr<Backend>()> cpu_backend;
    std::function<std::unique_ptr<PresentTarget>()> host_target;
};

// See make_presenter.
Presenter climb_down(const LadderParts& parts, BackendChoice choice, const PresenterOptions& options);

// The three present targets, each of which throws if it is unavailable (presenter.cpp climbs down), and CUDA's copies to
// the host.

// CPU rung: the backend writes straight into the mapped pixel buffer.
std::unique_ptr<PresentTarget> make_host_target();

#if TEXELSCOPE_WITH_CUDA
// CUDA devices that drive the current GL context; if there are none, why.
std::vector<int> cuda_devices_of_gl_context(std::string& why_none);

// Registered pixel buffer, mapped into CUDA.
std::unique_ptr<PresentTarget> make_registered_target(std::shared_ptr<Backend> backend);

// Device memory, copied through pinned host memory into the pixel buffer.
std::unique_ptr<PresentTarget> make_staged_target(std::shared_ptr<Backend> backend);

// See make_host_copy.
std::unique_ptr<HostCopy> make_enqueued_copy(std::shared_ptr<Backend> backend);
#endif

// Devices that have stopped for good, and how to make one stop.

// Gives up everything this process has on a CUDA device, so that a new context can be made there: cudaDeviceReset. For
// a program, not for a library: anything else that uses the device in this process is lost as well, and every owner of
// its memory must have been destroyed before. To find out whether it helped, ask the device (see device_choice.h).
void reset_cuda_device(int device);

// For tests. CUDA: enqueues a kernel that writes to an illegal address, after which the context is lost; the error is
// found later, like any other. It can leave the whole machine slow for minutes, hence `pretended`, which only throws
// DeviceLost, as the CPU always does.
enum class Loss { real, pretended };
void break_device(Backend& backend, Loss loss = Loss::real);

}  // namespace texelscope
