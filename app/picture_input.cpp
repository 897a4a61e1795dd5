#include "app/picture_input.h"

#include <algorithm>
#include <cmath>

#include "app/actions.h"
#include "app/view_commands.h"

namespace texelscope {
namespace {

constexpr int least_selection = 4;  // output pixels; less is a click

Point pointer_on_image(const AppState& state) { return apply(shown_affine(state), state.pointer.x, state.pointer.y); }

Region region_of(const AppState& state, Point a, Point b) {
    const Region region{std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
    return shows_signal(state) ? Region{region.x0, -0.5, region.x1, 0.5} : region;
}

}  // namespace

void PictureInput::handle(AppState& state, const InputEvent& event) {
    std::visit([&](const auto& each) { on(state, each); }, event);
}

void PictureInput::hold_reference(AppState& state, bool held) const {
    state.pointer.reference =
        held && state.pointer.inside && state.pointer.drag == Pointer::Drag::none && !routing_.typing();
}

void PictureInput::place_pointer(AppState& state, double x, double y) {
    const PixelRect& picture = state.report.picture;
    state.pointer.inside = picture.contains(x, y) && !routing_.covered(x, y) && !image_extent(state).empty();
    state.pointer.x = int(std::floor(x)) - picture.x;
    state.pointer.y = int(std::floor(y)) - picture.y;
}

void PictureInput::on(AppState& state, const KeyStroke& stroke) {
    if (routing_.typing()) return;
    if (stroke.key == Key::escape && !stroke.typed && routing_.close_popup()) return;
    run_shortcut(state, stroke);
}

void PictureInput::on(AppState& state, const MouseMoved& moved) {
    const int before_x = state.pointer.x, before_y = state.pointer.y;
    place_pointer(state, moved.x, moved.y);
    const int dx = state.pointer.x - before_x, dy = state.pointer.y - before_y;
    if (dx == 0 && dy == 0) return;
    if (state.pointer.drag == Pointer::Drag::pan) pan_by(state, dx, dy, false);
    if (state.pointer.drag == Pointer::Drag::select) {
        const int reach = std::max(std::abs(state.pointer.x - start_x_), std::abs(state.pointer.y - start_y_));
        if (reach >= least_selection)
            state.scene.selection = region_of(state, state.pointer.drag_start, pointer_on_image(state));
    }
}

void PictureInput::on(AppState& state, const MousePressed& pressed) {
    place_pointer(state, pressed.x, pressed.y);
    if (!state.pointer.inside || state.pointer.drag != Pointer::Drag::none) return;
    drag_button_ = pressed.button;
    start_x_ = state.pointer.x;
    start_y_ = state.pointer.y;
    state.pointer.drag = pressed.button == MouseButton::right ? Pointer::Drag::select : Pointer::Drag::pan;
    state.pointer.drag_start = pointer_on_image(state);
    if (pressed.button == MouseButton::right) state.scene.selection.reset();
}

void PictureInput::on(AppState& state, const MouseReleased& released) {
    place_pointer(state, released.x, released.y);
    if (released.button == drag_button_) state.pointer.drag = Pointer::Drag::none;
}

void PictureInput::on(AppState& state, const WheelTurned& turned) {
    place_pointer(state, turned.x, turned.y);
    if (!state.pointer.inside) return;
    const double speed = turned.modifiers.shift ? 4 : turned.modifiers.ctrl ? 0.25 : 1;
    const double notches = std::clamp(turned.notches, -64.0, 64.0);
    zoom_by(state, std::exp2(notches * speed / 8), {double(state.pointer.x), double(state.pointer.y)});
}

void PictureInput::on(AppState& state, const FilesDropped& dropped) {
    for (const std::string& path : dropped.paths) state.requests.push_back(request::Open{path});
}

}  // namespace texelscope
