#pragma once
// What texelscope bench measures, how, and what it found.

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/names.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// The cases that are measured, and how: samples of time and their figures.

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

// What was found, as plain numbers; and its written form.

struct BenchResult {
    std::string name;
    BenchSection section = BenchSection::render;
    std::string work;  // "render", "prefilter", "whole-call", "stage"
    std::string view, format;
    std::string method;  // a spec
    bool simple = false;
    BackendKind backend = BackendKind::cpu;
    int source_width = 0, source_height = 0, width = 0, height = 0;

    std::optional<Timing> time;  // empty if not measured
    std::string skipped;         // why not
    double bytes = 0;            // minimum: what is read once and written once; 0 if not known
    double bytes_in_turn = 0;    // touched before anything is touched again
    double copy_us = 0;          // of a copy that moves the same bytes, in this run
    std::optional<double> over_bilinear;
    std::string note;

    double gigapixels_per_second() const;
    double gigabytes_per_second() const;
    std::optional<double> over_copy() const;  // ratio to the time of that copy
};

struct BenchReport {
    std::string version, device, detail;
    BackendKind backend = BackendKind::cpu;
    double copy_bytes = 0;  // moved by the copy whose bandwidth all shares are of: read and written
    Timing copy;
    std::vector<BenchResult> results;

    double copy_gigabytes_per_second() const;
    std::optional<double> share_of_copy(const BenchResult& result) const;  // of its bandwidth
    const BenchResult* find(std::string_view name) const;                  // null if there is none
};

// The identity of a case, without figures.
BenchResult result_of(const BenchCase& of);

std::string bench_json(const BenchReport& report);

// Throws Error, without the name of the file, for what bench_json() did not write.
BenchReport parse_bench_json(std::string_view text);

// "nvidia-h200", "intel-xeon-processor-2-threads": the name of a file of results.
std::string machine_name(const BenchReport& report);

// Tables 1 to 3 of Champagnat & Le Sant, "Efficient cubic B-spline image interpolation on a GPU" (2011), as measured on
// this machine, beside the published figures.

inline constexpr int paper_side = 2048;  // of the output, f32 × 1; the input is smaller by the zoom

// Table 3. Published milliseconds on a Tesla C2050, of prefilter and interpolation together.
struct PaperView {
    std::string_view id, name;
    double rotate;  // degrees; the paper does not give its angle
    int zoom;
    double bilinear_ms, fir15_ms, iir_ms;
};
inline constexpr std::array<PaperView, 5> paper_views = {{{"rotate", "rotation", 10, 1, 1.5, 3.2, 14.5},
                                                          {"zoom2", "×2 zoom", 0, 2, 1.56, 2.33, 5.16},
                                                          {"zoom4", "×4 zoom", 0, 4, 1.56, 2.12, 2.8},
                                                          {"zoom8", "×8 zoom", 0, 8, 1.56, 2.05, 2.2},
                                                          {"zoom16", "×16 zoom", 0, 16, 1.56, 2.04, 2.08}}};

inline constexpr std::array<const char*, 2> paper_prefilters = {"iir", "fir15"};
inline constexpr std::array<std::string_view, 5> paper_specs = {"bilinear", "bilinear:path=hardware", "bspline",
                                                                "bspline:path=lookup", "bspline:path=hardware"};

// Table 1. Published milliseconds.
struct PaperPrefilter {
    int side;
    std::string_view prefilter;
    double gtx260m_ms, c2050_ms;
};
inline constexpr std::array<PaperPrefilter, 4> paper_prefilter_times = {
    {{1024, "iir", 12.78, 5.52}, {1024, "fir15", 2.9, 0.35}, {2048, "iir", 62.6, 12.506}, {2048, "fir15", 11.15, 1.2}}};

// Table 2. Published milliseconds of the two directions, 2048² on the C2050.
struct PaperDirections {
    std::string_view prefilter;
    double row_ms, column_ms, total_ms;
};
inline constexpr std::array<PaperDirections, 2> paper_directions = {
    {{"iir", 10.2, 2.3, 12.5}, {"fir15", 0.59, 0.61, 1.2}}};

inline constexpr std::string_view paper_prefilter_view = "prefilter";
std::string paper_view(std::string_view what, int side);  // "prefilter-1024"

// The input sides of all views, the largest first, down to side / 16.
std::vector<int> paper_prefilter_sides(int side);

// One line of table 3 as measured: a path and a prefilter.
struct PaperCost {
    const PaperView* view = nullptr;
    std::string prefilter, path;                   // "fir15", "hardware"
    Timing prefiltering, interpolation, bilinear;  // bilinear by its faster path
    double bilinear_over_copy = 0;                 // against a copy that moves the same bytes
    double published_ratio = 0;
    double ratio() const { return (prefiltering.median_us + interpolation.median_us) / bilinear.median_us; }
};

// Empty if the report lacks the measurements. `side` is that of the output.
std::vector<PaperCost> paper_costs(const BenchReport& report);
std::optional<Timing> paper_prefilter_time(const BenchReport& report, int side, std::string_view prefilter);

// The table of a widely read article on CUDA textures: an image enlarged ×5 by nearest and linear, CPU against GPU.
inline constexpr int article_width = 248, article_height = 236, article_factor = 5;

// Published milliseconds: for loops on the CPU, and for a CUDA function that allocates, converts, copies to the GPU,
// resizes and copies back. Neither processor is named.
struct ArticleRow {
    std::string_view method;
    double cpu_ms, cuda_ms;
};
inline constexpr std::array<ArticleRow, 2> article_rows = {{{"nearest", 1.61, 0.9292}, {"bilinear", 10.71, 0.987}}};

// Whether anything has become slower: compares two reports, case by case.

// Times count as multiples of the time to move a byte in the same run, so that a machine at another clock compares.
struct RegressionRow {
    std::string name;
    double before_us = 0, now_us = 0;
    double ratio = 1;    // now over before, each relative to the copy of its own run
    bool apart = false;  // the quartiles of the two do not overlap
};

struct Regression {
    double threshold = 0.1;           // 0.1: 10 %
    std::vector<RegressionRow> rows;  // of cases that both have, of the same sizes
    size_t only_before = 0, only_now = 0;

    bool is_slower(const RegressionRow& row) const { return row.apart && row.ratio > 1 + threshold; }
    bool is_faster(const RegressionRow& row) const { return row.apart && row.ratio < 1 / (1 + threshold); }
    size_t slower() const;
    size_t faster() const;
};

// Throws Error if they are of different backends, or have no case in common.
Regression compared(const BenchReport& before, const BenchReport& now, double threshold);

// As text (bench_tables.cpp).

// Machine and copy, and a table for each section.
std::string bench_tables(const BenchReport& report);

// The cases that became slower or faster than in the file of that name, and a summary line.
std::string regression_table(const Regression& regression, const std::string& name);

}  // namespace texelscope
