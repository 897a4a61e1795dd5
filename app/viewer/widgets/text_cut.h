#pragma once
// Text cut at its end to fit, by any measure of its width.

#include <functional>
#include <string>

namespace texelscope::gui {

// The text if it fits, else its beginning with …; empty if not even one letter fits.
inline std::string cut(std::string text, float room, const std::function<float(const std::string&)>& width_of) {
    if (width_of(text) <= room) return text;
    while (!text.empty() && width_of(text + "…") > room) {
        while ((text.back() & 0xC0) == 0x80) text.pop_back();  // of a UTF-8 character
        text.pop_back();
    }
    return text.empty() ? text : text + "…";
}

}  // namespace texelscope::gui
