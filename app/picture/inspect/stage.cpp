// The stage: which parts the curve of a method is the sum of, and what becomes of the samples' spectrum.

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/picture/inspect/curves.h"
#include "app/picture/inspect/profile.h"
#include "app/picture/inspect/spectrum.h"
#include "app/state/panes.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

constexpr int most_parts = 96;  // more cannot be told apart

// The weight of a sample at this distance along a line. A polar method's is that of a column of samples.
class LineWeight {
public:
    explicit LineWeight(const MethodSpec& spec)
        : spec_(spec), curves_(spec), polar_(is_polar(*spec.method)), jumps_(!polar_ && spec.method->smoothness < 0) {}

    double radius() const { return polar_ ? spec_.method->taps / 2.0 : curves_.radius(); }
    bool jumps() const { return jumps_; }

    double at(double x) const {
        if (!polar_) return curves_.weight(x);
        const int count = spec_.method->taps;
        const double centre = std::floor(count % 2 == 0 ? x : x + 0.5);  // as AxisPosition has it
        const std::vector<float> taps = spec_.method->tap_weights(float(x - centre), spec_.parameters);
        const int place = (count - 1) / 2 - int(centre);
        return place >= 0 && place < int(taps.size()) ? double(taps[size_t(place)]) : 0;
    }

private:
    const MethodSpec& spec_;
    MethodCurves curves_;
    bool polar_, jumps_;
};

// w(x − k) over its support, at the points of the line; both sides of a jump.
CurvesReport::Curve part_curve(const LineWeight& weight, const std::vector<double>& at, int k, double texel) {
    const double low = k - weight.radius(), high = k + weight.radius();
    CurvesReport::Curve curve;
    const auto add = [&](double x, double inside) {
        curve.x.push_back(x);
        curve.y.push_back(texel * weight.at(inside - k));
    };
    constexpr double beside = 1e-9;
    if (weight.jumps()) add(low, low - beside), add(low, low + beside);
    else add(low, low);
    const auto first = std::upper_bound(at.begin(), at.end(), low), last = std::lower_bound(at.begin(), at.end(), high);
    for (auto x = first; x < last; ++x) add(*x, *x);
    if (weight.jumps()) add(high, high - beside), add(high, high + beside);
    else add(high, high);
    return curve;
}

double in_units(const StageReport& stage, double at) { return stage.from + at / stage.rate; }

std::vector<double> in_units(const StageReport& stage, std::vector<double> at) {
    for (double& x : at) x = in_units(stage, x);
    return at;
}

PlotAxis line_axis(const StageReport& stage) {
    const bool samples = stage.from == 0 && stage.rate == 1;
    return {.label = samples ? "x (samples)" : fmt::format("x ({:.4g} samples per unit)", stage.rate),
            .minimum = in_units(stage, stage.line.from),
            .maximum = in_units(stage, stage.line.to)};
}

// Upright lines from zero, as one series.
void add_stem(Series& series, double x, double y) {
    series.x.insert(series.x.end(), {x, x, x});
    series.y.insert(series.y.end(), {0, y, std::numeric_limits<double>::quiet_NaN()});
}

}  // namespace

void add_parts(StageReport& stage, SourceImage& source, const MethodSpec& spec) {
    stage.parts.clear();
    if (kernel_of(*spec.method)) return;
    const LineWeight weight(spec);
    const int first = int(std::ceil(stage.line.from - weight.radius())),
              last = int(std::floor(stage.line.to + weight.radius()));
    if (last - first >= most_parts) return;
    RenderRequest request;
    request.spec = spec;
    const int channels = source.samples().channels();
    const std::vector<float> texels = source.texels(request, first, 0, last - first + 1, 1);
    stage.coefficients = spec.filters();
    for (int k = first; k <= last; ++k) {
        const double texel = double(texels[size_t((k - first) * channels)]);
        stage.parts.push_back({k, texel, part_curve(weight, stage.line.at, k, texel)});
    }
}

double sum_of_parts(const StageReport& stage, double at) {
    double sum = 0;
    for (const auto& part : stage.parts) {
        const auto& [x, y] = part.curve;
        const auto next = std::upper_bound(x.begin(), x.end(), at);
        if (next == x.begin() || (next == x.end() && x.back() != at)) continue;
        const size_t i = size_t(next - x.begin()) - 1;
        sum += next == x.end() || x[i] == at ? y[i] : std::lerp(y[i], y[i + 1], (at - x[i]) / (x[i + 1] - x[i]));
    }
    return sum;
}

