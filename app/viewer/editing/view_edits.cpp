#include "app/viewer/editing/view_edits.h"

#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"

namespace texelscope {
namespace {

bool has_picture(const AppState& state) { return !image_extent(state).empty() && !output_extent(state).empty(); }

// The target of the focused pane's view, at the end of any animation.
View target_view(const AppState& state) {
    const int pane = focused_pane(state);
    const std::optional<View>& own = state.scene.panes[size_t(pane)].own_view;
    return own ? *own : with_offset(state.scene.document()->view, view_offset(state, pane));
}

Point centre(const AppState& state) {
    const Extent output = output_extent(state);
    return {(output.width - 1) / 2.0, (output.height - 1) / 2.0};
}

}  // namespace

void set_view(AppState& state, const View& view, bool animate, std::optional<int> pane) {
    Document* document = state.scene.document();
    if (!document) return;
    const int index = pane.value_or(focused_pane(state));
    Pane& which = state.scene.panes[size_t(index)];
    if (which.own_view) {
        which.own_view = view;
        return;
    }
    const View from = shown_view(state);
    document->view = without_offset(view, view_offset(state, index));
    document->keep_fit = false;
    state.transition.reset();
    if (animate && state.ui.animate && !(from == document->view)) state.transition = Transition{from, state.now};
}

void set_zoom(AppState& state, double zoom) {
    if (!has_picture(state)) return;
    set_view(state, zoomed_about(target_view(state), zoom, image_extent(state), output_extent(state), centre(state)));
}

void zoom_by(AppState& state, double factor, Point pixel) {
    if (!has_picture(state)) return;
    // The step starts from the target zoom, so that quick notches add up; the position from the view on the screen.
    const double zoom = stepped_zoom(target_view(state).zoom(), factor);
    set_view(state, zoomed_about(pane_view(state), zoom, image_extent(state), output_extent(state), pixel));
}

void zoom_power_of_two(AppState& state, int direction) {
    if (state.scene.document()) set_zoom(state, power_of_two_zoom(target_view(state).zoom(), direction));
}

void pan_by(AppState& state, double dx, double dy, bool animate) {
    if (!has_picture(state)) return;
    // A drag starts from the picture on the screen; steps by key add up.
    set_view(state, panned(animate ? target_view(state) : pane_view(state), dx, dy), animate);
}

void fit(AppState& state) {
    if (!has_picture(state)) return;
    set_view(state, fitted(target_view(state).rotate, image_extent(state), output_extent(state)));
}

void keep_fit(AppState& state, bool keep) {
    if (!state.scene.document()) return;
    if (keep) fit(state);
    state.scene.document()->region.reset();
    // A pane's own view is fitted, but does not follow the window.
    if (!state.scene.panes[size_t(focused_pane(state))].own_view) state.scene.document()->keep_fit = keep;
}

void show_one_to_one(AppState& state) {
    if (has_picture(state)) set_view(state, one_to_one(target_view(state)));
}

void reset_view(AppState& state) { set_view(state, View{}); }

void rotate_by(AppState& state, double degrees) {
    const Document* document = state.scene.document();
    if (!document) return;
    const bool keep = document->keep_fit && !state.scene.panes[size_t(focused_pane(state))].own_view;
    set_view(state, rotated(target_view(state), degrees));
    if (!keep) return;
    if (document->region) state.scene.document()->keep_fit = true;
    else keep_fit(state, true);
}

void zoom_to_selection(AppState& state) {
    if (!has_picture(state) || !state.scene.selection) return;
    set_view(state,
             zoomed_to(*state.scene.selection, target_view(state).rotate, image_extent(state), output_extent(state)));
}

void centre_on(AppState& state, int pane, Point p) {
    const Extent image = image_extent(state, pane);
    View view = pane_view(state, pane);
    view.translate_x = std::clamp(p.x, -0.5, image.width - 0.5) - (image.width - 1) / 2.0;
    view.translate_y = std::clamp(p.y, -0.5, image.height - 0.5) - (image.height - 1) / 2.0;
    set_view(state, view, false, pane);
}

void unlink_view(AppState& state, int pane) {
    Pane& which = state.scene.panes[size_t(pane)];
    which.own_view = pane_view(state, pane);
}

void link_view(AppState& state, int pane) {
    Pane& which = state.scene.panes[size_t(pane)];
    which.own_view.reset();
    which.offset = {};
}

void update_views(AppState& state) {
    if (state.transition && state.now - state.transition->start >= transition_seconds) state.transition.reset();
    Document* document = state.scene.document();
    if (!document || !document->keep_fit || !document->image) return;
    const Extent image{document->image->width(), document->image->height()};
    const Extent output = output_extent(state, panes_in_view(state).front());
    if (output.empty()) return;
    const double rotate = document->view.rotate;
    document->view =
        document->region ? zoomed_to(*document->region, rotate, image, output) : fitted(rotate, image, output);
}

}  // namespace texelscope
