#pragma once
// What texelscope bench measures: one case after another, each with its own name.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/studies/bench/measuring.h"
#include "gpu/backend/backend.h"
#include "gpu/core/names.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

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
