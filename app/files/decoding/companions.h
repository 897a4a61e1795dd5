#pragma once
// Files that belong to another one and lie beside it: those of slides of several files. Whatever such a file says, its decoder
// opens no others.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <sys/stat.h>

#include "app/files/decoding/descriptor.h"

namespace texelscope {

enum class Beside : int32_t {
    nothing,
    folder,  // the files in a folder of the file's name without its extension
    files,   // the files whose names begin with its own without the extension
};

struct Companions {
    Beside kind = Beside::nothing;
    Descriptor folder;  // that holds the file
    std::string name;   // of the file in it

    std::string stem() const;  // the name without its extension
    bool has_folder() const;   // of that name
    // Their paths from `folder`. Regular files alone: no links, which may lead anywhere, and nothing in folders further below.
    std::vector<std::string> files() const;
};

// The companions of an open file, beside its real place. Null: it has none, or is in no folder, as in memory.
std::shared_ptr<const Companions> companions_of(int file, Beside kind);

// The state of one or more files: it differs once one of them has been changed.
struct FileState {
    uint64_t bytes = 0;
    int64_t modified = 0;  // nanoseconds; of several files the sum, in which no time hides behind a later one
    bool operator==(const FileState&) const = default;

    void add(const struct stat& info);
    // Adds those of the files that are there.
    void add(const Companions& companions, const std::vector<std::string>& files);
};

}  // namespace texelscope
