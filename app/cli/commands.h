#pragma once
// The commands of the command line, one file each. add_… declares a command's options; the callback it leaves behind
// does the work and throws Error.

#include <functional>

#include "app/cli/command.h"

namespace texelscope {

struct ViewerOptions;
using RunViewer = std::function<int(const ViewerOptions& options)>;

// The viewer is run if no command is given; `status` becomes its exit status.
void add_viewer(Command app, int& status, RunViewer run);
void add_render(Command app);
void add_resize(Command app);
void add_sample(Command app);
void add_warp(Command app);
void add_compare(Command app);
void add_push(Command app);
void add_experiment(Command app);
void add_bench(Command app);
void add_methods(Command app);
void add_info(Command app);
void add_shell_texts(Command app);  // completion and manual

}  // namespace texelscope
