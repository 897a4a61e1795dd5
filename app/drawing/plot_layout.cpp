// The positions of everything in a plot.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "app/drawing/plot.h"
#include "app/text/text.h"
#include "gpu/core/errors.h"

namespace texelscope {

// On white: darker than those of pane_rgb.
uint32_t plot_colour::of(Ink ink) {
    constexpr uint32_t colours[] = {0x1f77d0, 0xd9700a, 0x0b8a68, 0xc63d82, 0x7656d6, 0x85680c,
                                    0xb0588f, 0x0a7f96, 0x0a6e0a, 0xa8008f, 0x77774a, 0xc23000,
                                    0x665677, 0x1e8f44, 0x8f5f4f, 0x55554a, 0xaab0b8};
    static_assert(std::size(colours) == size_t(Ink::grey) + 1);
    return colours[size_t(ink)];
}

namespace {

using Anchor = PlotPen::Anchor;
using Lettering = PlotPen::Lettering;

// An estimate for placing the legend: 0.56 of the font size for each code point.
double width_of(std::string_view text) {
    const auto continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    return 0.56 * plot_font_size * double(text.size() - size_t(std::count_if(text.begin(), text.end(), continuation)));
}

void check(const PlotAxis& axis, std::string_view which) {
    const bool finite = std::isfinite(axis.minimum) && std::isfinite(axis.maximum);
    if (!finite || axis.maximum <= axis.minimum || (axis.logarithmic && axis.minimum <= 0))
        throw Error(fmt::format("the {} axis of a plot cannot go from {} to {}{}", which, axis.minimum, axis.maximum,
                                axis.logarithmic ? " logarithmically" : ""));
}

class Drawing {
public:
    Drawing(const Plot& plot, PlotPen& pen)
        : plot_(plot), pen_(pen), right_(plot.width - 14.0), bottom_(plot.height - 42.0) {
        check(plot.x, "x");
        check(plot.y, "y");
        const int legend_rows = lay_out_legend([](const Series&, double, int) {});
        top_ = 32.0 + 16 * legend_rows;
        constexpr double beside_label = 27;  // of the axis, which stands upright at the edge
        for (const Tick& tick : ticks_of(plot_.y, 6)) left_ = std::max(left_, beside_label + width_of(tick.label));
    }

    void draw() {
        pen_.begin(plot_, {left_, top_, right_, bottom_});
        pen_.text(14, 21, plot_.title, Anchor::start, Lettering::title);
        grid();
        guides();
        for (const Series& series : plot_.series) draw(series);
        names();
        frame();
        legend();
    }

private:
    static double place(const PlotAxis& axis, double value) {
        if (!axis.logarithmic) return (value - axis.minimum) / (axis.maximum - axis.minimum);
        return std::log(value / axis.minimum) / std::log(axis.maximum / axis.minimum);
    }
    // Points far outside move nearer but stay outside, so that renderers need not deal with large numbers.
    static double kept_near(double place) { return std::isnan(place) ? place : std::clamp(place, -0.5, 1.5); }
    double column(double x) const { return left_ + kept_near(place(plot_.x, x)) * (right_ - left_); }
    double row(double y) const {
        if (plot_.y.logarithmic && y <= 0) y = plot_.y.minimum * 1e-30;
        return bottom_ - kept_near(place(plot_.y, y)) * (bottom_ - top_);
    }

    void text(double x, double y, std::string_view words, Anchor anchor = Anchor::start) {
        pen_.text(x, y, words, anchor, Lettering::plain);
    }
    void line(double x1, double y1, double x2, double y2, uint32_t colour, bool dotted = false) {
        pen_.line({x1, y1}, {x2, y2}, colour, dotted);
    }

    void grid() {
        constexpr double between = 5;
        double free_from = -between;  // labels keep clear of one another
        for (const Tick& tick : ticks_of(plot_.x, 7)) {
            const double x = column(tick.at), half = width_of(tick.label) / 2;
            line(x, top_, x, bottom_, plot_colour::grid);
            if (x - half < free_from + between) continue;
            text(x, bottom_ + 15, tick.label, Anchor::middle);
            free_from = x + half;
        }
        for (const Tick& tick : ticks_of(plot_.y, 6)) {
            line(left_, row(tick.at), right_, row(tick.at), plot_colour::grid);
            text(left_ - 7, row(tick.at) + 4, tick.label, Anchor::end);
        }
        text((left_ + right_) / 2, plot_.height - 11, plot_.x.label, Anchor::middle);
        pen_.text(16, (top_ + bottom_) / 2, plot_.y.label, Anchor::middle, Lettering::upwards);
    }
    static std::vector<Tick> ticks_of(const PlotAxis& axis, int wanted) {
        return axis.ticks.empty() ? round_ticks(axis, wanted) : axis.ticks;
    }

