// How fast the error falls as a smooth signal is sampled more finely.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "app/files/test_images/test_images.h"
#include "app/studies/experiments/experiment.h"
#include "app/text/glossary.h"
#include "gpu/backend/source_image.h"

namespace texelscope {
namespace {

// Errors of methods on sinusoids, and the power laws that they follow.

// For a sinusoid of amplitude 1.
struct SinusoidErrors {
    double period = 0;  // samples
    double largest = 0, mean_square_root = 0;
};

// The samples of a wave, cos(2π·x/period), on a backend, read between them and compared with the wave.
//
// At one fraction of the way between two samples, a method's error is a sinusoid of the same period. Its amplitude is
// fitted over many periods, which averages out float32's rounding; `largest` is the largest amplitude of all fractions,
// `mean_square_root` the root of their mean square.
class SinusoidProbe {
public:
    SinusoidProbe(std::shared_ptr<Backend> backend, double period);
    SinusoidErrors errors(const MethodSpec& spec);

private:
    double period_;
    std::unique_ptr<const PictureFunction> truth_;
    std::vector<double> points_;
    SourceImage source_;
};

// error = constant · ω^order, for ω → 0.
struct PowerLaw {
    double order = 0, constant = 0;
};
struct PowerPoint {
    double frequency, error;  // radians per sample
};

// Odd, so that one half is among the fractions.
constexpr int samples = 4096, fractions = 65, places = 64;

Image sampled(const PictureFunction& function) {
    Image image(samples, 1, 1, SampleType::f32);
    for (int k = 0; k < samples; ++k) image.row_as<float>(0)[k] = float(function.at({double(k), 0})[0]);
    image.set_one_dimensional(true);
    return image;
}

// Positions far apart, away from the ends; the same for each fraction.
std::vector<double> points() {
    std::vector<double> result;
    constexpr double golden = 0.6180339887498949;
    for (int fraction = 0; fraction < fractions; ++fraction)
        for (int n = 0; n < places; ++n)
            result.push_back(64 + std::floor((samples - 128) * (golden * n - std::floor(golden * n))) +
                             (fraction + 0.5) / fractions);
    return result;
}

// |A| of error = Re(A · exp(iωx)), by least squares.
double amplitude(double omega, const PictureFunction& truth, const double* x, const float* value) {
    double cc = 0, cs = 0, ss = 0, ec = 0, es = 0;
    for (int n = 0; n < places; ++n) {
        const double c = std::cos(omega * x[n]), s = std::sin(omega * x[n]),
                     e = double(value[n]) - truth.at({x[n], 0})[0];
        cc += c * c, cs += c * s, ss += s * s, ec += e * c, es += e * s;
    }
    const double determinant = cc * ss - cs * cs;
    return std::hypot((ec * ss - es * cs) / determinant, (es * cc - ec * cs) / determinant);
}

// Least squares of y = Σ a_j · column_j by the normal equations; y is the last column.
template <size_t N> std::array<double, N> least_squares(const std::vector<std::array<double, N + 1>>& rows) {
    double m[N][N + 1] = {};
    for (const auto& row : rows)
        for (size_t i = 0; i < N; ++i)
            for (size_t j = 0; j <= N; ++j) m[i][j] += row[i] * row[j];
    for (size_t i = 0; i < N; ++i)
        for (size_t r = 0; r < N; ++r) {
            if (r == i) continue;
            const double factor = m[r][i] / m[i][i];
            for (size_t j = i; j <= N; ++j) m[r][j] -= factor * m[i][j];
        }
    std::array<double, N> solution;
    for (size_t i = 0; i < N; ++i) solution[i] = m[i][N] / m[i][i];
    return solution;
}

SinusoidProbe::SinusoidProbe(std::shared_ptr<Backend> backend, double period)
    : period_(period),
      truth_(plane_wave({1 / period, 0})),
      points_(points()),
      source_(std::move(backend), sampled(*truth_)) {}

SinusoidErrors SinusoidProbe::errors(const MethodSpec& spec) {
    const double omega = 2 * std::numbers::pi / period_;
    SampleRequest request;
    request.spec = spec;
    const PointsView view{points_.data(), nullptr, points_.size(), 1, true};
    const std::vector<float> values = source_.sample_to_host(request, view);
    SinusoidErrors errors{period_, 0, 0};
    for (int fraction = 0; fraction < fractions; ++fraction) {
        const double e =
            amplitude(omega, *truth_, points_.data() + fraction * places, values.data() + fraction * places);
        errors.largest = std::max(errors.largest, e);
        errors.mean_square_root += e * e / fractions;
    }
    errors.mean_square_root = std::sqrt(errors.mean_square_root);
    return errors;
}

// By least squares: the order as fitted, the constant with the known order; both with the next two terms of the series,
// in ω² and ω⁴. Five points or more.
PowerLaw fitted_law(const std::vector<PowerPoint>& points, int order) {
    std::vector<std::array<double, 5>> free;
    std::vector<std::array<double, 4>> known;
    for (const PowerPoint& p : points) {
        const double squared = p.frequency * p.frequency, log = std::log(p.frequency);
        free.push_back({1, log, squared, squared * squared, std::log(p.error)});
        known.push_back({1, squared, squared * squared, std::log(p.error) - order * log});
    }
    return {least_squares<4>(free)[1], std::exp(least_squares<3>(known)[0])};
}

// max error → C · h^L · max |f^(L)|, and the same for root mean squares, as h → 0: from theory.
struct Theory {
    const char* spec;
    int order;
    double largest, mean_square_root;
};
constexpr Theory theory[] = {
    {"nearest", 1, 0.5, 0.2887},
    {"bilinear", 2, 0.125, 0.0913},
    {"bicubic:a=-0.75", 1, 0.0481, 0.0345},
    {"catmull-rom", 3, 0.01604, 0.01150},
    {"bspline:prefilter=none", 2, 1.0 / 6, 1.0 / 6},
    {"bspline", 4, 1.0 / 384, 1.660e-3},
    {"omoms", 4, 8.49e-4, 6.27e-4},
    {"quintic", 6, 6.51e-5, 4.03e-5},
    {"omoms5", 6, 2.13e-6, 1.560e-6},
    {"septic", 8, 1.647e-6, 1.0112e-6},
};

constexpr double least_period = 4, order_tolerance = 0.1, constant_tolerance = 0.02;
constexpr double rounding = 6e-8;          // of float32 values of size 1
constexpr double clear_of_rounding = 160;  // times that
constexpr size_t points_of_fit = 10, least_points = 8;

struct Measured {
    MethodSpec spec;
    const Theory* theory = nullptr;  // null: not in the table
    int order = 0;                   // in the limit
    std::vector<SinusoidErrors> errors;
    std::optional<PowerLaw> largest, mean_square_root;

