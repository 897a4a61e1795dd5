#include "app/viewer/editing/picture_input.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/picture/pane_picture.h"
#include "app/state/history.h"
#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/view_edits.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr double least_drag = 4;  // pixels; less is a click
constexpr double double_click_seconds = 0.4;

constexpr double use_seconds = 0.4;  // what follows sooner belongs to the use before

Point pointer_on_image(const AppState& state) {
    return apply(current_affine(state, state.pointer.pane), state.pointer.x, state.pointer.y);
}

Region region_of(const AppState& state, Point a, Point b) {
    const Region region{std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
    return shows_signal(state) ? Region{region.x0, -0.5, region.x1, 0.5} : region;
}

}  // namespace

void PictureInput::hold_reference(AppState& state, bool held) const {
    const bool free = !state.ui.dialogs.keyboard_owner() && !routing_.typing();
    state.pointer.reference = held && free && state.pointer.inside && state.pointer.drag == Pointer::Drag::none;
}

namespace {

bool move_divider(AppState& state, double x, double y) {
    Wipe& wipe = state.scene.wipe;
    const PixelRect& picture = state.places.picture;
    if (state.scene.arrangement != Arrangement::wipe || wipe.held || !picture.contains(x, y)) return false;
    wipe.at = wipe.horizontal ? (y - picture.y) / picture.height : (x - picture.x) / picture.width;
    return true;
}

}  // namespace

// A drag stays with the pane in which it began.
void PictureInput::place_pointer(AppState& state, double x, double y) {
    Pointer& pointer = state.pointer;
    PaneLayout layout = lay_out_panes(state);
    if (std::ranges::count(layout.in_view, pointer.pane) == 0) {  // it was removed, possibly during a drag
        pointer.pane = layout.in_view.front();
        pointer.drag = Pointer::Drag::none;
    }
    const bool covered = state.ui.dialogs.own_mouse() || routing_.covered(x, y);
    if (!covered && pointer.drag == Pointer::Drag::none && move_divider(state, x, y)) layout = lay_out_panes(state);
    const auto pane = layout.pane_at(x, y);
    pointer.inside = pane && !covered && layout[*pane].has_picture();
    if (pane && pointer.drag == Pointer::Drag::none) pointer.pane = *pane;
    const PixelRect& rect = layout[pointer.pane].rect;
    pointer.x = int(std::floor(x)) - rect.x;
    pointer.y = int(std::floor(y)) - rect.y;
}

bool PictureInput::drag_minimap(AppState& state, double x, double y) const {
    const auto minimap = minimap_of(state, routing_.pixel_scale ? routing_.pixel_scale() : 1);
    if (!minimap) return false;
    if (state.pointer.drag != Pointer::Drag::minimap && !minimap->place.contains(x, y)) return false;
    centre_on(state, minimap->pane, image_point(*minimap, image_extent(state, minimap->pane), x, y));
    return true;
}

void PictureInput::follow(AppState& state) {
    if (state.pointer.drag != Pointer::Drag::none) return;
    place_pointer(state, last_x_, last_y_);
    if (state.ui.cursor) place_at_cursor(state);
}

// The cursor of a session: over its sample in the active pane, if that is in view.
void PictureInput::place_at_cursor(AppState& state) {
    const int pane = state.scene.active;
    const PanePlace place = place_of(state, pane);
    if (place.clip.empty() || !place.has_picture()) return;
    const Point pixel = apply_inverse(current_affine(state, pane), *state.ui.cursor);
    const double i = std::round(pixel.x), j = std::round(pixel.y);
    if (!place.clip.contains(place.rect.x + i, place.rect.y + j)) return;  // nor if the view is degenerate
    state.pointer.inside = true;
    state.pointer.pane = pane;
    state.pointer.x = int(i);
    state.pointer.y = int(j);
}

namespace {

// What a field has no use for: F1 to F12, and Ctrl with what neither edits nor selects.
bool is_beyond_fields(const KeyStroke& stroke) {
    if (stroke.typed || stroke.modifiers.alt) return false;
    if (stroke.key >= Key::f1 && stroke.key <= Key::f12) return true;
    constexpr std::u32string_view editing = U"acvxyz";
    return stroke.modifiers.ctrl && stroke.key == Key::none && stroke.character != 0 &&
           editing.find(lower_case(stroke.character)) == editing.npos;
}

}  // namespace

