#pragma once

#include <algorithm>

namespace texelscope {

// What follows a value in a list, the first after the last one; the first if the value is not in it.
template <class Range, class T> T next_in(const Range& all, T value) {
    const auto at = std::find(all.begin(), all.end(), value);
    return at == all.end() || at + 1 == all.end() ? all.front() : *(at + 1);
}

}  // namespace texelscope
