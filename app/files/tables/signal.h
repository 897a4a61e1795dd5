#pragma once
// Uniformly sampled signals from tables of numbers.

#include <filesystem>

#include "app/files/bytes/raster.h"

namespace texelscope {

struct Signal {
    Image samples;                   // one-dimensional, f32; two channels if complex
    double origin = 0, spacing = 1;  // sample i is at origin + i · spacing
};

// How far an x may be from its grid point, relative to the spacing: a printed table has few digits (0, 0.167, 0.333).
// The first and the last x define the grid.
inline constexpr double grid_tolerance = 1e-2;

// One column: values; two: x and value; three: x, real and imaginary part. See NumberTable for the text.
// Throws Error, naming the line, if x does not increase in equal steps.
Signal parse_signal(ByteSpan text);
Signal read_signal(const std::filesystem::path& path);  // errors begin with the file's name

// .csv, .tsv, .txt or .dat: a table of numbers rather than an image.
bool is_table_name(const std::filesystem::path& path);
// Whether a file is a table by its name, unless it exists and is an image.
bool is_table(const std::filesystem::path& path);

}  // namespace texelscope
