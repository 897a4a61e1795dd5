#pragma once

#include <string>
#include <vector>

namespace texelscope {

using TextRow = std::vector<std::string>;

// Rows with equally many cells, columns two blanks apart; all but the first `left` right-aligned.
std::string aligned(const std::vector<TextRow>& rows, size_t left);

}  // namespace texelscope
