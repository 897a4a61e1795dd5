#pragma once
// What both backends have in common: from a request to a job.

#include <algorithm>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>

#include "gpu/backend/arguments.h"
#include "gpu/backend/backend.h"
#include "gpu/backend/request.h"
#include "gpu/core/platform.h"
#include "gpu/method/axis_weights.h"
#include "gpu/method/kernel_choice.h"
#include "gpu/method/long_taps.h"
#include "gpu/method/mip.h"
#include "gpu/method/output.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/position.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/spec.h"
#include "gpu/method/tabulated.h"
#include "gpu/method/tap_source.h"
#include "gpu/prefilter/prefilter.h"
#include "gpu/reference/reference.h"

namespace texelscope {

// The weights of methods as numbers that a backend reads, computed at their first use.

// What was computed for a method with its parameters; the least recently used goes first.

template <class Value> class MethodCache {
public:
    // For up to this many values: each value of a parameter has its own.
    explicit MethodCache(size_t capacity) : capacity_(capacity) {}

    // What make() has returned when it was first requested. Stays until `capacity` others have been requested since.
    template <class Make> const Value& get(const MethodSpec& spec, WeightForm form, Make make) {
        const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
            return entry.method == spec.method && entry.parameters == spec.parameters && entry.form == form;
        });
        if (found != entries_.end()) {
            entries_.splice(entries_.begin(), entries_, found);
        } else {
            entries_.push_front({spec.method, spec.parameters, form, make()});
            if (entries_.size() > capacity_) entries_.pop_back();
        }
        return entries_.front().value;
    }

private:
    struct Entry {
        const MethodInfo* method;
        MethodParameters parameters;
        WeightForm form;
        Value value;
    };
    std::list<Entry> entries_;  // the most recently used first
    size_t capacity_;
};

class BackendMemory;

class MethodTables {
public:
    // Tables will be in the backend's memory; it must outlive them.
    explicit MethodTables(BackendMemory& backend) : backend_(backend) {}

    // Gives both filters of the job their radius and table. Throws OutOfMemory.
    void set(TabulatedJob& tabulated, const MethodSpec& spec);

    // Gives the job its table. Throws OutOfMemory.
    void set(PolarJob& polar, const MethodSpec& spec) { polar.table = table(spec, WeightForm::widened); }

    // Gives the reference's weights their numbers. Throws OutOfMemory.
    void set(ReferenceJob& reference, const MethodSpec& spec);

    // In host memory.
    const AxisWeights& weights(const MethodSpec& spec);

private:
    static constexpr size_t capacity = 64;
    using Memory = std::shared_ptr<const void>;

    const float* table(const MethodSpec& spec, WeightForm form);
    void set(AxisFilter& filter, const MethodSpec& spec);
    template <class Values> Memory stored(const Values& values);

    BackendMemory& backend_;
    MethodCache<Memory> tables_{capacity}, pieces_{capacity};
    MethodCache<AxisWeights> weights_{capacity};
};

// An image becomes resident with straight alpha multiplied (f32). On a GPU, three channels are padded with zeros to four;
// the CPU reads them as they are stored.
enum class ThreeChannels { stored, padded };

// Whether that leaves it unchanged.
bool is_resident_form(const ImageView& image, ThreeChannels three);

// Its texels in that form, in packed rows; the backend sets the memory.
TexelArray resident_array(const ImageView& image, ThreeChannels three);

// Rows first … last − 1 of it.
ImageView rows_of(const ImageView& image, int first, int last);

// Writes rows first … last − 1 in that form, three channels as they are stored, `row_bytes` apart, the first of them to
// `rows`.
void write_resident_rows(const ImageView& image, int first, int last, std::byte* rows, size_t row_bytes);

// At least this much is copied at a time.
inline constexpr size_t strip_bytes = 4 << 20;

// Calls take(first row, rows in that form, padded) for strips of the image, from the top, without making a second image.
void for_resident_strips(const ImageView& image, const std::function<void(int first_row, const Image& strip)>& take);

// Rows of texels that the backend itself lays out begin at multiples of this: the most a GPU thread reads in one load.
inline constexpr size_t row_alignment = 16;  // bytes
constexpr size_t aligned_row(size_t bytes) { return (bytes + row_alignment - 1) / row_alignment * row_alignment; }

// The texels in memory of others. Throws as check_view() unless three channels are read as stored.
TexelArray texels_of(const ImageView& image, ThreeChannels three = ThreeChannels::padded);

// A texture can only repeat itself under coordinates in [0, 1).
bool needs_normalised_coordinates(const TexelArray& texels);

// Coefficients of these samples for the spec's method: their type, three channels padded, and the margins that its
// address modes need.
TexelArray coefficient_array(const TexelArray& samples, const MethodSpec& spec);

// Coefficients in rows of a target that takes floats, whose rows are `alignment` bytes apart; none if they do not fit there.
std::optional<TexelArray> coefficients_in(const TexelArray& samples, const MethodSpec& spec, const RenderTarget& target,
                                          size_t alignment);

// f32 samples of the image at half the size along the axes, rounded up, three channels padded; and the job that computes
// them. The backend sets the tables of its filters, reduction_method()'s.
TexelArray reduced_array(const TexelArray& samples, Reduction axes);
TabulatedJob reduction_job(const TexelArray& samples, const AddressPair& address, const TexelArray& reduced,
                           void* texels);

