#pragma once
// Tables of numbers as text: CSV and its relatives.

#include <cstdint>
#include <string_view>
#include <vector>

namespace texelscope {

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

}  // namespace texelscope
