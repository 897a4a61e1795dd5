#pragma once
// What the handles of the C interface are, and how exceptions become a status.

#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "gpu/backend/backend.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "gpu/c/strided.h"
#include "gpu/c/texelscope_c.h"
#include "gpu/compare/compared_pixel.h"
#include "gpu/core/errors.h"
#include "gpu/display/pixel.h"
#include "gpu/method/spec.h"

namespace texelscope::c {

// The status of the exception that is being handled; its text becomes ts_last_error().
int status_of_failure() noexcept;

template <class Body> int guarded(Body&& body) noexcept {
    try {
        body();
        return TS_OK;
    } catch (...) {
        return status_of_failure();
    }
}

// The sentence of ts_set_error() since it was last asked for, else `otherwise`.
std::string taken_error(const char* otherwise);

// Throws UsageError for null.
template <class Handle> Handle& checked(Handle* handle, const char* name) {
    if (!handle) throw UsageError(fmt::format("{} is null", name));
    return *handle;
}

// The caller's struct, with zeros for fields that it does not know. Throws UsageError for one that is larger than ours.
template <class Struct> Struct known_fields(const Struct* given, const char* name) {
    Struct all{};
    if (!given) return all;
    if (given->size < sizeof(size_t) || given->size > sizeof(Struct))
        throw UsageError(
            fmt::format("the size of {} is {}: set it to sizeof, at most {} in this version of the library", name,
                        given->size, sizeof(Struct)));
    std::memcpy(&all, given, given->size);
    return all;
}

// Writes those fields of a result that the caller knows.
template <class Struct> void write_known_fields(Struct* to, Struct all, const char* name) {
    known_fields(&checked(to, name), name);
    all.size = to->size;
    std::memcpy(to, &all, all.size);
}

// The choice of a number from a list. Throws UsageError.
template <class Choice, size_t n> Choice choice_of(int32_t number, const Choice (&choices)[n], const char* name) {
    if (number < 0 || number >= int32_t(n))
        throw UsageError(fmt::format("{} is {}: choose 0 to {}", name, number, n - 1));
    return choices[number];
}

// One computes at a time: others wait.
class Turns {
public:
    // Throws Error in a thread that has the turn already, or works for one that has it: in a callback.
    void begin();
    bool begin_if_free();
    void end();

    // This thread works for the one that has the turn, as long as it lives.
    class Work {
    public:
        explicit Work(const Turns& turns);
        ~Work();
        Work(const Work&) = delete;
        Work& operator=(const Work&) = delete;

    private:
        const Turns* before_;
    };

private:
    std::mutex mutex_;
    std::condition_variable free_;
    std::thread::id owner_;
};

// A thread that does what others wait for, one thing after the other.
class Helper {
public:
    Helper();
    ~Helper();
    // Does the work there; meanwhile calls `wait` again and again, in this thread. Throws what the work throws.
    void run(const std::function<void()>& work, const std::function<void()>& wait);

private:
    void live();

    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void()>* work_ = nullptr;
    std::exception_ptr failure_;
    bool ending_ = false;
    std::thread thread_;
};

// A backend with what all users of it share. Images and tiled images keep it.
struct Engine {
    explicit Engine(std::shared_ptr<Backend> of);

    std::shared_ptr<Backend> backend;
    Scratch output, points, second;  // memory of the backend
    Turns turns;
    std::unique_ptr<Helper> helper;  // made when progress is first asked for
    std::mutex left_mutex;
    std::vector<std::shared_ptr<void>> left;  // given up while something was computed
    std::string device, detail;               // for strings that are handed out

    const unsigned fork_generation = forks();

    static unsigned forks();  // how often this process was forked from another one that had engines
    bool on_gpu() const { return backend->info().kind == BackendKind::cuda; }
    // Frees it now, or after what is being computed.
    void give_up(std::shared_ptr<void> what) noexcept;
    static void let_go(std::shared_ptr<Engine> engine) noexcept;
};

// The turn of a thread, as long as it lives. Throws Error for an engine from before a fork.
class Turn {
public:
    explicit Turn(Engine& engine);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    Engine& engine_;
};

// Reports the part of the work that is done.
using Report = std::function<void(double part)>;

// Does the work of a thread that has the turn, on about so many numbers at a time, and calls `progress` (null: nothing) meanwhile. Throws
// Cancelled if that wants it.
void compute(Engine& engine, double numbers, ts_progress progress, void* context,
             const std::function<void(const Report&)>& work);

// The method of a request; null: bilinear.
const MethodSpec& spec_of(const ts_method* method);

}  // namespace texelscope::c

