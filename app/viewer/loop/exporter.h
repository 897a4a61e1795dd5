#pragma once
// Writes the whole image at any size by the active pane's method, as `texelscope resize` does.

#include <string>

#include "app/state/app_state.h"
#include "app/viewer/loop/background_runner.h"

namespace texelscope {

// As chosen in the dialog. Until the new file is complete, an old one of that name stays. Throws Error without a picture,
// UsageError for a name or a depth that no format has.
BackgroundJob export_job(const AppState& state, const std::string& path);

}  // namespace texelscope
