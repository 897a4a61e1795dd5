#pragma once
// The files of shaders/, embedded into the program by shaders/CMakeLists.txt.

#include <string_view>

namespace texelscope {

// The text of shaders/NAME ("present.frag"); empty where there is no such file.
std::string_view shader_source(std::string_view name);

}  // namespace texelscope
