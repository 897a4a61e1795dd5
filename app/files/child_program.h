#pragma once
// Other programs that are of use where they are installed.

#include <string>

namespace texelscope {

// Its full path, or empty where it is not on the PATH.
std::string program_on_path(const char* program);

}  // namespace texelscope
