#pragma once
// Tables of taps in a library's own arithmetic (TapTable of rule.h), written pixel by pixel.

#include <span>

#include "gpu/recipes/rule.h"

namespace texelscope {

// fill(i, weights) writes the weights of pixel i, which are zeros, and returns the first sample that it reads.
template <class Fill> LongTaps tap_table(const ResizedAxis& axis, int taps, Fill fill) {
    LongTaps table{.taps = taps, .first = {}, .weights = std::vector<float>(size_t(axis.count) * size_t(taps), 0.0f)};
    for (int i = 0; i < axis.count; ++i)
        table.first.push_back(fill(i, std::span(table.weights).subspan(size_t(i) * size_t(taps), size_t(taps))));
    return table;
}

}  // namespace texelscope
