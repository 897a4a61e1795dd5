#pragma once
// Text line by line. Internal to this folder.

#include <string_view>
#include <vector>

#include "gpu/core/text.h"

namespace texelscope {

inline bool is_blank(std::string_view text) { return trimmed(text).empty(); }

// Without their ends, "\n" or "\r\n".
inline std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return lines;
}

}  // namespace texelscope
