#pragma once
// What another program has copied. GLFW knows text only; pictures and lists of files come by X selections.

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

namespace texelscope {

struct Copied {
    std::string text;                // UTF-8, or a list of URIs; empty if there is none
    std::vector<std::byte> picture;  // an image file of some format; empty if there is none
};

// Over a connection of its own, so that any thread may ask, even for what this program has copied, which its window hands
// out meanwhile. Blocks until that has come; gives up once the other program does nothing for some seconds.
// Of a picture and a list of files, both are taken. Throws Unavailable without an X display, Error if nothing is there or
// if it does not come, Cancelled if asked to stop.
Copied read_clipboard(const std::stop_token& stop);

}  // namespace texelscope
