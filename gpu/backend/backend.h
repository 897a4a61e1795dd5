#pragma once
// Backend: who computes. Upload an image, prefilter it, resample it. One interface for CUDA and CPU. SourceImage,
// below, is what callers use: it knows which coefficients, smaller images and points a request needs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/compare/metrics.h"
#include "gpu/core/address.h"
#include "gpu/core/colour.h"
#include "gpu/core/device_limits.h"
#include "gpu/core/image.h"
#include "gpu/core/image_view.h"
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
    std::string device;      // "NVIDIA H200", or the processor with its threads
    std::string detail;      // compute capability, driver and runtime version; or the vector instructions in use
    int device_index = 0;    // CUDA ordinal
    bool compiled_by_driver = false;  // its kernels: a method's first use may take seconds (see words_of_code)
    DeviceLimits limits;     // of the device, or the lower ones that were asked for; without textures for the CPU
};

// An image in the backend's memory, with the margin and the textures it needs. Made by a Backend, which alone can read
// it; freed with it alive.
class ResidentImage {
public:
    virtual ~ResidentImage() = default;
    ResidentImage(const ResidentImage&) = delete;
    ResidentImage& operator=(const ResidentImage&) = delete;

    int width() const { return width_; }    // of the image, without margin
    int height() const { return height_; }
    int channels() const { return channels_; }  // 1 … 4 as in the file
    Alpha alpha() const { return alpha_; }      // none or premultiplied
    bool one_dimensional() const { return one_dimensional_; }  // a signal, interpolated along x alone
    size_t size_bytes() const { return size_bytes_; }  // of the backend's memory, textures aside; 0 over the caller's

protected:
    ResidentImage(int width, int height, int channels, Alpha alpha, bool one_dimensional)
        : width_(width), height_(height), channels_(channels), alpha_(alpha), one_dimensional_(one_dimensional) {}
    int width_, height_, channels_;
    Alpha alpha_;
    bool one_dimensional_;
    size_t size_bytes_ = 0;

private:
    friend class Backend;
    uint64_t maker_ = 0;  // Backend::id_
};

// A picture's value, or its first derivative along an axis of sample space, per sample.
enum class Derivative { none, x, y };

struct RenderRequest {
    MethodSpec spec;
    View view;
    Outside outside = Outside::extend;
    int width = 1, height = 1;  // of the output, pixels

    // Where the view zooms out, the weight function widens with the scale, along each axis of sample space; from scale
    // 8 on a smaller image of a pyramid is read. No effect at scales up to 1.
    bool antialias = false;
    Derivative derivative = Derivative::none;  // of a method with a slope; not together with antialias
    Warp warp;                                 // of the image under the view
    std::optional<Affine> positions;           // instead of the view
    bool simple = false;  // each pixel by itself, by the code that is easiest to read, where there is faster code

    bool operator==(const RenderRequest&) const = default;
};

// The request that resizes an image of this size to width × height pixels. Antialiasing acts along the axes that
// shrink.
RenderRequest resize_request(const ResidentImage& samples, const MethodSpec& spec, int width, int height,
                             Align align = Align::centers, bool antialias = true);

// How arbitrary points are read.
struct SampleRequest {
    MethodSpec spec;
    Outside outside = Outside::extend;  // or nan
    Derivative derivative = Derivative::none;
};

// What a backend is asked to compute from one resident image.
struct Resampling {
    MethodSpec spec;
    Outside outside = Outside::extend;
    int width = 1, height = 1;  // of the output, pixels
    Affine positions;
    PointsView points;  // instead of the positions where there are any; memory of the backend
    double stretch_x = 1, stretch_y = 1;  // ≥ 1: how far the weight function is widened
    bool local_stretch = false;           // from the distances of neighbouring points instead
    Derivative derivative = Derivative::none;
    bool encode_srgb = false;
    bool simple = false;  // each pixel by itself
    bool takes_samples = false;  // a low-pass filtered level of a pyramid, which needs no prefilter

    // The method's own few taps do it; else weights come from a table.
    bool plain() const { return stretch_x <= 1 && stretch_y <= 1 && !local_stretch && derivative == Derivative::none; }
};

// The points warped(warp, positions(i, j)) of all output pixels, in the sample space of a level of the image's pyramid.
struct WarpedGrid {
    Warp warp;
    Affine positions;
    int image_width = 1, image_height = 1;  // samples
    int level_width = 1, level_height = 1;
    int width = 1, height = 1;              // of the output, pixels
};

// Along which axes an image is halved.
struct Reduction {
    bool x = false, y = false;
};

// Where the result goes: memory of the backend (device memory for CUDA, host memory for CPU).
struct RenderTarget {
    enum class Format {
        rgba8,  // for the screen: opaque, grey spread over r, g, b, alpha laid over the background
        floats  // the image's channels as float, premultiplied where it has alpha, neither clamped nor rounded
    };
    void* pixels = nullptr;
    size_t row_bytes = 0;  // from one row to the next: a whole row at least, and a multiple of 4
    Format format = Format::rgba8;
    int timer = 0;  // 0 … 31: whose last_render_ms() the time becomes; no_timer for probes of single values
};
inline constexpr int no_timer = -1, timer_count = 32;

