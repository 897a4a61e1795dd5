#include "gpu/weights/parameter_line.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "gpu/weights/weight_words.h"

namespace texelscope {

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

bool parse_number(std::string_view text, double& value) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

std::string shown(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, 40)) result += c >= ' ' && c < 127 ? c : '?';
    return text.size() > 40 ? result + "…" : result;
}

bool is_shown_name(std::string_view name) {
    const auto printable = [](char c) { return (unsigned char)c >= ' ' && c != 127; };
    return name.size() <= WeightFile::most_name_bytes && std::all_of(name.begin(), name.end(), printable);
}

std::string bad_name_sentence() {
    return fmt::format("a name has at most {} printable characters", WeightFile::most_name_bytes);
}

ParameterLine parse_parameter(std::string_view id, std::string_view value) {
    ParameterLine line;
    WeightParameter& parameter = line.parameter;
    parameter.id = id;
    const size_t from = value.find(" from "), to = value.find(" to ");
    const bool shaped = from != std::string_view::npos && to != std::string_view::npos && to > from + 5 &&
                        parse_number(trimmed(value.substr(0, from)), parameter.standard) &&
                        parse_number(trimmed(value.substr(from + 6, to - from - 6)), parameter.minimum) &&
                        parse_number(trimmed(value.substr(to + 4)), parameter.maximum);
    line.at_id = !is_identifier(id);
    if (line.at_id)
        line.problem = fmt::format("'{}' is no name: up to 32 letters, digits and _, a letter first", shown(id));
    else if (!shaped) line.problem = "write its default and range: parameter a = 0.5 from 0 to 1";
    else if (!(parameter.minimum < parameter.maximum && parameter.minimum <= parameter.standard &&
               parameter.standard <= parameter.maximum))
        line.problem = "the default must be within the range, and the range must not be empty";
    return line;
}

}  // namespace texelscope
