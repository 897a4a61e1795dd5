#pragma once
// Tables 1 to 3 of Champagnat & Le Sant, "Efficient cubic B-spline image interpolation on a GPU" (2011), as measured on
// this machine, beside the published figures.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/studies/bench/result.h"

namespace texelscope {

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

}  // namespace texelscope
