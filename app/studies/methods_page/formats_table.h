#pragma once
// The table of file formats in docs/files.md, from the records of the codecs.

#include <string>
#include <string_view>

namespace texelscope {

// The page with the current table between its two marks. Throws Error if it has no such marks.
std::string with_formats_table(std::string_view page);

}  // namespace texelscope
