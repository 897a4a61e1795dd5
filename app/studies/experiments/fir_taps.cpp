// How many taps a FIR prefilter needs: figure 2 of Champagnat & Le Sant 2011.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/studies/experiments/experiment.h"

namespace texelscope {
namespace {

struct Measured {
    int taps;  // 0: the exact prefilter
    DiscErrors errors;
};

std::string prefilter_words(int taps) { return taps == 0 ? "iir, exact" : fmt::format("fir{}", taps); }

class Rotations {
public:
    Rotations(const ExperimentOptions& options, std::shared_ptr<Backend> backend, ExperimentProgress& progress,
              int cases)
        : backend_(std::move(backend)),
          progress_(progress),
          original_(image_to_turn(options)),
          turns_(options.integer("turns")),
          angle_(options.real("angle")),
          total_(turns_ * cases),
          wanted_(TurnedOriginal(backend_, original_, angle_).after(turns_)) {}

    DiscErrors errors(int taps) {
        MethodSpec spec = turning_defaults();
        if (taps > 0) spec.prefilter = {Prefilter::Kind::fir, taps};
        Turning turning(backend_, original_, spec, angle_);
        DiscErrors last;
        for (int n = 0; n < turns_; ++n, ++done_) {
            const Image& image = turning.turn();
            const Image shown = as_shown(image);
            progress_.step(done_, total_, fmt::format("{}, turn {} of {}", prefilter_words(taps), n + 1, turns_),
                           &shown);
            if (n + 1 == turns_) last = disc_errors(image, wanted_);
        }
        return last;
    }

private:
    std::shared_ptr<Backend> backend_;
    ExperimentProgress& progress_;
    Image original_;
    int turns_;
    double angle_;
    int total_, done_ = 0;
    Image wanted_;
};

ResultTable table_of(const std::vector<Measured>& points, double exact) {
    ResultTable table{.title = "Error by number of taps",
                      .columns = {{"prefilter"}, {"RMS", "of 255"}, {"largest", "of 255"}, {"RMS over exact", "", 4}}};
    for (const Measured& point : points)
        table.rows.push_back(
            {prefilter_words(point.taps), point.errors.rms, point.errors.largest, point.errors.rms / exact});
    return table;
}

Plot plot_of(const std::vector<Measured>& points, double exact) {
    Series curve{.name = "FIR prefilter", .ink = Ink::blue}, dots{.style = Series::Style::dots, .ink = Ink::blue};
    for (const Measured& point : points) {
        if (point.taps == 0) continue;
        for (Series* series : {&curve, &dots}) {
            series->x.push_back(point.taps);
            series->y.push_back(point.errors.rms);
        }
    }
    const Series line{.name = "exact prefilter (IIR)",
                      .x = {curve.x.front(), curve.x.back()},
                      .y = {exact, exact},
                      .style = Series::Style::dashed,
                      .ink = Ink::orange};
    Plot plot{.title = "RMS error by number of taps", .series = {curve, dots, line}, .width = 640, .height = 400};
    plot.x = axis_over(plot.series, true, false, "taps of the FIR prefilter");
    plot.x.minimum -= 0.5, plot.x.maximum += 0.5;
    for (const double taps : curve.x) plot.x.ticks.push_back({taps, fmt::format("{:g}", taps)});
    const bool far_off = *std::max_element(curve.y.begin(), curve.y.end()) > 20 * exact;
    plot.y = axis_over(plot.series, false, far_off, "RMS error (of 255)");
    plot.guides = {{Guide::Across::x, 11, "11"}};
    return plot;
}

void add_verdicts(const std::vector<Measured>& points, double exact, ExperimentResult& result) {
    std::string apart;
    bool converged = true, any = false;
    for (const Measured& point : points) {
        if (point.taps < 11) continue;
        const double ratio = point.errors.rms / exact - 1;
        any = true;
        converged = converged && std::abs(ratio) <= 0.03;
        apart += fmt::format("{}{}: {:+.2f} %", apart.empty() ? "" : ", ", prefilter_words(point.taps), 100 * ratio);
    }
    if (any)
        result.verdicts.push_back(
            {"From 11 taps on, the error is that of the exact prefilter, within 3 %", apart,
             converged ? Verdict::Outcome::agrees : Verdict::Outcome::differs,
             "the coefficients decay as |√3 − 2| to the power k: 1/724 of the middle one at k = 5"});
    for (const Measured& point : points)
        if (point.taps == 7)
            result.verdicts.push_back(
                {"Seven taps are clearly wrong: more than 1.3 times the exact prefilter's error",
                 fmt::format("{} times", number_text(point.errors.rms / exact, 3)),
                 point.errors.rms > 1.3 * exact ? Verdict::Outcome::agrees : Verdict::Outcome::differs,
                 "truncated at seven taps, the filter amplifies more than the B-spline attenuates"});
}

void run(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
         ExperimentResult& result) {
    const int from = options.integer("from") | 1, to = options.integer("to") | 1;  // odd
    if (to <= from)
        throw UsageError(fmt::format("--to must be above --from by at least 2, not {} after {}", options.text("to"),
                                     options.text("from")));
    Rotations rotations(options, backend, progress, (to - from) / 2 + 2);
    std::vector<Measured> points = {{0, rotations.errors(0)}};
    for (int taps = from; taps <= to; taps += 2) points.push_back({taps, rotations.errors(taps)});
    const double exact = points.front().errors.rms;
    result.tables = {table_of(points, exact)};
    result.plots = {plot_of(points, exact)};
    add_verdicts(points, exact, result);
}

}  // namespace

Experiment fir_taps_experiment() {
    using Kind = ExperimentOption::Kind;
    return {
        .name = "fir-taps",
        .title = "Number of taps a prefilter needs",
        .question = "How many taps does a FIR prefilter need to be as good as the exact one?",
        .expectation =
            "The filter's coefficients shrink by a factor of 3.7 from tap to tap, so within a few taps the error "
            "of repeated rotation approaches that of the exact recursive filter: it has converged at 11 taps, and "
            "7 are visibly wrong.",
        .source = "Champagnat & Le Sant 2011, figure 2",
        .options = {{"image", Kind::image, "Image to rotate: a file or a test image", "@natural:512"},
                    {"turns", Kind::integer, "Number of rotations", "36", 1, 1000},
                    {"angle", Kind::real, "Angle of each rotation, in degrees", "10", -360, 360, "°"},
                    {"from", Kind::integer, "Smallest number of taps (even numbers become odd)", "5", 3, 29, "taps"},
                    {"to", Kind::integer, "Largest number of taps (even numbers become odd)", "21", 5, 31, "taps"}},
        .run = run};
}

}  // namespace texelscope
