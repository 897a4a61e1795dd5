// Arbitrary bytes for the parsers of points and signals: each must parse, or throw Error.

#include <cstring>

#include "app/files/tables/tables.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace texelscope;
using namespace std::string_literals;

void demand(bool condition) {
    if (!condition) __builtin_trap();
}

bool table(ByteSpan bytes) {
    return fuzz::accepts([&] {
        const NumberTable table = parse_number_table(text_of(bytes), 3);
        demand(table.rows() >= 1 && table.columns >= 1 && table.columns <= 3);
        demand(table.values.size() == table.rows() * size_t(table.columns) &&
               table.words.size() == table.values.size());
        demand(table.values.size() <= bytes.size());  // each number is at least one byte
    });
}

bool signal(ByteSpan bytes) {
    return fuzz::accepts([&] {
        const Signal signal = parse_signal(bytes);
        demand(signal.samples.one_dimensional() && signal.spacing > 0);
    });
}

bool points(ByteSpan bytes) {
    return fuzz::accepts([&] {
        Bytes copy(bytes.begin(), bytes.end());
        const PointList points = parse_points(std::move(copy));
        demand(points.count() >= 1 && points.count() * size_t(points.dimensions) == points.coordinates.size());
        uint64_t count = 1;
        for (const uint64_t side : points.shape) count *= side;
        demand(count == points.count());
        std::string text;
        append_point(points, points.count() - 1, text);
        demand(!text.empty());
    });
}

}  // namespace

int fuzz::accepted(ByteSpan bytes) { return table(bytes) + signal(bytes) + points(bytes); }

std::vector<std::string> fuzz::seeds() {
    const auto npy = [](const std::string& dictionary, const std::string& data) {
        return "\x93NUMPY\x01\0"s + char(dictionary.size() + 1) + '\0' + dictionary + '\n' + data;
    };
    return {
        "1\n2\n3\n",
        "x,y\n0.5,-1e3\n+1.,nan\n",
        "\xef\xbb\xbf# points\r\n\"left\";\"top\"\r\n1 ; 2\r\n3;4 # c\r\n",
        "0 1\n0.1 2\n0.2 3\n0.3 4\n",
        "-2\t1\t-1\r0\t2\t-2\r2\tinf\t-nan\r",
        "1e999,1e-999\n-infinity,00012\n",
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "abcdefgh"),
        npy("{'descr': '>f8', 'fortran_order': True, 'shape': (1, 2), }", "abcdefghijklmnop"),
        npy("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2, 2), }", "abcdefgh"),
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", ""),
    };
}

FUZZ_TARGET
