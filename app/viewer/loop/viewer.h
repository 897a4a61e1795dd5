#pragma once
// The viewer, as the command line starts it.

#include "app/viewer/loop/viewer_options.h"

namespace texelscope {

// Runs until the user quits; the exit status. Throws Unavailable where there is no display, Error for a screenshot that
// cannot be made.
int run_viewer(const ViewerOptions& options);

}  // namespace texelscope
