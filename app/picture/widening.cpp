#include "app/picture/widening.h"

#include <algorithm>
#include <cmath>

#include "app/picture/pane_picture.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"

namespace texelscope {

ReadPlan shown_reading(const AppState& state, std::optional<int> pane) {
    const int index = pane.value_or(focused_pane(state));
    const auto image = image_of(state, index);
    if (!image || image->empty()) return {};
    return plan_reading(pane_request(state, index), {image->width(), image->height(), image->one_dimensional()});
}

bool any_widened(const AppState& state) {
    const std::vector<int> panes = panes_in_view(state);
    return std::any_of(panes.begin(), panes.end(), [&](int pane) { return shown_reading(state, pane).widened(); });
}

double widened_taps(const MethodInfo& method, const ReadPlan& reading, bool signal) {
    if (is_polar(method) && !signal) return samples_of_plane(method) * reading.stretch_x * reading.stretch_y;
    const double along_x = method.taps * reading.stretch_x, along_y = signal ? 1 : method.taps * reading.stretch_y;
    return along_x * along_y;
}

int fetches(const MethodInfo& method, FetchPath path, bool signal) {
    if (kernel_of(method)) return 0;  // nobody knows
    if (is_polar(method)) return signal ? method.taps : int(std::lround(samples_of_plane(method)));
    const int along_axis = path == FetchPath::hardware ? method.hardware_fetches : method.taps;
    return signal ? along_axis : along_axis * along_axis;
}

}  // namespace texelscope
