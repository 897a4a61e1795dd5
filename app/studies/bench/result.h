#pragma once
// What texelscope bench found, as plain numbers; and its written form.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/studies/bench/cases.h"

namespace texelscope {

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
