#pragma once
// The last step of a rendering on the CPU: a run of values of a row into the output.

#include "gpu/method/resample_job.h"
#include "gpu/method/simd/kernels.h"

namespace texelscope {

// Positions at which a pixel's value is not the interpolated one.
enum class PixelPlace : unsigned char {
    inside,
    outside,  // outside the range that the request asks for
    nowhere   // infinitely far in a repeating signal, or not a number
};

// Pixels (first … first + count − 1, row) of the job's output from `values`, with the source's pixel_channels(),
// readable up to simd::padding numbers beyond. `places` is null if all are inside.
void store_values(const simd::Kernels& kernels, const ResampleJob& job, const float* values, const PixelPlace* places,
                  int first, int count, int row);

}  // namespace texelscope
