#pragma once
// What the viewer shows before anything was changed.

#include "app/state/scene.h"
#include "app/viewer/loop/viewer_options.h"

namespace texelscope {

// Without images: A as requested, B with a contrasting method, measured against the default reference.
Scene first_scene(const ViewerOptions& options);

}  // namespace texelscope
