#pragma once
// What the viewer shows before anything was changed.

#include <optional>

#include "app/state/scene.h"
#include "app/viewer/loop/viewer_options.h"

namespace texelscope {

// Without images: A as requested, B with a contrasting method, measured against the default reference.
Scene first_scene(const ViewerOptions& options);

// The part of a built-in image that the first picture magnifies, so that the methods differ visibly in a window of any
// size: samples. Empty if the whole is to be shown: for files, for images of few samples, and for those without detail.
std::optional<Region> first_region(const Document& document);

}  // namespace texelscope
