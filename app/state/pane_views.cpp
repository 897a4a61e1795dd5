#include "app/state/pane_views.h"

#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/view_math.h"

namespace texelscope {

View shown_view(const AppState& state) {
    const Document* document = state.scene.document();
    if (!document) return {};
    if (!state.transition) return document->view;
    const double t = (state.now - state.transition->start) / transition_seconds;
    return between(state.transition->from, document->view, ease_out(t));
}

View view_offset(const Scene& scene, int pane) {
    View offset = scene.panes[size_t(pane)].offset;
    const Document* current = scene.document();
    const auto image = image_of(scene, pane);
    if (current && current->image && image)
        offset.scale *= double(frame_size(*image).width) / frame_size(*current->image).width;
    return offset;
}

View pane_view(const AppState& state, std::optional<int> pane) {
    const int index = pane.value_or(focused_pane(state));
    const Pane& which = state.scene.panes[size_t(index)];
    return which.own_view ? *which.own_view : with_offset(shown_view(state), view_offset(state.scene, index));
}

View target_view(const Scene& scene, int pane) {
    const std::optional<View>& own = scene.panes[size_t(pane)].own_view;
    return own ? *own : with_offset(scene.document()->view, view_offset(scene, pane));
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

namespace {

const Document* document_at(const Scene& scene, int pane) {
    const auto& panes = scene.panes;
    return pane >= 0 && size_t(pane) < panes.size() ? document_of(scene, panes[size_t(pane)]) : nullptr;
}

// Whether there may be samples to mark: those that are not in memory may have any value.
bool may_be_marked(const Document& document) {
    if (!document.look.finite()) return true;
    return document.image && !document.image->in_memory() && is_float(document.image->type());
}

}  // namespace

Levels levels_of(const Document& document) {
    if (document.levels) return *document.levels;
    return document.look.levels.value_or(Levels{});
}

Levels levels_of(const Scene& scene, int pane) {
    const Document* document = document_at(scene, pane);
    if (scene.levels_locked || !document) return {scene.display.black, scene.display.white};
    return levels_of(*document);
}

DisplaySettings display_of(const Scene& scene, int pane) {
    DisplaySettings display = scene.display;
    const Levels levels = levels_of(scene, pane);
    display.black = levels.black;
    display.white = levels.white;
    const Document* document = document_at(scene, pane);
    display.mark_nonfinite = display.mark_nonfinite && document && may_be_marked(*document);
    return display;
}

bool shows_levels_of_data(const Scene& scene, int pane) {
    const Document* document = document_at(scene, pane);
    return document && !scene.levels_locked && !document->levels && document->look.levels;
}

}  // namespace texelscope