    void guides() {
        for (const Guide& guide : plot_.guides) {
            if (guide.of == Guide::Across::x) {
                const double x = column(guide.at);
                line(x, top_, x, bottom_, plot_colour::axis, true);
                text(x + 5, top_ + 12, guide.label);
            } else {
                const double y = row(guide.at);
                line(left_, y, right_, y, plot_colour::axis, true);
                text(right_ - 5, y - 5, guide.label, Anchor::end);
            }
        }
    }

    void draw(const Series& series) {
        if (series.x.size() != series.y.size())
            throw Error(fmt::format("the series '{}' of a plot has {} x and {} y", series.name, series.x.size(),
                                    series.y.size()));
        std::vector<std::vector<Point>> stretches(1);
        for (size_t i = 0; i < series.x.size(); ++i) {
            const Point at{column(series.x[i]), row(series.y[i])};
            if (!std::isnan(at.x) && !std::isnan(at.y)) stretches.back().push_back(at);
            else if (!stretches.back().empty()) stretches.emplace_back();
        }
        if (stretches.back().empty()) stretches.pop_back();
        pen_.series(series, stretches);
    }

    void names() {
        const LabelSurface surface{.place =
                                       [this](double x, double y) {
                                           return Point{column(x), row(y)};
                                       },
                                   .width = width_of,
                                   .low = {left_, top_},
                                   .high = {right_, bottom_},
                                   .height = 1.15 * plot_font_size,
                                   .gap = 2 * plot_dot_radius};
        for (const PlacedName& name : placed_names(plot_, surface)) {
            if (const auto& way = name.to_point)
                line(way->first.x, way->first.y, way->second.x, way->second.y, plot_colour::axis);
            text(name.at.x, name.at.y + 0.85 * plot_font_size, name.name);
        }
    }

    void frame() {
        line(left_, bottom_, right_, bottom_, plot_colour::axis);
        line(left_, top_, left_, bottom_, plot_colour::axis);
    }

    // Entries are in rows under the title; visit(entry, x, row) gets their positions. Returns the number of rows.
    template <class Visit> int lay_out_legend(Visit visit) const {
        int rows = 0;
        double x = 14;
        for (const Series& series : plot_.series) {
            if (series.name.empty()) continue;
            const double width = 28 + width_of(series.name) + 14;
            if (rows == 0 || x + width > plot_.width - 4) {
                ++rows;
                x = 14;
            }
            visit(series, x, rows - 1);
            x += width;
        }
        return rows;
    }

    void legend() {
        lay_out_legend([this](const Series& series, double x, int row_number) {
            const double y = 36 + 16 * row_number;
            pen_.swatch(series, x, y);
            text(x + 26, y + 4, series.name);
        });
    }