void add_spectrum(StageReport& stage, const Image& image, const MethodSpec& spec, bool windowed) {
    const SampleBox box = middle_part({0, 0, image.width() - 1, 0}, {longest_transformed, 1}, true);
    const std::vector<float> values = channel_values(image, box, 0);
    const int n = int(values.size());
    const Spectrum spectrum = spectrum_of(values, n, 1, windowed ? SpectrumWindow::hann : SpectrumWindow::none);
    stage.amplitudes = {};
    stage.gains.clear();
    stage.response = {};
    for (int k = 0; k <= highest_frequency * n; ++k) {
        stage.amplitudes.x.push_back(double(k) / n);
        stage.amplitudes.y.push_back(std::sqrt(power_at(spectrum, double(k) / n, 0, true)));
    }
    if (kernel_of(*spec.method)) return;
    const MethodCurves curves(spec);
    for (const double f : stage.amplitudes.x) stage.gains.push_back(std::abs(curves.cardinal_spectrum(f)));
    constexpr int points = 400;
    for (int i = 0; i <= points; ++i) {
        stage.response.x.push_back(highest_frequency * i / points);
        stage.response.y.push_back(std::abs(curves.cardinal_spectrum(stage.response.x.back())));
    }
}

Plot line_plot(const StageReport& stage, const ValueScale& scale) {
    Plot plot = profile_plot(stage.line, 0, scale);
    plot.x = line_axis(stage);
    for (Series& series : plot.series) series.x = in_units(stage, std::move(series.x));
    plot.series.back().name = "samples";
    if (!stage.truth.empty()) {
        Series truth{
            .name = "sampled", .x = in_units(stage, stage.line.at), .style = Series::Style::dashed, .ink = Ink::grey};
        for (const double y : stage.truth) truth.y.push_back(scale.factor() * y);
        plot.series.insert(plot.series.begin(), std::move(truth));
        fit_axis(plot.y, plot.series, 1e-6);
    }
    return plot;
}

Plot parts_plot(const StageReport& stage, const ValueScale& scale) {
    Plot plot{.x = line_axis(stage)};
    plot.y.label = stage.coefficients ? "coefficient · weight" : "sample · weight";
    Series texels{.name = stage.coefficients ? "coefficients" : "", .style = Series::Style::dots, .ink = Ink::grey};
    for (const auto& part : stage.parts) {
        Series series{.x = in_units(stage, part.curve.x),
                      .y = part.curve.y,
                      .style = part.index % 2 == 0 ? Series::Style::line : Series::Style::dashed,
                      .ink = pane_ink(stage.front)};
        for (double& y : series.y) y *= scale.factor();
        plot.series.push_back(std::move(series));
        texels.x.push_back(in_units(stage, part.index));
        texels.y.push_back(scale.factor() * part.texel);
    }
    plot.series.push_back(std::move(texels));
    fit_axis(plot.y, plot.series, 1e-6);
    return plot;
}

Plot amplitude_plot(const StageReport& stage) {
    Plot plot;
    const bool samples = stage.from == 0 && stage.rate == 1;
    plot.x = {.label = samples ? "frequency (cycles per sample)" : "frequency (cycles per unit of x)",
              .minimum = 0,
              .maximum = highest_frequency * stage.rate};
    plot.guides = {{Guide::Across::x, 0.5 * stage.rate, "Nyquist"}, {Guide::Across::x, stage.rate, "rate"}};
    const Ink ink = pane_ink(stage.front);
    Series own{.name = "samples", .ink = Ink::grey},
        copies{.name = "copies", .style = Series::Style::dashed, .ink = Ink::grey},
        product{.name = pane_name(stage.front), .ink = ink};
    double most = 0;
    const double shift = 0.004 * plot.x.maximum;  // so that the product stands beside what it is of
    for (size_t k = 0; k < stage.amplitudes.x.size(); ++k) {
        const double f = stage.amplitudes.x[k], y = stage.amplitudes.y[k];
        add_stem(f <= 0.5 ? own : copies, f * stage.rate, y);
        if (k < stage.gains.size()) add_stem(product, f * stage.rate + shift, y * stage.gains[k]);
        most = std::max(most, y);
    }
    if (!(most > 0)) most = 1;
    Series response{.name = "response " + pane_name(stage.front), .style = Series::Style::dashed, .ink = ink};
    double highest = 1;
    for (const double gain : stage.response.y) highest = std::max(highest, gain);
    for (size_t i = 0; i < stage.response.x.size(); ++i) {
        response.x.push_back(stage.response.x[i] * stage.rate);
        response.y.push_back(stage.response.y[i] * most);
    }
    plot.y = {.label = "amplitude; response to scale", .minimum = 0, .maximum = 1.08 * most * highest};
    plot.series = {std::move(own), std::move(copies)};
    if (!stage.gains.empty()) plot.series.insert(plot.series.end(), {std::move(product), std::move(response)});
    return plot;
}

}  // namespace texelscope
