#pragma once
// Other programs that are used if they are installed.

#include <string>
#include <vector>

namespace texelscope {

// Its full path, or empty if it is not on the PATH.
std::string program_on_path(const char* program);

// Starts it with its arguments, to outlive this program; its standard input is `input`, a file descriptor. `name`: in the
// message, "the clipboard program". Throws Error if no process can be made.
void launch(const std::vector<std::string>& command, int input, const std::string& name);

}  // namespace texelscope
