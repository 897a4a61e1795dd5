#pragma once
// docs/methods.md, made from the registry: each method in words, numbers and pictures.

#include <filesystem>
#include <string>
#include <string_view>

#include "gpu/method/method_info.h"

namespace texelscope {

// The whole page, Markdown. It names pictures as methods/ID-weight.svg, methods/ID-spectrum.svg and
// methods/ID-plate.png.
std::string methods_page();

// Writes methods.md and its pictures below the folder, which must exist. Pictures are computed on the CPU, so that the
// page is the same everywhere. Throws FileError.
void write_methods_page(const std::filesystem::path& folder);

// The table of file formats in docs/files.md, from the records of the codecs.

// The page with the current table between its two marks. Throws Error if it has no such marks.
std::string with_formats_table(std::string_view page);

}  // namespace texelscope
