#pragma once
// The window that saves: what it is about, and where to.

#include <string>

#include "app/state/app_state.h"

namespace texelscope {

// Opens the window about this, with a path beside the image; closes it where it is open about just this.
void toggle_save_window(AppState& state, UiState::Saving what);

// Makes an open window one about this: the path keeps its folder and takes the new kind's name.
void save_something_else(AppState& state, UiState::Saving what);

// "photo.png" → "/folder/photo-view.png"; test images go to the working folder.
std::string default_save_path(const AppState& state, UiState::Saving what);

// Pushes the request, and closes the window. Nothing where there is no path; sessions get the ending .json, profiles
// .csv where none was typed.
void request_saving(AppState& state);

bool can_save(const AppState& state, UiState::Saving what);

}  // namespace texelscope
