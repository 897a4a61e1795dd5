#pragma once
// What the window will show of a picture that is still being read.

#include <memory>
#include <optional>
#include <string>

#include "app/picture/rendition.h"
#include "app/state/app_state.h"

namespace texelscope {

// The only pane in view, if everything stays as it is and the source's document is shown, fitted, with this image. Empty if
// there are several panes, or none yet.
std::optional<PanePicture> picture_to_come(const AppState& state, const std::string& source,
                                           std::shared_ptr<const Image> image);

}  // namespace texelscope
