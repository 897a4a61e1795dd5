#pragma once
// An unknown resizer, measured from an original and its result.

#include <optional>
#include <string>
#include <vector>

#include "gpu/core/image.h"

namespace texelscope {

// Where pixels along an axis read: pixel i at offset + i · step, in samples.
struct MeasuredLine {
    double step = 1, offset = 0;
    std::string name;  // of the usual alignment that it is: "centers"; "measured" if it is none
};

// The weights of an axis by distance (sample minus position, in samples, increasing), their integral 1.
struct MeasuredResponse {
    MeasuredLine line;
    std::vector<double> distance, value;
    double shift = 0;      // samples: the response's centroid, by which pixels read elsewhere than at `line`
    double ripple = 0;     // how far the weights of a pixel are from summing to 1, at most
    double uncertain = 0;  // standard error of a value, of the largest one
    // At any distance, linear between those measured; zero beyond them.
    double at(double distance) const;
    double peak() const;
};

// What pixels do near the ends, by what fits their samples.
struct MeasuredEdges {
    std::string name;  // "clamp", …, or "normalise": weights beyond the image are left out; empty: none of these
    std::vector<std::string> alike;  // others that fit as well
    double residual = 0;             // RMS, of the range
};

struct MeasuredResizer {
    MeasuredResponse x, y;
    double residual =
        0;  // RMS of what it makes to the result, of the samples' range, where weights are within the image
    double condition = 1;  // of the equations: large where the picture has little detail, and weights are uncertain
    double bias = 0;       // mean of the result less what it makes, of the range
    MeasuredEdges edges;
    bool clipped = false;  // values beyond the range 0 … 1 were cut off
};

// Positions of both axes that are known, from a crop.
struct KnownLines {
    MeasuredLine x, y;
};

// Throws Error for pictures too small to tell.
MeasuredResizer measure_resizer(const Image& original, const Image& result,
                                const std::optional<KnownLines>& known = {});

// The result by measured weights: of the mean of the channels, f32 × 1, with edges.
Image made_by(const MeasuredResizer& resizer, const Image& original, Extent size);

}  // namespace texelscope
