#pragma once
// Parts of a Backend for callers that need no more of it: its memory, showing, comparing, resampling. All throw as Backend
// does (backend.h).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "gpu/backend/request.h"
#include "gpu/core/address.h"
#include "gpu/core/image.h"
#include "gpu/method/spec.h"

namespace texelscope {

class MemoryBudget;
struct BothMapSums;
struct ComparisonSums;
struct DisplayJob;
struct ErrorMapJob;
struct MapFigures;
struct MapSumJob;
struct MeasureJob;
struct Metrics;

// Memory that the backend computes in: the device's for CUDA, the host's for the CPU.
class BackendMemory {
public:
    // What the backend keeps because it may be needed again, and how much it may keep (gpu/backend/memory_budget.h).
    // Every allocation of a backend gives up the least recently used memory before it throws OutOfMemory.
    virtual MemoryBudget& memory() = 0;

    // Memory that resample() can read and write. CUDA takes it, and gives it back, in the order of stream(): other
    // streams may use it once stream() has been waited for, and until the last reference ends. Throws OutOfMemory.
    virtual std::shared_ptr<void> allocate(size_t bytes) = 0;

    // Copies from and to the host. Waits for what was enqueued.
    virtual void write(void* memory, const void* host, size_t bytes) = 0;
    virtual void read_back(void* host, const void* memory, size_t bytes) = 0;

    // Copies within the backend's memory. CUDA: enqueued.
    virtual void copy(void* to, const void* from, size_t bytes) = 0;

    // Waits for all enqueued work.
    virtual void synchronize() = 0;

    // Throws Error, which names the memory, if resample() cannot read and write it: null; on CUDA, memory of the host,
    // pinned or not, or of another device. Managed memory counts as the backend's.
    virtual void check_memory(const void* memory, std::string_view name) const = 0;

    // Throws Error, which names the memory, if the host cannot read and write it: null, or memory of a device.
    virtual void check_host_memory(const void* memory, std::string_view name) const = 0;

protected:
    ~BackendMemory() = default;
};

// Shows values on a screen.
class Displayer {
public:
    // Converts float values to pixels of the screen; the backend sets `colours` of the job. Enqueued like resample().
    virtual void display(DisplayJob job) = 0;

protected:
    ~Displayer() = default;
};

// Figures of merit of two renderings: gpu/compare.
class Comparer {
public:
    // Compares two renderings and writes to memory of the backend; metrics_of() turns that into figures, once it is on
    // the host. Enqueued like resample(). Throws OutOfMemory or Error.
    virtual void compare(const MeasureJob& job, ComparisonSums* sums) = 0;

    // Compares and waits for the figures; `inside`, if not null: those of the part inside.
    virtual Metrics measure(const MeasureJob& job, Metrics* inside = nullptr) = 0;

    // Computes a map of errors, map_size() numbers in memory of the backend (gpu/compare/error_map.h). Enqueued like
    // resample(). Throws OutOfMemory or Error.
    virtual void map_errors(const ErrorMapJob& job, float* map) = 0;

    // Adds up a map; figures_of() turns the sums into figures, once they are on the host. Enqueued like resample().
    virtual void sum_map(const MapSumJob& job, BothMapSums* sums) = 0;

    // Adds up a map and waits for its figures; `inside`, if not null: those of the part inside.
    virtual MapFigures map_figures(const MapSumJob& job, MapFigures* inside = nullptr) = 0;

protected:
    ~Comparer() = default;
};

// Resampler, the part of a Backend that computes pictures: upload an image, prefilter it, resample it. Callers use
// SourceImage (source_image.h), which knows what coefficients, smaller images and points a request needs.

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

// Throws as all of Backend does (backend.h).
class Resampler {
public:
    // Premultiplies straight alpha. Throws OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> upload(const Image& image) = 0;

    // Uploads an image that does not change: the CPU reads it in place, unless it has straight alpha.
    virtual std::shared_ptr<const ResidentImage> upload(const std::shared_ptr<const Image>& image) = 0;

    // Whether upload() of a shared image makes no copy.
    virtual bool reads_in_place(const Image&) const { return false; }

    // Uploads an image that is still being decoded into its memory, which must stay where it is until the last row has
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
    virtual std::shared_ptr<const ResidentImage> share(const std::shared_ptr<const ResidentImage>& image) = 0;

    // Coefficients (f32 or f16) of an uploaded image for the spec's method, prefilter and address modes. Throws
    // OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> prefilter(const ResidentImage& samples, const MethodSpec& spec) = 0;

