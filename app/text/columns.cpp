#include "app/text/columns.h"

#include <algorithm>

namespace texelscope {

size_t columns_of(std::string_view text) {
    // Bytes 10xxxxxx continue a character; combining marks (U+0300 … U+036F, lead bytes CC and CD) take no column.
    return size_t(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80 && (c & 0xfe) != 0xcc; }));
}

std::string padded(std::string_view text, size_t columns) {
    return std::string(text) + std::string(columns - std::min(columns, columns_of(text)), ' ');
}

}  // namespace texelscope
