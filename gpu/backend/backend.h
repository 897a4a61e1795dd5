#pragma once
// Backend: the device that computes, with one interface for CUDA and CPU.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gpu/backend/interfaces.h"
#include "gpu/core/machine.h"
#include "gpu/method/resample_job.h"

struct CUstream_st;

namespace texelscope {

enum class BackendKind { cuda, cpu };

constexpr std::string_view name_of(BackendKind kind) { return kind == BackendKind::cuda ? "cuda" : "cpu"; }

struct BackendInfo {
    BackendKind kind = BackendKind::cpu;
    std::string device;    // "NVIDIA H200", or the processor with its threads
    std::string detail;    // compute capability, driver and runtime version; or the vector instructions in use
    int device_index = 0;  // CUDA ordinal
    bool compiled_by_driver = false;  // from PTX: a method's first use may take seconds (see words_of_code)
    DeviceLimits limits;              // of the device, or the lower ones requested; without textures on the CPU
};

// Every function throws Error, before anything is computed, for an invalid argument: a null method or pointer,
// parameters beyond their range, sizes below 1 or too large to count, misaligned rows or pointers, memory of the wrong
// kind, an image of another backend. One sentence names the argument and what would be right. The backend remains
// usable after that.
class Backend : public Resampler, public Displayer, public Comparer, public BackendMemory {
public:
    virtual ~Backend() = default;
    virtual const BackendInfo& info() const = 0;

    std::shared_ptr<const ResidentImage> share(const std::shared_ptr<const ResidentImage>& image) override;
    std::string why_no_kernel(const MethodSpec& spec) override;
    Metrics measure(const MeasureJob& job, Metrics* inside = nullptr) final;
    MapFigures map_figures(const MapSumJob& job, MapFigures* inside = nullptr) final;

    // Milliseconds, on the backend's own clock, that all work computed by `enqueue` takes. Waits for what was enqueued
    // before, and for that work.
    virtual double time_ms(const std::function<void()>& enqueue) = 0;

    // CUDA's words if the device has stopped for good (see DeviceLost), found at any enqueued work; empty while it
    // answers. Never waits.
    virtual std::string why_lost() { return {}; }

    // The stream on which all work is enqueued; null for CPU.
    virtual CUstream_st* stream() const { return nullptr; }

    // The time of all work that `enqueue` computes becomes last_render_ms(timer); never waits.
    virtual void timed(int timer, const std::function<void()>& enqueue) = 0;

    // Milliseconds that the last finished resample() of this timer and the last prefilter() took on the backend's own
    // clock (CUDA events, or the host's clock); never waits. Empty before the first.
    virtual std::optional<double> last_render_ms(int timer = 0) = 0;
    virtual std::optional<double> last_prefilter_ms() = 0;

    // What the last resample() of this timer ran on, and why.
    const ChosenKernel& last_kernel(int timer = 0) const;

protected:
    // Marks the image as this backend's own.
    template <class Resident> std::shared_ptr<Resident> made(std::shared_ptr<Resident> image) const {
        image->maker_ = id_;
        return image;
    }

    // Its maker is now this backend.
    void adopt_made(const ResidentImage& image) const { image.maker_ = id_; }

    // Throws Error for an image of another backend.
    void check_own(const ResidentImage& image) const;

    // For last_kernel(): resample() notes what it runs on, and timed() the newest of what it encloses.
    void note(int timer, const ChosenKernel& kernel) {
        newest_ = kernel;
        note_newest(timer);
    }
    void note_newest(int timer) {
        if (timer != no_timer) kernels_[size_t(timer)] = newest_;
    }

private:
    const uint64_t id_ = next_id();
    static uint64_t next_id();
    std::shared_ptr<void> sums_, map_sums_;  // for measure(), map_figures()
    ChosenKernel newest_;
    std::array<ChosenKernel, timer_count> kernels_;
};

// The method whose widened weight function makes the levels of the pyramid.
const MethodInfo& reduction_method();

// `automatic` takes the first CUDA device that runs this program's kernels, else the CPU. Throws Unavailable for `cuda`
// if no device does, with the reason.
enum class BackendChoice { automatic, cuda, cpu };
BackendChoice parse_backend(std::string_view text);  // throws UsageError

inline constexpr int any_device = -1;

// How a CUDA backend is made.
struct CudaOptions {
    int device = any_device;  // CUDA ordinal; by default that of the stream, or the first usable one
    CUstream_st* stream =
        nullptr;  // the caller's, of the thread's current device; one of the backend's own if none is given
    std::optional<DeviceLimits> limits =
        {};  // treat the device as if it could do no more than this, like a lesser card
};

// Sets `reason`, if given, to why no CUDA device computes, or none before the one chosen; empty if the first one does.
std::shared_ptr<Backend> make_backend(BackendChoice choice, const CudaOptions& cuda = {},
                                      std::string* reason = nullptr);

// Another backend of this kind on the same device, for another thread. Throws Unavailable.
std::shared_ptr<Backend> make_backend_like(const BackendInfo& info);
std::shared_ptr<Backend> make_cpu_backend();

// Why no CUDA device can be used here, one sentence; empty if one can.
std::string why_no_cuda();

}  // namespace texelscope
