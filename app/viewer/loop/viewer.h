#pragma once
// The viewer, started by the command line.

#include "app/viewer/loop/viewer_options.h"

namespace texelscope {

// Runs until the user quits; returns the exit status. Throws Unavailable if there is no display, Error for a screenshot
// that cannot be made.
int run_viewer(const ViewerOptions& options);

}  // namespace texelscope
