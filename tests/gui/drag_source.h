#pragma once
// A program from which files are dragged, as a file manager is: the source's side of XDND 5 (freedesktop.org).

#include <string>
#include <vector>

namespace texelscope::test {

// Drags the files (absolute paths, more than none) to this point of the screen, in pixels, and drops them there. The
// window is found as a file manager finds it: the one under the point that says it takes part.
// False if none does, if it declines, or if it has not taken the list of files within ten seconds.
bool drop_files(const std::string& display, const std::vector<std::string>& files, int x, int y);

}  // namespace texelscope::test
