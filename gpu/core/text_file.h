#pragma once
// Small texts from files.

#include <cstddef>
#include <filesystem>
#include <string>

namespace texelscope {

// At most one byte more than `most`, so that more than that is seen. Pipes are read too. Throws FileError.
std::string read_text_file(const std::filesystem::path& path, size_t most);

}  // namespace texelscope
