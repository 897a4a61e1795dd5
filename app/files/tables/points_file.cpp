#include "app/files/tables/points_file.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files/bytes/naming.h"
#include "app/files/codecs/npy.h"
#include "app/files/codecs/npy_header.h"
#include "app/files/tables/number_table.h"

namespace texelscope {
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

}  // namespace texelscope
