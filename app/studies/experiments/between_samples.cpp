// What a method does at each fraction of the way between two samples: to noise, and to a wave.

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>
#include <random>

#include <fmt/format.h>

#include "app/picture/inspect/curves.h"
#include "app/studies/experiments/experiment.h"
#include "app/text/glossary.h"
#include "gpu/backend/source_image.h"
#include "gpu/method/kernel_method.h"

namespace texelscope {
namespace {

using Complex = std::complex<double>;

constexpr int steps = 16;  // of the fraction, from one sample to the next
constexpr int half = steps / 2;

MethodSpec wrapped_defaults() {
    MethodSpec spec = default_spec(parse_method("bspline"));
    spec.address = {AddressMode::wrap, AddressMode::wrap};
    return spec;
}

// What one sample contributes at a distance, prefilter included; for methods that weigh along each axis by themselves.
class Cardinal {
public:
    static std::optional<Cardinal> of(const MethodSpec& spec) {
        if (kernel_of(*spec.method) || !spec.method->weight || is_polar(*spec.method) || spec.method->recipe) return {};
        return Cardinal(spec);
    }

    // Variance of the result over that of white noise: Σ c(t − k)².
    double noise(double t) const {
        double sum = 0;
        for (int k = -reach_; k <= reach_ + 1; ++k) sum += std::pow(curves_.cardinal(t - k), 2);
        return sum;
    }

    // The mean of that over all fractions.
    double mean_noise() const {
        constexpr int parts = 256;
        double sum = 0;
        for (int i = 0; i < parts; ++i) sum += noise((i + 0.5) / parts) / parts;
        return sum;
    }

    Complex response(double frequency, double t) const { return curves_.response(frequency, t); }

private:
    explicit Cardinal(const MethodSpec& spec)
        : curves_(spec), reach_(int(std::ceil(curves_.radius())) + (curves_.filters() ? settled : 0)) {}

    static constexpr int settled = 64;  // samples after which a prefilter's response is below 1e-16
    MethodCurves curves_;
    int reach_;
};

Image line_of(const std::vector<float>& samples) {
    Image line(int(samples.size()), 1, 1, SampleType::f32);
    std::copy(samples.begin(), samples.end(), line.row_as<float>(0));
    line.set_one_dimensional(true);
    return line;
}

// All samples of a line moved by a fraction.
std::vector<float> moved(SourceImage& line, const MethodSpec& spec, double fraction) {
    std::vector<double> points;
    for (int k = 0; k < line.samples().width(); ++k) points.push_back(k + fraction);
    return line.sample_to_host(SampleRequest{spec}, {points.data(), nullptr, points.size(), 1, true});
}

double variance(std::span<const float> values) {
    double sum = 0, squares = 0;
    for (const float v : values) sum += double(v);
    const double mean = sum / double(values.size());
    for (const float v : values) squares += (double(v) - mean) * (double(v) - mean);
    return squares / double(values.size());
}

std::vector<float> white_noise(size_t count) {
    std::mt19937 generator(1);
    std::vector<float> noise(count);
    for (float& v : noise) v = float(double(generator()) / 0x1p32 - 0.5);
    return noise;
}

double fraction_at(size_t k) { return double(k) / steps; }

// A column for the fractions, then one for each method: measured, and in theory if there is one.
struct ByFraction {
    MethodSpec spec;
    std::vector<double> found, expected = {};

