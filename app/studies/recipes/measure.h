#pragma once
// An unknown resizer, measured from an original and its result.

#include <string>
#include <vector>

#include "gpu/core/image.h"

namespace texelscope {

// Where pixels along an axis read: pixel i at offset + i · step, in samples.
struct MeasuredLine {
    double step = 1, offset = 0;
    std::string name;  // of the usual alignment that it is: "centers"
};

// The weights of an axis by distance (sample minus position, in samples), their integral 1.
struct MeasuredResponse {
    MeasuredLine line;
    std::vector<double> distance, value;
    double shift = 0;  // samples: the response's centroid, by which pixels read elsewhere than at `line`
};

struct MeasuredResizer {
    MeasuredResponse x, y;
    double residual = 0;  // RMS of what it makes to the result, of the samples' range
};

// Throws Error for pictures too small to tell.
MeasuredResizer measure_resizer(const Image& original, const Image& result);

}  // namespace texelscope
