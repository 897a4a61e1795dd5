#pragma once
// Backend: who computes. Upload an image, prefilter it, render a view of it. One interface for CUDA and CPU.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gpu/core/address.h"
#include "gpu/core/colour.h"
#include "gpu/core/image.h"
#include "gpu/core/view.h"
#include "gpu/method/paths.h"
#include "gpu/method/spec.h"

struct CUstream_st;

namespace texelscope {

enum class BackendKind { cuda, cpu };

constexpr std::string_view name_of(BackendKind kind) { return kind == BackendKind::cuda ? "cuda" : "cpu"; }

struct BackendInfo {
    BackendKind kind = BackendKind::cpu;
    std::string device;      // "NVIDIA H200", or the processor with its threads
    std::string detail;      // compute capability, driver and runtime version; or the vector instructions in use
    int device_index = 0;    // CUDA ordinal
    size_t memory_bytes = 0;  // device memory; 0 where not known
    int max_texture_width = 0, max_texture_height = 0;  // 0: no limit
};

// An image in the backend's memory, with the margin and the textures it needs. Made by a Backend, freed with it alive.
class ResidentImage {
public:
    virtual ~ResidentImage() = default;
    ResidentImage(const ResidentImage&) = delete;
    ResidentImage& operator=(const ResidentImage&) = delete;

    int width() const { return width_; }    // of the image, without margin
    int height() const { return height_; }
    int channels() const { return channels_; }  // 1 … 4 as in the file
    Alpha alpha() const { return alpha_; }      // none or premultiplied

protected:
    ResidentImage(int width, int height, int channels, Alpha alpha)
        : width_(width), height_(height), channels_(channels), alpha_(alpha) {}
    int width_, height_, channels_;
    Alpha alpha_;
};

// What lies outside the samples' extent: the image extended by its address modes, or the background.
enum class Outside { extend, background };

constexpr std::string_view name_of(Outside outside) { return outside == Outside::extend ? "extend" : "background"; }

struct RenderRequest {
    MethodSpec spec;
    View view;
    Outside outside = Outside::extend;
    int width = 1, height = 1;  // of the output, pixels
};

// Where the result goes: memory of the backend (device memory for CUDA, host memory for CPU).
struct RenderTarget {
    enum class Format {
        rgba8,  // for the screen: opaque, grey spread over r, g, b, alpha laid over the background
        floats  // the image's channels as float, premultiplied where it has alpha, neither clamped nor rounded
    };
    void* pixels = nullptr;
    size_t row_bytes = 0;  // rgba8: a multiple of 4; floats: of 4 · channels
    Format format = Format::rgba8;
    bool timed = true;  // its time becomes last_render_ms(); off for probes of single values
};

class Backend {
public:
    virtual ~Backend() = default;
    virtual const BackendInfo& info() const = 0;

    // Straight alpha is premultiplied on the way. Throws OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> upload(const Image& image) = 0;

    // Coefficients (f32) of an uploaded image for the spec's method, prefilter and address modes. Throws OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> prefilter(const ResidentImage& samples, const MethodSpec& spec) = 0;

    // Renders into the target. CUDA: enqueued on stream(); the caller synchronises. `source` holds samples, or the
    // coefficients that prefilter() made for exactly this request. Throws Error, e.g. for a texture beyond the limits.
    virtual void render(const ResidentImage& source, const RenderRequest& request, const RenderTarget& target) = 0;

    // Waits for all that was enqueued.
    virtual void synchronize() = 0;

    // Memory that render() can write, and its way back to the host. row_bytes as given, rows packed.
    virtual std::shared_ptr<void> allocate(size_t bytes) = 0;
    virtual void read_back(void* host, const void* memory, size_t bytes) = 0;

    // The stream all work is enqueued on; null for CPU.
    virtual CUstream_st* stream() const { return nullptr; }

    // Milliseconds that the last finished timed render() and prefilter() took on the backend's own clock (CUDA events, or
    // the host's clock); never waits. Empty before the first.
    virtual std::optional<double> last_render_ms() = 0;
    virtual std::optional<double> last_prefilter_ms() = 0;
};

// The path that `auto` stands for: the fastest with exact weights.
FetchPath resolved_path(FetchPath path);

// A source image on a backend with its coefficient cache: what a pane renders from.
class SourceImage {
public:
    SourceImage(std::shared_ptr<Backend> backend, const Image& image);
    ~SourceImage();
    SourceImage(SourceImage&&) noexcept;
    SourceImage& operator=(SourceImage&&) noexcept;

    const ResidentImage& samples() const;
    Backend& backend() const;

    // Samples, or coefficients that fit the spec; computed once for each (prefilter, address) and kept.
    const ResidentImage& prepared_for(const MethodSpec& spec);

    // Renders a request into the target (see Backend::render).
    void render(const RenderRequest& request, const RenderTarget& target);

    // Renders and reads back: an f32 image with the channels and the alpha (premultiplied) of the source.
    Image render_to_image(const RenderRequest& request);

    // Renders for the screen and reads back: u8 × 4.
    Image render_to_rgba8(const RenderRequest& request);

    // Value at a sample-space point, channels() floats, extended beyond the edges.
    std::array<float, 4> value_at(const MethodSpec& spec, Point point);

private:
    struct State;
    std::unique_ptr<State> state_;
};

// `automatic` takes CUDA where it works, else CPU. Throws Unavailable for `cuda` where it does not, saying why.
enum class BackendChoice { automatic, cuda, cpu };
BackendChoice parse_backend(std::string_view text);  // throws UsageError

std::shared_ptr<Backend> make_backend(BackendChoice choice, int cuda_device = 0);
std::shared_ptr<Backend> make_cpu_backend();

// Why CUDA cannot be used here, one sentence; empty where it can.
std::string why_no_cuda();

}  // namespace texelscope
