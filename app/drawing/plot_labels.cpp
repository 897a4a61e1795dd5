#include "app/drawing/plot_labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace texelscope {
namespace {

struct Place {
    Point low, high;

    bool meets(const Place& other) const {
        return low.x < other.high.x && other.low.x < high.x && low.y < other.high.y && other.low.y < high.y;
    }
    bool within(Point a, Point b) const { return low.x >= a.x && low.y >= a.y && high.x <= b.x && high.y <= b.y; }
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

struct Named {
    const PointWords* words;
    Point at;
};

// The highest first: of what is measured by how high it is, the best must not be the one without a name.
std::vector<Named> points_with_names(const Plot& plot, const LabelSurface& surface) {
    std::vector<Named> points;
    for (const Series& series : plot.series)
        for (size_t k = 0; series.labelled && k < std::min(series.x.size(), series.words.size()); ++k) {
            const Point at = surface.place(series.x[k], series.y[k]);
            if (Place{at, at}.within(surface.low, surface.high)) points.push_back({&series.words[k], at});
        }
    std::stable_sort(points.begin(), points.end(), [](const Named& a, const Named& b) { return a.at.y < b.at.y; });
    return points;
}

}  // namespace

std::vector<PlacedName> placed_names(const Plot& plot, const LabelSurface& surface) {
    std::vector<PlacedName> names;
    const std::vector<Point> dots = dots_of(plot, surface);
    std::vector<Place> taken;
    const double radius = surface.gap / 2;
    for (const Point at : dots) taken.push_back({{at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}});
    const std::vector<Line> lines = lines_of(plot, surface);
    const auto free = [&](const Place& place) {
        return place.within(surface.low, surface.high) &&
               std::none_of(taken.begin(), taken.end(), [&](const Place& t) { return t.meets(place); }) &&
               std::none_of(lines.begin(), lines.end(),
                            [&](const Line& line) { return place.crossed_by(line.first, line.second); });
    };
    const std::vector<Named> points = points_with_names(plot, surface);
    for (const auto& [words, point] : points) {
        const Point at = point;
        const std::vector<Place> places = candidates(at, surface.width(words->name), surface);
        // Plainly nearest to its own point, if there is such a place; else one that leaves other points the nearest line,
        // also those without names. Only the first name stands wherever there is space.
        const auto others_are_farther = [&](const Place& place, double least) {
            return std::all_of(dots.begin(), dots.end(), [&](Point other) {
                return (other.x == at.x && other.y == at.y) || place.distance_to(other) >= least;
            });
        };
        const auto is_its_own = [&](const Place& place) {
            return free(place) && others_are_farther(place, place.distance_to(at) + surface.height / 2);
        };
        const auto leaves_room = [&](const Place& place) {
            return free(place) && others_are_farther(place, surface.height);
        };
        auto found = std::find_if(places.begin(), places.end(), is_its_own);
        if (found == places.end()) found = std::find_if(places.begin(), places.end(), leaves_room);
        if (found == places.end() && names.empty()) found = std::find_if(places.begin(), places.end(), free);
        if (found == places.end()) continue;
        names.push_back({words->name, found->low});
        taken.push_back(*found);
    }
    return names;
}

}  // namespace texelscope
