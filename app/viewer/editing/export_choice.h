#pragma once
// Edits of the dialog that exports the whole image.

#include "app/picture/whole_picture.h"
#include "app/state/app_state.h"

namespace texelscope {

// Opens the dialog, with a path beside the image and the scene's light; closes it if it is open.
void toggle_export(AppState& state);

// The active pane's method and the chosen size.
WholePicture exported_picture(const AppState& state);

// Requests it, and closes the dialog; if the file exists, asks first. A name without extension becomes a PNG.
void request_export(AppState& state);

}  // namespace texelscope
