#pragma once
// The window that saves: the kind of file, and its path.

#include <string>

#include "app/state/app_state.h"

namespace texelscope {

// Opens the window for this kind of file, with a path beside the image; closes it if it is already open for this kind.
void toggle_save_window(AppState& state, UiState::Saving what);

// Switches the open window to this kind of file: the path keeps its folder and takes the new kind's name.
void save_something_else(AppState& state, UiState::Saving what);

// "photo.png" → "/folder/photo-view.png" for the ending "-view.png"; test images go to the working folder.
std::string path_beside(const Document* document, const std::string& ending);
std::string default_save_path(const AppState& state, UiState::Saving what);

// Pushes the request, and closes the window; if the file exists, asks first. Nothing without a path. If no extension was
// typed, sessions get .json, profiles .csv and pictures .png.
void request_saving(AppState& state);

bool can_save(const AppState& state, UiState::Saving what);

}  // namespace texelscope
