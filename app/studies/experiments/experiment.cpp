#include "app/studies/experiments/experiment.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/drawing/plot.h"
#include "app/files/bytes/naming.h"
#include "app/files/reading/image_files.h"
#include "app/files/test_images/test_images.h"
#include "app/studies/bench/bench.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/text.h"
#include "gpu/core/timing.h"
#include "gpu/display/display.h"

namespace texelscope {
namespace {

using Kind = ExperimentOption::Kind;

std::vector<std::string> parts_of(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    std::vector<std::string> parts;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(';', at), text.size());
        std::string_view part = text.substr(at, end - at);
        part.remove_prefix(std::min(part.find_first_not_of(blanks), part.size()));
        part = part.substr(0, part.find_last_not_of(blanks) + 1);
        parts.emplace_back(part);
        at = end + 1;
    }
    if (parts.size() > 1 && parts.back().empty()) parts.pop_back();
    return parts;
}

void check_number(const ExperimentOption& option, const std::string& text) {
    const std::string name = fmt::format("--{}", option.name);
    const double value = parse_real(name, text);
    if (option.kind == Kind::integer && value != double(int64_t(value)))
        throw UsageError(fmt::format("{} must be a whole number, not '{}'", name, text));
    if (!(value >= option.least && value <= option.most))
        throw UsageError(fmt::format("{} must be from {} to {}, not '{}'", name, option.least, option.most, text));
}

void check_methods(const ExperimentOption& option, const std::string& text) {
    const std::vector<std::string> parts = parts_of(text);
    if (parts.size() > most_experiment_methods)
        throw UsageError(
            fmt::format("--{} takes at most {} methods, not {}", option.name, most_experiment_methods, parts.size()));
    for (const std::string& part : parts) {
        if (part.empty())
            throw UsageError(fmt::format("--{} '{}' has an empty part; write SPEC; SPEC; …", option.name, text));
        try {
            parse_spec(part);
        } catch (const UsageError& error) {
            throw UsageError(fmt::format("--{}: {}", option.name, error.what()));
        }
    }
}

}  // namespace

ExperimentOptions::ExperimentOptions(std::span<const ExperimentOption> known) : known_(known) {
    for (const ExperimentOption& option : known) texts_.emplace(option.name, option.standard);
}

const ExperimentOption& ExperimentOptions::find(std::string_view name) const {
    for (const ExperimentOption& option : known_)
        if (option.name == name) return option;
    throw UsageError(fmt::format("this experiment has no option --{}", name));
}

void ExperimentOptions::set(std::string_view name, const std::string& text) {
    const ExperimentOption& option = find(name);
    switch (option.kind) {
        case Kind::integer:
        case Kind::real: check_number(option, text); break;
        case Kind::methods: check_methods(option, text); break;
        case Kind::image:
            if (text.empty()) throw UsageError(fmt::format("--{} must name a file or a test image", name));
            if (text.starts_with('@')) parse_test_image(text);
            break;
    }
    texts_.find(name)->second = text;
}

const std::string& ExperimentOptions::text(std::string_view name) const {
    find(name);
    return texts_.find(name)->second;
}

bool ExperimentOptions::is_standard(std::string_view name) const { return text(name) == find(name).standard; }

double ExperimentOptions::real(std::string_view name) const { return parse_real(name, text(name)); }

std::vector<MethodSpec> ExperimentOptions::methods(std::string_view name, const MethodSpec& defaults) const {
    std::vector<MethodSpec> specs;
    for (const std::string& part : parts_of(text(name))) specs.push_back(parse_spec(part, &defaults));
    return specs;
}

std::string without_dashes(std::string text) {
    for (size_t at = 0; (at = text.find("--", at)) != std::string::npos;) {
        const bool begins_word = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
        const bool option = at + 2 < text.size() && text[at + 2] >= 'a' && text[at + 2] <= 'z';
        if (begins_word && option) text.erase(at, 2);
        else at += 2;
    }
    return text;
}

Image ExperimentOptions::image(std::string_view name) const {
    Image image = load_image(text(name));
    if (image.missing().empty()) return image;
    throw Error(fmt::format("{}: {}", text(name), words_of_missing(image.missing(), image.width(), image.height())));
}

std::span<const Experiment> all_experiments() {
    static const std::vector<Experiment> experiments = {
        rotation_experiment(),       there_and_back_experiment(), fir_taps_experiment(),   convergence_experiment(),
        weights_experiment(),        noise_experiment(),          phase_blur_experiment(), minification_experiment(),
        prefilter_cost_experiment(), zoom_cost_experiment(),      resize_cost_experiment()};
    return experiments;
}

