#pragma once
// The cases that are measured, and how: samples of time and their figures.

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/names.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// How long something takes on a backend: medians over batches of enqueued work.

// Microseconds of one repetition: median and quartiles over the batches.
struct Timing {
    double median_us = 0, lower_us = 0, upper_us = 0;
    int batches = 0, repeats = 0;  // repetitions per batch
};

// The timing of work measured in turn; `microseconds` is not empty.
Timing summarised(std::span<const double> microseconds, int repeats);

// The cost limits of a measurement. Work that takes longer than limit_ms / least_batches is measured in fewer batches,
// but at least three.
struct Effort {
    double limit_ms = 200;
    double batch_ms = 1.5;  // long enough that launches and the clock's resolution are negligible
    int least_batches = 7, most_batches = 25;
};

class BenchClock {
public:
    explicit BenchClock(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}

    // Times enqueue(k), k = 0, 1, 2, … in turn; the first `warm_up` calls are not counted. Work that a GPU's host
    // cannot enqueue as fast as the GPU computes it is enqueued behind a copy, whose own time is subtracted.
    Timing time(const std::function<void(int k)>& enqueue, int warm_up, const Effort& effort);

    // Times work that reports its own milliseconds, on the backend's clock, and is not repeated within a batch.
    Timing time_reported(const std::function<double(int k)>& run, int warm_up, const Effort& effort);

    Backend& backend() const { return *backend_; }

private:
    double batch_ms(const std::function<void()>& enqueue);
    double batch_ms_behind_a_copy(const std::function<void()>& enqueue, double enqueue_ms);

    std::shared_ptr<Backend> backend_;
    std::shared_ptr<void> copied_;  // what the copy copies
    double copy_ms_ = 0;
};

// What a benchmark reads and writes: pictures of noise in the backend's memory, several of each in turn, so that a
// picture has left the caches when it is read again.

struct PixelFormat {
    SampleType type = SampleType::u8;
    int channels = 4;  // 1, 2 or 4
    bool operator==(const PixelFormat&) const = default;

    size_t texel_bytes() const { return size_t(channels) * size_t(bytes_per_sample(type)); }
};

std::string name_of(const PixelFormat& format);  // "u8x4"

// Bytes that are touched before anything is touched again: more than the L2 of any GPU; on the CPU as much as the
// memory of small machines allows, which a large last-level cache still holds.
size_t bytes_in_turn(BackendKind kind);

// How many pictures, 1 … most_in_turn, add up to this many bytes.
inline constexpr int most_in_turn = 8;
int copies_in_turn(BackendKind kind, size_t bytes_of_each);

// Noise in [0, 1], made on the backend except for its first mebibyte. Throws OutOfMemory.
std::shared_ptr<void> noise_memory(BackendMemory& backend, SampleType type, size_t bytes);

// This many copies of the same picture of noise; fewer, but at least one, if the memory does not hold them.
class BenchSources {
public:
    // Throws OutOfMemory.
    BenchSources(const std::shared_ptr<Backend>& backend, PixelFormat format, int width, int height, int copies);

    SourceImage& at(int k) { return *sources_[size_t(k) % sources_.size()]; }
    int count() const { return int(sources_.size()); }

private:
    std::deque<std::shared_ptr<void>> memory_;  // outlives the sources
    std::deque<std::unique_ptr<SourceImage>> sources_;
};

// Room for outputs, made once and reused: the first write to fresh memory is slower.
class BenchOutputs {
public:
    explicit BenchOutputs(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}

    // This many outputs of this many bytes each. Throws OutOfMemory.
    void make(size_t bytes, int copies);

    void* at(int k) const { return static_cast<std::byte*>(memory_.get()) + bytes_ * size_t(k % copies_); }
    int count() const { return copies_; }

private:
    std::shared_ptr<Backend> backend_;
    size_t bytes_ = 0, all_ = 0;
    int copies_ = 1;
    std::shared_ptr<void> memory_;
};

// What texelscope bench measures: one case after another, each with its own name.

enum class BenchSection { render, prefilter, resize, paper, frame, tiles };

inline constexpr NamedValue<BenchSection> bench_sections[] = {
    {BenchSection::render, "render"}, {BenchSection::prefilter, "prefilter"}, {BenchSection::resize, "resize"},
    {BenchSection::paper, "paper"},   {BenchSection::frame, "frame"},         {BenchSection::tiles, "tiles"}};
constexpr auto& names_table(BenchSection) { return bench_sections; }
inline constexpr auto all_bench_sections = all_values<BenchSection>;

struct BenchCase {
    enum class Work {
        render,      // one rendering of a resident image
        prefilter,   // the coefficients of a resident image
        whole_call,  // from an image in host memory to 8-bit pixels in host memory, on the host's clock
    };

    BenchSection section = BenchSection::render;
    Work work = Work::render;
    std::string view;  // "rotate"; for a prefilter the image's width
    PixelFormat format;
    MethodSpec spec;
    RenderRequest request;  // for rendering; its spec and simple are those of the case
    bool moves = false;     // the view moves from rendering to rendering
    bool simple = false;
    BackendKind backend = BackendKind::cpu;
    int source_width = 1, source_height = 1;  // samples
    int width = 1, height = 1;                // of the output, pixels

    // "render/rotate/u8x4/bspline:path=hardware,prefilter=iir", with "/simple" or "/whole-call" if it is that, and
    // "/cpu" or "/cuda" if both backends are compared.
    std::string name() const;

    RenderTarget::Format output() const {
        return format.type == SampleType::f32 && format.channels == 1 ? RenderTarget::Format::floats
                                                                      : RenderTarget::Format::rgba8;
    }
    size_t output_pixel_bytes() const { return 4; }  // RGBA8, or one float
    double pixels() const { return double(width) * double(height); }
};

struct BenchPlan {
    std::vector<BenchSection> sections = {BenchSection::render, BenchSection::prefilter, BenchSection::resize};
    std::vector<MethodSpec> methods;           // empty: all; else only those, and bilinear for comparison
    std::optional<int> width, height, source;  // for renderings, instead of the defaults
    std::string image = "@zone-plate:100000";  // of the section tiles: ten gigapixels, made where they are read
    std::function<std::shared_ptr<const TileSource>(const std::string& image)> open_tiles;  // for that section
    bool quick = false, full = false;  // fewer cases; the whole product
    std::string pattern;               // for names: with * ? [ ] a shell pattern, else a part of the name
};

// The cases of the plan, except those of the frame and of tiles, which are not known beforehand. A pattern chooses among the whole
// product. Throws UsageError if it matches nothing.
std::vector<BenchCase> bench_cases(const BenchPlan& plan, const BackendInfo& backend);

// As in names: the settings that are not the default, and the prefilter. parse_spec reads it back.
std::string short_text(const MethodSpec& spec);

// The case with bilinear instead of its method, for the ratio.
BenchCase bilinear_of(BenchCase of);

bool chosen_by(const std::string& pattern, const std::string& name);

// The parts of the list.
void add_render_cases(const BenchPlan& plan, const BackendInfo& backend, std::vector<BenchCase>& cases);
void add_prefilter_cases(const BenchPlan& plan, const BackendInfo& backend, std::vector<BenchCase>& cases);
void add_resize_cases(const BenchPlan& plan, const BackendInfo& backend, std::vector<BenchCase>& cases);
void add_paper_cases(const BenchPlan& plan, const BackendInfo& backend, std::vector<BenchCase>& cases);

}  // namespace texelscope