// Samples and job of a part of the smaller image, made of a region: bit for bit what the whole would hold there.
// `address` is the image's, `region_address` the region's own.
TexelArray reduced_part_array(const TexelArray& region, const ReducedPart& part);
TabulatedJob reduction_job(const TexelArray& region, const AddressPair& region_address, const AddressPair& address,
                           Reduction axes, const ReducedPart& part, const TexelArray& reduced, void* texels);

// The part of an image of width × height samples, read at these positions, from sample (x, y) and pixel (i, j) on; and the
// positions counted from there, rounded once.
Cut cut_of(const Affine& positions, int width, int height, double x, double y, int i, int j);
Affine cut_positions(const Affine& whole, const Cut& cut);

// The job without its texels' address mode and texture handles, which the backend sets. The request was checked.
ResampleJob job_for(const ResidentImage& image, const TexelArray& texels, const Resampling& request,
                    const RenderTarget& target);

// An image that another backend has made, as one of this kind. Throws Error if it was made by another kind.
template <class Own> const Own& of_same_kind(const ResidentImage& image) {
    if (const auto* const own = dynamic_cast<const Own*>(&image)) return *own;
    throw Error("the image was made by another kind of backend");
}

// The job of Backend::resample and its kin with the request's address modes, of samples; the request is checked. Throws Error.
inline ResampleJob checked_job(const Backend& backend, const ResidentImage& image, const TexelArray& samples,
                               const Resampling& request, const RenderTarget& target) {
    check_resampling(backend, image, request, target);
    ResampleJob job = job_for(image, samples, request, target);
    job.source.address = request.address();
    return job;
}

// A few taps of the method's own, unless it is a polar one or a kernel; else from tables: for zooming out and derivatives,
// and of methods of many taps, and custom ones that no shared polynomials describe.
WeightsFrom weights_of(const Resampling& request);

// Leaves the job only those rows of its source that the taps along y read, and those that continue them beyond the image's edges;
// returns the taps, counted from the first of these rows.
LongTaps leave_rows_read(ResampleJob& job, const LongTaps& y);

// The job with weights from tables, whose pointers the backend sets.
TabulatedJob tabulated_job(const ResampleJob& job, const ReadPlan& reading);

// The job of a polar method, whose table the backend sets.
MipJob mip_job(const ResampleJob& job, std::span<const LevelReader::LevelImage> levels,
               const std::function<TexelArray(const ResidentImage&)>& texels_of);
PolarJob polar_job(const ResampleJob& job, const ReadPlan& reading);

// The job of resample_reference() without its weight pieces and tiles (reference_tiles), which the backend sets. Throws
// Error for a derivative.
ReferenceJob reference_job(const ResidentImage& image, const TexelArray& samples, const Resampling& request,
                           double* values);

// One pair of Backend::write_warped_points.
TS_HD void write_warped_point(const WarpedGrid& grid, int i, int j, double* points) {
    const Affine& a = grid.positions;
    const Point p =
        warped(grid.warp, {affine_position(a.xx, a.xy, a.x0, i, j), affine_position(a.yy, a.yx, a.y0, j, i)},
               grid.image_width, grid.image_height);
    double* pair = points + 2 * (size_t(j) * size_t(grid.width) + size_t(i));
    pair[0] = grid.level_x.at(p.x);
    pair[1] = grid.level_y.at(p.y);
}

// What Backend::minus and Backend::add_border compute (see BorderPixel), the same on both backends.

// One rendering: `job` with the target as its output.
struct BorderJob {
    ResampleJob job;
    BorderTerm term;
};

template <int C> TS_HD void write_with_border(const BorderJob& border, int i, int j) {
    const ResampleJob& job = border.job;
    const int channels = job.output.channels;
    if (job.outside == Outside::background && is_outside(job, position_of(job, i, j)))
        return write_background<C>(job.output, i, j);
    const float* const values = reinterpret_cast<const float*>(reinterpret_cast<const char*>(border.term.values) +
                                                               size_t(j) * border.term.row_bytes) +
                                size_t(i) * size_t(channels);
    const float sum =
        border.term.weights ? border.term.weights[size_t(j) * size_t(job.output.width) + size_t(i)] : 1.0f;
    auto p = Pixel<C>::zero();
    TS_UNROLL
    for (int c = 0; c < C; ++c)
        if (c < channels) p.v[c] = values[c] + sum * border.term.border.v[c];
    write_pixel(job.output, i, j, p);
}

// Calls visit.template operator()<C>() for the channels that the job's pixels are computed with.
template <class Visit> void for_border_channels(const BorderJob& border, Visit visit) {
    switch (pixel_channels(border.job.output.channels)) {
        case 1: return visit.template operator()<1>();
        case 2: return visit.template operator()<2>();
        default: return visit.template operator()<4>();
    }
}

// An image minus a pixel.
struct MinusJob {
    TexelArray samples;
    TexelArray difference;   // f32, three channels padded
    void* texels = nullptr;  // of it
    BorderPixel border;
};

template <class Sample, int C> TS_HD void write_difference(const MinusJob& job, int x, int y) {
    const char* const line = static_cast<const char*>(job.samples.texels) + size_t(y) * job.samples.row_bytes;
    Pixel<pixel_channels(C)> p = LinearSource<Sample, C>::texel(line, x);
    TS_UNROLL
    for (int c = 0; c < C; ++c) p.v[c] -= job.border.v[c];
    char* const to = static_cast<char*>(job.texels) + size_t(y) * job.difference.row_bytes;
    reinterpret_cast<Pixel<pixel_channels(C)>*>(to)[x] = p;
}

}  // namespace texelscope