struct ts_backend {
    std::shared_ptr<texelscope::c::Engine> engine;
};

struct ts_method {
    texelscope::MethodSpec spec;
    // What is handed out, made when it is first asked for, by whichever thread.
    std::mutex mutex = {};
    std::string texts[5] = {};  // id, name, summary, paper, spec; the last is never empty
    std::vector<double> poles = {};
    std::vector<std::string> parameter_texts = {};
};

namespace texelscope::c {

// Arrays of callers as images of a backend.

// An array of a caller, checked: sizes, strides, type, and that its memory is the backend's or the host's.
struct Array {
    std::byte* data = nullptr;
    SampleType type = SampleType::f32;
    bool on_host = true;
    int64_t count = 1;
    int height = 1, width = 1, channels = 1;
    int64_t stride_count = 0, stride_y = 0, stride_x = 0, stride_channel = 0;

    double numbers() const { return double(height) * width * channels; }  // of one image
    // Channels from `first` on of one image.
    Strided image(int64_t number, int first, int channel_count) const;
    Strided image(int64_t number) const { return image(number, 0, channels); }
};

// Throws Error, which names it.
Array checked_array(const Engine& engine, const ts_array* array, const char* name);

// Images of a part that a source reads: one, or on a GPU several of the same size, a batch, whose kernels are launched once for
// all.
struct ImageGroup {
    int64_t first = 0;
    ImageView view;  // of a batch
    SourceImage source;
    std::vector<SourceImage> alone;  // its images one by one, made for requests that cannot render a batch
};

// Channels of all images, which the engine reads together; or all channels, each of them a plane that is an image.
struct ImagePart {
    int first = 0, channels = 1;
    bool planes = false;
    int resident_channels = 1;  // on a GPU three are four
    std::vector<ImageGroup> groups;

    // Image number `number` of the part in an array that has all channels, and the bytes to the next; 0: they vary.
    Strided image_in(const Array& array, int64_t number) const {
        return planes ? array.image(number / array.channels, int(number % array.channels), 1)
                      : array.image(number, first, channels);
    }
    int64_t step_in(const Array& array) const {
        if (!planes) return array.stride_count;
        const bool steady = array.count == 1 || array.stride_count == array.channels * array.stride_channel;
        return steady ? array.stride_channel : 0;
    }
};

}  // namespace texelscope::c

struct ts_image {
    std::shared_ptr<texelscope::c::Engine> engine;
    std::vector<std::shared_ptr<void>> copies;  // memory of the backend
    std::vector<texelscope::c::ImagePart> parts;
    int64_t count = 1;
    int height = 1, width = 1, channels = 1;
    texelscope::SampleType type = texelscope::SampleType::f32;
    bool straight_alpha = false, linear_light = false, signal = false, in_place = false;
};

namespace texelscope::c {

// As ts_image_create() makes one. The engine's turn is the caller's. Throws Error.
std::unique_ptr<ts_image> made_image(const std::shared_ptr<Engine>& engine, const ts_array* samples,
                                     const ts_image_options* options);

}  // namespace texelscope::c

namespace texelscope::c {

// Requests of the C interface as those of the engine, and where their results go.

// A request without what depends on an image.
struct Request {
    ts_request all;
    MethodSpec spec;
    Outside outside = Outside::extend;
    Derivative derivative = Derivative::none;
};

// Throws Error.
Request checked_request(const ts_request* request);

// For an output of this size of an image.
RenderRequest render_request(const Request& request, Extent image, Extent output);
SampleRequest sample_request(const Request& request);

// How results become numbers of an array.
struct Destination {
    Array array;
    double scale = 1, instead = 0;
    bool replaces_nan = false, divides_by_alpha = false;
};

// Throws Error. `values`, `outside` and `outside_value` as in a request.
Destination destination(const ts_image& image, const ts_array* out, int32_t values, int32_t outside = TS_EXTEND,
                        double outside_value = 0);

// Where images of a part are computed, from number `first` on: in place if the array is packed floats of the backend, or if it is
// packed levels and the part is `rendered_as_levels`; else in memory of the backend. finish() converts it.
class Place {
public:
    Place(ts_image& image, const ImagePart& part, int64_t first, int images, const Destination& to, bool doubles,
          const std::function<bool()>& rendered_as_levels = {});

