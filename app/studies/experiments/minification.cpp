// Zooming out of a zone plate, with and without antialiasing.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/files/test_images/test_images.h"
#include "app/picture/inspect/curves.h"
#include "app/studies/experiments/experiment.h"
#include "app/text/glossary.h"
#include "gpu/backend/source_image.h"

namespace texelscope {
namespace {

constexpr double scales[] = {1.5, 2, 3, 4, 6, 8, 12, 16};
constexpr double pictured_scale = 4, aligned_scale = 3;
constexpr int least_kept = 100;                 // pixels
const double full_contrast = std::sqrt(0.125);  // root mean square of ½ cos about its mean

struct Measured {
    MethodSpec spec;
    double scale = 1;
    double moire[2] = {}, kept[2] = {};  // without and with antialiasing: root mean squares
    Image pictures[2] = {};
};

// Root mean squares of the plate minus its mean: in the region with a frequency above ½ cycle per output pixel, and in
// that with both below a quarter.
void measure(const Image& out, double size, double scale, double& moire, double& kept) {
    double beyond = 0, below = 0;
    int beyond_count = 0, below_count = 0;
    const double centre = (out.width() - 1) / 2.0;
    for (int j = 0; j < out.height(); ++j)
        for (int i = 0; i < out.width(); ++i) {
            const double fx = std::abs(i - centre) * scale * scale / size,
                         fy = std::abs(j - centre) * scale * scale / size;
            const double squared = std::pow(double(out.value(i, j, 0)) - 0.5, 2);
            if (std::max(fx, fy) > 0.5) beyond += squared, ++beyond_count;
            if (std::max(fx, fy) < 0.25) below += squared, ++below_count;
        }
    moire = std::sqrt(beyond / std::max(beyond_count, 1));
    kept = below_count < least_kept ? std::nan("") : std::sqrt(below / below_count);
}

std::vector<Measured> measure_all(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend,
                                  ExperimentProgress& progress) {
    const int size = options.integer("size");
    SourceImage plate(backend, make_test_image(fmt::format("@zone-plate:{}", size)));
    MethodSpec defaults = default_spec(parse_method("bilinear"));
    defaults.address = {AddressMode::mirror, AddressMode::mirror};
    const auto specs = options.methods("methods", defaults);
    std::vector<Measured> all;
    for (const MethodSpec& spec : specs)
        for (const double scale : scales) {
            Measured one{.spec = spec, .scale = scale};
            RenderRequest request;
            request.spec = spec;
            request.view.scale = scale;
            request.width = request.height = int(size / scale);
            if ((size - request.width) % 2 != 0) --request.width, --request.height;  // centred on the same samples
            for (const bool antialias : {false, true}) {
                request.antialias = antialias;
                const Image out = plate.render_to_image(request);
                measure(out, size, scale, one.moire[antialias], one.kept[antialias]);
                one.pictures[antialias] = as_shown(out);
            }
            progress.step(int(all.size()), int(specs.size() * std::size(scales)),
                          fmt::format("{}, scale {:g}", words(spec), scale), &one.pictures[1]);
            all.push_back(std::move(one));
        }
    return all;
}

ResultTable table_of(const std::vector<Measured>& all) {
    ResultTable table{
        .title = "Moiré, and contrast kept",
        .columns = {{"method"},
                    {"scale", "", 0},
                    {"moiré without", "RMS"},
                    {"moiré with antialias", "RMS"},
                    {"with / without"},
                    {"kept without", "%"},
                    {"kept with antialias", "%"}},
        .note =
            "Moiré: the contrast left where the plate has more than ½ cycle per output pixel; the plate's own is "
            "0.354. Kept: share of the plate's contrast below ¼ cycle."};
    for (const Measured& one : all)
        table.rows.push_back({words(one.spec), one.scale, one.moire[0], one.moire[1], one.moire[1] / one.moire[0],
                              100 * one.kept[0] / full_contrast, 100 * one.kept[1] / full_contrast});
    return table;
}

Plot plot_of(const std::vector<Measured>& all) {
    Plot plot{.title = "Moiré by scale", .width = 640, .height = 400};
    int k = -1;
    for (size_t i = 0; i < all.size(); ++i) {
        const bool first = i == 0 || all[i].spec != all[i - 1].spec;
        if (first) {
            const std::string name = words(all[i].spec);
            ++k;
            plot.series.push_back({.name = name + ", antialiased", .ink = method_series("", k).ink});
            plot.series.push_back(
                {.name = name + ", without", .style = Series::Style::dashed, .ink = method_series("", k).ink});
        }
        for (const bool antialias : {false, true}) {
            Series& series = plot.series[plot.series.size() - (antialias ? 2 : 1)];
            series.x.push_back(all[i].scale);
            series.y.push_back(all[i].moire[antialias]);
        }
    }
    plot.x = axis_over(plot.series, true, true, "scale: samples per output pixel");
    for (const double scale : scales) plot.x.ticks.push_back({scale, fmt::format("{:g}", scale)});
    plot.y = {.label = "RMS beyond the Nyquist frequency", .minimum = 0, .maximum = 0.45};
    plot.guides = {{Guide::Across::y, full_contrast, "the plate's own contrast"}};
    return plot;
}

void add_pictures(const std::vector<Measured>& all, ExperimentResult& result) {
    for (const Measured& one : all) {
        if (one.scale != pictured_scale) continue;
        for (const bool antialias : {false, true})
            result.pictures.push_back(
                {fmt::format("{}, {}", words(one.spec), antialias ? "antialiased" : "without"),
                 fmt::format("scale {:g}, moiré {} RMS", one.scale, number_text(one.moire[antialias], 3)),
                 one.pictures[antialias]});
    }
}

// With its prefilter: a truncated one only comes near.
bool passes_through_samples(const MethodSpec& spec) {
    return interpolates(spec) && (!spec.method->has_prefilter() || spec.prefilter.kind == Prefilter::Kind::iir);
}

void add_verdicts(const std::vector<Measured>& all, ExperimentResult& result) {
    using enum Verdict::Outcome;
    for (size_t i = 0; i < all.size(); i += std::size(scales)) {
        double worst = 0, aligned = 0;
        for (size_t k = i; k < i + std::size(scales); ++k) {
            if (all[k].scale >= 2) worst = std::max(worst, all[k].moire[1] / all[k].moire[0]);
            if (all[k].scale == aligned_scale) aligned = all[k].moire[0] / full_contrast;
        }
        const std::string name = words(all[i].spec);
        result.verdicts.push_back(
            {fmt::format("{}: from scale 2 on, antialiasing removes at least half of the moiré", name),
             fmt::format("at worst, {:.0f} % remains", 100 * worst), worst <= 0.5 ? agrees : differs,
             "a weight function at least as wide as an output pixel averages out finer detail"});
        if (!passes_through_samples(all[i].spec)) continue;
        result.verdicts.push_back(
            {fmt::format("{}: without it, at scale {:g}, moiré is as strong as the plate itself, within 3 %", name,
                         aligned_scale),
             fmt::format("{:.1f} % of it", 100 * aligned), std::abs(aligned - 1) <= 0.03 ? agrees : differs,
             "there output pixels fall on samples, and with every third sample only, a high frequency looks like a low "
             "one"});
    }
}

void run(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
         ExperimentResult& result) {
    const std::vector<Measured> all = measure_all(options, backend, progress);
    result.tables = {table_of(all)};
    result.plots = {plot_of(all)};
    add_pictures(all, result);
    add_verdicts(all, result);
}

}  // namespace

Experiment minification_experiment() {
    using Kind = ExperimentOption::Kind;
    return {.name = "minification",
            .title = "Zooming out",
            .question = "What happens to frequencies that the smaller picture cannot represent?",
            .expectation =
                "Without antialiasing they come back as moiré, as strong as the plate itself whenever output pixels "
                "fall on samples, whatever the method. With the weight function widened by the scale, little of them "
                "is left.",
            .source = "the sampling theorem; the zone plate is the classical test",
            .options = {{"methods", Kind::methods, "Methods, separated by semicolons",
                         "nearest; bilinear; catmull-rom; lanczos3"},
                        {"size", Kind::integer, "Side of the zone plate, in samples", "512", 128, 4096, "samples"}},
            .run = run};
}

}  // namespace texelscope
