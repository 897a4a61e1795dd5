#include "app/viewer/editing/closer_look.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/picture/place_of_difference.h"
#include "app/state/messages.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"
#include "app/viewer/editing/view_edits.h"

namespace texelscope {
namespace {

// The samples of a pane's image that are in view, without any warp.
SampleRegion samples_in_view(const AppState& state, int pane, const Image& image) {
    const Extent output = output_extent(state, pane);
    const Affine positions = shown_affine(state, pane);
    double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (const double i : {0.0, output.width - 1.0})
        for (const double j : {0.0, output.height - 1.0}) {
            const Point p = apply(positions, i, j);
            x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
            y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
        }
    const auto whole = [](double at, int count) { return int(std::clamp(std::round(at), 0.0, count - 1.0)); };
    const int left = whole(x0, image.width()), top = whole(y0, image.height());
    return {left, top, whole(x1, image.width()) - left + 1, whole(y1, image.height()) - top + 1};
}

// So that nothing beyond the edges is shown, if there are samples enough.
double within_edges(double at, int count, double shown) {
    const double low = shown / 2 - 0.5, high = count - 0.5 - shown / 2;
    return low < high ? std::clamp(at, low, high) : (count - 1) / 2.0;
}

bool once(std::vector<std::string>& known, const std::string& source) {
    if (std::find(known.begin(), known.end(), source) != known.end()) return false;
    known.push_back(source);
    return true;
}

}  // namespace

bool looks_alike(const AppState& state) {
    const int pane = state.scene.active;
    const auto image = state.scene.panes.empty() ? nullptr : image_of(state.scene, pane);
    return image && !image->one_dimensional() && !output_extent(state, pane).empty() &&
           target_view(state.scene, pane).zoom() < least_telling_zoom;
}

void zoom_to_difference(AppState& state) {
    const int pane = state.scene.active;
    const auto image = image_of(state.scene, pane);
    const Extent output = output_extent(state, pane);
    if (!image || output.empty()) return;
    // A fitted picture is about to be fitted to its pane, which may have changed.
    const Document* document = state.scene.document();
    const bool whole = document && document->keep_fit && !state.scene.pane().own_view;
    const SampleRegion seen =
        whole ? SampleRegion{0, 0, image->width(), image->height()} : samples_in_view(state, pane, *image);
    const Point middle{double(seen.x) + (seen.width - 1) / 2.0, double(seen.y) + (seen.height - 1) / 2.0};
    const Point place = place_of_difference(*image, seen).value_or(middle);
    View view = target_view(state.scene, pane);
    view.scale = 1 / closer_zoom;
    const View samples = about_samples({}, *image);
    const auto translation = [&](double at, int count, int pixels) {
        return within_edges(at, count, pixels / closer_zoom) - (count - 1) / 2.0;
    };
    view.translate_x = translation(place.x, image->width(), output.width) - samples.translate_x;
    view.translate_y = translation(place.y, image->height(), output.height) - samples.translate_y;
    set_view(state, view);
}

void look_closer(AppState& state, bool by_itself) {
    const Document* document = state.scene.document();
    if (!document || !document->is_file() || state.lesson.lesson || !looks_alike(state)) return;
    const std::string source = document->source, title = document->title();
    const bool as_opened = document->keep_fit && !document->region && !state.scene.pane().own_view;
    if (by_itself && as_opened && document->image && document->image->in_memory() &&
        once(state.looked_closer, source)) {
        zoom_to_difference(state);
        return post(state.messages, Message::Level::info,
                    "Shown at 400 % where methods differ most; F fits the picture to the window, Ctrl+Z goes back");
    }
    post_offer(state, fmt::format("{}: at this size, methods are hard to tell apart", title), "Zoom to 400 %",
               [](AppState& then) { zoom_to_difference(then); });
}

}  // namespace texelscope
