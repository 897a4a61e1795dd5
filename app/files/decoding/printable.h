#pragma once
// Text out of a file that nobody vouches for, made fit for a window, a terminal and JSON.

#include <cstddef>
#include <string>
#include <string_view>

namespace texelscope {

// UTF-8 of at most `most` bytes, "…" at the end if that cuts it. White space becomes single spaces, none at the ends; other
// control characters, and those that change the direction of writing, become "\x1b" and "\u202e"; what is no UTF-8, "\xff".
std::string printable(std::string_view text, size_t most);

// Whether all of it is UTF-8.
bool is_utf8(std::string_view text);

}  // namespace texelscope
