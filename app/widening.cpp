#include "app/widening.h"

#include <algorithm>
#include <cmath>

#include "gpu/method/widened.h"

namespace texelscope {
namespace {

// As the engine does it: halved until the rest of the stretch is below max_stretch.
int halvings(double& stretch, int n) {
    const double whole = stretch;
    int level = 0;
    for (int rest = n; whole * rest / n >= max_stretch && rest > 1; ++level) {
        rest = (rest + 1) / 2;
        stretch = std::max(1.0, whole * rest / n);
    }
    return level;
}

bool widens(const AppState& state) {
    const Affine a = read_affine(state);
    return std::max(std::hypot(a.xx, a.xy), std::hypot(a.yx, a.yy)) > 1;
}

}  // namespace

Widening shown_widening(const AppState& state) {
    Widening widening;
    const Extent image = image_extent(state);
    if (!state.scene.antialias || state.draft.active || image.empty()) return widening;
    widening.local = acting_warp(state).kind != Warp::Kind::none;
    widening.active = widening.local || widens(state);
    if (!widening.active || widening.local) return widening;
    const Affine a = read_affine(state);
    widening.x = std::max(1.0, std::hypot(a.xx, a.xy));
    widening.y = std::max(1.0, std::hypot(a.yx, a.yy));
    widening.halved_x = halvings(widening.x, image.width);
    if (!shows_signal(state)) widening.halved_y = halvings(widening.y, image.height);
    return widening;
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
