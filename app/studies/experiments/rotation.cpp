// Repeated rotation: figures 2 to 4 of Champagnat & Le Sant 2011, after Unser 1999.

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "app/studies/experiments/experiment.h"
#include "app/text/glossary.h"

namespace texelscope {
namespace {

constexpr double residual_end = 32;  // levels of 255 at the ends of the residuals' colours

// RMS of 255 on 1/f noise of 512², simulated in float64, independently of this program.
struct Simulated {
    const char* spec;
    double by_10, by_24;  // 36 × 10°, 15 × 24°
    double tolerance;     // of its ratio to the exact B-spline
};
constexpr Simulated simulated[] = {
    {"nearest", 22.2, 19.1, 0.12},
    {"bilinear", 16.0, 13.3, 0.12},
    {"catmull-rom", 10.4, 8.2, 0.12},
    {"bspline", 7.19, 5.29, 0.12},
    {"bspline:prefilter=fir7", 32.0, 9.9, 0.5},  // grows without end: only its magnitude is known
    {"bspline:prefilter=fir11", 7.10, 5.21, 0.12},
    {"bspline:prefilter=fir15", 7.18, 5.28, 0.12},
    {"omoms", 5.08, 3.40, 0.12},
    {"quintic", 4.46, 2.90, 0.12},
};

struct Turned {
    MethodSpec spec;
    std::vector<DiscErrors> steps;  // after turn 1, 2, …
    Image last;
    double rms() const { return steps.back().rms; }
};

constexpr size_t most_single_ticks = 12;  // turns

struct Setting {
    int turns;
    double angle;
    bool whole_circles() const { return std::abs(std::remainder(turns * angle, 360)) < 1e-9; }
    bool quarter_turns() const { return std::abs(std::remainder(angle, 90)) < 1e-9; }
};

const Turned* find(const std::vector<Turned>& all, std::string_view spec) {
    const MethodSpec defaults = turning_defaults(), wanted = parse_spec(spec, &defaults);
    for (const Turned& one : all)
        if (to_string(one.spec) == to_string(wanted)) return &one;
    return nullptr;
}

// All methods, turn by turn, so that only one picture of each is kept. The last one's is shown.
std::vector<Turned> turn_all(const ExperimentOptions& options, const Setting& setting, const Image& original,
                             const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
    TurnedOriginal exact(backend, original, setting.angle);
    std::vector<Turned> all;
    std::vector<Turning> turnings;
    for (const MethodSpec& spec : options.methods("methods", turning_defaults())) {
        all.push_back({spec, {}, {}});
        turnings.emplace_back(backend, original, spec, setting.angle);
    }
    const int total = setting.turns * int(all.size());
    int done = 0;
    Image shown;
    for (int n = 1; n <= setting.turns; ++n) {
        const Image wanted = exact.after(n);
        for (size_t k = 0; k < all.size(); ++k) {
            progress.step(done++, total, fmt::format("turn {} of {}, {}", n, setting.turns, words(all[k].spec)),
                          shown.empty() ? nullptr : &shown);
            const Image& turned = turnings[k].turn();
            all[k].steps.push_back(disc_errors(turned, wanted));
            if (n == setting.turns) all[k].last = turned;
            if (k + 1 == all.size()) shown = as_shown(turned);
        }
    }
    return all;
}

// The simulated figure of a setting; empty if there is none.
std::optional<double> simulated_rms(const Simulated& row, const Setting& setting) {
    if (setting.turns == 36 && setting.angle == 10) return row.by_10;
    if (setting.turns == 15 && setting.angle == 24) return row.by_24;
    return {};
}

ResultTable final_table(const std::vector<Turned>& all, const Setting& setting) {
    ResultTable table{.title = fmt::format("After {} turns of {:g}°", setting.turns, setting.angle),
                      .columns = {{"method"},
                                  {"RMS", "of 255"},
                                  {"largest", "of 255"},
                                  {"RMS over exact B-spline"},
                                  {"simulated RMS", "of 255"}},
                      .note =
                          "Over the central disc with a radius of 0.45 of the side. Simulated: float64, 1/f noise of "
                          "512², different seed. The figures change with the seed; their ratios hardly do."};
    const Turned* exact = find(all, "bspline");
    for (const Turned& one : all) {
        std::vector<ResultCell> row = {words(one.spec), one.rms(), one.steps.back().largest, {}, {}};
        if (exact) row[3] = one.rms() / exact->rms();
        for (const Simulated& known : simulated)
            if (const auto rms = simulated_rms(known, setting); rms && find(all, known.spec) == &one) row[4] = *rms;
        table.rows.push_back(row);
    }
    return table;
}

ResultTable step_table(const std::vector<Turned>& all, double DiscErrors::*what, const char* title) {
    ResultTable table{.title = title, .columns = {{"turn", "", 0}}};
    for (const Turned& one : all) table.columns.push_back({words(one.spec), "of 255"});
    for (size_t n = 0; n < all.front().steps.size(); ++n) {
        table.rows.push_back({double(n + 1)});
        for (const Turned& one : all) table.rows.back().push_back(one.steps[n].*what);
    }
    return table;
}

Plot step_plot(const std::vector<Turned>& all, double DiscErrors::*what, const char* title) {
    Plot plot{.title = title, .width = 640, .height = 400};
    for (size_t k = 0; k < all.size(); ++k) {
        Series series = method_series(words(all[k].spec), int(k));
        for (size_t n = 0; n < all[k].steps.size(); ++n) {
            series.x.push_back(double(n + 1));
            series.y.push_back(all[k].steps[n].*what);
        }
        plot.series.push_back(std::move(series));
    }
    plot.x = axis_over(plot.series, true, false, "turns");
    const size_t turns = all.front().steps.size();
    if (turns <= most_single_ticks)  // round ticks may be fractions of a turn
        for (size_t n = 1; n <= turns; ++n) plot.x.ticks.push_back({double(n), fmt::format("{}", n)});
    plot.y = axis_over(plot.series, false, false, "error (of 255)");
    return plot;
}

void add_pictures(const std::vector<Turned>& all, const Image& original, ExperimentResult& result) {
    result.pictures.push_back({"Original", "what every result should look like", as_shown(original)});
    for (const Turned& one : all)
        result.pictures.push_back(
            {words(one.spec), fmt::format("RMS {} of 255", number_text(one.rms(), 3)), as_shown(one.last)});
    for (const Turned& one : all)
        result.pictures.push_back({"Residual: " + words(one.spec),
                                   fmt::format("blue −{0:g} … orange +{0:g} levels of 255", residual_end),
                                   residual_picture(one.last, original, residual_end)});
}

Verdict ratio_verdict(const Turned& one, const Turned& exact, const Simulated& known, double rms, double exact_rms) {
    const double expected = rms / exact_rms, found = one.rms() / exact.rms();
    Verdict verdict{.expected = fmt::format("{}: {} times the exact B-spline's RMS, within {:g} %", words(one.spec),
                                            number_text(expected, 3), 100 * known.tolerance),
                    .found = fmt::format("{} times", number_text(found, 3)),
                    .outcome = std::abs(found / expected - 1) <= known.tolerance ? Verdict::Outcome::agrees
                                                                                 : Verdict::Outcome::differs,
                    .why = "ratio of two float64 simulations"};
    return verdict;
}

Verdict below(const Turned& better, const Turned& worse) {
    return {.expected = fmt::format("{} loses less than {}", words(better.spec), words(worse.spec)),
            .found = fmt::format("{} against {} of 255", number_text(better.rms(), 3), number_text(worse.rms(), 3)),
            .outcome = better.rms() < worse.rms() ? Verdict::Outcome::agrees : Verdict::Outcome::differs,
            .why = "the higher a method's order and the flatter its response, the less it blurs each time"};
}

Verdict converged(const Turned& fir, const Turned& exact) {
    const double apart = std::abs(fir.rms() / exact.rms() - 1);
    return {.expected = fmt::format("{} is within 1 % of the exact prefilter", words(fir.spec)),
            .found = fmt::format("{} % apart", number_text(100 * apart, 2)),
            .outcome = apart <= 0.01 ? Verdict::Outcome::agrees : Verdict::Outcome::differs,
            .why = "Champagnat & Le Sant: fifteen coefficients are as good as all"};
}

void add_order(const std::vector<Turned>& all, ExperimentResult& result) {
    constexpr const char* order[] = {"quintic", "omoms", "bspline", "catmull-rom", "bilinear", "nearest"};
    const Turned* better = nullptr;
    for (const char* spec : order) {
        const Turned* one = find(all, spec);
        if (one && better) result.verdicts.push_back(below(*better, *one));
        if (one) better = one;
    }
}

Verdict of_quarter_turns(const Setting& setting) {
    return {"Each turn interpolates", fmt::format("turns of {:g}° put samples on samples", setting.angle),
            Verdict::Outcome::open, "choose an angle that is not a multiple of 90°"};
}

void add_verdicts(const std::vector<Turned>& all, const ExperimentOptions& options, const Setting& setting,
                  ExperimentResult& result) {
    if (!setting.whole_circles()) {
        result.verdicts.push_back({"After full turns the picture should match the original",
                                   fmt::format("{} turns of {:g}° are not full turns", setting.turns, setting.angle),
                                   Verdict::Outcome::open,
                                   "choose turns and angle so that their product is a multiple of 360°"});
        return;
    }
    if (setting.quarter_turns()) {
        result.verdicts.push_back(of_quarter_turns(setting));
        return;
    }
    add_order(all, result);
    const Turned *exact = find(all, "bspline"), *fir15 = find(all, "bspline:prefilter=fir15");
    if (!exact) return;
    if (fir15) result.verdicts.push_back(converged(*fir15, *exact));
    const auto exact_rms = simulated_rms(simulated[3], setting);
    if (!exact_rms || !options.text("image").starts_with("@natural")) return;
    for (const Simulated& known : simulated)
        if (const Turned* one = find(all, known.spec); one && one != exact)
            result.verdicts.push_back(ratio_verdict(*one, *exact, known, *simulated_rms(known, setting), *exact_rms));
}

void run(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
         ExperimentResult& result) {
    const Setting setting{options.integer("turns"), options.real("angle")};
    const Image original = image_to_turn(options);
    const std::vector<Turned> all = turn_all(options, setting, original, backend, progress);
    result.tables = {final_table(all, setting), step_table(all, &DiscErrors::rms, "RMS by turn"),
                     step_table(all, &DiscErrors::largest, "Largest error by turn")};
    result.tables[1].note =
        "Before a full turn, measured against the original rotated in a single step by the quintic B-spline in "
        "float64, which has its own error. That error is zero at quarter turns, which explains the small steps there.";
    result.plots = {step_plot(all, &DiscErrors::rms, "RMS error by turn"),
                    step_plot(all, &DiscErrors::largest, "Largest error by turn")};
    add_pictures(all, original, result);
    add_verdicts(all, options, setting, result);
}

// There and back.

// The original's signal, in levels of 255: the deviation from its mean over the disc, as an error.
double signal_of(const Image& original) {
    std::vector<double> mean(size_t(original.channels()), 0.0);
    const auto samples = double(original.width()) * original.height();
    for (int y = 0; y < original.height(); ++y)
        for (int x = 0; x < original.width(); ++x)
            for (int c = 0; c < original.channels(); ++c) mean[size_t(c)] += double(original.value(x, y, c)) / samples;
    Image flat(original.width(), original.height(), original.channels(), SampleType::f32, original.alpha());
    for (int y = 0; y < flat.height(); ++y)
        for (int i = 0; i < flat.width() * flat.channels(); ++i)
            flat.row_as<float>(y)[i] = float(mean[size_t(i % flat.channels())]);
    return disc_errors(original, flat).rms;
}

// After n = 1, 2, … turns and as many back; the last picture is that of the most turns.
std::vector<Turned> turn_back(const ExperimentOptions& options, const Setting& setting, const Image& original,
                              const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
    std::vector<Turned> all;
    const auto specs = options.methods("methods", turning_defaults());
    const int total = setting.turns * int(specs.size());
    int done = 0;
    for (const MethodSpec& spec : specs) {
        all.push_back({spec, {}, {}});
        Turned& one = all.back();
        Turning there(backend, original, spec, setting.angle);
        for (int n = 1; n <= setting.turns; ++n) {
            progress.step(done++, total, fmt::format("{} there and back, {}", n, words(spec)),
                          one.last.empty() ? nullptr : &one.last);
            Turning back(backend, there.turn(), spec, -setting.angle);
            Image turned;
            for (int k = 0; k < n; ++k) turned = back.turn();
            one.steps.push_back(disc_errors(turned, original));
            one.last = as_shown(turned);
        }
    }
    return all;
}

void run_back(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
              ExperimentResult& result) {
    const Setting setting{options.integer("turns"), options.real("angle")};
    const Image original = image_to_turn(options);
    const std::vector<Turned> all = turn_back(options, setting, original, backend, progress);
    const double signal = signal_of(original);
    ResultTable table{
        .title = "SNR by the number of turns",
        .columns = {{"turns there, and back", "", 0}},
        .note =
            "20 log₁₀ of the picture's standard deviation over the RMS error, over the central disc with a "
            "radius of 0.45 of the side."};
    Plot plot{
        .title = fmt::format("SNR after n turns of {:g}° and n back", setting.angle), .width = 640, .height = 400};
    for (int n = 1; n <= setting.turns; ++n) table.rows.push_back({double(n)});
    for (size_t k = 0; k < all.size(); ++k) {
        table.columns.push_back({words(all[k].spec), "dB"});
        Series series = method_series(words(all[k].spec), int(k));
        for (size_t n = 0; n < all[k].steps.size(); ++n) {
            const double snr = 20 * std::log10(signal / std::max(all[k].steps[n].rms, 1e-9));
            table.rows[n].push_back(snr);
            series.x.push_back(double(n + 1));
            series.y.push_back(snr);
        }
        plot.series.push_back(std::move(series));
        result.pictures.push_back({words(all[k].spec), fmt::format("{} turns and back", setting.turns), all[k].last});
    }
    plot.x = axis_over(plot.series, true, false, "turns there, and as many back");
    plot.y = axis_over(plot.series, false, false, "SNR (dB)");
    result.facts.emplace_back("signal", fmt::format("standard deviation {} of 255", number_text(signal, 4)));
    result.tables = {std::move(table)};
    result.plots = {std::move(plot)};
    if (setting.quarter_turns()) result.verdicts.push_back(of_quarter_turns(setting));
    else add_order(all, result);
}

constexpr const char* image_meaning = "Image to rotate: a file or a test image";

}  // namespace

Experiment there_and_back_experiment() {
    using Kind = ExperimentOption::Kind;
    return {
        .name = "there-and-back",
        .title = "There and back",
        .question = "How does the signal-to-noise ratio fall with the number of turns, there and back?",
        .expectation =
            "Each turn costs, and the way back brings nothing back: bilinear falls fastest at first and flattens when "
            "fine detail is gone; the quintic B-spline, whose gain is 1 nearly up to the Nyquist frequency, stays "
            "highest.",
        .source = "Unser, Thévenaz & Yaroslavsky 1995, as a laboratory exercise",
        .options = {{"image", Kind::image, image_meaning, "@natural:256"},
                    {"turns", Kind::integer, "Largest number of turns", "12", 1, 64},
                    {"angle", Kind::real, "Angle of each turn, in degrees", "35", -360, 360, "°"},
                    {"methods", Kind::methods, "Methods with their prefilters, separated by semicolons",
                     "nearest; bilinear; catmull-rom; bspline; omoms; quintic"}},
        .run = run_back};
}

Experiment rotation_experiment() {
    using Kind = ExperimentOption::Kind;
    return {.name = "rotation",
            .title = "Repeated rotation",
            .question = "How much of an image survives repeated rotation, once it is upright again?",
            .expectation =
                "Each turn interpolates once, and the errors add up: nearest loses the most, followed by bilinear, "
                "Catmull–Rom, the cubic B-spline and o-MOMS; the quintic B-spline loses the least. A prefilter of 15 "
                "taps is as good as the exact one; with 7 taps high frequencies grow instead.",
            .source = "Champagnat & Le Sant 2011, figures 2 to 4, after Unser 1999",
            .options = {{"image", Kind::image, image_meaning, "@natural:512"},
                        {"turns", Kind::integer, "Number of rotations", "36", 1, 1000},
                        {"angle", Kind::real, "Angle of each rotation, in degrees", "10", -360, 360, "°"},
                        {"methods", Kind::methods, "Methods with their prefilters, separated by semicolons",
                         "nearest; bilinear; catmull-rom; bspline; bspline:prefilter=fir7; bspline:prefilter=fir11; "
                         "bspline:prefilter=fir15; omoms; quintic"}},
            .run = run};
}

}  // namespace texelscope
