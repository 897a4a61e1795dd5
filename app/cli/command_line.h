#pragma once
// The program, and its commands, one file each.

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "app/cli/command.h"
#include "gpu/method/spec.h"

namespace texelscope {

struct ViewerOptions;
using RunViewer = std::function<int(const ViewerOptions& options)>;
int run_viewer(const ViewerOptions& options);

// The whole program: viewer and commands. Exit status: 0 done, 1 failed, 2 wrong usage; errors go to stderr in one line.
// Tests run the viewer themselves.
int run_command_line(int argc, char** argv, const RunViewer& viewer = run_viewer);

// The commands of the command line, one file each. add_… declares a command's options; the callback it leaves behind
// does the work and throws Error.

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

// A method as a page of text: its record, its weights, and how its taps become linear-filtered fetches.
std::string method_page(const MethodSpec& spec);

// What is written for shells and man(1).

// Scripts that complete commands, options and their values in a shell.
inline constexpr std::array<std::string_view, 3> completion_shells = {"bash", "zsh", "fish"};

// Throws UsageError for a shell that is not one of these.
std::string completion(const CommandText& program, std::string_view shell);

// The manual page, in roff as man(7) defines it.
std::string manual_page(const CommandText& program);

}  // namespace texelscope
