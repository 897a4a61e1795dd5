#pragma once
// The desktop's trash, as the FreeDesktop.org Trash specification 1.0 describes it: a file is moved, never copied, into
// the trash of the user or of the file system that it is on.

#include <filesystem>

namespace texelscope {

struct Trashed {
    std::filesystem::path original;  // absolute
    std::filesystem::path file;      // in the trash
    std::filesystem::path info;      // the record beside it
};

// Throws FileError; then the file is where it was: a slide of several files, for example, of which the others would stay.
Trashed move_to_trash(const std::filesystem::path& path);

// Back to where it was. Throws FileError if it is no longer in the trash, or another file has its name now.
void take_from_trash(const Trashed& trashed);

}  // namespace texelscope
