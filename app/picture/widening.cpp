#include "app/picture/widening.h"

#include <algorithm>
#include <cmath>

#include "gpu/method/widened.h"

namespace texelscope {
namespace {

// As in the engine: halved until the remaining stretch is below max_stretch.
int halvings(double& stretch, int n) {
    const double whole = stretch;
    int level = 0;
    for (int rest = n; whole * rest / n >= max_stretch && rest > 1; ++level) {
        rest = (rest + 1) / 2;
        stretch = std::max(1.0, whole * rest / n);
    }
    return level;
}

bool widens(const AppState& state, std::optional<int> pane) {
    const Affine a = read_affine(state, pane);
    return std::max(std::hypot(a.xx, a.xy), std::hypot(a.yx, a.yy)) > 1;
}

}  // namespace

Widening shown_widening(const AppState& state, std::optional<int> pane) {
    Widening widening;
    const Extent image = image_extent(state, pane);
    if (!antialiases(state, pane) || state.draft.active || image.empty()) return widening;
    widening.local = acting_warp(state, pane).kind != Warp::Kind::none;
    widening.active = widening.local || widens(state, pane);
    if (!widening.active || widening.local) return widening;
    const Affine a = read_affine(state, pane);
    widening.x = std::max(1.0, std::hypot(a.xx, a.xy));
    widening.y = std::max(1.0, std::hypot(a.yx, a.yy));
    widening.halved_x = halvings(widening.x, image.width);
    if (!shows_signal(state, pane)) widening.halved_y = halvings(widening.y, image.height);
    return widening;
}

bool any_widened(const AppState& state) {
    const std::vector<int> panes = panes_in_view(state);
    return std::any_of(panes.begin(), panes.end(), [&](int pane) { return shown_widening(state, pane).active; });
}

double widened_taps(const MethodInfo& method, const Widening& widening, bool signal) {
    const double along_x = method.taps * widening.x, along_y = signal ? 1 : method.taps * widening.y;
    return along_x * along_y;
}

int fetches(const MethodInfo& method, FetchPath path, bool signal) {
    const int along_axis = path == FetchPath::hardware ? method.hardware_fetches : method.taps;
    return signal ? along_axis : along_axis * along_axis;
}

}  // namespace texelscope
