#pragma once
// Backend: the device that computes. Upload an image, prefilter it, resample it. One interface for CUDA and CPU.
// Callers use SourceImage (source_image.h), which knows what coefficients, smaller images and points a request needs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/backend/resampling.h"
#include "gpu/compare/colours.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/address.h"
#include "gpu/core/colour.h"
#include "gpu/core/device_limits.h"
#include "gpu/core/image.h"
#include "gpu/core/points.h"
#include "gpu/core/view.h"
#include "gpu/core/warp.h"
#include "gpu/display/display.h"
#include "gpu/method/paths.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/spec.h"

struct CUstream_st;

namespace texelscope {

class MemoryBudget;

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

// An image in the backend's memory, with the margin and the textures it needs. Made by a Backend, the only one that can
// read it; must be freed while that Backend exists.
class ResidentImage {
public:
    virtual ~ResidentImage() = default;
    ResidentImage(const ResidentImage&) = delete;
    ResidentImage& operator=(const ResidentImage&) = delete;

    int width() const { return width_; }  // of the image, without margin
    int height() const { return height_; }
    int channels() const { return channels_; }                 // 1 … 4 as in the file
    Alpha alpha() const { return alpha_; }                     // none or premultiplied
    bool one_dimensional() const { return one_dimensional_; }  // a signal, interpolated only along x
    size_t size_bytes() const { return size_bytes_; }  // of the backend's memory, without textures; 0 for the caller's

protected:
    ResidentImage(int width, int height, int channels, Alpha alpha, bool one_dimensional)
        : width_(width), height_(height), channels_(channels), alpha_(alpha), one_dimensional_(one_dimensional) {}
    int width_, height_, channels_;
    Alpha alpha_;
    bool one_dimensional_;
    size_t size_bytes_ = 0;

private:
    friend class Backend;
    mutable uint64_t maker_ = 0;  // Backend::id_
};

// An image that is copied while its rows become known.
struct Upload {
    std::shared_ptr<const ResidentImage> image;  // complete once all rows have been copied
    std::function<void(int end)> copy_until;     // the rows above `end` are known, and do not change any more
};

// Every function throws Error, before anything is computed, for an invalid argument: a null method or pointer,
// parameters beyond their range, sizes below 1 or too large to count, misaligned rows or pointers, memory of the wrong
// kind, an image of another backend. One sentence names the argument and what would be right. The backend remains
// usable after that.
class Backend {
public:
    virtual ~Backend() = default;
    virtual const BackendInfo& info() const = 0;

    // Premultiplies straight alpha. Throws OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> upload(const Image& image) = 0;

    // The same for an image that does not change: the CPU reads it in place, unless it has straight alpha.
    virtual std::shared_ptr<const ResidentImage> upload(const std::shared_ptr<const Image>& image) = 0;

    // Whether the one above makes no copy.
    virtual bool reads_in_place(const Image&) const { return false; }

    // The same for an image that is still being decoded into its memory, which must stay where it is until the last row has
    // been copied. Read in place, it keeps that memory, and the CPU renders what needs no other rows than those that are
    // there; all else waits for the last one, and is Cancelled if it will not come.
    virtual Upload begin_upload(const Image& image) = 0;

    // Reads the caller's memory in place, which must outlive the result and not change: coefficients, textures and
    // smaller images are made from it once. CUDA uses device and managed memory in place (the host must not touch
    // managed memory while work is under way) and copies host memory, pinned or not, before it returns. The samples
    // must be valid before the first use: written by work on stream(), or by other work the caller has waited for.
    // Throws Error for 3 channels, straight alpha, rows not whole texels apart, another device's memory.
    virtual std::shared_ptr<const ResidentImage> adopt(const ImageView& image) = 0;

    // Makes an image its own that another backend of the same kind, and of the same device, has made in another thread and
    // uses no more: that one must have finished its work (see synchronize). The image's memory is then counted here. Throws
    // Error for another kind or device.
    virtual void take_over(const ResidentImage& image) = 0;

    // Reads in place an image that another backend of the same kind has made and goes on using, in another thread. Throws
    // Error if this kind of backend cannot (CUDA).
    virtual std::shared_ptr<const ResidentImage> share(const std::shared_ptr<const ResidentImage>& image);

    // Coefficients (f32 or f16) of an uploaded image for the spec's method, prefilter and address modes. Throws
    // OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> prefilter(const ResidentImage& samples, const MethodSpec& spec) = 0;

    // The image (f32) at half its size along the axes, low-pass filtered: the next level of a pyramid. Throws
    // OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> reduce(const ResidentImage& samples, const AddressPair& address,
                                                        Reduction axes) = 0;

    // The samples (f32) minus a pixel: see gpu/backend/border.h. Throws OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> minus(const ResidentImage& samples, const BorderPixel& border) = 0;

    // Adds the border to what resample() has computed as floats from such an image, not sRGB-coded, for the same request, and
    // writes it to the target. Enqueued like resample().
    virtual void add_border(const ResidentImage& source, const Resampling& request, const BorderTerm& term,
                            const RenderTarget& target) = 0;