    const Plot& plot_;
    PlotPen& pen_;
    double left_ = 52, right_, top_ = 0, bottom_;  // of the plot's inside, pixels
};

}  // namespace

void draw_plot(const Plot& plot, PlotPen& pen) { Drawing(plot, pen).draw(); }

namespace {

constexpr double slack = 1e-9;  // of the distance between two ticks: the ends of the axis have theirs

std::string power_of_ten(int exponent) {
    static constexpr const char* raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "10⁻" : "10";
    for (const char digit : std::to_string(std::abs(exponent))) text += raised[digit - '0'];
    return text;
}

std::vector<Tick> linear_ticks(const PlotAxis& axis, int wanted) {
    const double rough = (axis.maximum - axis.minimum) / std::max(wanted, 1);
    const int exponent = int(std::floor(std::log10(rough)));
    const double power = std::pow(10.0, exponent), mantissa = rough / power;
    const double factor = mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10;
    const double step = factor * power;
    const int decimals = std::max(0, -(factor == 10 ? exponent + 1 : exponent));
    const double largest = std::max(std::abs(axis.minimum), std::abs(axis.maximum));
    const bool plain = largest < 1e7 && decimals <= 7;
    const auto label = [&](double k) -> std::string {
        if (k == 0) return "0";
        return with_minus(plain ? fmt::format("{:.{}f}", k * step, decimals) : fmt::format("{:.6g}", k * step));
    };
    std::vector<Tick> ticks;
    for (double k = std::ceil(axis.minimum / step - slack); k * step <= axis.maximum + slack * step; ++k)
        ticks.push_back({k * step, label(k)});
    return ticks;
}

std::vector<Tick> logarithmic_ticks(const PlotAxis& axis, int wanted) {
    const double low = std::log10(axis.minimum), high = std::log10(axis.maximum);
    const int first = int(std::ceil(low - slack)), last = int(std::floor(high + slack));
    const int every = std::max(1, (last - first + wanted - 1) / std::max(wanted, 1));
    std::vector<Tick> ticks;
    const bool between = high - low < 2.5;
    for (int exponent = first - 1; exponent <= last; ++exponent)
        for (const int factor : {1, 2, 5}) {
            const double at = factor * std::pow(10.0, exponent);
            if (at < axis.minimum * (1 - slack) || at > axis.maximum * (1 + slack)) continue;
            if (between) ticks.push_back({at, fmt::format("{:g}", at)});
            else if (factor == 1 && (exponent - first) % every == 0) ticks.push_back({at, power_of_ten(exponent)});
        }
    // A narrow axis, such as 11 to 19, has its round values between the powers.
    return ticks.size() < 3 && between ? linear_ticks(axis, wanted) : ticks;
}

}  // namespace

std::vector<Tick> round_ticks(const PlotAxis& axis, int wanted) {
    return axis.logarithmic ? logarithmic_ticks(axis, wanted) : linear_ticks(axis, wanted);
}

namespace {

struct Place {
    Point low, high;

