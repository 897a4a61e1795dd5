#pragma once
// Effects of mouse and keys on the picture.

#include <functional>

#include "app/state/app_state.h"
#include "app/window/input.h"

namespace texelscope {

// The part of the input that belongs to the panels.
struct InputRouting {
    std::function<bool(double x, double y)> covered;  // framebuffer pixels: whether a panel is there
    std::function<bool()> typing;                     // keys go to a field or a popup
    std::function<bool()> close_popup;                // Esc: true if there was one to close
    std::function<float()> pixel_scale;               // framebuffer pixels per unit of the interface
    std::function<bool()> on_tab_stop = {};           // Tab has reached a control of a dialog that is no field
};

class PictureInput {
public:
    explicit PictureInput(InputRouting routing) : routing_(std::move(routing)) {}

    bool handle(AppState& state, const KeyStroke& stroke);  // true if it acted: as a shortcut, or by closing a popup
    void handle(AppState& state, const MouseMoved& moved);
    void handle(AppState& state, const MousePressed& pressed);
    void handle(AppState& state, const MouseReleased& released);
    void handle(AppState& state, const WheelTurned& turned);
    void handle(AppState& state, const FingersMoved& moved);
    void handle(AppState& state, const FilesDropped& dropped);

    // The panes may have moved under the mouse. Call once per frame.
    void follow(AppState& state);

    // Shift is held: shows the reference while the mouse is on the picture.
    void hold_reference(AppState& state, bool held) const;

private:
    void place_pointer(AppState& state, double x, double y);
    void begin_drag(AppState& state, const MousePressed& pressed);
    bool second_click(const AppState& state, const MousePressed& pressed);
    void place_at_cursor(AppState& state);
    void note_use(AppState& state);
    bool drag_minimap(AppState& state, double x, double y) const;  // false: it is elsewhere

    InputRouting routing_;
    MouseButton drag_button_ = MouseButton::left;
    bool turning_ = false;              // the wheel, since the last key or button
    bool clicking_ = false;             // the button that is held has not moved the mouse
    double last_click_ = -1e9;          // seconds; of the left button
    double start_x_ = 0, start_y_ = 0;  // framebuffer pixels where a drag began
    double last_x_ = -1, last_y_ = -1;  // and where the mouse is
    int uses_ = 0;                      // of wheel, drag and keys; a turn of the wheel is one
    double last_use_ = -1e9;            // seconds
};

// Display of keys and mouse in presenter mode.

// Remembers an event that is a key, a turn of the wheel or a button; a repetition within the time counts up.
void note_input(PresenterState& presenter, double now, const InputEvent& event);

// Seconds until the hint disappears; below 0 if none is shown.
double key_hint_left(const PresenterState& presenter, double now);

}  // namespace texelscope
