#include "app/picture/inspect/profile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "app/drawing/plot.h"
#include "app/picture/inspect/curves.h"
#include "app/state/panes.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/colour.h"

namespace texelscope {

std::optional<Image> stored_samples(SourceImage& source, const AddressPair& address, const SampleRegion& region) {
    RenderRequest request;
    request.spec = default_spec(parse_method("nearest"));
    request.spec.address = address;
    request.width = region.width;
    request.height = region.height;
    request.positions = Affine{1, 0, double(region.x), 0, 1, double(region.y)};
    return source.image_at_hand(request);
}

SampleRegion region_between(const SourceImage& source, Point a, Point b, const RegionReach& reach) {
    constexpr double most = 0x1p24;  // values
    const auto axis = [](double from, double to, int around) {
        const auto [low, high] = std::minmax(from, to);
        const double first = std::floor(low) - around;
        return std::pair(first, std::ceil(high) + around - first + 1);
    };
    const auto [x, width] = axis(a.x, b.x, reach.x);
    const auto [y, height] = axis(a.y, b.y, reach.y);
    if (!(width * height * source.samples().channels() <= most)) return {};
    return {int64_t(x), int64_t(y), int(width), int(height)};
}

std::optional<PartOfImage> part_of(SourceImage& source, const AddressPair& address, const SampleRegion& region) {
    std::optional<Image> samples = stored_samples(source, address, region);
    if (!samples) return {};
    return PartOfImage{std::move(*samples), int(region.x), int(region.y)};
}

namespace {

// The part of [t0, t1] where low ≤ from + t · step ≤ high (Liang & Barsky 1984).
void clip(double from, double step, double low, double high, double& t0, double& t1) {
    if (step == 0) {
        if (from < low || from > high) t1 = t0;
        return;
    }
    double enter = (low - from) / step, leave = (high - from) / step;
    if (enter > leave) std::swap(enter, leave);
    t0 = std::max(t0, enter);
    t1 = std::min(t1, leave);
}

// A signal fills its pane from top to bottom: the x that its columns read.
void clip_signal(const AppState& state, int pane, const ProfileReport& line, double& t0, double& t1) {
    const Affine affine = current_affine(state, pane);
    const Extent output = output_extent(state, pane);
    double low = apply(affine, -0.5, -0.5).x, high = low;
    for (const double i : {-0.5, output.width - 0.5})
        for (const double j : {-0.5, output.height - 0.5}) {
            low = std::min(low, apply(affine, i, j).x);
            high = std::max(high, apply(affine, i, j).x);
        }
    clip(line.a.x, line.b.x - line.a.x, low, high, t0, t1);
}

}  // namespace

std::optional<Affine> to_pane(const AppState& state, int pane) {
    const Affine own = shown_affine(state, pane), current = current_affine(state, pane);
    if (own == current) return {};
    const Point origin = apply_inverse(current, {0, 0}), right = apply_inverse(current, {1, 0}),
                down = apply_inverse(current, {0, 1});
    const Point o = apply(own, origin.x, origin.y), x = apply(own, right.x, right.y), y = apply(own, down.x, down.y);
    return Affine{x.x - o.x, y.x - o.x, o.x, x.y - o.y, y.y - o.y, o.y};
}

PlotZoom visible_part(const AppState& state, int pane, const ProfileReport& line) {
    double t0 = 0, t1 = 1;
    const Extent output = output_extent(state, pane);
    if (shows_signal(state, pane)) {
        clip_signal(state, pane, line, t0, t1);
    } else if (!output.empty()) {
        const Affine affine = current_affine(state, pane);
        const Point a = apply_inverse(affine, line.a), b = apply_inverse(affine, line.b);
        clip(a.x, b.x - a.x, -0.5, output.width - 0.5, t0, t1);
        clip(a.y, b.y - a.y, -0.5, output.height - 0.5, t0, t1);
    }
    const double length = line.end() - line.first;
    if (t1 <= t0) return {line.first, line.end()};
    return {line.first + t0 * length, line.first + t1 * length};
}

namespace {

int nearest_index(double x, int n) { return std::isfinite(x) ? int(std::clamp(std::round(x), 0.0, n - 1.0)) : 0; }

// What the stored samples are read from.
struct Samples {
    const Image& of;
    const PartOfImage* part;  // null: they are in memory

