#pragma once

#include <string>

#include <fmt/format.h>

#include "app/files/decoding/decoder.h"

namespace texelscope {

// The file's name for libraries that read from nothing else.
inline std::string name_to_open(const EncodedFile& file) {
    if (!file.companions) return fmt::format("/proc/self/fd/{}", file.descriptor);
    // In its folder, so that the names that a library makes of it are there, too.
    return fmt::format("/proc/self/fd/{}/{}", file.companions->folder.number(), file.companions->name);
}

}  // namespace texelscope
