#include "gpu/recipes/rule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include "gpu/core/errors.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/spec.h"
#include "gpu/recipes/shared_rules.h"
#include "gpu/weights/weights.h"

namespace texelscope {
namespace {

// Whether the row has taps beyond the image, and whether the image is much shorter than these reach.
bool leaves(const Row& row, int samples) { return row.first < 0 || row.first + int(row.weights.size()) > samples; }

struct Weight {
    std::function<double(double)> at;
    double radius = 1;
    MethodSpec spec;  // of a method; else none
};

Weight weight_of(const Rule& rule) {
    Weight weight;
    if (rule.weight.find('\n') != std::string::npos) {
        static std::map<std::string, std::unique_ptr<const WeightFunction>> functions;
        static std::mutex one_at_a_time;
        const std::scoped_lock lock(one_at_a_time);
        auto& function = functions[rule.weight];
        if (!function) function = std::make_unique<const WeightFunction>(rule.weight);
        weight.at = function->with({});
        weight.radius = function->file().radius;
        if (rule.prefilter && rule.weight.find("prefilter = auto") != std::string::npos)
            weight.spec = default_spec(custom_method(rule.weight));
    } else {
        weight.spec = parse_spec(rule.weight);
        weight.radius = radius_of(*weight.spec.method);
        const MethodSpec spec = weight.spec;
        weight.at = [spec](double x) { return spec.method->weight(x, spec.parameters); };
    }
    if (rule.radius > 0) weight.radius = rule.radius;
    return weight;
}

int nearest_of(NearestRule rule, double x) {
    switch (rule) {
        case NearestRule::half_up: return int(std::floor(x + 0.5));
        case NearestRule::half_down: return int(std::ceil(x - 0.5));
        case NearestRule::half_even: return int(std::nearbyint(x));
        case NearestRule::floor: return int(std::floor(x));
        case NearestRule::ceil: return int(std::ceil(x));
    }
    return 0;
}

// Samples by the part of [from, to) that they fill, where sample k fills [k, k + 1).
Row covered(double from, double to, double length) {
    Row row{int(std::floor(from)), {}};
    for (int k = row.first; k < to; ++k)
        row.weights.push_back((std::min(to, k + 1.0) - std::max(from, double(k))) / length);
    while (row.weights.size() > 1 && row.weights.back() < 1e-9) row.weights.pop_back();
    while (row.weights.size() > 1 && row.weights.front() < 1e-9) {
        row.weights.erase(row.weights.begin());
        ++row.first;
    }
    return row;
}

double step_of(const Rule& rule, const ResizedAxis& axis) {
    return rule.factor ? 1 / *rule.factor : rule.span > 0 ? rule.span / axis.pixels : axis.step();
}

Row area_row(const Rule& rule, const ResizedAxis& axis, double i) {
    const double step = step_of(rule, axis);
    if (rule.tap_rule == TapRule::box && rule.alignment == Alignment::corners) {
        // Pixels and samples are areas around their places, cut off at the outer ones.
        const double x = position_of(rule, axis, i), last = axis.samples - 1,
                     half = axis.pixels > 1 ? last / (axis.pixels - 1) / 2 : last;
        const double from = std::clamp(x - half, 0.0, last), to = std::clamp(x + half, 0.0, last);
        return to > from ? covered(from + 0.5, to + 0.5, to - from) : Row{0, {1.0}};
    }
    if (rule.tap_rule == TapRule::box && rule.position_precision == Precision::float32) {
        Rule ends = rule;
        ends.alignment = Alignment::asymmetric;
        const double single_step = float(step), from = position_of(ends, axis, i),
                     to = rule.stepping == Stepping::rounded_inverse ? double(float(from) + float(step))
                                                                     : position_of(ends, axis, i + 1);
        if (!rule.unit_area) return covered(from, to, single_step);
        const double inside_from = std::clamp(from, 0.0, double(axis.samples)),
                     inside_to = std::clamp(to, 0.0, double(axis.samples));
        return inside_to > inside_from ? covered(inside_from, inside_to, inside_to - inside_from)
                                       : Row{i < 0 ? 0 : axis.samples - 1, {1.0}};
    }
    if (rule.tap_rule == TapRule::box) {
        const double from = std::clamp(i * step, 0.0, double(axis.samples)),
                     to = std::clamp((i + 1) * step, 0.0, double(axis.samples));
        return to > from ? covered(from, to, to - from) : Row{i < 0 ? 0 : axis.samples - 1, {1.0}};
    }
    if (rule.tap_rule == TapRule::bins) {
        const int from = std::clamp(int(std::floor(i * step + 1e-9)), 0, axis.samples - 1),
                  to = std::clamp(int(std::ceil((i + 1) * step - 1e-9)), from + 1, axis.samples);
        return {from, std::vector<double>(size_t(to - from), rule.unit_area ? 1.0 / (to - from) : 1.0)};
    }
    if (rule.tap_rule == TapRule::pairs) {
        if (axis.samples == 1) return {0, {1.0}};
        if (axis.samples % 2 == 0) return {2 * int(i), {0.5, 0.5}};
        return {2 * int(i), {0.25, 0.5, 0.25}};
    }
    const int sample = int(std::floor(i * step));
    double fraction = (i + 1) - (sample + 1) / step;
    fraction = fraction <= 0 ? 0 : fraction - std::floor(fraction);
    return {sample, {1 - fraction, fraction}};
}

// What a weight is a function of, and the weights' sum, in the rule's arithmetic.
double distance_of(const Rule& rule, double from_position, double stretch) {
    if (rule.weight_precision == Precision::float32) return double(float(from_position) * (1 / float(stretch)));
    return rule.window == TapWindow::rounded ? from_position * (1 / stretch) : from_position / stretch;
}
double sum_of(const Rule& rule, std::vector<double>& weights) {
    double sum = 0;
    float single = 0;
    for (double& w : weights) {
        if (rule.weight_precision == Precision::float32) w = float(w);
        sum += w;
        single += float(w);
    }
    return rule.weight_precision == Precision::float32 ? single : sum;
}
double divided(const Rule& rule, double weight, double by) {
    return rule.weight_precision == Precision::float32 ? double(float(weight) * (1 / float(by))) : weight / by;
}

// The samples that a position's weights are asked for.
struct Window {
    double x;  // as the weights are counted from
    int from, last;

