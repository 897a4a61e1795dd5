#pragma once
// Undo and redo of every change of the scene.

#include "app/state/app_state.h"

namespace texelscope {

// Records the scene once it has rested for a moment: a drag, a turn of the wheel or a slider's way is one change. Call
// once a frame.
void record_history(AppState& state);

// Seconds until the present change is recorded; below 0 where there is none.
double history_patience(const AppState& state);

bool can_undo(const AppState& state);
bool can_redo(const AppState& state);
void undo(AppState& state);
void redo(AppState& state);

// The parts of two scenes that undo restores are alike: everything but the samples of the images.
bool same_scene(const Scene& a, const Scene& b);

}  // namespace texelscope
