#pragma once

namespace texelscope {

// The whole program: viewer and commands. Exit status: 0 done, 1 failed, 2 wrong usage; errors go to stderr in one line.
int run_command_line(int argc, char** argv);

}  // namespace texelscope
