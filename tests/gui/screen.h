#pragma once
// The X server of a test: a screen of its own, windows in front, files dragged from other programs and what they have copied.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gpu/core/image.h"
#include "tests/support/tools.h"

namespace texelscope::test {

// The test's own display, and pictures of it.

// A virtual X server on a free display number; or the display that TEXELSCOPE_TEST_DISPLAY names, on which a GPU draws.
class Screen {
public:
    static constexpr int width = 1600, height = 1000;

    Screen();
    const std::string& display() const { return display_; }  // ":7"; empty if there is none

    // Runs xdotool with these arguments. False if it failed.
    bool xdotool(const std::vector<std::string>& arguments) const;

    // The whole screen as u8×3; empty if that failed.
    Image picture() const;

private:
    std::unique_ptr<Process> server_;
    std::string display_;
};

// A black window of the test's own, above all others.

class Cover {
public:
    // Over this part of the screen, without a window manager's doing, until it is destroyed.
    Cover(const std::string& display, int x, int y, int width, int height);
    ~Cover();

private:
    struct Shown;
    std::unique_ptr<Shown> shown_;
};

// A program from which files are dragged, as a file manager is: the source's side of XDND 5 (freedesktop.org).

// Drags the files (absolute paths, more than none) to this point of the screen, in pixels, and drops them there. The
// window is found as a file manager finds it: the one under the point that says it takes part.
// False if none does, if it declines, or if it has not taken the list of files within ten seconds.
bool drop_files(const std::string& display, const std::vector<std::string>& files, int x, int y);

// A program that has copied something, as ICCCM says how: the owner's side of the X selection CLIPBOARD.

// While it lives, it hands these bytes out, by the names of their forms ("image/png"); many of them in pieces.
class ClipboardOwner {
public:
    ClipboardOwner(const std::string& display, std::map<std::string, std::string> forms);
    ~ClipboardOwner();

    static constexpr size_t piece_bytes = 32 << 10;

private:
    class Server;
    std::unique_ptr<Server> server_;
};

}  // namespace texelscope::test
