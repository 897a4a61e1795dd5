#pragma once
// Text broken into rows, by any measure of its width.

#include <functional>
#include <string>
#include <vector>

namespace texelscope::gui {

// At spaces, and within words that are longer than a row; the last of `most` rows ends with … if there is more. Line breaks
// are taken as spaces. A row has at least one letter.
std::vector<std::string> in_rows(std::string text, float room, int most,
                                 const std::function<float(const std::string&)>& width_of);

}  // namespace texelscope::gui