    bool meets(const Place& other) const {
        return low.x < other.high.x && other.low.x < high.x && low.y < other.high.y && other.low.y < high.y;
    }
    bool within(Point a, Point b) const { return low.x >= a.x && low.y >= a.y && high.x <= b.x && high.y <= b.y; }
    Point nearest_to(Point p) const { return {std::clamp(p.x, low.x, high.x), std::clamp(p.y, low.y, high.y)}; }
    double distance_to(Point p) const {
        return std::hypot(std::max({low.x - p.x, p.x - high.x, 0.0}), std::max({low.y - p.y, p.y - high.y, 0.0}));
    }
    bool crossed_by(Point a, Point b) const {
        double from = 0, to = 1;  // of the way from a to b, what is inside
        for (const auto& [start, step, least, most] :
             {std::array{a.x, b.x - a.x, low.x, high.x}, std::array{a.y, b.y - a.y, low.y, high.y}}) {
            if (step == 0 && (start < least || start > most)) return false;
            if (step == 0) continue;
            const double s = (least - start) / step, t = (most - start) / step;
            from = std::max(from, std::min(s, t));
            to = std::min(to, std::max(s, t));
        }
        return from < to;
    }
};

// The best first: left above a point of the front of quality against cost there is no other point. Then those a line
// farther above or below.
std::vector<Place> candidates(Point at, double width, const LabelSurface& surface) {
    const double h = surface.height, gap = surface.gap;
    const double left = at.x - gap - width, right = at.x + gap,
                 middle = std::clamp(at.x - width / 2, surface.low.x, std::max(surface.low.x, surface.high.x - width));
    const double above = at.y - gap - h, beside = at.y - h / 2, below = at.y + gap;
    std::vector<Place> places;
    for (const Point low : {Point{left, above}, Point{middle, above}, Point{left, beside}, Point{right, below},
                            Point{right, beside}, Point{middle, below}, Point{right, above}, Point{left, below},
                            Point{middle, above - h}, Point{left, above - h}, Point{right, above - h},
                            Point{middle, below + h}, Point{right, below + h}, Point{left, below + h}})
        places.push_back({low, {low.x + width, low.y + h}});
    return places;
}

// All over the surface, those nearest to a point first.
std::vector<Place> places_anywhere(Point at, double width, const LabelSurface& surface) {
    std::vector<Place> places;
    const double step = surface.height / 2;
    for (double y = surface.low.y; y + surface.height <= surface.high.y; y += step)
        for (double x = surface.low.x; x + width <= surface.high.x; x += step)
            places.push_back({{x, y}, {x + width, y + surface.height}});
    std::ranges::stable_sort(places, {}, [&](const Place& place) { return place.distance_to(at); });
    return places;
}

std::vector<Point> dots_of(const Plot& plot, const LabelSurface& surface) {
    std::vector<Point> dots;
    for (const Series& series : plot.series)
        for (size_t k = 0; series.style == Series::Style::dots && k < series.x.size(); ++k)
            dots.push_back(surface.place(series.x[k], series.y[k]));
    return dots;
}

using Line = std::pair<Point, Point>;

std::vector<Line> lines_of(const Plot& plot, const LabelSurface& surface) {
    std::vector<Line> lines;
    for (const Series& series : plot.series) {
        if (series.style != Series::Style::line && series.style != Series::Style::dashed) continue;
        for (size_t k = 0; k + 1 < series.x.size(); ++k)
            lines.push_back({surface.place(series.x[k], series.y[k]), surface.place(series.x[k + 1], series.y[k + 1])});
    }
    return lines;
}

struct NamedPoint {
    const PointWords* words;
    Point at;
};

// Points that are always named, then the highest first: of what is measured by how high it is, the best must not be the one
// without a name.
std::vector<NamedPoint> points_with_names(const Plot& plot, const LabelSurface& surface) {
    std::vector<NamedPoint> points;
    for (const Series& series : plot.series)
        for (size_t k = 0; k < std::min(series.x.size(), series.words.size()); ++k) {
            if (!series.labelled && !series.words[k].always_named) continue;
            const Point at = surface.place(series.x[k], series.y[k]);
            if (Place{at, at}.within(surface.low, surface.high)) points.push_back({&series.words[k], at});
        }
    std::stable_sort(points.begin(), points.end(), [](const NamedPoint& a, const NamedPoint& b) {
        if (a.words->always_named != b.words->always_named) return a.words->always_named;
        return a.at.y < b.at.y;
    });
    return points;
}

}  // namespace

std::vector<PlacedName> placed_names(const Plot& plot, const LabelSurface& surface) {
    std::vector<PlacedName> names;
    const std::vector<Point> dots = dots_of(plot, surface);
    std::vector<Place> taken;
    const double radius = surface.gap / 2;
    for (const Point at : dots) taken.push_back({{at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}});
    std::vector<Line> lines = lines_of(plot, surface);
    const auto free = [&](const Place& place) {
        return place.within(surface.low, surface.high) &&
               std::none_of(taken.begin(), taken.end(), [&](const Place& t) { return t.meets(place); }) &&
               std::none_of(lines.begin(), lines.end(),
                            [&](const Line& line) { return place.crossed_by(line.first, line.second); });
    };
    const std::vector<NamedPoint> points = points_with_names(plot, surface);
    for (const auto& [words, point] : points) {
        const Point at = point;
        const std::vector<Place> places = candidates(at, surface.width(words->name), surface);
        // Plainly nearest to its own point, if there is such a place; else with a line to it, which crosses nothing, in one that
        // leaves other points the nearest line of text, also those without names. Only the first name, and those that are always
        // there, stand wherever there is space; the latter even with a line across other points.
        const auto others_are_farther = [&](const Place& place, double least) {
            return std::all_of(dots.begin(), dots.end(), [&](Point other) {
                return (other.x == at.x && other.y == at.y) || place.distance_to(other) >= least;
            });
        };
        const auto is_its_own = [&](const Place& place) {
            return free(place) && others_are_farther(place, place.distance_to(at) + surface.height / 2);
        };
        const auto leads = [&](const Place& place) {
            const Point from = place.nearest_to(at);
            return free(place) && std::ranges::none_of(taken, [&](const Place& t) {
                       return t.distance_to(at) > 0 && t.crossed_by(from, at);
                   });
        };
        const auto leaves_room = [&](const Place& place) {
            return leads(place) && others_are_farther(place, surface.height);
        };
        std::optional<Place> found;
        const auto find = [&](const std::vector<Place>& among, auto suits) {
            const auto first = std::ranges::find_if(among, suits);
            if (first != among.end()) found = *first;
        };
        find(places, is_its_own);
        const bool plain = found.has_value();
        if (!found) find(places, leaves_room);
        if (!found && (names.empty() || words->always_named)) find(places, leads);
        if (!found && (names.empty() || words->always_named))
            find(places_anywhere(at, surface.width(words->name), surface), leads);
        if (!found && words->always_named) find(places_anywhere(at, surface.width(words->name), surface), free);
        if (!found) continue;
        PlacedName& name = names.emplace_back(PlacedName{words->name, found->low});
        if (!plain) name.to_point = lines.emplace_back(found->nearest_to(at), at);
        taken.push_back(*found);
    }
    return names;
}

}  // namespace texelscope
