#include "app/text/search.h"

#include <algorithm>

#include "gpu/core/text.h"

namespace texelscope {

bool contains_ignoring_case(std::string_view text, std::string_view needle) {
    return std::search(text.begin(), text.end(), needle.begin(), needle.end(),
                       [](char a, char b) { return lower_case(a) == lower_case(b); }) != text.end() ||
           needle.empty();
}

}  // namespace texelscope
