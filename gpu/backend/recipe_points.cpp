// Recipes at points: rotated and warped views, maps of coordinates, single positions. A pixel that reads position p is the pixel
// at place (p + ½) / step − ½ of the resize to samples / step pixels, where `step` is the view's own, and 1 of points: so all
// ingredients of a rule mean there what they mean in a resize, between its pixels too. The taps are computed on the host.

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/backend/least_squares.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/method/output.h"
#include "gpu/method/polar_method.h"
#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

constexpr size_t points_together = 256, most_points = size_t(1) << 16;
constexpr double farthest = 1 << 24;

bool has_points(const Resampling& resampling) { return resampling.points.x != nullptr; }

double snapped_position(double x) {
    const double whole = std::round(x);
    return std::abs(x - whole) <= 1e-11 ? whole : x;
}

// A position that is read likewise and whose taps can be counted; NaN if there is none.
double near_position(const Rule& rule, double x, int samples) {
    if (std::abs(x) <= farthest) return x;
    const AddressMode edges = rule.edges.value_or(AddressMode::clamp);
    const double period = edges == AddressMode::wrap         ? samples
                          : edges == AddressMode::mirror     ? 2.0 * samples
                          : edges == AddressMode::reflect101 ? 2.0 * std::max(samples - 1, 1)
                                                             : 0;
    if (rule.beyond == Beyond::value || period == 0) return std::clamp(x, -farthest, farthest + samples);
    return std::fmod(x, period);
}

std::vector<double> host_points(Backend& backend, const PointsView& points) {
    std::vector<double> pairs(2 * points.count, 0.0);
    const size_t bytes = points.is_double ? sizeof(double) : sizeof(float);
    std::vector<std::byte> values(((points.count - 1) * points.stride + 1) * bytes);
    for (const size_t axis : {0, 1}) {
        const void* const from = axis == 0 ? points.x : points.y;
        if (!from) continue;
        backend.read_back(values.data(), from, values.size());
        PointsView along = points;
        for (size_t k = 0; k < points.count; ++k) pairs[2 * k + axis] = along.coordinate(values.data(), k);
    }
    return pairs;
}

}  // namespace

PlacesOfPoints::PlacesOfPoints(SourceImage& source, const Resampling& resampling) : resampling_(resampling) {
    const ResidentImage& samples = source.samples();
    width_ = samples.width();
    height_ = samples.height();
    if (has_points(resampling)) pairs_ = host_points(source.backend(), resampling.points);
    const Affine& p = resampling.reading.positions;
    given_ = resampling.spec.method->recipe->recipe->given_positions;
    if (!given_) {
        step_x_ = std::max(std::hypot(p.xx, p.xy), 1e-6);
        step_y_ = std::max(std::hypot(p.yx, p.yy), 1e-6);
    }
}

ResizedAxis PlacesOfPoints::axis(int samples, double step) {
    double pixels = samples / step;
    if (std::abs(pixels - std::round(pixels)) <= 1e-9 * pixels) pixels = std::round(pixels);
    pixels = std::max(pixels, 1e-6);
    // Between its pixels: what libraries do to whole pictures of some sizes says nothing about points.
    return {samples, pixels, 0.5, std::max(1, int(std::min(std::ceil(pixels), 1e9)))};
}

Point PlacesOfPoints::position(size_t pixel) const {
    if (!pairs_.empty()) return {pairs_[2 * pixel], pairs_[2 * pixel + 1]};
    const size_t width = size_t(resampling_.width);
    const Point p = apply(resampling_.reading.positions, double(pixel % width), double(pixel / width));
    return {snapped_position(p.x), snapped_position(p.y)};
}

bool PlacesOfPoints::is_outside(Point p, bool one_dimensional) const {
    const Outside outside = resampling_.outside;
    return is_outside_axis(outside, p.x, width_) ||
           (!(one_dimensional && outside == Outside::nan) && is_outside_axis(outside, p.y, height_));
}

double PlacesOfPoints::place(double x, double step) const { return given_ ? x : (x + 0.5) / step - 0.5; }

