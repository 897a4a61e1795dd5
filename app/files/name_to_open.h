#pragma once

#include <string>

#include <fmt/format.h>

#include "app/files/decoding/decoder.h"

namespace texelscope {

// The file's name for libraries that read from nothing else.
inline std::string name_to_open(const EncodedFile& file) { return fmt::format("/proc/self/fd/{}", file.descriptor); }

}  // namespace texelscope
