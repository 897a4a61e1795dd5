#pragma once
// Columns of text in a terminal.

#include <string>
#include <string_view>

namespace texelscope {

// Columns that a UTF-8 text takes in a terminal, one per character; and the text padded with blanks to that many.
size_t columns_of(std::string_view text);
std::string padded(std::string_view text, size_t columns);

}  // namespace texelscope
