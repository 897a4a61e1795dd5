#include <cmath>

#include <fmt/format.h>

#include "app/studies/experiments/result_files.h"

namespace texelscope {
namespace {

std::string quoted(const std::string& words) {
    if (words.find_first_of(",\"\n") == words.npos) return words;
    std::string text = "\"";
    for (const char c : words) text += c == '"' ? "\"\"" : std::string(1, c);
    return text + '"';
}

std::string csv_cell(const ResultCell& cell) {
    if (const double* number = std::get_if<double>(&cell)) return std::isnan(*number) ? "" : fmt::format("{}", *number);
    if (const std::string* words = std::get_if<std::string>(&cell)) return quoted(*words);
    return "";
}

}  // namespace

std::string table_as_csv(const ResultTable& table) {
    std::string text;
    for (const ResultColumn& column : table.columns)
        text += (&column == &table.columns.front() ? "" : ",") + quoted(heading(column));
    text += '\n';
    for (const auto& row : table.rows) {
        for (size_t c = 0; c < row.size(); ++c) text += (c > 0 ? "," : "") + csv_cell(row[c]);
        text += '\n';
    }
    return text;
}

}  // namespace texelscope