const Experiment& find_experiment(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Experiment& experiment : all_experiments()) {
        if (experiment.name == name) return experiment;
        names.push_back(experiment.name);
    }
    throw UsageError(fmt::format("there is no experiment '{}'{}; choose one of {}", name, did_you_mean(name, names),
                                 fmt::join(names, ", ")));
}

ExperimentResult run_experiment(const Experiment& experiment, const ExperimentOptions& options,
                                const std::shared_ptr<Backend>& backend, ExperimentProgress& progress) {
    const StopWatch watch;
    ExperimentResult result;
    result.experiment = experiment.name;
    result.title = experiment.title;
    result.question = experiment.question;
    result.expectation = experiment.expectation;
    const BackendInfo& info = backend->info();
    result.facts = {{"program", "texelscope " TEXELSCOPE_VERSION},
                    {"backend", std::string(name_of(info.kind))},
                    {"device", info.detail.empty() ? info.device : fmt::format("{}, {}", info.device, info.detail)},
                    {"source", std::string(experiment.source)}};
    std::string command = fmt::format("texelscope experiment {}", experiment.name);
    for (const ExperimentOption& option : experiment.options) {
        const std::string& text = options.text(option.name);
        result.facts.emplace_back(option.name, text);
        if (!options.is_standard(option.name)) command += fmt::format(" --{} \"{}\"", option.name, text);
    }
    experiment.run(options, backend, progress, result);
    result.facts.emplace_back("took", fmt::format("{:.1f} s", watch.ms() / 1000));
    result.facts.emplace_back("command", command + fmt::format(" --backend {}", name_of(info.kind)));
    return result;
}

namespace {

constexpr double most_spread = 0.5;  // relative to the median, between the quartiles of a usable time

double spread(const Timing& time) { return (time.upper_us - time.lower_us) / time.median_us; }

}  // namespace

BenchReport run_cases(const BenchPlan& plan, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
                      ExperimentResult& result) {
    const std::vector<BenchCase> cases = bench_cases(plan, backend->info());
    progress.step(0, int(cases.size()), "measuring copy speed");
    const BenchReport report = run_bench(
        backend, plan, [&](size_t done, size_t total) { progress.step(int(done), int(total), cases[done].name()); });
    result.facts.emplace_back("copy", fmt::format("{:.3g} GB/s, read and written", report.copy_gigabytes_per_second()));
    result.facts.emplace_back("times", "medians, on the backend's clock; uploads are not included");
    return report;
}

Timing together(const Timing& a, const Timing& b) {
    return {a.median_us + b.median_us, a.lower_us + b.lower_us, a.upper_us + b.upper_us, std::min(a.batches, b.batches),
            std::min(a.repeats, b.repeats)};
}

bool quartiles_overlap(const Timing& a, const Timing& b) {
    return a.lower_us <= b.upper_us && b.lower_us <= a.upper_us;
}

void open_where_busy(Verdict& verdict, std::span<const Timing> times, bool unclear) {
    double most = 0;
    for (const Timing& time : times) most = std::max(most, spread(time));
    if (most <= most_spread && !unclear) return;
    verdict.outcome = Verdict::Outcome::open;
    verdict.why = fmt::format("the machine is busy: the quartiles are {:.0f} % of the median apart{}", 100 * most,
                              unclear ? ", too far to decide" : "");
}

std::string times_words(double ratio) {
    return ratio >= 1 ? fmt::format("{:.3g} times as long", ratio) : fmt::format("1/{:.2g} of the time", 1 / ratio);
}

Image as_shown(const Image& image) {
    const int channels = image.channels() >= 3 ? 3 : 1;
    Image shown(image.width(), image.height(), channels, SampleType::u8);
    for (int y = 0; y < image.height(); ++y) {
        uint8_t* to = shown.row_as<uint8_t>(y);
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < channels; ++c)
                *to++ = uint8_t(std::lround(255 * std::clamp(double(image.value(x, y, c)), 0.0, 1.0)));
    }
    return shown;
}

Image residual_picture(const Image& a, const Image& b, double end) {
    const auto& colours = colour_table(ColourMap::balance);
    const int channels = std::min(a.channels(), 3);
    Image picture(a.width(), a.height(), 3, SampleType::u8);
    for (int y = 0; y < a.height(); ++y) {
        uint8_t* to = picture.row_as<uint8_t>(y);
        for (int x = 0; x < a.width(); ++x, to += 3) {
            double sum = 0;
            for (int c = 0; c < channels; ++c) sum += double(a.value(x, y, c)) - double(b.value(x, y, c));
            const double place = std::clamp(0.5 + 0.5 * 255 * sum / channels / end, 0.0, 1.0);
            const uint32_t colour = colours[size_t(std::lround(255 * place))];
            to[0] = uint8_t(colour), to[1] = uint8_t(colour >> 8), to[2] = uint8_t(colour >> 16);
        }
    }
    return picture;
}

