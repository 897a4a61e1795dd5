#pragma once
// Edits of the dialog that exports the whole image.

#include <string>

#include "app/picture/whole_picture.h"
#include "app/state/app_state.h"

namespace texelscope {

// Opens the dialog, with a path beside the image and the scene's light; closes it if it is open.
void toggle_export(AppState& state);

// Output pixels per sample that can be chosen.
constexpr double least_export_factor = 0.001, most_export_factor = 1000;

// The active pane's method and the chosen size. Throws UsageError for another factor.
WholePicture exported_picture(const AppState& state);

// As typed; a name without extension becomes a PNG.
std::string export_path(const AppState& state);

// Whether the active pane's file says more than its picture: EXIF and the like, which an export does not have.
bool has_metadata(const AppState& state);

// Requests it, and closes the dialog; if the file exists, asks first.
void request_export(AppState& state);

}  // namespace texelscope
