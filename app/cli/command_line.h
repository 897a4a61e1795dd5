#pragma once

#include <functional>

namespace texelscope {

struct ViewerOptions;
int run_viewer(const ViewerOptions& options);

// The whole program: viewer and commands. Exit status: 0 done, 1 failed, 2 wrong usage; errors go to stderr in one line.
// Tests run the viewer themselves.
int run_command_line(int argc, char** argv,
                     const std::function<int(const ViewerOptions& options)>& viewer = run_viewer);

}  // namespace texelscope
