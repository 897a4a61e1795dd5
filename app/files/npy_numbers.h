#pragma once
// NumPy arrays as plain numbers: coordinates, and whatever else is no picture.

#include <cstdint>
#include <vector>

#include "app/files/raster.h"

namespace texelscope {

struct NumberArray {
    std::vector<uint64_t> shape;
    std::vector<double> values;  // in C order, whatever the file's
    bool single = false;         // stored as float32 or shorter: so many digits are meant
};

// Real numbers of any kind, either byte order, C or Fortran order. 64-bit integers are rounded to double. Throws Error
// for other dtypes, and for an array that is empty or truncated.
NumberArray parse_npy_numbers(ByteSpan bytes);

}  // namespace texelscope