    void* values() const { return values_; }
    size_t row_bytes() const { return row_bytes_; }
    size_t image_bytes() const { return image_bytes_; }  // from one image to the next
    bool is_packed() const { return row_bytes_ == size_t(to_.width) * pixel_bytes(); }
    RenderTarget target() const {
        return {.pixels = values_,
                .row_bytes = row_bytes_,
                .format = levels_ ? RenderTarget::Format::levels : RenderTarget::Format::floats,
                .timer = no_timer,
                .image_bytes = image_bytes_};
    }
    void finish();
    // Converts packed results that were computed elsewhere, in memory of the backend.
    void take(const std::shared_ptr<void>& results);

private:
    size_t pixel_bytes() const { return size_t(part_.resident_channels) * (doubles_ ? sizeof(double) : sizeof(float)); }
    bool is_in_place() const;
    bool is_packed_levels() const;
    bool has_rows_of(SampleType type) const;

    ts_image& image_;
    const ImagePart& part_;
    int64_t first_;
    int images_;
    const Destination& destination_;
    Strided to_;
    int64_t step_;  // of the array, between images; 0: it varies
    bool doubles_, levels_ = false;
    std::shared_ptr<void> memory_;
    void* values_ = nullptr;
    size_t row_bytes_ = 0, image_bytes_ = 0;
};

// What a source can do at once.
struct Abilities {
    std::function<bool(const SourceImage&)> renders_batch,  // all images of a group
        renders_levels;                                     // of an array, instead of floats; null: never
};

// Calls body(part, source, place) for all images of all parts; in memory of the host the results are there afterwards.
void for_each_part(ts_image& image, const Destination& to, bool doubles, const Request* request, const Abilities& can,
                   const std::function<void(const ImagePart&, SourceImage&, Place&)>& body);

}  // namespace texelscope::c

namespace texelscope {

// Differences of two renderings, pixel by pixel.

class Backend;
}  // namespace texelscope

namespace texelscope::c {

// A difference of packed floats in units of the engine. Without a kind it is ΔE2000 of three or four channels, and the result has one.
struct DifferenceJob {
    const float *values = nullptr, *reference = nullptr;
    float* to = nullptr;
    int width = 0, height = 0, channels = 1;
    int pixel_values = 1;  // from one pixel to the next: a GPU keeps three channels as four
    bool colours = false;
    DifferenceKind kind = DifferenceKind::signed_;
};

// ΔE2000 of two colours as they are stored, clamped to 0 … 1; NaN if a component is not finite.
TS_HD double colour_difference(const float* value, const float* reference) {
    double v[2][3];
    for (int c = 0; c < 3; ++c) {
        if (!is_finite(value[c]) || !is_finite(reference[c])) return nan("");
        v[0][c] = fmin(fmax(double(value[c]), 0.0), 1.0);
        v[1][c] = fmin(fmax(double(reference[c]), 0.0), 1.0);
    }
    return delta_e_2000(lab_of_srgb(v[0][0], v[0][1], v[0][2]), lab_of_srgb(v[1][0], v[1][1], v[1][2]));
}

TS_HD void write_difference(const DifferenceJob& job, int x, int y) {
    const size_t pixel = size_t(y) * size_t(job.width) + size_t(x), first = pixel * size_t(job.pixel_values),
                 to = pixel * size_t(job.channels);
    if (job.colours) {
        job.to[pixel] = float(colour_difference(job.values + first, job.reference + first));
        return;
    }
    for (size_t c = 0; c < size_t(job.channels); ++c)
        job.to[to + c] =
            float(difference_of(job.kind, double(job.values[first + c]), double(job.reference[first + c])));
}

// Enqueued on the backend's stream; all memory is the device's.
void difference_on_cuda(const DifferenceJob& job, const Backend& backend);

}  // namespace texelscope::c
