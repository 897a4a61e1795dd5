#pragma once
// NumPy arrays as plain numbers: coordinates and other data that are not pictures.

#include <cstdint>
#include <vector>

#include "app/files/bytes/raster.h"

namespace texelscope {

struct NumberArray {
    std::vector<uint64_t> shape;
    std::vector<double> values;  // in C order, whatever the order in the file
    bool single = false;         // stored as float32 or shorter: only that many digits count
};

// Real numbers of any kind, either byte order, C or Fortran order. 64-bit integers are rounded to double. Throws Error
// for other dtypes, and for an array that is empty or truncated.
NumberArray parse_npy_numbers(ByteSpan bytes);

}  // namespace texelscope