    // Writes coefficients as floats, as prefilter() makes them, to the target's rows. False, without writing anything, if they
    // cannot be computed there: for address modes whose coefficients have a margin, for half floats, three channels on a GPU.
    virtual bool prefilter_into(const ResidentImage& samples, const MethodSpec& spec, const RenderTarget& target) = 0;

    // The image (f32) at half its size along the axes, low-pass filtered: the next level of a pyramid. Throws
    // OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> reduce(const ResidentImage& samples, const AddressPair& address,
                                                        Reduction axes) = 0;

    // A part of what reduce() makes, from a region of the image's samples, with the same values to the last bit. The region
    // holds all that the part reads, as `address` extends the image, but for axes of which it holds the whole: those it
    // extends itself, by the modes of `region_address`. Throws OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> reduce_part(const ResidentImage& region,
                                                             const AddressPair& region_address,
                                                             const AddressPair& address, Reduction axes,
                                                             const ReducedPart& part) = 0;

    // The samples (f32) minus a pixel: see BorderPixel. Throws OutOfMemory.
    virtual std::shared_ptr<const ResidentImage> minus(const ResidentImage& samples, const BorderPixel& border) = 0;

    // Adds the border to what resample() has computed as floats from such an image, not sRGB-coded, for the same request, and
    // writes it to the target. Enqueued like resample().
    virtual void add_border(const ResidentImage& source, const Resampling& request, const BorderTerm& term,
                            const RenderTarget& target) = 0;

    // Resamples into the target. CUDA: enqueued on stream(), after what was enqueued there before, and not ordered with
    // other streams: the caller waits for anything else that writes the points or still reads the target, and
    // synchronises before it reads. `source` holds samples, or the coefficients that prefilter() made for exactly this
    // spec. Throws Error, e.g. for a texture beyond the limits.
    virtual void resample(const ResidentImage& source, const Resampling& request, const RenderTarget& target) = 0;

    // Resamples in float64, from the samples: exact weights, and coefficients in float64 if the method has poles,
    // whatever the spec's path and prefilter, unless it reads a level without prefilter. `values` is memory of
    // the backend, channels() doubles per pixel, rows packed. Computed in tiles, so that the coefficients take no more
    // than the request's tile_bytes, unless all those of the image are needed at once (see reference_tiles). Throws
    // OutOfMemory, then also for coefficients beyond 4 GiB, or Error for a derivative.
    virtual void resample_reference(const ResidentImage& samples, const Resampling& request, double* values) = 0;

    // Writes the grid's points as pairs of double to memory of the backend.
    virtual void write_warped_points(const WarpedGrid& grid, double* points) = 0;

    // Why this backend computes no pictures by a kernel of one's own, one sentence: a GPU has no compiler, the text does not
    // compile, or the kernel was stopped. Empty if it does, and for all other methods. Compiles what is new.
    virtual std::string why_no_kernel(const MethodSpec& spec) = 0;

    // Why a kernel of one's own was stopped since the last call, one sentence; empty: none was. Does not wait: a picture may
    // be finished later. synchronize() and all that waits throw Error instead.
    virtual std::string take_kernel_stop() { return {}; }

protected:
    ~Resampler() = default;
};

// A backend that reads a level of the pyramid for each pixel (gpu/method/mip.h): all do.
class LevelReader {
public:
    virtual ~LevelReader() = default;

    // A level of the picture, halved so often along each axis.
    struct LevelImage {
        std::shared_ptr<const ResidentImage> image;
        ReadPlan reading;
    };

    // Like Backend::resample() of the first of the levels, which is the picture itself, but for the weights: those of the
    // spec's mip. At most most_mip_levels.
    virtual void resample_levels(std::span<const LevelImage> levels, const Resampling& request,
                                 const RenderTarget& target) = 0;

protected:
    LevelReader() = default;
};

// Views that shrink a picture, read from the picture's own samples: what lies between these and the weight function, a level
// of the pyramid or the prefilter, is linear along each axis and is folded into the weights. No smaller image and no
// coefficients are made, whose memory would be several times that of the picture.

// A backend that can do so: the CPU.
class Folding {
public:
    virtual ~Folding() = default;

    // Whether it does, for these samples of an image. Depends on nothing that is kept or missing.
    virtual bool folds(const ResidentImage& samples, const Resampling& request) const = 0;

    // Like Backend::resample() of the level, or the coefficients, that the request's plan names.
    virtual void resample_folded(const ResidentImage& samples, const Resampling& request,
                                 const RenderTarget& target) = 0;

    // Like Backend::resample_reference() of the level that the plan of such a request names: of this only the rows are
    // made, one strip after the other, that the next pixels read.
    virtual void resample_reference_by_strips(const ResidentImage& samples, const Resampling& request,
                                              double* values) = 0;
};

}  // namespace texelscope
