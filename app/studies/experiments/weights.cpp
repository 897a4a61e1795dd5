// The effect of the texture unit's 8-bit fraction, along one axis.

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "app/studies/experiments/experiment.h"
#include "app/text/glossary.h"
#include "gpu/backend/source_image.h"

namespace texelscope {
namespace {

constexpr int texels = 8, left = 3;  // the one after `left` is 1, all others are 0
constexpr double half_step = 1.0 / 512;
constexpr double rounding = 2e-7;  // of float32 values of size 1, a few operations long

struct Measured {
    MethodSpec spec;
    std::vector<float> exact, hardware;
    double largest() const {
        double largest = 0;
        for (size_t k = 0; k < exact.size(); ++k) largest = std::max(largest, std::abs(difference(k)));
        return largest;
    }
    double mean() const {
        double sum = 0;
        for (size_t k = 0; k < exact.size(); ++k) sum += std::abs(difference(k));
        return sum / double(exact.size());
    }
    double difference(size_t k) const { return double(hardware[k]) - double(exact[k]); }
    size_t levels() const { return std::set<float>(hardware.begin(), hardware.end()).size(); }
};

Image impulse() {
    Image image(texels, 1, 1, SampleType::f32);
    image.row_as<float>(0)[left + 1] = 1;
    image.set_one_dimensional(true);
    return image;
}

// 0, 1/n, … 1 of the way from texel `left` to the next.
std::vector<double> fractions(int n) {
    std::vector<double> result;
    for (int k = 0; k <= n; ++k) result.push_back(double(k) / n);
    return result;
}

// Throws UsageError for one that requests another path.
std::vector<MethodSpec> hardware_specs(const ExperimentOptions& options) {
    const auto specs = options.methods("methods", default_spec(parse_method("bilinear")));
    for (const MethodSpec& spec : specs)
        if (spec.path != FetchPath::automatic && spec.path != FetchPath::hardware)
            throw UsageError(
                fmt::format("--methods: this experiment always uses the hardware path; remove path={0} from {1}",
                            name_of(spec.path), spec.method->id));
    return specs;
}

std::vector<Measured> measure(const ExperimentOptions& options, const std::vector<double>& at,
                              const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
    SourceImage source(backend, impulse());
    std::vector<double> points;
    for (const double t : at) points.push_back(left + t);
    const PointsView view{points.data(), nullptr, points.size(), 1, true};
    const auto specs = hardware_specs(options);
    std::vector<Measured> all;
    for (const MethodSpec& spec : specs) {
        progress.step(int(all.size()), int(specs.size()), words(spec));
        Measured one{spec, {}, {}};
        SampleRequest request{spec};
        request.spec.path = FetchPath::global;
        one.exact = source.sample_to_host(request, view);
        request.spec.path = FetchPath::hardware;
        one.hardware = source.sample_to_host(request, view);
        all.push_back(std::move(one));
    }
    return all;
}

ResultTable table_of(const std::vector<Measured>& all) {
    ResultTable table{.title = "Texture unit vs. exact weights, between a texel of 0 and a texel of 1",
                      .columns = {{"method"},
                                  {"distinct values", "", 0},
                                  {"largest difference", "", 4},
                                  {"largest difference", "of 1/512", 4},
                                  {"mean difference", "", 3}}};
    for (const Measured& one : all)
        table.rows.push_back(
            {words(one.spec), double(one.levels()), one.largest(), one.largest() / half_step, one.mean()});
    return table;
}

Plot staircase(const Measured& one, const std::vector<double>& at) {
    constexpr double shown = 1.0 / 32;
    Series exact{.name = "exact", .style = Series::Style::dashed, .ink = Ink::orange},
        hardware{.name = "texture unit", .ink = Ink::blue};
    for (size_t k = 0; k < at.size() && at[k] <= shown; ++k) {
        exact.x.push_back(at[k] * 256), exact.y.push_back(double(one.exact[k]) * 256);
        hardware.x.push_back(at[k] * 256), hardware.y.push_back(double(one.hardware[k]) * 256);
    }
    Plot plot{.title = fmt::format("{}: its first steps", words(one.spec)), .width = 640, .height = 360};
    plot.series = {hardware, exact};
    plot.x = axis_over(plot.series, true, false, "fraction of the way to the next texel (1/256)");
    plot.y = axis_over(plot.series, false, false, "value (1/256)");
    return plot;
}

// Half-way, where a cubic's weights are most unequal.
Plot differences(const std::vector<Measured>& all, const std::vector<double>& at) {
    constexpr double from = 124.0 / 256, to = 132.0 / 256;
    Plot plot{.title = "Texture unit minus exact weights, around the midpoint", .width = 640, .height = 360};
    for (size_t m = 0; m < all.size(); ++m) {
        Series series = method_series(words(all[m].spec), int(m));
        for (size_t k = 0; k < at.size(); ++k) {
            if (at[k] < from || at[k] > to) continue;
            series.x.push_back(at[k] * 256);
            series.y.push_back(all[m].difference(k) / half_step);
        }
        plot.series.push_back(std::move(series));
    }
    plot.x = {.label = "fraction of the way to the next texel (1/256)", .minimum = from * 256, .maximum = to * 256};
    plot.y = {.label = "difference (1/512)", .minimum = -1.4, .maximum = 1.4};
    plot.guides = {{Guide::Across::y, 1, ""}, {Guide::Across::y, -1, ""}};
    return plot;
}

// 1 from here on; docs/texture-unit.md, finding 1.
Verdict carry_verdict(const Measured& one, const std::vector<double>& at) {
    const auto first = std::find(one.hardware.begin(), one.hardware.end(), 1.0f);
    const double found = first == one.hardware.end() ? 2 : at[size_t(first - one.hardware.begin())];
    const double step = 1.0 / double(at.size() - 1);
    return {"The fraction is rounded, not truncated: from 255.5/256 on, only the next texel contributes",
            fmt::format("from {:.4g}/256 on", found * 256),
            std::abs(found - 255.5 / 256) <= step ? Verdict::Outcome::agrees : Verdict::Outcome::differs,
            "as measured on an NVIDIA H200, ties upwards"};
}

void add_verdicts(const std::vector<Measured>& all, const std::vector<double>& at, ExperimentResult& result) {
    using enum Verdict::Outcome;
    for (const Measured& one : all) {
        const std::string name = words(one.spec);
        const double largest = one.largest();
        const bool linear = one.spec.method->id == "bilinear" && one.spec.address == AddressPair{};
        if (linear) {
            result.verdicts.push_back({fmt::format("{}: 257 values, multiples of 1/256", name),
                                       fmt::format("{} values", one.levels()), one.levels() == 257 ? agrees : differs,
                                       "the fraction is a fixed-point number of 8 bits"});
            result.verdicts.push_back(
                {fmt::format("{}: errors of up to 1/512 = 0.00195", name), number_text(largest, 3),
                 std::abs(largest - half_step) <= 0.02 * half_step ? agrees : differs, "half a step of the fraction"});
            result.verdicts.push_back(carry_verdict(one, at));
        } else {
            result.verdicts.push_back({fmt::format("{}: errors of no more than 1.25/512", name),
                                       fmt::format("{}/512", number_text(largest / half_step, 3)),
                                       largest <= 1.25 * half_step + rounding ? agrees : differs,
                                       "each fetch has an error of up to 1/512 of the texels' difference, times its "
                                       "weight"});
        }
    }
}

void run(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
         ExperimentResult& result) {
    const std::vector<double> at = fractions(options.integer("positions"));
    const std::vector<Measured> all = measure(options, at, backend, progress);
    result.facts.emplace_back("texture unit", backend->info().kind == BackendKind::cuda
                                                  ? "this GPU's"
                                                  : "emulated on the CPU as measured on an NVIDIA H200");
    result.tables = {table_of(all)};
    result.plots = {staircase(all.front(), at), differences(all, at)};
    add_verdicts(all, at, result);
}

}  // namespace

Experiment weights_experiment() {
    using Kind = ExperimentOption::Kind;
    return {.name = "weights",
            .title = "The texture unit's 8-bit fraction",
            .question = "How exact are the weights of the texture unit's linear filter?",
            .expectation =
                "Its fraction has 8 bits: there are 256 steps between two texels, and a linear weight has an error of "
                "up to 1/512. Cubic methods made of linear fetches inherit that.",
            .source = "CUDA C++ Programming Guide, Linear Filtering; docs/texture-unit.md",
            .options = {{"methods", Kind::methods, "Methods to test on the hardware path, separated by semicolons",
                         "bilinear; bspline:prefilter=none; catmull-rom"},
                        {"positions", Kind::integer, "Positions between two texels; powers of two hit the ties", "8192",
                         512, 1048576}},
            .run = run};
}

}  // namespace texelscope