PointTaps PlacesOfPoints::taps(const ResizeRule& rule, bool one_dimensional, size_t first, size_t count) const {
    PointTaps taps;
    std::vector<double> along_x(count, 0.0), along_y(count, 0.0);
    std::vector<int> other(count, 0);
    for (size_t k = 0; k < count; ++k) {
        const Point p = position(first + k);
        const double x = near_position(rule.x, p.x, width_), y = near_position(rule.y, p.y, height_);
        if (std::isnan(x) || (std::isnan(y) && !one_dimensional)) other[k] = taps_of_nan;
        else if (is_outside(p, one_dimensional)) other[k] = taps_outside;
        else along_x[k] = place(x, step_x_), along_y[k] = one_dimensional ? 0 : place(y, step_y_);
    }
    const auto read = [](ResizedAxis of_view, int samples) {
        if (samples > 0) of_view.samples = samples;
        return of_view;
    };
    taps.x = taps_at(rule.x, read(x_axis(), read_width_), along_x);
    if (one_dimensional) taps.y = {1, std::vector<int>(count, 0), std::vector<double>(count, 1.0)};
    else taps.y = taps_at(rule.y, read(y_axis(), read_height_), along_y);
    for (size_t k = 0; k < count; ++k)
        if (other[k] != 0) taps.x.first[k] = other[k];
    return taps;
}

ResizeRule PlacesOfPoints::rule(const ResidentImage& samples, SampleType stored) const {
    ResizeRule rule = resampling_.spec.method->recipe->rule(recipe_type_of(stored), samples.channels(),
                                                            samples.alpha() != Alpha::none, x_axis(), y_axis());
    if (rule.passes.cell_width > 0) {  // points have no cells: they are the means of what they touch
        rule.x.unit_area = rule.y.unit_area = true;
        rule.passes.cell_width = rule.passes.cell_height = 0;
        rule.passes.second.round = Rounding::half_up;
    }
    return rule;
}

CoefficientsOfRule::CoefficientsOfRule(ResizeRule& rule, int width, int height, bool signal) {
    // What rounds sums of the first axis rounds values between samples, not between coefficients.
    if (!rule.passes.first.plain() || rule.passes.second.fixed || rule.passes.straight) return;
    const auto identity = [](int count) {
        RuleTaps taps{1, {}, std::vector<double>(size_t(count), 1.0)};
        for (int k = 0; k < count; ++k) taps.first.push_back(k);
        return taps;
    };
    std::optional<RuleTaps> of_x = taken_prefilter(rule.x, width),
                            of_y = signal ? std::nullopt : taken_prefilter(rule.y, height);
    any = of_x || of_y;
    if (!any) return;
    x = of_x ? std::move(*of_x) : identity(width);
    y = of_y ? std::move(*of_y) : identity(height);
    passes = {.unit = rule.passes.unit, .whole = rule.passes.whole, .fill = rule.passes.fill};
    rule.passes.whole = false;
}

