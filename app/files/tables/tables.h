#pragma once
// Tables of numbers as text (CSV and its relatives): points and signals are read from them.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"

namespace texelscope {

// Tables of numbers as text: CSV and its relatives.

// Views into the text that was parsed, which must outlive it.
struct NumberTable {
    int columns = 0;                      // at least 1
    bool header = false;                  // its first line names the columns
    std::vector<double> values;           // row after row
    std::vector<std::string_view> words;  // the same numbers as text
    std::vector<uint32_t> lines;          // of the text, from 1; for each row

    size_t rows() const { return lines.size(); }
    double at(size_t row, int column) const { return values[row * size_t(columns) + size_t(column)]; }
};

// One row per line (LF, CRLF or CR), numbers separated by a comma, a semicolon, or blanks and tabs. `nan` and `inf` are
// numbers. Quotes around a number are allowed, as spreadsheets write them. Empty lines and text after a # are ignored.
// A first line without numbers is a header. Throws Error, naming the line, for text that is not a number, for rows of
// different lengths, for more than `most_columns` (at most 3) columns, and for a table without numbers.
NumberTable parse_number_table(std::string_view text, int most_columns);

// Points for interpolation, from tables of numbers and NumPy arrays.

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

// Uniformly sampled signals from tables of numbers.

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
