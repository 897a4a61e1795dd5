#pragma once
// The commands of the command line, one file each. add_… declares a command's options; the callback it leaves behind
// does the work and throws Error.

#include <CLI/CLI.hpp>

namespace texelscope {

// The viewer runs where no command is named; `status` becomes its exit status.
void add_viewer(CLI::App& app, int& status);
void add_render(CLI::App& app);
void add_resize(CLI::App& app);
void add_sample(CLI::App& app);
void add_warp(CLI::App& app);
void add_compare(CLI::App& app);
void add_experiment(CLI::App& app);
void add_bench(CLI::App& app);
void add_methods(CLI::App& app);
void add_info(CLI::App& app);

}  // namespace texelscope