namespace {

// Many points in threads; shorter taps end with zeros.
std::array<LongTaps, 2> taps_in_threads(const PlacesOfPoints& places, const ResizeRule& rule, bool one_dimensional,
                                        size_t first, size_t count) {
    const size_t pieces = (count + points_together - 1) / points_together;
    std::vector<PointTaps> made(pieces);
    parallel_for(work::tabulated, (long long)pieces, 1, [&](long long n) {
        const size_t from = size_t(n) * points_together;
        made[size_t(n)] = places.taps(rule, one_dimensional, first + from, std::min(points_together, count - from));
    });
    std::array<LongTaps, 2> all;
    for (const int axis : {0, 1}) {
        LongTaps& joined = all[size_t(axis)];
        for (const PointTaps& each : made) joined.taps = std::max(joined.taps, (axis == 0 ? each.x : each.y).taps);
        joined.weights.assign(count * size_t(joined.taps), 0.0f);
        for (const PointTaps& each : made) {
            const RuleTaps& taps = axis == 0 ? each.x : each.y;
            for (size_t k = 0; k < taps.first.size(); ++k) {
                std::copy_n(taps.weights.begin() + (ptrdiff_t)(k * size_t(taps.taps)), taps.taps,
                            joined.weights.begin() + (ptrdiff_t)(joined.first.size() * size_t(joined.taps)));
                joined.first.push_back(taps.first[k]);
            }
        }
    }
    return all;
}

void render_points(SourceImage& source, const PlacesOfPoints& places, const ResizeRule& rule,
                   const Resampling& resampling, const RenderTarget& target) {
    auto* const renderer = dynamic_cast<LongTapsRenderer*>(&source.backend());
    if (!renderer) throw Error("this backend cannot compute recipes of other libraries");
    Resampling all;
    all.spec = default_spec(parse_method("nearest"));
    all.spec.address = {rule.x.edges.value_or(AddressMode::clamp), rule.y.edges.value_or(AddressMode::clamp), {}};
    all.outside = resampling.outside;
    all.encode_srgb = resampling.encode_srgb;
    all.width = resampling.width;
    all.height = resampling.height;
    const bool signal = source.samples().one_dimensional();
    const int rows_together = int(std::max<size_t>(1, most_points / size_t(all.width)));
    source.render_samples(
        all, target, [&](const ResidentImage& image, const Resampling& request, const RenderTarget& to) {
            source.backend().timed(to.timer, [&] {
                for (int row = 0; row < request.height; row += rows_together) {
                    Resampling part = request;
                    part.height = std::min(rows_together, request.height - row);
                    RenderTarget rows = to;
                    rows.pixels = static_cast<char*>(to.pixels) + size_t(row) * to.row_bytes;
                    rows.timer = no_timer;
                    const auto [x, y] = taps_in_threads(places, rule, signal, size_t(row) * size_t(request.width),
                                                        size_t(part.height) * size_t(request.width));
                    renderer->resample_points_by_taps(image, part, x, y, rule.passes, rows);
                }
            });
        });
}

// How far from a point within the image its pixel reads, if that is as far from all and the taps there are the method's own.
std::optional<double> shift_of_method(const MethodSpec& spec, const Rule& rule, const ResizedAxis& axis) {
    const int padding = rule.coefficients ? rule.padding : 0;
    const double radius = radius_of(*spec.method), inside = axis.samples - 3 - 2 * radius;
    if (inside <= 0) return {};
    constexpr int count = 24;
    std::vector<double> points, places;
    for (int k = 0; k < count; ++k) {
        points.push_back(1 + radius + inside * std::fmod(0.5 + 0.6180339887498949 * k, 1.0));
        places.push_back((points.back() + 0.5) / axis.step() - 0.5);
    }
    const bool nearest = rule.tap_rule == TapRule::nearest;
    const auto read = [&](size_t k) {  // the sample before counts as the nearest if half a sample is taken off
        return position_of(rule, axis, places[k]) - (nearest && rule.nearest == NearestRule::floor ? 0.5 : 0);
    };
    const double shift = read(0) - points[0];
    const RuleTaps taps = taps_at(rule, axis, places);
    const int reach = int(std::ceil(radius)) + taps.taps;
    for (size_t k = 0; k < count; ++k) {
        const double position = points[k] + shift;
        if (!(std::abs(shift) <= 1 && std::abs(read(k) - position) <= 1e-9)) return {};
        for (int i = int(position) - reach; i <= int(position) + reach; ++i) {
            const int tap = i + padding - taps.first[k];
            const double weight = tap >= 0 && tap < taps.taps ? taps.weights[k * size_t(taps.taps) + size_t(tap)] : 0;
            const double distance = i - position,
                         own = std::abs(distance) < radius ? spec.method->weight(distance, spec.parameters) : 0;
            if (!(std::abs(weight - own) <= 1e-7)) return {};
        }
    }
    return std::abs(shift) <= 1e-9 ? 0 : shift;
}

// Whether what the passes do to sums is done to the output as well, which has levels.
bool rounds_as_output(const LongPasses& passes, SampleType stored, const RenderTarget& target, bool alpha) {
    const LongPass& last = passes.second;
    const bool to_nearest =
        last.round == Rounding::half_even || last.round == Rounding::half_up || last.round == Rounding::half_away;
    return target.format != RenderTarget::Format::floats && stored == SampleType::u8 && !alpha && to_nearest &&
           passes.first.plain() && !last.fixed && last.scale == 1 && last.multiple == 0 && last.clipped &&
           !last.within_samples && last.low == 0 && last.high == 255 && passes.unit == 255 && passes.fill == 0 &&
           !passes.straight && !passes.cut_colours && passes.cell_width == 0;
}

// The method that a rule is at points, if it is one, and how far from them it reads: its own kernels then compute them.
struct MethodAtPoints {
    MethodSpec spec;
    double shift_x = 0, shift_y = 0;
};
std::optional<MethodAtPoints> method_at_points(const ResizeRule& rule, const ResizedAxis& x, const ResizedAxis& y) {
    const auto is_simple = [](const Rule& of) {
        const bool nearest =
            of.tap_rule == TapRule::nearest && (of.nearest == NearestRule::half_up || of.nearest == NearestRule::floor);
        return (nearest || of.tap_rule == TapRule::weights) && of.edges && of.beyond == Beyond::extended &&
               of.weight.find('\n') == std::string::npos;
    };
    if (rule.x.weight != rule.y.weight || rule.x.tap_rule != rule.y.tap_rule || !is_simple(rule.x) ||
        !is_simple(rule.y))
        return {};
    MethodAtPoints method{parse_spec(rule.x.tap_rule == TapRule::nearest ? "nearest" : rule.x.weight)};
    MethodSpec& spec = method.spec;
    if (is_polar(*spec.method) || spec.method->custom) return {};
    const auto shift_x = shift_of_method(spec, rule.x, x), shift_y = shift_of_method(spec, rule.y, y);
    if (!shift_x || !shift_y) return {};
    method.shift_x = *shift_x;
    method.shift_y = *shift_y;
    spec.prefilter = {.kind = Prefilter::Kind::none};
    spec.address = {*rule.x.edges, *rule.y.edges, {}};
    return method;
}

// The samples' coefficients, in the light of the source.
Image coefficients_image(SourceImage& source, const ResizeRule& rule, const CoefficientsOfRule& made) {
    const auto floats = [](const RuleTaps& taps) {
        return LongTaps{taps.taps, taps.first, {taps.weights.begin(), taps.weights.end()}};
    };
    ResizeRule samples;
    samples.x.edges = rule.x.edges;
    samples.y.edges = rule.y.edges;
    samples.passes = made.passes;
    return unencoded_image_by_taps(source, samples, floats(made.x), floats(made.y));
}

// Renders points by a method that the rule is there, in float32; false: it is none.
bool render_by_method(SourceImage& source, const PlacesOfPoints& places, const ResizeRule& rule, SampleType stored,
                      const Resampling& resampling, const RenderTarget& target) {
    const bool alpha = source.samples().alpha() != Alpha::none;
    if (source.samples().one_dimensional() ||
        !(rule.passes.plain() || rounds_as_output(rule.passes, stored, target, alpha)))
        return false;
    const auto method = method_at_points(rule, places.x_axis(), places.y_axis());
    if (!method) return false;
    const double x = method->shift_x + (rule.x.coefficients ? rule.x.padding : 0),
                 y = method->shift_y + (rule.y.coefficients ? rule.y.padding : 0);
    // What is outside is so by the points themselves.
    if ((x != 0 || y != 0) && (has_points(resampling) || resampling.outside != Outside::extend)) return false;
    Resampling plain = resampling;
    plain.spec = method->spec;
    plain.reading = {};
    plain.reading.positions = resampling.reading.positions;
    plain.reading.positions.x0 += x;
    plain.reading.positions.y0 += y;
    plain.reading.prefiltered = false;
    source.render_samples(plain, target,
                          [&](const ResidentImage& image, const Resampling& request, const RenderTarget& to) {
                              source.backend().resample(image, request, to);
                          });
    return true;
}

}  // namespace

void render_recipe_at_points(SourceImage& source, SampleType stored, const Resampling& resampling,
                             const RenderTarget& target) {
    PlacesOfPoints places(source, resampling);
    ResizeRule rule = places.rule(source.samples(), stored);
    rule.passes = within_extremes(rule.passes, source);
    const std::shared_ptr<Backend> backend(std::shared_ptr<Backend>(), &source.backend());  // the source keeps it
    const bool signal = source.samples().one_dimensional();
    SourceImage* from = &source;
    std::optional<SourceImage> last, coefficients;
    if (!rule.before.all().empty()) {
        last.emplace(backend, last_on_the_way(source, rule));
        rule.before = {};
        from = &*last;
        places.read(from->samples().width(), from->samples().height());
    }
    const CoefficientsOfRule made(rule, from->samples().width(), from->samples().height(), signal);
    if (made.any) {
        coefficients.emplace(backend, coefficients_image(*from, rule, made));
        from = &*coefficients;
    }
    if (last || !render_by_method(*from, places, rule, stored, resampling, target))
        render_points(*from, places, rule, resampling, target);
    source.backend().synchronize();  // before what it read is gone
}

}  // namespace texelscope