    bool have(int x, int y) const {
        return !part || (x >= part->x && y >= part->y && x - part->x < part->samples.width() &&
                         y - part->y < part->samples.height());
    }
    std::array<float, 4> straight(int x, int y) const {
        const Image& image = part ? part->samples : of;
        std::array<float, 4> value{};
        for (int c = 0; c < image.channels(); ++c)
            value[size_t(c)] = part ? image.value(x - part->x, y - part->y, c) : image.value(x, y, c);
        if (image.alpha() == Alpha::premultiplied) make_straight(value.data(), image.channels());
        return value;
    }
};

// Samples first … last of a row or a column.
void list_straight(ProfileReport& p, const Samples& samples, bool row) {
    const Image& image = samples.of;
    const int n = row ? image.width() : image.height();
    const int first = std::max(0, int(std::ceil(p.from))), last = std::min(n - 1, int(std::floor(p.to)));
    if (last - first >= most_stored) return;
    const int across = int(row ? p.a.y : p.a.x);
    for (int k = first; k <= last; ++k) {
        const int x = row ? k : across, y = row ? across : k;
        if (samples.have(x, y)) p.stored.push_back({double(k), samples.straight(x, y)});
    }
}

// Samples within half a sample of the line: found from column to column of a flat line, from row to row of a steep one.
void list_near_line(ProfileReport& p, const Samples& samples) {
    const Image& image = samples.of;
    const Point from = p.point(p.from), to = p.point(p.to);
    const double length = p.end() - p.first, ux = (p.b.x - p.a.x) / length, uy = (p.b.y - p.a.y) / length;
    const bool flat = std::abs(ux) >= std::abs(uy);
    const double begin = std::min(flat ? from.x : from.y, flat ? to.x : to.y) - 1,
                 end = std::max(flat ? from.x : from.y, flat ? to.x : to.y) + 1;
    const int n = flat ? image.width() : image.height(), m = flat ? image.height() : image.width();
    const int first = int(std::clamp(std::ceil(begin), 0.0, double(n)));
    const int last = int(std::clamp(std::floor(end), -1.0, n - 1.0));
    if (last - first >= most_stored) return;
    for (int k = first; k <= last; ++k) {
        const double middle = flat ? p.a.y + (k - p.a.x) * uy / ux : p.a.x + (k - p.a.y) * ux / uy;
        if (!(std::abs(middle) < 1e9)) continue;
        for (int other = int(std::floor(middle)) - 1; other <= int(std::floor(middle)) + 2; ++other) {
            if (other < 0 || other >= m) continue;
            const int x = flat ? k : other, y = flat ? other : k;
            const double along = (x - p.a.x) * ux + (y - p.a.y) * uy, beside = (y - p.a.y) * ux - (x - p.a.x) * uy;
            const bool near = std::abs(beside) <= 0.5 && along + p.first >= p.from && along + p.first <= p.to;
            if (near && samples.have(x, y)) p.stored.push_back({along + p.first, samples.straight(x, y)});
        }
    }
    std::stable_sort(p.stored.begin(), p.stored.end(),
                     [](const auto& one, const auto& two) { return one.at < two.at; });
}

// Evenly spaced points, and those of the stored samples.
void list_points(ProfileReport& p, int columns) {
    const double wanted = std::max(double(points_per_column) * columns, points_per_sample * (p.to - p.from));
    const int steps = int(std::clamp(wanted, 2.0, double(most_profile_points)));
    for (int k = 0; k <= steps; ++k) p.at.push_back(std::lerp(p.from, p.to, double(k) / steps));
    for (const auto& sample : p.stored) p.at.push_back(sample.at);
    std::sort(p.at.begin(), p.at.end());
    p.at.erase(std::unique(p.at.begin(), p.at.end()), p.at.end());
}

// Decimals needed to distinguish the ends of a short line.
int digits_apart(const Point& a, const Point& b) {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    return length > 0 ? std::clamp(int(std::ceil(-std::log10(length))), 1, 6) : 1;
}

}  // namespace

ProfileReport profile_along(const ProfileLine& line, const Image& image) {
    using Along = ProfileLine::Along;
    ProfileReport p;
    p.has_y = !image.one_dimensional();
    p.has_alpha = image.alpha() != Alpha::none;
    const Along along = p.has_y ? line.along : Along::row;
    const double right = image.width() - 0.5, bottom = image.height() - 0.5;
    if (along == Along::row) {
        const int row = nearest_index(line.a.y, image.height());
        p.a = {-0.5, double(row)};
        p.b = {right, double(row)};
        p.axis = p.has_y ? fmt::format("x (samples), row {}", row) : "x (samples)";
        p.position = "x";
    } else if (along == Along::column) {
        const int column = nearest_index(line.a.x, image.width());
        p.a = {double(column), -0.5};
        p.b = {double(column), bottom};
        p.axis = fmt::format("y (samples), column {}", column);
        p.position = "y";
    } else {
        p.a = line.a;
        p.b = line.b;
        const int digits = digits_apart(p.a, p.b);
        p.axis = fmt::format("samples along ({0:.{4}f}, {1:.{4}f}) – ({2:.{4}f}, {3:.{4}f})", p.a.x, p.a.y, p.b.x,
                             p.b.y, digits);
        p.position = "distance";
    }
    p.first = along == Along::line ? 0 : -0.5;
    if (p.end() - p.first > 1e-9) p.channels = image.channels();
    return p;
}

void place_points(ProfileReport& p, const Image& image, double from, double to, int columns, const PartOfImage* part) {
    p.at.clear();
    p.stored.clear();
    p.curves.clear();
    if (p.channels == 0) return;
    p.from = std::clamp(from, p.first, p.end());
    p.to = std::clamp(to, p.first, p.end());
    if (!(p.to - p.from >= 1e-9)) {
        p.from = p.first;
        p.to = p.end();
    }
    const Samples samples{image, part};
    if (p.position == "distance") list_near_line(p, samples);
    else list_straight(p, samples, p.position == "x");
    list_points(p, columns);
}

void add_curve(ProfileReport& p, int pane, SourceImage& source, const MethodSpec& spec,
               const std::optional<Affine>& to_pane) {
    std::vector<double> pairs;
    for (const double at : p.at) {
        const Point on_line = p.point(at), point = to_pane ? apply(*to_pane, on_line.x, on_line.y) : on_line;
        pairs.push_back(point.x);
        pairs.push_back(point.y);
    }
    const std::vector<float> values =
        source.sample_to_host({.spec = spec}, PointsView::pairs(pairs.data(), p.at.size()));
    add_curve(p, pane, values, source.samples().channels(), source.samples().alpha() != Alpha::none);
}

void add_curve(ProfileReport& p, int pane, std::span<const float> values, int channels, bool has_alpha) {
    ProfileReport::Curve curve{pane, {}};
    curve.values.resize(p.at.size());
    for (size_t k = 0; k < p.at.size(); ++k) {
        std::array<float, 4>& v = curve.values[k];
        std::copy_n(values.begin() + std::ptrdiff_t(k * size_t(channels)), channels, v.begin());
        if (has_alpha) make_straight(v.data(), channels);
    }
    p.curves.push_back(std::move(curve));
}

double profile_value(const std::array<float, 4>& v, int channels, bool has_alpha, int channel) {
    const int colours = channels - (has_alpha ? 1 : 0);
    if (has_alpha && channel < colours && std::abs(v[size_t(colours)]) < least_alpha) return NAN;
    if (channel >= 0) return double(v[size_t(std::min(channel, std::max(channels, 1) - 1))]);
    return colours == 3 ? luma(double(v[0]), double(v[1]), double(v[2])) : double(v[0]);
}

std::string profile_as_csv(const ProfileReport& p, const std::vector<std::string>& specs) {
    const bool line = p.position == "distance";
    const auto append = [&](std::string& text, const std::array<float, 4>& value) {
        for (int c = 0; c < p.channels; ++c) text += fmt::format(",{}", value[size_t(c)]);
    };
    std::string text = p.position + (line ? ",x,y" : "");
    for (int c = 0; c < p.channels; ++c) text += fmt::format(",stored v{}", c);
    for (const ProfileReport::Curve& curve : p.curves) {
        const size_t pane = size_t(curve.pane);
        std::string name = pane_name(curve.pane) + (pane < specs.size() ? " " + specs[pane] : "");
        std::replace(name.begin(), name.end(), ',', ' ');
        for (int c = 0; c < p.channels; ++c) text += fmt::format(",{} v{}", name, c);
    }
    text += '\n';
    auto stored = p.stored.begin();
    for (size_t k = 0; k < p.at.size(); ++k) {
        text += fmt::format("{}", p.at[k]);
        if (line) text += fmt::format(",{},{}", p.point(p.at[k]).x, p.point(p.at[k]).y);
        while (stored != p.stored.end() && stored->at < p.at[k]) ++stored;
        if (stored != p.stored.end() && stored->at == p.at[k]) append(text, stored->value);
        else text.append(size_t(p.channels), ',');
        for (const auto& curve : p.curves) append(text, curve.values[k]);
        text += '\n';
    }
    return text;
}

Plot order_plot(const CurvesReport& report) {
    Plot plot{
        .title = "Largest error on a wave of amplitude 1",
        .x = {.label = "samples per period", .minimum = least_period, .maximum = largest_period, .logarithmic = true},
        .y = {.label = "error", .minimum = 1e-8, .maximum = 3, .logarithmic = true}};
    for (const auto& method : report.methods)
        plot.series.push_back({.name = pane_name(method.pane),
                               .x = method.order.x,
                               .y = method.order.y,
                               .style = pane_style(method.pane),
                               .ink = pane_ink(method.pane)});
    for (int at = int(least_period); at <= largest_period; at *= 2)
        plot.x.ticks.push_back({double(at), fmt::format("{}", at)});
    return plot;
}

void fit_axis(PlotAxis& axis, const std::vector<Series>& series, double least) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Series& one : series)
        for (const double y : one.y)
            if (std::isfinite(y)) {
                low = std::min(low, y);
                high = std::max(high, y);
            }
    if (!(low <= high)) {
        low = 0;
        high = 1;
    }
    const double missing = std::max(least - (high - low), 0.0) / 2, room = 0.06 * std::max(high - low, least);
    axis.minimum = low - missing - room;
    axis.maximum = high + missing + room;
}