    // The largest relative difference to the theory.
    double off() const {
        double most = 0;
        for (size_t k = 0; k < expected.size(); ++k) most = std::max(most, std::abs(found[k] / expected[k] - 1));
        return most;
    }
};

template <class Measured> ResultTable fraction_table(const std::vector<Measured>& all, const char* title) {
    ResultTable table{.title = title, .columns = {{"fraction", "", 0}}};
    for (const Measured& one : all) {
        table.columns.push_back({words(one.spec), "", 4});
        if (!one.expected.empty()) table.columns.push_back({words(one.spec) + ", in theory", "", 4});
    }
    for (size_t k = 0; k <= steps; ++k) {
        table.rows.push_back({fraction_at(k)});
        for (const Measured& one : all) {
            table.rows.back().push_back(one.found[k]);
            if (!one.expected.empty()) table.rows.back().push_back(one.expected[k]);
        }
    }
    return table;
}

// Dots as measured, on the theory's lines.
template <class Measured>
Plot fraction_plot(const std::vector<Measured>& all, const std::string& title, const char* what) {
    Plot plot{.title = title, .width = 640, .height = 400};
    std::vector<Series> lines;
    for (size_t m = 0; m < all.size(); ++m) {
        Series dots = method_series(words(all[m].spec), int(m));
        dots.style = Series::Style::dots;
        for (size_t k = 0; k <= steps; ++k) dots.x.push_back(fraction_at(k));
        dots.y = all[m].found;
        plot.series.push_back(dots);
        if (!all[m].expected.empty())
            lines.push_back(
                {.name = lines.empty() ? "theory" : "", .x = dots.x, .y = all[m].expected, .ink = dots.ink});
    }
    plot.series.insert(plot.series.end(), lines.begin(), lines.end());
    plot.x = axis_over(plot.series, true, false, "fraction of the way to the next sample");
    plot.y = axis_over(plot.series, false, false, what);
    return plot;
}

Verdict verdict_of(const ByFraction& one, const std::string& what, double tolerance, const char* why) {
    Verdict verdict{.expected = fmt::format("{}: {} within {:.2g} %", words(one.spec), what, 100 * tolerance),
                    .found = fmt::format("at most {:.2g} % apart", 100 * one.off()),
                    .why = why};
    if (one.expected.empty()) {
        verdict.found = "measured only";
        verdict.why = "its weights along an axis are not a function of the distance alone";
    } else {
        verdict.outcome = one.off() <= tolerance ? Verdict::Outcome::agrees : Verdict::Outcome::differs;
    }
    return verdict;
}

// Noise.

struct NoiseGain : ByFraction {
    double turned = 0;
    std::optional<double> mean = {};  // in theory, over all fractions

