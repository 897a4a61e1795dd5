#include "app/state/pane_views.h"

#include "app/state/framed_view.h"
#include "app/state/pane_images.h"
#include "app/state/pane_places.h"

namespace texelscope {

View shown_view(const AppState& state) {
    const Document* document = state.scene.document();
    if (!document) return {};
    if (!state.transition) return document->view;
    const double t = (state.now - state.transition->start) / transition_seconds;
    return between(state.transition->from, document->view, ease_out(t));
}

View view_offset(const AppState& state, int pane) {
    View offset = state.scene.panes[size_t(pane)].offset;
    const Document* current = state.scene.document();
    const auto image = image_of(state, pane);
    if (current && current->image && image)
        offset.scale *= double(frame_size(*image).width) / frame_size(*current->image).width;
    return offset;
}

View pane_view(const AppState& state, std::optional<int> pane) {
    const int index = pane.value_or(focused_pane(state));
    const Pane& which = state.scene.panes[size_t(index)];
    return which.own_view ? *which.own_view : with_offset(shown_view(state), view_offset(state, index));
}

View target_view(const AppState& state, int pane) {
    const std::optional<View>& own = state.scene.panes[size_t(pane)].own_view;
    return own ? *own : with_offset(state.scene.document()->view, view_offset(state, pane));
}

namespace {

Affine affine_at(const AppState& state, int pane, const PanePlace& place) {
    const View view = pane_view(state, pane);
    const Extent image = place.samples(), output = place.output();
    return sampling_affine(place.image ? about_samples(view, *place.image) : view, image.width, image.height,
                           output.width, output.height);
}

}  // namespace

Affine shown_affine(const AppState& state, std::optional<int> pane) {
    const int index = pane.value_or(focused_pane(state));
    return affine_at(state, index, place_of(state, index));
}

Affine current_affine(const AppState& state, std::optional<int> pane) {
    const int index = pane.value_or(focused_pane(state));
    const auto& own = state.scene.panes[size_t(index)].own_view;
    const Document* document = state.scene.document();
    const PanePlace place = place_of(state, index);
    if (!document || !document->image || !place.image) return affine_at(state, index, place);
    const Extent output = place.output();
    const Image& current = *document->image;
    const View ratio{0, 0, double(place.frame().width) / frame_size(current).width, 0};
    const View view = own ? without_offset(*own, ratio) : shown_view(state);
    return sampling_affine(about_samples(view, current), current.width(), current.height(), output.width,
                           output.height);
}

Affine read_affine(const AppState& state, std::optional<int> pane) {
    Affine affine = shown_affine(state, pane);
    if (shows_signal(state, pane)) affine.yx = affine.yy = affine.y0 = 0;
    return affine;
}

Warp acting_warp(const AppState& state, std::optional<int> pane) {
    return shows_signal(state, pane) ? Warp{} : state.scene.warp;
}

Point shown_point(const AppState& state, double i, double j, std::optional<int> pane) {
    const Extent image = image_extent(state, pane);
    return warped(acting_warp(state, pane), apply(read_affine(state, pane), i, j), image.width, image.height);
}

}  // namespace texelscope