// A key belongs to what lies on top: a popup, a dialog (see run_shortcut), a field of a panel or of a tool window, or else
// the picture.
bool PictureInput::handle(AppState& state, const KeyStroke& stroke) {
    turning_ = false;
    if (stroke.key == Key::escape && !stroke.typed && routing_.close_popup()) return true;
    const bool on_picture = !state.ui.dialogs.keyboard_owner();
    const bool typing = on_picture && routing_.typing();
    const bool leaves = stroke.key == Key::escape && routing_.on_tab_stop && routing_.on_tab_stop();
    if (typing && !leaves && !is_beyond_fields(stroke)) return false;
    const bool acted = run_shortcut(state, stroke);
    if (acted && typing) routing_.close_popup();
    if (acted && on_picture && !state.ui.dialogs.keyboard_owner()) note_use(state);
    return acted;
}

// Counts what the user does, for each message as well. After enough of it the first hint has served.
void PictureInput::note_use(AppState& state) {
    if (state.now - last_use_ >= use_seconds) {
        ++uses_;
        for (Message& message : state.messages) ++message.uses;
    }
    last_use_ = state.now;
    if (uses_ >= uses_of_hint) dismiss_hint(state);
}

void PictureInput::handle(AppState& state, const MouseMoved& moved) {
    const double dx = std::floor(moved.x) - std::floor(last_x_), dy = std::floor(moved.y) - std::floor(last_y_);
    last_x_ = moved.x;
    last_y_ = moved.y;
    place_pointer(state, moved.x, moved.y);
    if (state.ui.dialogs.own_mouse()) state.pointer.drag = Pointer::Drag::none;  // one that was under way
    if (dx == 0 && dy == 0) return;
    if (state.pointer.inside) state.ui.cursor.reset();
    if (std::max(std::abs(moved.x - start_x_), std::abs(moved.y - start_y_)) >= least_drag) clicking_ = false;
    switch (state.pointer.drag) {
        case Pointer::Drag::none: break;
        case Pointer::Drag::pan: pan_by(state, dx, dy, false, state.pointer.pane); break;
        case Pointer::Drag::minimap: drag_minimap(state, moved.x, moved.y); break;
        case Pointer::Drag::profile: state.scene.profile.b = pointer_on_image(state); break;
        case Pointer::Drag::select:
            if (!clicking_) state.scene.selection = region_of(state, state.pointer.drag_start, pointer_on_image(state));
            break;
    }
}

void PictureInput::handle(AppState& state, const MousePressed& pressed) {
    turning_ = false;
    place_pointer(state, pressed.x, pressed.y);
    last_x_ = pressed.x;
    last_y_ = pressed.y;
    if (!state.pointer.inside || state.pointer.drag != Pointer::Drag::none) return;
    settle_history(state);  // however soon after a command
    state.ui.cursor.reset();
    const bool again = second_click(state, pressed);
    drag_button_ = pressed.button;
    start_x_ = pressed.x;
    start_y_ = pressed.y;
    clicking_ = true;
    last_click_ = pressed.button == MouseButton::left && !again ? state.now : -1e9;
    begin_drag(state, pressed);
    Pointer& pointer = state.pointer;
    if (!again || pointer.drag != Pointer::Drag::pan) return;
    pointer.drag = Pointer::Drag::none;
    toggle_fit(state, pointer.pane, {double(pointer.x), double(pointer.y)});
}

// Whether it is the second click of a double click: soon after the first, and at its place.
bool PictureInput::second_click(const AppState& state, const MousePressed& pressed) {
    const bool near = std::max(std::abs(pressed.x - start_x_), std::abs(pressed.y - start_y_)) < least_drag;
    return pressed.button == MouseButton::left && clicking_ && near && state.now - last_click_ <= double_click_seconds;
}

void PictureInput::begin_drag(AppState& state, const MousePressed& pressed) {
    Pointer& pointer = state.pointer;
    if (state.scene.arrangement != Arrangement::wipe) state.scene.active = pointer.pane;
    pointer.drag_start = pointer_on_image(state);
    if (pressed.button == MouseButton::right) {
        pointer.drag = Pointer::Drag::select;
        return;
    }
    if (drag_minimap(state, pressed.x, pressed.y)) {
        pointer.drag = Pointer::Drag::minimap;
        return;
    }
    if (pressed.modifiers.ctrl) {
        pointer.drag = Pointer::Drag::profile;
        state.ui.dock = Dock::profile;
        state.scene.profile = {ProfileLine::Along::line, true, pointer.drag_start, pointer.drag_start};
        return;
    }
    pointer.drag = Pointer::Drag::pan;
}

