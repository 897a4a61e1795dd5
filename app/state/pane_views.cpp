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

Affine shown_affine(const AppState& state, std::optional<int> pane) {
    const auto image = image_of(state, pane.value_or(focused_pane(state)));
    const Extent output = output_extent(state, pane);
    if (!image) return sampling_affine(pane_view(state, pane), 0, 0, output.width, output.height);
    return sampling_affine(about_samples(pane_view(state, pane), *image), image->width(), image->height(), output.width,
                           output.height);
}

Affine current_affine(const AppState& state, std::optional<int> pane) {
    const int index = pane.value_or(focused_pane(state));
    const auto& own = state.scene.panes[size_t(index)].own_view;
    const Document* document = state.scene.document();
    const auto image = image_of(state, index);
    if (!document || !document->image || !image) return shown_affine(state, index);
    const Extent output = output_extent(state, index);
    const Image& current = *document->image;
    const View ratio{0, 0, double(frame_size(*image).width) / frame_size(current).width, 0};
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
