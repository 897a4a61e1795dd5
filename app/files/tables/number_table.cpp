#include "app/files/tables/number_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr size_t most_fields = 4;  // one more than any table may have

struct Fields {
    std::array<std::string_view, most_fields> word;
    size_t count = 0;  // of the line; fields beyond most_fields are only counted
};

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_comma(char c) { return c == ',' || c == ';'; }
constexpr bool is_line_end(char c) { return c == '\n' || c == '\r'; }

// Takes the field at `at`, which is moved behind it; within quotes (RFC 4180) it may have separators.
std::string_view take_field(std::string_view line, size_t& at) {
    const size_t begin = at, closing = line[at] == '"' ? line.find('"', at + 1) : line.npos;
    if (closing != line.npos) {
        const size_t after = closing + 1;
        if (after == line.size() || is_blank(line[after]) || is_comma(line[after])) {
            at = after;
            return line.substr(begin + 1, closing - begin - 1);
        }
    }
    while (at < line.size() && !is_blank(line[at]) && !is_comma(line[at])) ++at;
    return line.substr(begin, at - begin);
}

// A separator is a comma or semicolon with blanks around it, or blanks alone; between two of the former, and after one
// at the end, a field is empty.
Fields split(std::string_view line) {
    Fields fields;
    size_t at = 0;
    const auto skip_blanks = [&] {
        while (at < line.size() && is_blank(line[at])) ++at;
    };
    skip_blanks();
    for (bool more = at < line.size(); more; ++fields.count) {
        const std::string_view word = at < line.size() ? take_field(line, at) : std::string_view();
        if (fields.count < most_fields) fields.word[fields.count] = word;
        skip_blanks();
        const bool comma = at < line.size() && is_comma(line[at]);
        if (comma) {
            ++at;
            skip_blanks();
        }
        more = comma || at < line.size();
    }
    return fields;
}

// Beyond the range of double: infinity, or zero.
bool parse_number(std::string_view word, double& value) {
    if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::invalid_argument || end != word.data() + word.size()) return false;
    if (error == std::errc::result_out_of_range) value = std::strtod(std::string(word).c_str(), nullptr);
    return true;
}

// In a form suitable for a message: short, and without control characters.
std::string shown(std::string_view word) {
    std::string text(word.substr(0, 20));
    for (char& c : text)
        if (c >= 0 && c < ' ') c = '?';
    return text + (word.size() > 20 ? "…" : "");
}

bool is_header(const Fields& fields) {
    double ignored;
    for (size_t i = 0; i < std::min(fields.count, most_fields); ++i)
        if (fields.word[i].empty() || parse_number(fields.word[i], ignored)) return false;
    return true;
}

class TableReader {
public:
    explicit TableReader(int most_columns) : most_columns_(most_columns) {}

    void take_line(std::string_view line, uint32_t number) {
        if (const size_t comment = line.find('#'); comment != line.npos) line = line.substr(0, comment);
        const Fields fields = split(line);
        if (fields.count == 0) return;
        if (first_ && is_header(fields)) table_.header = true;
        else add_row(fields, number);
        first_ = false;
    }

    NumberTable finish() {
        if (table_.rows() == 0) throw Error("it holds no numbers; one row per line is expected");
        return std::move(table_);
    }

private:
    void add_row(const Fields& fields, uint32_t line) {
        if (table_.columns == 0) {
            if (fields.count > size_t(most_columns_))
                throw Error(
                    fmt::format("line {} has {} columns; at most {} are expected", line, fields.count, most_columns_));
            table_.columns = int(fields.count);
        }
        if (fields.count != size_t(table_.columns))
            throw Error(fmt::format("line {} has {} of the {} numbers that the lines before it have", line,
                                    fields.count, table_.columns));
        for (size_t i = 0; i < fields.count; ++i) {
            double value = 0;
            if (fields.word[i].empty()) throw Error(fmt::format("line {}: a number is missing", line));
            if (!parse_number(fields.word[i], value))
                throw Error(fmt::format("line {}: '{}' is not a number", line, shown(fields.word[i])));
            table_.values.push_back(value);
            table_.words.push_back(fields.word[i]);
        }
        table_.lines.push_back(line);
    }

    int most_columns_;
    bool first_ = true;
    NumberTable table_;
};

}  // namespace

NumberTable parse_number_table(std::string_view text, int most_columns) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // the byte order mark that spreadsheets write
    TableReader reader(most_columns);
    uint32_t line = 1;
    for (size_t at = 0; at < text.size(); ++line) {
        const size_t begin = at;
        while (at < text.size() && !is_line_end(text[at])) ++at;
        reader.take_line(text.substr(begin, at - begin), line);
        at += text.substr(at).starts_with("\r\n") ? 2 : 1;
    }
    return reader.finish();
}

}  // namespace texelscope
