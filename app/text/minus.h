#pragma once
// Negative numbers as they are shown: with a minus sign, not a hyphen.

#include <string>

namespace texelscope {

inline std::string with_minus(std::string number) {
    if (number.starts_with('-')) number.replace(0, 1, "−");
    return number;
}

}  // namespace texelscope