    // A part of that from a window of the image's samples, with the same values to the last bit. The window holds all that
    // the part reads, as `address` extends the image, but for axes of which it holds the whole: those it extends itself,
    // by the modes of `window_address`. Throws OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> reduce_part(const ResidentImage& window,
                                                             const AddressPair& window_address,
                                                             const AddressPair& address, Reduction axes,
                                                             const ReducedPart& part) = 0;

    // Resamples into the target. CUDA: enqueued on stream(), after what was enqueued there before, and not ordered with
    // other streams: the caller waits for anything else that writes the points or still reads the target, and
    // synchronises before it reads. `source` holds samples, or the coefficients that prefilter() made for exactly this
    // spec. Throws Error, e.g. for a texture beyond the limits.
    virtual void resample(const ResidentImage& source, const Resampling& request, const RenderTarget& target) = 0;

    // The same in float64 from the samples: exact weights, and coefficients in float64 if the method has poles,
    // whatever the spec's path and prefilter, unless it reads a level without prefilter. `values` is memory of
    // the backend, channels() doubles per pixel, rows packed. Computed in tiles, so that the coefficients take no more
    // than the request's tile_bytes, unless all those of the image are needed at once (see reference_tiles). Throws
    // OutOfMemory, then also for coefficients beyond 4 GiB, or Error for a derivative.
    virtual void resample_reference(const ResidentImage& samples, const Resampling& request, double* values) = 0;

    // Converts float values to pixels of the screen; the backend sets `colours` of the job. Enqueued like resample().
    virtual void display(DisplayJob job) = 0;

    // Compares two renderings and writes to memory of the backend; metrics_of() turns that into figures, once it is on
    // the host. Enqueued like resample(). Throws OutOfMemory or Error.
    virtual void compare(const MeasureJob& job, ComparisonSums* sums) = 0;

    // The same, but waits for the figures; `inside`, if not null: those of the part inside.
    Metrics measure(const MeasureJob& job, Metrics* inside = nullptr);

    // Compares the colours of two renderings; figures_of() turns the sums into figures, once they are on the host.
    // Enqueued like resample(). Throws OutOfMemory or Error.
    virtual void compare_colours(const ColourJob& job, BothColours* sums) = 0;

    // Writes the grid's points as pairs of double to memory of the backend.
    virtual void write_warped_points(const WarpedGrid& grid, double* points) = 0;

    // Waits for all enqueued work.
    virtual void synchronize() = 0;

    // What the backend keeps because it may be needed again, and how much it may keep (gpu/backend/memory_budget.h).
    // Every allocation above and below gives up the least recently used memory before it throws OutOfMemory.
    virtual MemoryBudget& memory() = 0;

    // Memory that resample() can read and write. CUDA takes it, and gives it back, in the order of stream(): other
    // streams may use it once stream() has been waited for, and until the last reference ends. Throws OutOfMemory.
    virtual std::shared_ptr<void> allocate(size_t bytes) = 0;

    // Copies from and to the host. Waits for what was enqueued.
    virtual void write(void* memory, const void* host, size_t bytes) = 0;
    virtual void read_back(void* host, const void* memory, size_t bytes) = 0;

    // Copies within the backend's memory. CUDA: enqueued.
    virtual void copy(void* to, const void* from, size_t bytes) = 0;

    // Milliseconds, on the backend's own clock, that all work computed by `enqueue` takes. Waits for what was enqueued
    // before, and for that work.
    virtual double time_ms(const std::function<void()>& enqueue) = 0;

    // CUDA's words if the device has stopped for good (see DeviceLost), found at any enqueued work; empty while it
    // answers. Never waits.
    virtual std::string why_lost() { return {}; }

    // Why this backend computes no pictures by a kernel of one's own, one sentence: it has no CUDA or no compiler, the text
    // does not compile, or the kernel was stopped. Empty if it does, and for all other methods. Compiles what is new.
    virtual std::string why_no_kernel(const MethodSpec& spec);

    // Why a kernel of one's own was stopped since the last call, one sentence; empty: none was. Does not wait: a picture may
    // be finished later. synchronize() and all that waits throw Error instead.
    virtual std::string take_kernel_stop() { return {}; }

    // The stream on which all work is enqueued; null for CPU.
    virtual CUstream_st* stream() const { return nullptr; }

    // The time of all work that `enqueue` computes becomes last_render_ms(timer); never waits.
    virtual void timed(int timer, const std::function<void()>& enqueue) = 0;

    // Milliseconds that the last finished resample() of this timer and the last prefilter() took on the backend's own
    // clock (CUDA events, or the host's clock); never waits. Empty before the first.
    virtual std::optional<double> last_render_ms(int timer = 0) = 0;
    virtual std::optional<double> last_prefilter_ms() = 0;

    // Throws Error, which names the memory, if resample() cannot read and write it: null; on CUDA, memory of the host,
    // pinned or not, or of another device. Managed memory counts as the backend's.
    virtual void check_memory(const void* memory, std::string_view name) const = 0;

    // The same if the host cannot: null, or memory of a device.
    virtual void check_host_memory(const void* memory, std::string_view name) const = 0;

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

private:
    const uint64_t id_ = next_id();
    static uint64_t next_id();
    std::shared_ptr<void> sums_;  // for measure()
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