Series method_series(const std::string& name, int k) {
    return {.name = name, .style = pane_style(k), .ink = pane_ink(k)};
}

PlotAxis axis_over(const std::vector<Series>& series, bool along_x, bool logarithmic, std::string label) {
    double low = 1e300, high = -1e300;
    for (const Series& one : series)
        for (const double v : along_x ? one.x : one.y)
            if (std::isfinite(v) && (!logarithmic || v > 0)) low = std::min(low, v), high = std::max(high, v);
    if (low > high) low = high = 1;
    PlotAxis axis{.label = std::move(label), .logarithmic = logarithmic};
    if (logarithmic) {
        axis.minimum = low / (along_x ? 1 : 1.3);
        axis.maximum = std::max(high, low * 1.1) * (along_x ? 1 : 1.3);
    } else {
        axis.minimum = along_x ? low : std::min(0.0, low * 1.05);
        axis.maximum = high > axis.minimum ? (along_x ? high : high * 1.05) : axis.minimum + 1;
    }
    return axis;
}

namespace {

constexpr double disc = 0.45;
constexpr int smallest = 16;  // samples per side

RenderRequest turned(const MethodSpec& spec, const Image& image, double degrees) {
    RenderRequest request;
    request.spec = spec;
    request.view.rotate = degrees;
    request.width = image.width();
    request.height = image.height();
    return request;
}

}  // namespace

DiscErrors disc_errors(const Image& a, const Image& b) {
    const double x0 = (a.width() - 1) / 2.0, y0 = (a.height() - 1) / 2.0;
    const double radius = disc * std::min(a.width(), a.height());
    DiscErrors errors;
    size_t count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            if (std::hypot(x - x0, y - y0) > radius) continue;
            for (int c = 0; c < a.channels(); ++c, ++count) {
                const double e = 255 * (double(a.value(x, y, c)) - double(b.value(x, y, c)));
                errors.rms += e * e;
                errors.largest = std::max(errors.largest, std::abs(e));
            }
        }
    errors.rms = std::sqrt(errors.rms / double(std::max<size_t>(count, 1)));
    return errors;
}

Turning::Turning(std::shared_ptr<Backend> backend, const Image& image, const MethodSpec& spec, double degrees)
    : backend_(std::move(backend)), request_(turned(spec, image, degrees)), image_(image) {}

const Image& Turning::turn() {
    image_ = SourceImage(backend_, image_).render_to_image(request_);
    return image_;
}

TurnedOriginal::TurnedOriginal(std::shared_ptr<Backend> backend, const Image& original, double degrees)
    : original_(original), source_(std::move(backend), original_), degrees_(degrees) {}

Image TurnedOriginal::after(int turns) {
    const double angle = degrees_ * turns;
    if (std::abs(std::remainder(angle, 360)) < 1e-9) return original_;
    MethodSpec spec = turning_defaults();
    spec.method = &parse_method("quintic");
    Image image(original_.width(), original_.height(), original_.channels(), SampleType::f32, original_.alpha());
    const size_t values = size_t(image.width()) * size_t(image.height()) * size_t(image.channels());
    Backend& backend = source_.backend();
    const std::shared_ptr<void> memory = backend.allocate(values * sizeof(double));
    source_.render_reference(turned(spec, image, angle), static_cast<double*>(memory.get()));
    std::vector<double> read(values);
    backend.read_back(read.data(), memory.get(), values * sizeof(double));
    std::copy(read.begin(), read.end(), image.row_as<float>(0));
    return image;
}

Image image_to_turn(const ExperimentOptions& options) {
    const Image image = options.image("image");
    if (image.width() < smallest || image.height() < smallest)
        throw Error(fmt::format("{}: {} is too small to be rotated; use an image of at least {}×{} samples",
                                options.text("image"), describe(image), smallest, smallest));
    return converted(premultiplied(image), SampleType::f32);
}

MethodSpec turning_defaults() {
    MethodSpec spec = default_spec(parse_method("bspline"));
    spec.address = {AddressMode::mirror, AddressMode::mirror};
    return spec;
}

}  // namespace texelscope
