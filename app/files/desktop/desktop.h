#pragma once
// What the desktop offers: its trash, and other programs.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/image.h"

namespace texelscope {

// The desktop's trash, as the FreeDesktop.org Trash specification 1.0 describes it: a file is moved, never copied, into
// the trash of the user or of the file system that it is on.

struct Trashed {
    std::filesystem::path original;  // absolute
    std::filesystem::path file;      // in the trash
    std::filesystem::path info;      // the record beside it
};

// Throws FileError; then the file is where it was: a slide of several files, for example, of which the others would stay.
Trashed move_to_trash(const std::filesystem::path& path);

// Back to where it was. Throws FileError if it is no longer in the trash, or another file has its name now.
void take_from_trash(const Trashed& trashed);

// Other programs that are used if they are installed: for the clipboard, and to open files outside.

// The full path of the program, or empty if it is not on the PATH.
std::string program_on_path(const char* program);

// Starts it with its arguments, to outlive this program; its standard input is `input`, a file descriptor. `name`: in the
// message, "the clipboard program". Throws Error if no process can be made.
void launch(const std::vector<std::string>& command, int input, const std::string& name);

// Pictures for the desktop's clipboard. X11 and Wayland need a program that answers for as long as the picture may be
// pasted: wl-copy or xclip, if installed.

// Passes the picture on as PNG, without waiting. Throws Unavailable, which says what to install, or FileError if there
// is no space for the PNG. `progress` is called while the PNG is made, with the part that is done, and with 1 before it is
// passed on; what it throws leaves the clipboard as it was.
void copy_picture_to_clipboard(const Image& image, const std::function<void(double part)>& progress = {});

// Opens a file or a folder by another program, the desktop's own choice.
// Throws FileError if it no longer exists, Unavailable without a desktop that opens files.
void open_outside(const std::string& path);

// Files whose names another program has copied.

// The path of a file:// URI of this machine, with its percent signs decoded; empty for anything else.
std::string path_of_uri(std::string_view uri);

// The paths of a text each of whose lines is an absolute path, one that begins with ~/, or a file:// URI; blank lines and a
// list's comments (#) do not count. Empty if another line is in it.
std::vector<std::string> files_in_text(std::string_view text);

}  // namespace texelscope