// Every function throws Error, before anything is computed, for an argument that makes no sense: a null method or pointer,
// parameters beyond their range, sizes below 1 or beyond counting, rows or pointers that are not aligned, memory of the
// wrong kind, an image of another backend. One sentence names the argument, and what would be right. The backend can be
// used on after that.
class Backend {
public:
    virtual ~Backend() = default;
    virtual const BackendInfo& info() const = 0;

    // Straight alpha is premultiplied on the way. Throws OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> upload(const Image& image) = 0;

    // The same of an image that stays as it is: the CPU reads it in place where it has one, two or four channels and no
    // straight alpha.
    virtual std::shared_ptr<const ResidentImage> upload(const std::shared_ptr<const Image>& image) = 0;

    // Reads the caller's memory in place, which must outlive the result and stay as it is: coefficients, textures and
    // smaller images are made from it once. CUDA takes device memory so, and managed memory, which the host must leave
    // alone while work is under way; host memory, pinned or not, it copies before it returns. The samples must be there
    // before the first use: written by work on stream(), or by other work that the caller has waited for. Throws Error for
    // what cannot be read so: 3 channels, straight alpha, rows that are not whole texels apart, memory of another device.
    virtual std::shared_ptr<const ResidentImage> adopt(const ImageView& image) = 0;

    // Coefficients (f32 or f16) of an uploaded image for the spec's method, prefilter and address modes. Throws
    // OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> prefilter(const ResidentImage& samples, const MethodSpec& spec) = 0;

    // The image (f32) at half its size along the axes, low-pass filtered: the next level of a pyramid. Throws
    // OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> reduce(const ResidentImage& samples, const AddressPair& address,
                                                        Reduction axes) = 0;

    // Resamples into the target. CUDA: enqueued on stream(), after what was enqueued there before, and ordered with no
    // other stream: the caller waits for whatever else writes the points or still reads the target, and synchronises
    // before it reads. `source` holds samples, or the coefficients that prefilter() made for exactly this spec. Throws
    // Error, e.g. for a texture beyond the limits.
    virtual void resample(const ResidentImage& source, const Resampling& request, const RenderTarget& target) = 0;

    // The same in float64 from the samples: exact weights, and coefficients in float64 where the method has poles,
    // whatever the spec's path and prefilter, unless the request takes samples. `values` is memory of the backend,
    // channels() doubles a pixel, rows packed. Throws OutOfMemory, also for coefficients beyond 4 GiB, or Error for a
    // derivative.
    virtual void resample_reference(const ResidentImage& samples, const Resampling& request, double* values) = 0;

    // Float values to pixels of the screen; `colours` of the job is the backend's to set. Enqueued as resample().
    virtual void display(DisplayJob job) = 0;

    // Compares two renderings, into memory of the backend: metrics_of() makes figures of it, once it is on the host.
    // Enqueued as resample(). Throws OutOfMemory or Error.
    virtual void compare(const MeasureJob& job, ComparisonSums* sums) = 0;

    // The same, and waits for the figures.
    Metrics measure(const MeasureJob& job);

    // Writes the grid's points as pairs of double to memory of the backend.
    virtual void write_warped_points(const WarpedGrid& grid, double* points) = 0;

    // Waits for all that was enqueued.
    virtual void synchronize() = 0;

    // What it keeps because it may be needed again, and how much it may keep (gpu/backend/memory_budget.h). Every
    // allocation above and below gives up what was used longest ago before it throws OutOfMemory.
    virtual MemoryBudget& memory() = 0;

    // Memory that resample() can read and write, and the way from and to the host. Waits for what was enqueued.
    virtual std::shared_ptr<void> allocate(size_t bytes) = 0;
    virtual void write(void* memory, const void* host, size_t bytes) = 0;
    virtual void read_back(void* host, const void* memory, size_t bytes) = 0;

    // Copies within the backend's memory. CUDA: enqueued.
    virtual void copy(void* to, const void* from, size_t bytes) = 0;

    // Milliseconds, on the backend's own clock, of all that `enqueue` has computed. Waits for what was enqueued before
    // and for it.
    virtual double time_ms(const std::function<void()>& enqueue) = 0;

    // CUDA's words where the device has stopped for good (see DeviceLost), found at whatever was enqueued; empty while it
    // answers. Never waits.
    virtual std::string why_lost() { return {}; }

    // The stream all work is enqueued on; null for CPU.
    virtual CUstream_st* stream() const { return nullptr; }

    // The time of all that `enqueue` has computed becomes last_render_ms(timer); never waits.
    virtual void timed(int timer, const std::function<void()>& enqueue) = 0;

    // Milliseconds that the last finished resample() of this timer and the last prefilter() took on the backend's own
    // clock (CUDA events, or the host's clock); never waits. Empty before the first.
    virtual std::optional<double> last_render_ms(int timer = 0) = 0;
    virtual std::optional<double> last_prefilter_ms() = 0;

    // Throws Error, which names the memory, where resample() cannot read and write it: null; on CUDA memory of the host,
    // pinned or not, or of another device. Managed memory is the backend's.
    virtual void check_memory(const void* memory, std::string_view name) const = 0;

    // The same where the host cannot: null, or memory of a device.
    virtual void check_host_memory(const void* memory, std::string_view name) const = 0;

