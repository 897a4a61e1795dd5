#pragma once
// Points for interpolation, from tables of numbers and NumPy arrays.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/raster.h"

namespace texelscope {

struct PointList {
    int dimensions = 1;               // 1: only x; 2: x and y
    std::vector<double> coordinates;  // x, or x and y, of one point after the other
    std::vector<uint64_t> shape;      // of the array they were read from, without its last axis if that held x and y
    bool header = false;              // whether the table had one
    bool single = false;              // float32: only that many digits count

    // As written in the table, for each coordinate; none if read from a NumPy array. Views into `text`.
    std::vector<std::string_view> words;
    std::vector<std::shared_ptr<const Bytes>> text;

    size_t count() const { return coordinates.size() / size_t(dimensions); }
};

// A table of one column (x) or two (x and y), or a NumPy array: (N,) holds x, any other of shape …×2 holds x and y.
// Throws Error.
PointList parse_points(Bytes bytes);
PointList read_points(const std::filesystem::path& path);  // errors begin with the file's name

// x and y from one file each: tables of one column, or NumPy arrays of equal shape.
PointList read_points(const std::filesystem::path& x, const std::filesystem::path& y);

// Appends "0.5,-3" to the text: point number k as it was given.
void append_point(const PointList& points, size_t k, std::string& text);

}  // namespace texelscope
