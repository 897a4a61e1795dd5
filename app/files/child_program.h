#pragma once
// Other programs that are used if they are installed.

#include <string>

namespace texelscope {

// Its full path, or empty if it is not on the PATH.
std::string program_on_path(const char* program);

}  // namespace texelscope
