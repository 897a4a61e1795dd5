#pragma once
// Text with emphasis, for lessons.

#include <string>
#include <vector>

namespace texelscope {

struct TextSpan {
    enum class Style { plain, bold, italic, code } style = Style::plain;
    std::string text;
};
struct TextBlock {
    enum class Kind { paragraph, item, note } kind = Kind::paragraph;
    std::vector<TextSpan> spans;
};

}  // namespace texelscope