protected:
    // Marks the image as this backend's own.
    template <class Resident> std::shared_ptr<Resident> made(std::shared_ptr<Resident> image) const {
        image->maker_ = id_;
        return image;
    }

    // Throws Error for an image that another backend made.
    void check_own(const ResidentImage& image) const;

private:
    const uint64_t id_ = next_id();
    static uint64_t next_id();
    std::shared_ptr<void> sums_;  // of measure()
};

// The method whose widened weight function makes the levels of the pyramid.
const MethodInfo& reduction_method();

// What the stored values of an image are interpolated as.
enum class Light {
    stored,  // as they are
    linear   // sRGB-decoded before, and coded again after
};

// A source image on a backend with its coefficients and its pyramid: what pictures and points are computed from.
// Not to be used from two threads at once.
class SourceImage {
public:
    SourceImage(std::shared_ptr<Backend> backend, const Image& image, Light light = Light::stored);

    // Without a copy in host memory, where Backend::upload needs none.
    SourceImage(std::shared_ptr<Backend> backend, const std::shared_ptr<const Image>& image, Light light = Light::stored);
    SourceImage(std::shared_ptr<Backend> backend, Image&& image, Light light = Light::stored);

    // Over the caller's memory, which must outlive it and stay as it is (see Backend::adopt).
    SourceImage(std::shared_ptr<Backend> backend, const ImageView& image);
    ~SourceImage();
    SourceImage(SourceImage&&) noexcept;
    SourceImage& operator=(SourceImage&&) noexcept;

    const ResidentImage& samples() const;
    Backend& backend() const;

    // Samples, or coefficients that fit the spec: computed once for each (poles, prefilter, address) and kept as long as
    // the backend's memory allows. Throws OutOfMemory.
    std::shared_ptr<const ResidentImage> prepared_for(const MethodSpec& spec);

    // Computes and keeps whatever the request needs beforehand. Throws OutOfMemory.
    void prepare(const RenderRequest& request);

    // Renders a request into the target (see Backend::resample).
    void render(const RenderRequest& request, const RenderTarget& target);

    // The same request in float64 (see Backend::resample_reference), for the level of the pyramid that the request
    // reads: samples().channels() doubles a pixel, rows packed, memory of the backend; sRGB-coded where the source is
    // linear light.
    void render_reference(const RenderRequest& request, double* values);

    // The texels that the request interpolates: samples, or the coefficients of its prefilter; linear light where the
    // source is. width × height of them from index (x, y) on, which may lie beyond the edges, samples().channels()
    // floats each; of the level of the pyramid that the request reads.
    std::vector<float> texels(const RenderRequest& request, int x, int y, int width, int height);

    // What the request asks of the backend, on the level of the pyramid that it reads; without the points of a warp.
    Resampling resampling_of(const RenderRequest& request);

    // Renders and reads back: an f32 image with the channels and the alpha (premultiplied) of the source.
    Image render_to_image(const RenderRequest& request);

    // Renders for the screen and reads back: u8 × 4.
    Image render_to_rgba8(const RenderRequest& request);

    // Values at `points.count` points, channels() floats each, premultiplied where there is alpha. Points and values
    // are memory of the backend; last_render_ms() does not tell of them. A point that is NaN gives NaN; so does an
    // infinite one where the signal repeats.
    void sample(const SampleRequest& request, const PointsView& points, float* values);

    // The same over host memory; the values of point k from k · channels() on.
    std::vector<float> sample_to_host(const SampleRequest& request, const PointsView& points);

    // Value at a sample-space point, channels() floats, extended beyond the edges.
    std::array<float, 4> value_at(const MethodSpec& spec, Point point);

private:
    struct State;
    std::unique_ptr<State> state_;
};

// `automatic` takes the first CUDA device that runs this program's kernels, else the CPU. Throws Unavailable for `cuda`
// where none does, saying why.
enum class BackendChoice { automatic, cuda, cpu };
BackendChoice parse_backend(std::string_view text);  // throws UsageError

inline constexpr int any_device = -1;

// How a CUDA backend is made.
struct CudaOptions {
    int device = any_device;        // CUDA ordinal; else that of the stream, or the first that can be used
    CUstream_st* stream = nullptr;  // the caller's, of the thread's current device; one of the backend's own where none is given
    std::optional<DeviceLimits> limits = {};  // as if the device could do no more than this: what a lesser card would run
};

// `reason`, where given, becomes why no CUDA device computes, or none of those before it; empty where the first does.
std::shared_ptr<Backend> make_backend(BackendChoice choice, const CudaOptions& cuda = {}, std::string* reason = nullptr);
std::shared_ptr<Backend> make_cpu_backend();

// Why no CUDA device can be used here, one sentence; empty where one can.
std::string why_no_cuda();

}  // namespace texelscope
