#pragma once
// A field for the text of a program: in the fixed-width font, with its lines numbered.

#include <set>
#include <string>

namespace texelscope::gui {

// As wide as there is space, `height` in window coordinates. Lines of `marked`, from 1 on, have their number in the colour of warnings. True if the text was
// changed.
bool code_field(const char* id, std::string& text, float height, const std::set<int>& marked);

}  // namespace texelscope::gui
