#include "app/studies/experiments/experiment_tools.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/drawing/plot.h"
#include "app/studies/bench/bench.h"
#include "app/text/glossary.h"
#include "gpu/backend/source_image.h"
#include "gpu/display/display_settings.h"

namespace texelscope {
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

std::string method_words(const MethodSpec& spec) {
    std::string text = spec.path == FetchPath::automatic ? words_without_path(spec) : words(spec);
    const auto& parameters = spec.method->parameters;
    for (size_t i = 0; i < parameters.size(); ++i)
        if (spec.parameters.value[i] != parameters[i].standard)
            text += fmt::format(" · {} {:g}", parameters[i].name, spec.parameters.value[i]);
    return text;
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
