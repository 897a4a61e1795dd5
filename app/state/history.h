#pragma once
// Undo and redo of every change of the scene, and of what is shown beside and over the picture: plots, loupe, grid.

#include "app/state/app_state.h"
#include "app/state/wake_up.h"

namespace texelscope {

// Records the scene once it has rested for a moment, so that a drag, a turn of the wheel or a slider movement is one
// change. Call once per frame.
void record_history(AppState& state);

// Asks for the frame that is to record the current change.
void wake_for_history(const AppState& state, WakeUp& wake_up);

// Ends the change so far: what comes next is another one, however soon. Call before a command.
void settle_history(AppState& state);

// What is now was so all along: undo goes back to what was before it. For walking through a folder; undo then keeps the
// picture that it came to.
void begin_history_here(AppState& state);

bool can_undo(const AppState& state);
bool can_redo(const AppState& state);
void undo(AppState& state);
void redo(AppState& state);

// Whether the parts that undo restores are equal: everything but the samples of the images, which pane is active, the
// place of the divider, and a view that follows the window.
bool same_scene(const Scene& a, const Scene& b);

}  // namespace texelscope
