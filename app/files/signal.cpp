#include "app/files/signal.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/files/file_io.h"
#include "app/files/naming.h"
#include "app/files/number_table.h"

namespace texelscope {
namespace {

void check_rising(const NumberTable& table) {
    for (size_t row = 0; row < table.rows(); ++row) {
        const double x = table.at(row, 0), before = row > 0 ? table.at(row - 1, 0) : -HUGE_VAL;
        if (!std::isfinite(x))
            throw Error(fmt::format("line {}: x must be a finite number, not {}", table.lines[row], x));
        if (x == before)
            throw Error(fmt::format("line {}: x = {} is there twice; x must rise in equal steps", table.lines[row], x));
        if (x < before)
            throw Error(fmt::format("line {}: x falls from {} to {}; it must rise in equal steps", table.lines[row],
                                    before, x));
    }
}

// Origin and spacing of the first column, which has two rows at least.
void take_grid(const NumberTable& table, Signal& signal) {
    check_rising(table);
    const size_t last = table.rows() - 1;
    signal.origin = table.at(0, 0);
    signal.spacing = (table.at(last, 0) - signal.origin) / double(last);
    if (!std::isfinite(signal.spacing) || signal.spacing == 0)
        throw Error(fmt::format("x from {} to {} is beyond the range of a spacing", signal.origin, table.at(last, 0)));
    for (size_t row = 0; row <= last; ++row) {
        const double expected = signal.origin + double(row) * signal.spacing;
        if (!(std::abs(table.at(row, 0) - expected) <= grid_tolerance * signal.spacing))
            throw Error(
                fmt::format("line {}: x = {} is not on a uniform grid, on which it would be {:.6g} to 1 % of the spacing; "
                            "else give the values alone, with --origin and --spacing",
                            table.lines[row], table.at(row, 0), expected));
    }
}

}  // namespace

Signal parse_signal(ByteSpan text) {
    const NumberTable table = parse_number_table(text_of(text), 3);
    const int first = table.columns == 1 ? 0 : 1, channels = table.columns - first;
    if (table.rows() > size_t(max_image_side))
        throw Error(fmt::format("the signal has {} samples; at most {} are taken", table.rows(), max_image_side));
    if (first == 1 && table.rows() < 2)
        throw Error("one row of x and value gives no spacing; two or more are needed, or values alone");
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
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + ('a' - 'A')) : c; });
    constexpr std::array names = {".csv", ".tsv", ".txt", ".dat"};
    return std::find(names.begin(), names.end(), extension) != names.end();
}

}  // namespace texelscope
