#pragma once
// What is wrong in a text of lines.

#include <string>
#include <string_view>
#include <vector>

namespace texelscope::gui {

struct CodeError {
    int line = 1, column = 1;  // from 1 on, columns in bytes; after the last line is in the last one
    std::string sentence;
    bool operator==(const CodeError&) const = default;
};
using CodeErrors = std::vector<CodeError>;

// The errors of a text that has been changed since and is not checked again yet: they stay with their lines. Those of lines
// that are no more go to what has taken their place.
CodeErrors moved_along(CodeErrors errors, std::string_view before, std::string_view after);

}  // namespace texelscope::gui
