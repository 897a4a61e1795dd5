#pragma once
// Files whose names another program has copied.

#include <string>
#include <string_view>
#include <vector>

namespace texelscope {

// The path of a file:// URI of this machine, with its percent signs decoded; empty for anything else.
std::string path_of_uri(std::string_view uri);

// The paths of a text each of whose lines is an absolute path, one that begins with ~/, or a file:// URI; blank lines and a
// list's comments (#) do not count. Empty if another line is in it.
std::vector<std::string> files_in_text(std::string_view text);

}  // namespace texelscope
