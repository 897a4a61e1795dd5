#include "app/picture/inspect/visible_part.h"

#include <algorithm>
#include <utility>

#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"

namespace texelscope {
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

}  // namespace texelscope
