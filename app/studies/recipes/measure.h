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

// The fit within measure_resizer(): weights of each phase of both axes.

// Samples of one channel, row by row.
struct ChannelField {
    int width = 0, height = 0;
    std::vector<double> values;
    double at(int x, int y) const { return values[size_t(y) * size_t(width) + size_t(x)]; }
};
ChannelField field_of(const Image& image);  // the mean of its colours
ChannelField transposed(const ChannelField& field);

// Pixels of an axis that read at the same fraction of a sample, and their weights of the samples from floor(x) + low on.
struct PhaseWeights {
    double fraction = 0;
    int low = 0;
    std::vector<int> pixels;
    std::vector<double> weights;
};

struct AxisFit {
    MeasuredLine line;
    int samples = 0, pixels = 0;
    double reach = 0;                  // samples
    std::vector<PhaseWeights> phases;  // of pixels whose weights are all within the image
    std::vector<int> phase_of;         // of each pixel; -1: its weights leave the image
    int floor_of(int pixel) const;
};

// Each pixel a phase of its own unless `pooled`. The weights are a triangle's.
AxisFit axis_fit(const MeasuredLine& line, int samples, int pixels, double reach, bool pooled);

struct FitOptions {
    int rounds = 30;
    int most_lines = 256;  // rows or columns that one fit reads
    double ridge = 1e-12;  // of the mean square of the samples: what keeps weights small where nothing tells them
    double lowest = -1e300, highest = 1e300;  // results at these or beyond may have been cut off: left out
};

struct FitOutcome {
    double residual = 0;                 // RMS
    double bias = 0;                     // mean
    double condition = 1;                // of the worst equations
    double error = 0;                    // standard error of a weight along x
    size_t equations = 0, unknowns = 0;  // of both axes
};

// The mean over the phases of what the weights of a pixel add up to.
double sum_of_weights(const AxisFit& axis);

// Least squares, x and y in turns, until both settle. Throws Error if there are too few pixels.
FitOutcome fit_both(const ChannelField& original, const ChannelField& result, AxisFit& x, AxisFit& y,
                    const FitOptions& options);

// Rows of a field by the weights along y: only those in `rows`, all of which have a phase.
ChannelField combined_rows(const ChannelField& field, const AxisFit& y, const std::vector<int>& rows);

// Pixels that have a phase, at most so many.
std::vector<int> pixels_within(const AxisFit& axis, int most);

}  // namespace texelscope
