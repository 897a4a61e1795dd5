#pragma once
// A picture that is written some rows at a time.

#include <functional>

#include "app/files/raster.h"

namespace texelscope {

// An image that fits the format.
struct RowSource {
    int height = 0;
    std::function<Image(int first, int last)> rows;  // without the last one; what it throws ends the writing
    ByteSpan icc = {};                               // the profile that goes into the file; empty: none
};

// As many as a writer asks for, but for the last ones.
inline constexpr int rows_written_at_once = 64;

}  // namespace texelscope
