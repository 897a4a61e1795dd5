#include "app/files/tables/tables.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/npy.h"
#include "gpu/core/errors.h"
#include "gpu/core/text.h"

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

namespace {

PointList from_table(Bytes bytes, int most_columns) {
    PointList points;
    points.text.push_back(std::make_shared<const Bytes>(std::move(bytes)));
    NumberTable table = parse_number_table(text_of(*points.text.front()), most_columns);
    points.dimensions = table.columns;
    points.shape = {table.rows()};
    points.header = table.header;
    points.coordinates = std::move(table.values);
    points.words = std::move(table.words);
    return points;
}

PointList from_array(NumberArray array, int dimensions) {
    if (array.shape.empty())
        throw Error("the array has shape (), a single number; coordinates need shape (N,) or more dimensions");
    PointList points;
    points.dimensions = dimensions;
    points.coordinates = std::move(array.values);
    points.shape = std::move(array.shape);
    points.single = array.single;
    return points;
}

// A file with one coordinate of every point.
PointList read_coordinate(const std::filesystem::path& path) {
    return naming(path, [&] {
        Bytes bytes = read_file(path);
        return is_npy(bytes) ? from_array(parse_npy_numbers(bytes), 1) : from_table(std::move(bytes), 1);
    });
}

void append_number(double value, bool single, std::string& text) {
    if (std::isnan(value)) text += "nan";  // without the sign, which only some of them have
    else if (single) fmt::format_to(std::back_inserter(text), "{}", float(value));
    else fmt::format_to(std::back_inserter(text), "{}", value);
}

}  // namespace

PointList parse_points(Bytes bytes) {
    if (!is_npy(bytes)) return from_table(std::move(bytes), 2);
    NumberArray array = parse_npy_numbers(bytes);
    if (array.shape.size() == 1) return from_array(std::move(array), 1);
    if (array.shape.empty() || array.shape.back() != 2)
        throw Error(
            fmt::format("the array has shape ({}); points are (N,) along a signal, or end with an axis of 2, x and y",
                        fmt::join(array.shape, ", ")));
    array.shape.pop_back();
    return from_array(std::move(array), 2);
}

PointList read_points(const std::filesystem::path& path) {
    return naming(path, [&] { return parse_points(read_file(path)); });
}

PointList read_points(const std::filesystem::path& x_path, const std::filesystem::path& y_path) {
    PointList x = read_coordinate(x_path);
    PointList y = read_coordinate(y_path);
    if (x.shape != y.shape)
        throw Error(fmt::format("{} holds {} coordinates of shape ({}), {} holds {} of shape ({}); x and y must agree",
                                x_path.string(), x.count(), fmt::join(x.shape, ", "), y_path.string(), y.count(),
                                fmt::join(y.shape, ", ")));
    PointList points;
    points.dimensions = 2;
    points.shape = x.shape;
    points.header = x.header && y.header;
    points.single = x.single && y.single;
    points.coordinates.reserve(2 * x.count());
    const bool tables = !x.words.empty() && !y.words.empty();
    for (size_t k = 0; k < x.count(); ++k) {
        points.coordinates.insert(points.coordinates.end(), {x.coordinates[k], y.coordinates[k]});
        if (tables) points.words.insert(points.words.end(), {x.words[k], y.words[k]});
    }
    if (tables) points.text = {x.text.front(), y.text.front()};
    return points;
}

void append_point(const PointList& points, size_t k, std::string& text) {
    for (int d = 0; d < points.dimensions; ++d) {
        const size_t at = k * size_t(points.dimensions) + size_t(d);
        if (d > 0) text += ',';
        if (points.words.empty()) append_number(points.coordinates[at], points.single, text);
        else text += points.words[at];
    }
}

namespace {

void check_rising(const NumberTable& table) {
    for (size_t row = 0; row < table.rows(); ++row) {
        const double x = table.at(row, 0), before = row > 0 ? table.at(row - 1, 0) : -HUGE_VAL;
        if (!std::isfinite(x))
            throw Error(fmt::format("line {}: x must be a finite number, not {}", table.lines[row], x));
        if (x == before)
            throw Error(
                fmt::format("line {}: x = {} occurs twice; x must increase in equal steps", table.lines[row], x));
        if (x < before)
            throw Error(fmt::format("line {}: x decreases from {} to {}; it must increase in equal steps",
                                    table.lines[row], before, x));
    }
}

// Origin and spacing of the first column, which has at least two rows.
void take_grid(const NumberTable& table, Signal& signal) {
    check_rising(table);
    const size_t last = table.rows() - 1;
    signal.origin = table.at(0, 0);
    signal.spacing = (table.at(last, 0) - signal.origin) / double(last);
    if (!std::isfinite(signal.spacing) || signal.spacing == 0)
        throw Error(
            fmt::format("the spacing of x from {} to {} cannot be represented", signal.origin, table.at(last, 0)));
    for (size_t row = 0; row <= last; ++row) {
        const double expected = signal.origin + double(row) * signal.spacing;
        if (!(std::abs(table.at(row, 0) - expected) <= grid_tolerance * signal.spacing))
            throw Error(
                fmt::format("line {}: x = {} is not on a uniform grid, where it would be {:.6g} within 1 % of the "
                            "spacing; otherwise give only the values, with --origin and --spacing",
                            table.lines[row], table.at(row, 0), expected));
    }
}

bool is_text(ByteSpan bytes) {
    return std::ranges::none_of(text_of(bytes), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == 0x7f || (byte < ' ' && (byte < '\t' || byte > '\r'));
    });
}

}  // namespace

Signal parse_signal(ByteSpan text) {
    const NumberTable table = parse_number_table(text_of(text), 3);
    const int first = table.columns == 1 ? 0 : 1, channels = table.columns - first;
    if (table.rows() > size_t(max_image_side))
        throw Error(fmt::format("the signal has {} samples; the limit is {}", table.rows(), max_image_side));
    if (first == 1 && table.rows() < 2)
        throw Error("a single row of x and value has no spacing; give two or more rows, or only values");
    Signal signal;
    if (first == 1) take_grid(table, signal);
    signal.samples = Image(int(table.rows()), 1, channels, SampleType::f32);
    signal.samples.set_one_dimensional(true);
    float* to = signal.samples.row_as<float>(0);
    for (size_t row = 0; row < table.rows(); ++row)
        for (int c = first; c < table.columns; ++c) *to++ = float(table.at(row, c));
    return signal;
}

Signal read_signal(const std::filesystem::path& path) {
    return naming(path, [&] { return parse_signal(read_file(path)); });
}

bool is_table_name(const std::filesystem::path& path) {
    const std::string extension = lower_case(path.extension().string());
    constexpr std::array names = {".csv", ".tsv", ".txt", ".dat"};
    return std::find(names.begin(), names.end(), extension) != names.end();
}

bool is_table(const std::filesystem::path& path) {
    std::error_code none;
    if (!is_table_name(path) || !std::filesystem::is_regular_file(path, none)) return is_table_name(path);
    try {
        const Bytes head = InputFile(path).read(signature_bytes);
        // "BM" may begin a table as well.
        const Codec* codec = codec_of_signature(head);
        return !codec || (is_text(head) && codec->name != "FITS");
    } catch (const Error&) {  // its reader reports it
        return true;
    }
}

}  // namespace texelscope