    Window(const Rule& rule, double reach, double position, int samples) : x(position) {
        if (rule.window == TapWindow::rounded) {
            const double centre = rule.weight_precision == Precision::float32 ? double(float(x + 0.5)) : x + 0.5;
            x = centre - 0.5;
            from = int(std::floor(centre - reach + 0.5));
            last = int(std::floor(centre + reach + 0.5)) - 1;
        } else if (rule.window == TapWindow::taps) {
            from = int(std::floor(x)) - int(std::ceil(reach)) + 1;
            last = int(std::floor(x)) + int(std::ceil(reach));
        } else {
            from = int(std::floor(x - reach)) + 1;
            last = int(std::ceil(x + reach)) - 1;
        }
        if (!rule.edges) {
            from = std::clamp(from, 0, samples - 1);
            last = std::clamp(last, from, samples - 1);
        }
    }
    int count() const { return last - from + 1; }
};

// Appends the weights of a window's samples.
void weigh(const Rule& rule, const Weight& weight, const Window& window, double stretch, std::vector<double>& weights) {
    weights.clear();
    double sum = 0;
    for (int k = window.from; k <= window.last; ++k) {
        const double w = weight.at(distance_of(rule, k - window.x, stretch));
        weights.push_back(rule.weight_precision == Precision::rounded ? double(float(w)) : w);
        sum += w;
    }
    if (rule.weight_precision == Precision::float32) sum = sum_of(rule, weights);
    // Where all weights are zero, so is what libraries make of them.
    for (double& w : weights) {
        if (rule.unit_area || !rule.edges) w = sum != 0 ? divided(rule, w, sum) : w;
        else if (rule.widened) w /= stretch;
    }
}

Row weighed_row(const Rule& rule, const Weight& weight, double x, double stretch, int samples) {
    const Window window(rule, weight.radius * stretch, x, samples);
    Row row{window.from, {}};
    weigh(rule, weight, window, stretch, row.weights);
    return row;
}

// The Gaussian's taps, as SciPy cuts it off.
Row gaussian(const BlurBefore& blur) {
    const int radius = int(blur.truncate * blur.sigma + 0.5);
    Row row{-radius, {}};
    double sum = 0;
    for (int k = -radius; k <= radius; ++k) {
        row.weights.push_back(std::exp(-0.5 * k * k / (blur.sigma * blur.sigma)));
        sum += row.weights.back();
    }
    for (double& w : row.weights) w /= sum;
    return row;
}

// The rows read a picture that was blurred before, and that both continue beyond their edges alike.
void blur_before(std::vector<Row>& rows, const Rule& rule, int samples) {
    const AddressMode edges = rule.edges.value_or(AddressMode::clamp);
    const Row kernel = gaussian(rule.blur);
    for (Row& row : rows) {
        const Row inside = folded(row, edges, samples);
        Row sum{inside.first + kernel.first,
                std::vector<double>(inside.weights.size() + kernel.weights.size() - 1, 0.0)};
        for (size_t a = 0; a < inside.weights.size(); ++a)
            for (size_t b = 0; b < kernel.weights.size(); ++b)
                sum.weights[a + b] += inside.weights[a] * kernel.weights[b];
        row = folded(sum, edges, samples);
    }
}

}  // namespace

namespace {

struct Positions {
    std::vector<double> at;
    std::vector<bool> without;  // those that no sample counts for
};

// `known`: the first positions, if they are.
Positions positions_of_places(const Rule& rule, const ResizedAxis& axis, std::span<const double> places,
                              std::vector<double> known) {
    Positions positions{std::move(known), std::vector<bool>(places.size(), false)};
    for (size_t k = positions.at.size(); k < places.size(); ++k) {
        // Outside, where there are fewer and fewer taps whose weights could sum to 1, the edge goes on.
        const bool ends = !rule.edges && rule.tap_rule == TapRule::weights;
        double x = position_of(rule, axis, ends ? std::clamp(places[k], -0.5, axis.pixels - 0.5) : places[k]);
        const double last = axis.samples - 1;
        if (rule.beyond != Beyond::extended && (x < 0 || x > last)) {
            positions.without[k] = rule.beyond == Beyond::value;
            x = last == 0 || rule.beyond == Beyond::value ? 0
                : x < 0                                   ? x + last * (std::trunc(-x / last) + 1)
                                                          : x - last * std::trunc(x / last);
        }
        if (rule.tie > 0 && std::abs(x - std::floor(x) - 0.5) <= rule.tie) x = std::floor(x) + 0.5;
        positions.at.push_back(x);
    }
    return positions;
}

double stretch_of(const Rule& rule, const ResizedAxis& axis) {
    const double step = rule.alignment == Alignment::corners || rule.alignment == Alignment::corner_areas
                            ? (axis.pixels > 1 ? (axis.samples - 1) / (axis.pixels - 1) : 0)
                            : step_of(rule, axis);
    return rule.widened ? std::max(rule.least_stretch, rule.stretch > 0 ? rule.stretch : step) : 1;
}

// The weights as floats or integers. Throws Error for one that is no number.
void as_the_library_keeps(const Rule& rule, Row& row, int samples) {
    const double one = rule.one > 0 ? rule.one : std::ldexp(1.0, rule.bits);
    if (rule.rounded_within && rule.edges && leaves(row, samples)) row = folded(row, *rule.edges, samples);
    for (double& w : row.weights) {
        if (rule.bits > 0) w = rounded(w * one, rule.weight_rounding);
        if (!std::isfinite(w)) throw Error("a weight of this rule is not a number");
    }
}

// Taps that need no row of their own but where they leave the image: of many points.
RuleTaps weighed_taps(const Rule& rule, const Weight& weight, const ResizedAxis& axis, const Positions& positions) {
    const double stretch = stretch_of(rule, axis), reach = weight.radius * stretch;
    const int before = rule.coefficients ? rule.padding : 0, samples = axis.samples + 2 * before;
    const AddressMode edges = rule.edges.value_or(AddressMode::clamp);
    const size_t most = size_t(2 * std::ceil(reach)) + 1;
    RuleTaps taps{int(most), std::vector<int>(positions.at.size(), 0),
                  std::vector<double>(positions.at.size() * most, 0.0)};
    Row row;
    for (size_t i = 0; i < positions.at.size(); ++i) {
        if (positions.without[i]) continue;
        const Window window(rule, reach, positions.at[i] + before, samples);
        row.first = window.from;
        weigh(rule, weight, window, stretch, row.weights);
        as_the_library_keeps(rule, row, samples);
        if (edges != AddressMode::wrap && leaves(row, samples)) row = folded(row, edges, samples);
        taps.first[i] = row.first;
        std::copy(row.weights.begin(), row.weights.end(), taps.weights.begin() + ptrdiff_t(i * most));
    }
    return taps;
}

std::vector<Row> weighed_rows(const Rule& rule, const Weight& weight, const ResizedAxis& axis,
                              const std::vector<double>& positions) {
    const bool splines = weight.spec.method && weight.spec.method->has_prefilter();
    const double stretch = stretch_of(rule, axis);
    std::vector<Row> rows;
    if (splines && rule.prefilter && stretch == 1) {
        rows = interpolating_taps(weight.spec, positions);
        if (rule.padding > 0)
            for (Row& row : rows)
                row = folded_padding(row, rule.edges.value_or(AddressMode::clamp), rule.padding, axis.samples);
    } else {
        for (const double x : positions) rows.push_back(weighed_row(rule, weight, x, stretch, axis.samples));
    }
    return rows;
}

RuleTaps taps_of_places(const Rule& rule, const ResizedAxis& axis, std::span<const double> places,
                        std::vector<double> known) {
    const Positions positions = positions_of_places(rule, axis, places, std::move(known));
    std::vector<Row> rows;
    if (rule.tap_rule == TapRule::nearest) {
        for (const double x : positions.at) rows.push_back({nearest_of(rule.nearest, x), {1.0}});
    } else if (rule.tap_rule != TapRule::weights) {
        for (const double place : places) rows.push_back(area_row(rule, axis, place));
    } else {
        rows = weighed_rows(rule, weight_of(rule), axis, positions.at);
    }
    if (rule.blur.sigma > 0) blur_before(rows, rule, axis.samples);
    for (size_t i = 0; i < rows.size(); ++i)
        if (positions.without[i]) rows[i] = {0, {0.0}};
    RuleTaps taps;
    const int samples = axis.samples;
    for (Row& row : rows) {
        as_the_library_keeps(rule, row, samples);
        // Where one is left out of nearest and areas, the nearest counts: there is always a sample.
        const AddressMode edges = rule.edges.value_or(AddressMode::clamp);
        if (edges != AddressMode::wrap && leaves(row, samples)) row = folded(row, edges, samples);
        taps.taps = std::max(taps.taps, int(row.weights.size()));
    }
    taps.weights.assign(rows.size() * size_t(taps.taps), 0.0);
    for (size_t i = 0; i < rows.size(); ++i) {
        // Shorter rows end where the window would leave the image.
        const int first = rows[i].first, last_first = std::max(samples - taps.taps, 0);
        const int shift = first > last_first && !leaves(rows[i], samples) ? first - last_first : 0;
        taps.first.push_back(first - shift);
        for (size_t k = 0; k < rows[i].weights.size(); ++k)
            taps.weights[i * size_t(taps.taps) + k + size_t(shift)] = rows[i].weights[k];
    }
    return taps;
}

}  // namespace

RuleTaps taps_at(const Rule& rule, const ResizedAxis& axis, std::span<const double> places) {
    if (rule.tap_rule == TapRule::weights && rule.blur.sigma == 0) {
        const Weight weight = weight_of(rule);
        const bool prefiltered = rule.prefilter && weight.spec.method && weight.spec.method->has_prefilter();
        if (!prefiltered || stretch_of(rule, axis) > 1)
            return weighed_taps(rule, weight, axis, positions_of_places(rule, axis, places, {}));
    }
    return taps_of_places(rule, axis, places, {});
}

RuleTaps exact_taps_of(const Rule& rule, const ResizedAxis& axis) {
    if (rule.table.make && axis.whole()) {
        LongTaps table = rule.table.make(rule, axis);
        return {table.taps, std::move(table.first), {table.weights.begin(), table.weights.end()}};
    }
    std::vector<double> places, known;
    for (int k = 0; k < axis.count; ++k) places.push_back(axis.first + k);
    if (rule.stepping == Stepping::summed && axis.of_whole_pixels() && axis.first >= 0) {
        const double step = step_of(rule, axis);
        double x = step * 0.5;
        for (int i = 0; i < int(axis.first); ++i) x += step;
        for (int k = 0; k < axis.count; ++k, x += step) known.push_back(x - 0.5);
    }
    return taps_of_places(rule, axis, places, std::move(known));
}

LongTaps taps_of(const Rule& rule, const ResizedAxis& axis) {
    if (rule.table.make && axis.whole()) return rule.table.make(rule, axis);
    RuleTaps exact = exact_taps_of(rule, axis);
    return {exact.taps, std::move(exact.first), {exact.weights.begin(), exact.weights.end()}};
}

ResizeStages::ResizeStages() = default;
ResizeStages::ResizeStages(std::vector<ResizeStage> stages) : stages_(std::move(stages)) {}
ResizeStages::ResizeStages(std::initializer_list<ResizeStage> stages) : stages_(stages) {}
ResizeStages::ResizeStages(const ResizeStages&) = default;
ResizeStages::ResizeStages(ResizeStages&&) noexcept = default;
ResizeStages& ResizeStages::operator=(const ResizeStages&) = default;
ResizeStages& ResizeStages::operator=(ResizeStages&&) noexcept = default;
ResizeStages::~ResizeStages() = default;
bool ResizeStages::operator==(const ResizeStages& other) const { return stages_ == other.stages_; }

}  // namespace texelscope