    double half_way() const { return found[half]; }
};

std::vector<NoiseGain> measure_noise(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend,
                                     ExperimentProgress& progress) {
    const int side = options.integer("size");
    const std::vector<float> noise = white_noise(size_t(side) * size_t(side));
    const double before = variance(noise);
    Image square(side, side, 1, SampleType::f32);
    std::copy(noise.begin(), noise.end(), square.row_as<float>(0));
    SourceImage line(backend, line_of(noise)), picture(backend, square);
    const auto specs = options.methods("methods", wrapped_defaults());
    std::vector<NoiseGain> all;
    for (const MethodSpec& spec : specs) {
        progress.step(int(all.size()), int(specs.size()), words(spec));
        NoiseGain one{{spec, {}}};
        const auto cardinal = Cardinal::of(spec);
        for (size_t k = 0; k <= steps; ++k) {
            one.found.push_back(variance(moved(line, spec, fraction_at(k))) / before);
            if (cardinal) one.expected.push_back(cardinal->noise(fraction_at(k)));
        }
        if (cardinal) one.mean = cardinal->mean_noise();
        RenderRequest request;
        request.spec = spec;
        request.view.rotate = options.real("angle");
        request.width = request.height = side;
        const Image turned = picture.render_to_image(request);
        one.turned = variance({turned.row_as<float>(0), noise.size()}) / before;
        all.push_back(std::move(one));
    }
    return all;
}

ResultTable noise_table(const std::vector<NoiseGain>& all, double angle) {
    ResultTable table{.title = "Variance of the result over that of the noise",
                      .columns = {{"method"},
                                  {"at the samples"},
                                  {"in theory", "", 4},
                                  {"half-way"},
                                  {"in theory", "", 4},
                                  {fmt::format("rotated by {:g}°", angle)},
                                  {"in theory", "", 4}},
                      .note =
                          "In theory Σ c(t − k)², with the weights c that each sample has in the result, prefilter "
                          "included; rotated, the square of its mean over all fractions t."};
    for (const NoiseGain& one : all) {
        std::vector<ResultCell> row = {words(one.spec), one.found[0], {}, one.half_way(), {}, one.turned, {}};
        if (one.mean) row[2] = one.expected[0], row[4] = one.expected[half], row[6] = *one.mean * *one.mean;
        table.rows.push_back(row);
    }
    return table;
}

void run_noise(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
               ExperimentResult& result) {
    const std::vector<NoiseGain> all = measure_noise(options, backend, progress);
    const double angle = options.real("angle"), tolerance = 8.0 / options.integer("size");  // of so many random numbers
    result.tables = {noise_table(all, angle), fraction_table(all, "By the fraction of the way to the next sample")};
    result.plots = {fraction_plot(all, "Noise by fraction", "variance over that of the noise")};
    const bool on_samples = std::abs(std::remainder(angle, 45)) < 1;
    for (const NoiseGain& one : all) {
        result.verdicts.push_back(verdict_of(one, "at every fraction the sum of the squared weights,", tolerance,
                                             "variances of independent numbers add up, each times its weight squared"));
        if (!one.mean) continue;
        const double expected = *one.mean * *one.mean, off = std::abs(one.turned / expected - 1);
        result.verdicts.push_back(
            {fmt::format("{}: rotated, {} of the variance within {:.2g} %", words(one.spec), number_text(expected, 3),
                         100 * tolerance),
             number_text(one.turned, 3),
             on_samples         ? Verdict::Outcome::open
             : off <= tolerance ? Verdict::Outcome::agrees
                                : Verdict::Outcome::differs,
             on_samples ? "at such an angle rows of pixels stay near samples: not all fractions are equally frequent"
                        : "a rotation reads at all fractions alike, along both axes"});
    }
}

// Blur.

struct PhaseBlur : ByFraction {      // gains
    std::vector<double> phase = {};  // in samples: how far the wave is moved from where it should be
    std::vector<double> halfway = {};
};

// The samples of a wave of so many periods on the line, as moved: the factor, as a complex number.
Complex factor(SourceImage& line, const MethodSpec& spec, int periods, double fraction) {
    const std::vector<float> values = moved(line, spec, fraction);
    const double omega = 2 * std::numbers::pi * periods / double(values.size());
    Complex sum = 0;
    for (size_t k = 0; k < values.size(); ++k)
        sum += double(values[k]) * std::polar(2.0 / double(values.size()), -omega * (double(k) + fraction));
    return sum;
}

constexpr int wave_samples = 1024, frequencies = 32;  // the second: from 0 to one cycle per sample

SourceImage wave(const std::shared_ptr<Backend>& backend, int periods) {
    std::vector<float> samples;
    for (int k = 0; k < wave_samples; ++k)
        samples.push_back(float(std::cos(2 * std::numbers::pi * periods * k / wave_samples)));
    return SourceImage(backend, line_of(samples));
}

std::vector<PhaseBlur> measure_blur(const ExperimentOptions& options, int periods,
                                    const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
    const double frequency = double(periods) / wave_samples;
    SourceImage line = wave(backend, periods);
    const auto specs = options.methods("methods", wrapped_defaults());
    std::vector<PhaseBlur> all;
    for (const MethodSpec& spec : specs) {
        progress.step(int(all.size()), int(specs.size()), words(spec));
        PhaseBlur one{{spec, {}}};
        const auto cardinal = Cardinal::of(spec);
        for (size_t k = 0; k <= steps; ++k) {
            const Complex found = factor(line, spec, periods, fraction_at(k));
            one.found.push_back(std::abs(found));
            one.phase.push_back(std::arg(found) / (2 * std::numbers::pi * frequency));
            if (cardinal) one.expected.push_back(std::abs(cardinal->response(frequency, fraction_at(k))));
        }
        for (int n = 1; n < frequencies / 2; ++n) {
            const int here = n * wave_samples / frequencies;
            SourceImage other = wave(backend, here);
            one.halfway.push_back(std::abs(factor(other, spec, here, 0.5)));
        }
        all.push_back(std::move(one));
    }
    return all;
}

// What float32 leaves of zero is zero.
double rounded(double decibels) { return std::abs(decibels) < 1e-6 ? 0 : decibels; }

ResultTable blur_table(const std::vector<PhaseBlur>& all) {
    ResultTable table{
        .title = "Gain by the fraction of the shift",
        .columns = {{"method"},
                    {"at the samples", "", 4},
                    {"at 1/4", "", 4},
                    {"half-way", "", 4},
                    {"half-way, in theory", "", 4},
                    {"from samples to half-way", "dB"},
                    {"moved by up to", "samples"}},
        .note =
            "In theory |Σ c(t − k) exp(−2πi f (t − k))|. A wave that is shifted by half a sample keeps its "
            "place for reasons of symmetry; at other fractions the method may move it."};
    for (const PhaseBlur& one : all) {
        double most = 0;
        for (const double moved : one.phase) most = std::max(most, std::abs(moved));
        std::vector<ResultCell> row = {words(one.spec),
                                       one.found[0],
                                       one.found[steps / 4],
                                       one.found[half],
                                       {},
                                       rounded(20 * std::log10(one.found[half] / one.found[0])),
                                       most};
        if (!one.expected.empty()) row[4] = one.expected[half];
        table.rows.push_back(row);
    }
    return table;
}

Plot halfway_plot(const std::vector<PhaseBlur>& all) {
    Plot plot{.title = "Gain half-way, by frequency", .width = 640, .height = 400};
    for (size_t m = 0; m < all.size(); ++m) {
        Series series = method_series(words(all[m].spec), int(m));
        for (size_t n = 0; n < all[m].halfway.size(); ++n) series.x.push_back(double(n + 1) / frequencies);
        series.y = all[m].halfway;
        plot.series.push_back(std::move(series));
    }
    plot.x = axis_over(plot.series, true, false, "cycles per sample");
    plot.y = axis_over(plot.series, false, false, "gain");
    return plot;
}

void run_blur(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
              ExperimentResult& result) {
    const int periods = std::max(1, int(std::lround(options.real("frequency") * wave_samples)));
    const double frequency = double(periods) / wave_samples;
    const std::vector<PhaseBlur> all = measure_blur(options, periods, backend, progress);
    result.facts.emplace_back("wave", fmt::format("{} periods on {} samples, repeated", periods, wave_samples));
    result.tables = {blur_table(all), fraction_table(all, "By the fraction of the way to the next sample")};
    result.plots = {fraction_plot(all, fmt::format("Gain by fraction, at {:.4g} cycles per sample", frequency), "gain"),
                    halfway_plot(all)};
    for (const PhaseBlur& one : all)
        result.verdicts.push_back(
            verdict_of(one, "the gain of its weights at every fraction,", 1e-4,
                       "the weights at a fraction are a filter, whose response is the sum of their waves"));
}

using Kind = ExperimentOption::Kind;
constexpr const char* usual_methods =
    "nearest; bilinear; catmull-rom; bspline; bspline:prefilter=none; lanczos3; quintic";

}  // namespace

Experiment noise_experiment() {
    return {
        .name = "noise",
        .title = "Noise amplification",
        .question = "How much of an image's noise is left between its samples?",
        .expectation =
            "The variance of white noise is multiplied by the sum of the squared weights. An interpolating method "
            "keeps all of it at the samples and less between them: bilinear half of it half-way, so that noise gets "
            "a pattern. The sharper a method, the more it keeps; a prefilter is part of the weights.",
        .source = "variances of independent numbers add up",
        .options = {{"methods", Kind::methods, "Methods with their prefilters, separated by semicolons", usual_methods},
                    {"angle", Kind::real, "Angle of the rotation, in degrees", "10", -360, 360, "°"},
                    {"size", Kind::integer, "Side of the noise's square; the line has its square as many samples",
                     "256", 64, 256, "samples"}},
        .run = run_noise};
}

Experiment phase_blur_experiment() {
    return {
        .name = "phase-blur",
        .title = "Blur by the fraction of a shift",
        .question = "How much weaker does a wave become when a picture is moved by a fraction of a sample?",
        .expectation =
            "Moved by a whole number of samples, an interpolating method changes nothing; half-way it changes the wave "
            "most, bilinear by cos(πf). A moving picture therefore pulsates. Methods of higher order do so less, and "
            "the B-spline without prefilter blurs everywhere.",
        .source = "the weights at a fraction are a filter",
        .options = {{"methods", Kind::methods, "Methods with their prefilters, separated by semicolons", usual_methods},
                    {"frequency", Kind::real, "Frequency of the wave, in cycles per sample", "0.25", 0.01, 0.49,
                     "cycles per sample"}},
        .run = run_blur};
}

}  // namespace texelscope