void PictureInput::handle(AppState& state, const MouseReleased& released) {
    turning_ = false;
    if (released.button == drag_button_) {
        if (clicking_ && state.pointer.drag == Pointer::Drag::select) state.ui.pane_menu = {state.pointer.pane, true};
        if (!clicking_ && state.pointer.drag != Pointer::Drag::none) note_use(state);
        state.pointer.drag = Pointer::Drag::none;
    }
    place_pointer(state, released.x, released.y);
}

void PictureInput::handle(AppState& state, const WheelTurned& turned) {
    last_x_ = turned.x;
    last_y_ = turned.y;
    place_pointer(state, turned.x, turned.y);
    if (!state.pointer.inside) return;
    if (!std::exchange(turning_, true)) settle_history(state);  // one turn of the wheel is one change
    const double speed = turned.modifiers.shift ? 4 : turned.modifiers.ctrl ? 0.25 : 1;
    const double notches = std::clamp(turned.notches, -64.0, 64.0);
    const Pointer& pointer = state.pointer;
    zoom_by(state, std::exp2(notches * speed / 8), {double(pointer.x), double(pointer.y)}, pointer.pane);
    note_use(state);
}

void PictureInput::handle(AppState& state, const FingersMoved& moved) {
    last_x_ = moved.x;
    last_y_ = moved.y;
    state.pointer.drag = Pointer::Drag::none;  // of the first finger
    place_pointer(state, moved.x, moved.y);
    if (!state.pointer.inside) return;
    if (!std::exchange(turning_, true)) settle_history(state);  // until the fingers are lifted it is one change
    move_by_fingers(state, moved, {double(state.pointer.x), double(state.pointer.y)}, state.pointer.pane);
    note_use(state);
}

void PictureInput::handle(AppState& state, const FilesDropped& dropped) {
    turning_ = false;
    for (const std::string& path : dropped.paths) state.tasks.push_back(task::Open{path});
}

namespace {

void show(PresenterState& presenter, double now, std::string text) {
    KeyHint& hint = presenter.key;
    const bool again = hint.text == text && key_hint_left(presenter, now) >= 0;
    hint = {std::move(text), again ? hint.count + 1 : 1, now};
}

// Letters and digits arrive as keys, other typing keys as the character typed.
std::string words_of(const KeyStroke& stroke) {
    const auto is_plain = [](char32_t c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    const char32_t lower = lower_case(stroke.character);
    const bool symbol = stroke.typed && lower > ' ' && lower < 127 && !is_plain(lower);
    if (symbol) return std::string(1, char(lower));
    if (stroke.typed || (stroke.key == Key::none && !is_plain(lower))) return {};
    return to_string(Shortcut{stroke.key, lower, stroke.modifiers});
}

std::string modifier_words(const Modifiers& modifiers) {
    return std::string(modifiers.ctrl ? "Ctrl+" : "") + (modifiers.shift ? "Shift+" : "") +
           (modifiers.alt ? "Alt+" : "");
}

}  // namespace

void note_input(PresenterState& presenter, double now, const InputEvent& event) {
    if (const auto* stroke = std::get_if<KeyStroke>(&event)) {
        if (std::string words = words_of(*stroke); !words.empty()) show(presenter, now, std::move(words));
    } else if (const auto* turned = std::get_if<WheelTurned>(&event)) {
        show(presenter, now, modifier_words(turned->modifiers) + (turned->notches > 0 ? "wheel ↑" : "wheel ↓"));
    } else if (std::holds_alternative<MousePressed>(event)) {
        presenter.pressed = true;
    } else if (std::holds_alternative<MouseReleased>(event)) {
        presenter.pressed = false;
    }
}

double key_hint_left(const PresenterState& presenter, double now) {
    const KeyHint& hint = presenter.key;
    const double rest = hint.at + key_hint_seconds - now;
    return hint.count > 0 && rest > 0 ? rest : -1;
}

}  // namespace texelscope
