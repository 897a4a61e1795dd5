#pragma once
// What all dialogs have in common: place, frame, and whose keys and mouse they are. Internal to this folder.

#include <optional>

#include "app/state/app_state.h"

namespace texelscope::panels {

// In the middle of the window, never larger than it; the topmost has a highlighted frame. False if it is not open; if
// true, end it with end_dialog(). `title` replaces that of its row.
bool begin_dialog(AppState& state, Dialog which, const char* title = nullptr);
void end_dialog();

// Under the topmost dialog, if it owns the mouse: takes the mouse from everything behind it, and dims that if wanted.
// `title`: of the dialog's window. begin_dialog() does it.
void shade_behind(const AppState& state, Dialog which, const char* title, bool dims);

// Between these two: whether keys that no field takes are meant for this dialog.
bool has_keys(const AppState& state, Dialog which);
bool key_pressed(const AppState& state, Dialog which, int key);  // one of ImGuiKey_

// Whether keys belong to a control of the window. A field that Enter or Esc ends has had that key: still true in that frame.
bool control_has_keys();

// Whether the field that typing goes to shall take the keyboard in this frame.
bool gives_keyboard(const AppState& state, Dialog which);

// Before that field, if it is one of ImGui's: it has the focus as long as nothing else in the window is in use.
void focus_here(const AppState& state, Dialog which);

// Arrows, PgUp, PgDn, Home and End move the choice in a list of `count` rows. True if one of them was pressed.
bool move_choice(const AppState& state, Dialog which, int& choice, int count, int rows_in_view);

// The same keys scroll the current window, which has no choice to move.
void scroll_list(const AppState& state, Dialog which);

}  // namespace texelscope::panels
