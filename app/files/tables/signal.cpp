#include "app/files/tables/signal.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/tables/number_table.h"
#include "gpu/core/text.h"

namespace texelscope {
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
