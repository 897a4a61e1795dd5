#pragma once
// A field for the text of a program or a formula: in the fixed-width font, with its lines numbered.

#include <map>
#include <string>

namespace texelscope::gui {

// As wide as there is space, `height` in window coordinates. `marked`: what is wrong, by lines from 1 on, in columns of bytes from
// 1 on: the number has the colour of warnings, the line a band, and from the column on it is underlined. True if the text was
// changed.
bool code_field(const char* id, std::string& text, float height, const std::map<int, int>& marked);

// The height of a field that shows so many lines.
float code_height(int lines);

}  // namespace texelscope::gui
