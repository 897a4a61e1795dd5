#include "app/state/report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/state/inspect_report.h"
#include "gpu/core/quantile.h"

namespace texelscope {

Latency latency_of(const FrameHistory& history) {
    Latency latency;
    std::vector<double> all;
    for (int i = 0; i < history.count; ++i)
        if (const double ms = history.at(i).latency; ms > 0) all.push_back(ms);
    if (all.empty()) return latency;
    latency.last = all.back();
    latency.frames = int(all.size());
    std::sort(all.begin(), all.end());
    latency.median = quantile(all, 0.5);
    return latency;
}

std::string latency_words(const Latency& latency) {
    const char* meaning =
        "from the arrival of the oldest mouse or key event that a picture answers, until the picture was "
        "handed to the display";
    if (latency.frames == 0) return fmt::format("Latency, {}: none measured yet.", meaning);
    return fmt::format("Latency, {}:\n{:.2f} ms; median {:.2f} ms of the last {}.", meaning, latency.last,
                       latency.median, latency.frames);
}

std::string count_words(const PaneCost& cost) {
    if (cost.fetches <= 0) return cost.taps ? "taps vary" : "fetches vary";
    const char* unit = cost.taps ? "tap" : "fetch";
    const char* plural = cost.fetches == 1 ? "" : cost.taps ? "s" : "es";
    return fmt::format("{}{:.0f} {}{}", cost.widened ? "~" : "", cost.fetches, unit, plural);
}

const char* count_meaning(const PaneCost& cost) {
    if (cost.widened) return "Average number of taps of the widened weight function per pixel, all axes together.";
    if (cost.taps)
        return "Taps per pixel, all axes together. Neighbouring pixels share taps, so that fewer are "
               "fetched.";
    return "Fetches per pixel of the result, all axes together.";
}

std::string mean_words(const PaneCost& cost) {
    return fmt::format(
        "It is the weighted mean of {} samples, those around this pixel: the view is zoomed out, and antialiasing is on "
        "(View ▸ Antialias, M).",
        cost.fetches > 0 ? fmt::format("about {:.0f}", cost.fetches) : "many");
}

double ProfileReport::end() const { return first + std::hypot(b.x - a.x, b.y - a.y); }

Point ProfileReport::point(double where) const {
    const double length = end() - first, t = length > 0 ? (where - first) / length : 0;
    // Along a row or a column to the last bit: `where` is the coordinate itself.
    if (a.y == b.y && a.x == first) return {where, a.y};
    if (a.x == b.x && a.y == first) return {a.x, where};
    return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

}  // namespace texelscope
