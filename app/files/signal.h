#pragma once
// Uniformly sampled signals from tables of numbers.

#include <filesystem>

#include "app/files/raster.h"

namespace texelscope {

struct Signal {
    Image samples;                    // one-dimensional, f32; two channels where it is complex
    double origin = 0, spacing = 1;   // sample i stands at origin + i · spacing
};

// How far an x may lie from its place on the grid, of the spacing: a printed table has few digits (0, 0.167, 0.333).
// The grid itself is that of the first and the last x.
inline constexpr double grid_tolerance = 1e-2;

// One column: values; two: x and value; three: x, real and imaginary part. See NumberTable for the text.
// Throws Error, naming the line, where x does not rise in equal steps.
Signal parse_signal(ByteSpan text);
Signal read_signal(const std::filesystem::path& path);  // with the file's name in front

// .csv, .tsv, .txt or .dat: a table of numbers rather than an image.
bool is_table_name(const std::filesystem::path& path);

}  // namespace texelscope
