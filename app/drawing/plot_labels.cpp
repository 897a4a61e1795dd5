#include "app/drawing/plot_labels.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace texelscope {
namespace {

struct Place {
    Point low, high;

    bool meets(const Place& other) const {
        return low.x < other.high.x && other.low.x < high.x && low.y < other.high.y && other.low.y < high.y;
    }
    bool within(Point a, Point b) const { return low.x >= a.x && low.y >= a.y && high.x <= b.x && high.y <= b.y; }
};

// The best first: left above a point of the front of quality against cost there is no other point.
std::vector<Place> candidates(Point at, double width, const LabelSurface& surface) {
    const double h = surface.height, gap = surface.gap;
    const double left = at.x - gap - width, middle = at.x - width / 2, right = at.x + gap;
    const double above = at.y - gap - h, beside = at.y - h / 2, below = at.y + gap;
    std::vector<Place> places;
    for (const Point low : {Point{left, above}, Point{middle, above}, Point{left, beside}, Point{right, below},
                            Point{right, beside}, Point{middle, below}, Point{right, above}, Point{left, below}})
        places.push_back({low, {low.x + width, low.y + h}});
    return places;
}

std::vector<Place> points_of(const Plot& plot, const LabelSurface& surface) {
    std::vector<Place> points;
    const double radius = surface.gap / 2;
    for (const Series& series : plot.series)
        for (size_t k = 0; series.style == Series::Style::dots && k < series.x.size(); ++k) {
            const Point at = surface.place(series.x[k], series.y[k]);
            points.push_back({{at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}});
        }
    return points;
}

}  // namespace

std::vector<PlacedName> placed_names(const Plot& plot, const LabelSurface& surface) {
    std::vector<PlacedName> names;
    std::vector<Place> taken = points_of(plot, surface);
    for (const Series& series : plot.series)
        for (size_t k = 0; series.labelled && k < std::min(series.x.size(), series.words.size()); ++k) {
            const Point at = surface.place(series.x[k], series.y[k]);
            if (!Place{at, at}.within(surface.low, surface.high)) continue;
            const auto free = [&](const Place& place) {
                return place.within(surface.low, surface.high) &&
                       std::none_of(taken.begin(), taken.end(), [&](const Place& t) { return t.meets(place); });
            };
            const std::vector<Place> places = candidates(at, surface.width(series.words[k].name), surface);
            const auto found = std::find_if(places.begin(), places.end(), free);
            if (found == places.end()) continue;
            names.push_back({series.words[k].name, found->low});
            taken.push_back(*found);
        }
    return names;
}

}  // namespace texelscope