    // Whether the samplings come near the limit; otherwise the order and constants found mean nothing.
    bool in_the_limit() const { return largest && std::abs(largest->order - order) <= order_tolerance; }
};

const Theory* theory_of(const MethodSpec& spec) {
    for (const Theory& row : theory)
        if (to_string(parse_spec(row.spec)) == to_string(spec)) return &row;
    return nullptr;
}

// A truncated prefilter, however close to the exact one, leaves an error of order 2 in the end.
int order_of(const MethodSpec& spec, const Theory* known) {
    if (known) return known->order;
    const bool exact = !spec.method->has_prefilter() || spec.prefilter.kind == Prefilter::Kind::iir;
    return exact ? spec.method->order : spec.method->order_unfiltered;
}

std::vector<double> periods(double most) {
    std::vector<double> result;
    for (double period = least_period; period <= most * 1.0001; period *= std::exp2(0.125)) result.push_back(period);
    return result;
}

// The law of the finest periods that are clearly above rounding.
std::optional<PowerLaw> law_of(const std::vector<SinusoidErrors>& errors, double SinusoidErrors::*what, int order) {
    std::vector<PowerPoint> clear;
    for (const SinusoidErrors& e : errors)
        if (e.*what > clear_of_rounding * rounding) clear.push_back({2 * std::numbers::pi / e.period, e.*what});
    if (clear.size() < least_points) return {};
    if (clear.size() > points_of_fit) clear.erase(clear.begin(), clear.end() - ptrdiff_t(points_of_fit));
    return fitted_law(clear, order);
}

std::vector<Measured> measure(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend,
                              ExperimentProgress& progress) {
    const std::vector<double> all_periods = periods(options.real("finest"));
    const std::vector<MethodSpec> specs = options.methods("methods", default_spec(parse_method("bspline")));
    std::vector<Measured> all;
    for (const MethodSpec& spec : specs) {
        const Theory* known = theory_of(spec);
        all.push_back({spec, known, order_of(spec, known), {}, {}, {}});
    }
    int done = 0;
    for (const double period : all_periods) {
        SinusoidProbe probe(backend, period);
        for (Measured& one : all) {
            progress.step(done++, int(all_periods.size() * specs.size()),
                          fmt::format("{}, {:.1f} samples per period", words(one.spec), period));
            one.errors.push_back(probe.errors(one.spec));
        }
    }
    for (Measured& one : all) {
        one.largest = law_of(one.errors, &SinusoidErrors::largest, one.order);
        one.mean_square_root = law_of(one.errors, &SinusoidErrors::mean_square_root, one.order);
    }
    return all;
}

ResultCell cell(const std::optional<PowerLaw>& law, double PowerLaw::*what) {
    return law ? ResultCell((*law).*what) : ResultCell();
}

ResultTable law_table(const std::vector<Measured>& all) {
    ResultTable table{.title = "Order and constants",
                      .columns = {{"method"},
                                  {"order"},
                                  {"in theory", "", 0},
                                  {"C of the largest error", "", 4},
                                  {"in theory", "", 4},
                                  {"C of the RMS error", "", 4},
                                  {"in theory", "", 4}},
                      .note =
                          "Fitted to the finest sampling rates with an error clearly above float32 rounding: C · ω^L · "
                          "(1 + a ω² + b ω⁴). Nothing is given for a method without theory if the order found is not "
                          "that of its limit: these sampling rates are too coarse for it."};
    for (const Measured& one : all) {
        const bool shown = one.theory || one.in_the_limit();
        const auto found = [&](const std::optional<PowerLaw>& law, double PowerLaw::*what) {
            return shown ? cell(law, what) : ResultCell();
        };
        std::vector<ResultCell> row = {words(one.spec),
                                       found(one.largest, &PowerLaw::order),
                                       {},
                                       found(one.largest, &PowerLaw::constant),
                                       {},
                                       found(one.mean_square_root, &PowerLaw::constant),
                                       {}};
        if (one.theory) {
            row[2] = double(one.theory->order);
            row[4] = one.theory->largest;
            row[6] = one.theory->mean_square_root;
        }
        table.rows.push_back(row);
    }
    return table;
}

ResultTable error_table(const std::vector<Measured>& all) {
    ResultTable table{.title = "Largest error by samples per period", .columns = {{"samples per period", "", 4}}};
    for (const Measured& one : all) table.columns.push_back({words(one.spec)});
    for (size_t k = 0; k < all.front().errors.size(); ++k) {
        table.rows.push_back({all.front().errors[k].period});
        for (const Measured& one : all) table.rows.back().push_back(one.errors[k].largest);
    }
    return table;
}

Plot error_plot(const std::vector<Measured>& all) {
    Plot plot{.title = "Largest error on a sinusoid of amplitude 1", .width = 640, .height = 440};
    std::vector<Series> lines;
    for (size_t k = 0; k < all.size(); ++k) {
        Series curve = method_series(words(all[k].spec), int(k));
        curve.style = Series::Style::dots;
        for (const SinusoidErrors& e : all[k].errors) curve.x.push_back(e.period), curve.y.push_back(e.largest);
        plot.series.push_back(curve);
        if (!all[k].theory) continue;
        // One line's name is enough for all.
        Series line{.name = lines.empty() ? "theory" : "", .style = Series::Style::line, .ink = curve.ink};
        for (const double period : curve.x) {
            line.x.push_back(period);
            line.y.push_back(all[k].theory->largest * std::pow(2 * std::numbers::pi / period, all[k].theory->order));
        }
        lines.push_back(line);
    }
    plot.series.insert(plot.series.end(), lines.begin(), lines.end());
    plot.x = axis_over(plot.series, true, true, "samples per period");
    for (const int at : {4, 8, 16, 32, 64, 128, 256})
        if (at <= plot.x.maximum) plot.x.ticks.push_back({double(at), fmt::format("{}", at)});
    plot.y = {
        .label = "largest error (dotted: rounding of float32)", .minimum = 1e-8, .maximum = 3, .logarithmic = true};
    plot.guides = {{Guide::Across::y, rounding, ""}};
    return plot;
}

// For a method whose constants are not in the table.
Verdict verdict_without_theory(const Measured& one) {
    Verdict verdict{.expected = fmt::format("{}: order {}", words(one.spec), one.order),
                    .found = "too few sampling rates with an error clearly above rounding",
                    .why = "its constant is not known from theory"};
    if (!one.largest) return verdict;
    verdict.found = fmt::format("order {:.2f} at the finest sampling rates", one.largest->order);
    if (one.in_the_limit()) verdict.found += fmt::format(", C = {}", number_text(one.largest->constant, 3));
    else verdict.why = "these sampling rates are too coarse to show the limit, so there is no constant either";
    return verdict;
}

// Order six reaches float32's rounding while a period has only about a dozen samples, far from the limit of many.
double tolerance_of_constant(const Theory& known) {
    return known.order > 4 ? 5 * constant_tolerance : constant_tolerance;
}

Verdict verdict_of(const Measured& one) {
    if (!one.theory) return verdict_without_theory(one);
    const Theory& known = *one.theory;
    const double tolerance = tolerance_of_constant(known);
    Verdict verdict{.expected = fmt::format("{}: order {} to {}, C = {} to {:.0f} %", words(one.spec), known.order,
                                            order_tolerance, number_text(known.largest, 3), 100 * tolerance),
                    .why = "the leading term of the error of the weight function's response at low frequencies"};
    if (known.order > 4) verdict.why += "; float32's rounding ends the measurement far from that limit";
    if (!one.largest) {
        verdict.found = "too few sampling rates with an error clearly above rounding";
        verdict.why = "allow more samples per period (the option finest)";
        return verdict;
    }
    const double off = one.largest->constant / known.largest - 1;
    verdict.found = fmt::format("order {:.2f}, C = {}, off by {:.1f} %", one.largest->order,
                                number_text(one.largest->constant, 3), 100 * std::abs(off));
    const bool agrees = std::abs(one.largest->order - known.order) <= order_tolerance && std::abs(off) <= tolerance;
    verdict.outcome = agrees ? Verdict::Outcome::agrees : Verdict::Outcome::differs;
    return verdict;
}

void run(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
         ExperimentResult& result) {
    const std::vector<Measured> all = measure(options, backend, progress);
    result.tables = {law_table(all), error_table(all)};
    result.plots = {error_plot(all)};
    for (const Measured& one : all) result.verdicts.push_back(verdict_of(one));
}

}  // namespace

Experiment convergence_experiment() {
    using Kind = ExperimentOption::Kind;
    return {.name = "convergence",
            .title = "Error against sample distance",
            .question = "How fast does the error fall when a smooth signal is sampled more finely?",
            .expectation =
                "With half the sample distance, the error falls by 2 to the power of the method's order: 2 for "
                "nearest, 4 for bilinear, 8 for Catmull–Rom, 16 for the prefiltered cubic B-spline, 64 for the "
                "quintic; and the leading constant matches theory.",
            .source = "Keys 1981; Unser 1999; Blu, Thévenaz & Unser 2001",
            .options = {{"methods", Kind::methods, "Methods with their prefilters, separated by semicolons",
                         "nearest; bilinear; catmull-rom; bspline:prefilter=none; bspline; omoms; quintic"},
                        {"finest", Kind::real, "Finest sampling, in samples per period", "128", 16, 256,
                         "samples per period"}},
            .run = run};
}

}  // namespace texelscope
