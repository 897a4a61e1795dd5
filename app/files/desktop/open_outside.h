#pragma once
// Opens a file or a folder by another program, the desktop's own choice.

#include <string>

namespace texelscope {

// Throws FileError if it no longer exists, Unavailable without a desktop that opens files.
void open_outside(const std::string& path);

}  // namespace texelscope
