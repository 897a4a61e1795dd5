#pragma once
// Paths in URIs: what the desktop's specifications store.

#include <string>
#include <string_view>

namespace texelscope {

// Percent-encoded but for the characters that a path in a URI may have, as GLib does: programs of the desktop compare
// such texts byte by byte.
std::string encoded_path(std::string_view path);

}  // namespace texelscope
