#include "app/files/codecs/npy_numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files/codecs/npy_header.h"
#include "gpu/core/half.h"

namespace texelscope {
namespace {

using Load = double (*)(const std::byte* from, bool swap);

template <class T> double as_double(const std::byte* from, bool swap) { return double(load_number<T>(from, swap)); }
double half_as_double(const std::byte* from, bool swap) { return half_to_float(load_number<uint16_t>(from, swap)); }

struct Kind {
    std::string_view code;
    size_t bytes;
    Load load;
};
constexpr Kind kinds[] = {
    {"f2", 2, half_as_double},      {"f4", 4, as_double<float>},    {"f8", 8, as_double<double>},
    {"i1", 1, as_double<int8_t>},   {"u1", 1, as_double<uint8_t>},  {"i2", 2, as_double<int16_t>},
    {"u2", 2, as_double<uint16_t>}, {"i4", 4, as_double<int32_t>},  {"u4", 4, as_double<uint32_t>},
    {"i8", 8, as_double<int64_t>},  {"u8", 8, as_double<uint64_t>},
};

const Kind& kind_of(const NpyHeader& header) {
    for (const Kind& kind : kinds)
        if (kind.code == header.code()) return kind;
    throw Error(fmt::format("dtype '{}' does not hold coordinates; use float32, float64 or integers",
                            header.descr.substr(0, 20)));
}

// Throws if the file holds fewer numbers than its header claims.
size_t checked_count(const NpyHeader& header, size_t number_bytes, size_t file_bytes) {
    const size_t present = (file_bytes - header.data_at) / number_bytes;
    size_t count = 1;
    for (const uint64_t side : header.shape)
        if (side == 0) throw Error(fmt::format("the array of shape ({}) is empty", fmt::join(header.shape, ", ")));
    bool enough = present >= 1;  // also if the shape is (), one number
    for (const uint64_t side : header.shape) {
        enough = enough && side <= present / count;
        if (enough) count *= size_t(side);
    }
    if (!enough)
        throw Error(fmt::format("the file is truncated: its header claims shape ({}), but it holds only {} numbers",
                                fmt::join(header.shape, ", "), present));
    return count;
}

// Calls visit(k) with the index in Fortran order of each element, in C order.
template <class Visit> void for_each_in_c_order(const std::vector<uint64_t>& shape, size_t count, Visit visit) {
    std::vector<size_t> step(shape.size()), index(shape.size());
    size_t stride = 1;
    for (size_t d = 0; d < shape.size(); stride *= size_t(shape[d++])) step[d] = stride;
    size_t place = 0;
    for (size_t done = 0; done < count; ++done) {
        visit(place);
        for (size_t d = shape.size(); d-- > 0;) {
            place += step[d];
            if (++index[d] < shape[d]) break;
            place -= step[d] * index[d];
            index[d] = 0;
        }
    }
}

}  // namespace

NumberArray parse_npy_numbers(ByteSpan bytes) {
    const NpyHeader header = parse_npy_header(bytes);
    const Kind& kind = kind_of(header);
    const size_t count = checked_count(header, kind.bytes, bytes.size());
    const std::byte* data = bytes.data() + header.data_at;
    NumberArray array{header.shape, {}, kind.code == "f4" || kind.code == "f2"};
    array.values.reserve(count);
    const auto take = [&](size_t place) {
        array.values.push_back(kind.load(data + place * kind.bytes, header.big_endian()));
    };
    if (header.fortran_order) for_each_in_c_order(header.shape, count, take);
    else
        for (size_t place = 0; place < count; ++place) take(place);
    return array;
}

}  // namespace texelscope