std::string value_axis(const ValueScale& scale) {
    return scale.range().empty() ? "value" : "value (" + scale.range() + ")";
}

Plot profile_plot(const ProfileReport& p, int channel, const ValueScale& scale) {
    Plot plot;
    plot.x = {.label = p.axis, .minimum = p.from, .maximum = p.to};
    plot.y.label = value_axis(scale);
    for (const ProfileReport::Curve& curve : p.curves) {
        Series series{
            .name = pane_name(curve.pane), .x = p.at, .style = pane_style(curve.pane), .ink = pane_ink(curve.pane)};
        for (const auto& value : curve.values)
            series.y.push_back(scale.factor() * profile_value(value, p.channels, p.has_alpha, channel));
        plot.series.push_back(std::move(series));
    }
    Series stored{.name = "stored", .style = Series::Style::dots, .ink = Ink::grey};
    for (const auto& sample : p.stored) {
        stored.x.push_back(sample.at);
        stored.y.push_back(scale.factor() * profile_value(sample.value, p.channels, p.has_alpha, channel));
    }
    plot.series.push_back(std::move(stored));
    double size = 1e-6;
    for (const Series& one : plot.series)
        for (const double y : one.y)
            if (std::isfinite(y)) size = std::max(size, std::abs(y));
    fit_axis(plot.y, plot.series, size * 1e-5);  // float32 rounding is not structure
    return plot;
}

}  // namespace texelscope
