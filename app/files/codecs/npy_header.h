#pragma once
// The header of a NumPy array.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/bytes/raster.h"

namespace texelscope {

bool is_npy(ByteSpan head);

struct NpyHeader {
    std::string descr;  // the dtype as written: "<f4"
    bool fortran_order = false;
    std::vector<uint64_t> shape;  // each at most 2³² − 1, so that a product of two cannot overflow
    size_t data_at = 0;           // offset of the first number

    // The dtype without its byte order: "f4".
    std::string_view code() const { return std::string_view(descr).substr(descr.find_first_of("<>|=") == 0 ? 1 : 0); }
    bool big_endian() const { return descr.starts_with('>'); }
};

// Format versions 1, 2 and 3. Throws Error.
NpyHeader parse_npy_header(ByteSpan bytes);

// The header of an array of this type in C order, padded as NumPy does.
std::string encode_npy_header(std::span<const uint64_t> shape, SampleType type);

// One number at `from`, its bytes reversed if `swap` is set.
template <class T> T load_number(const std::byte* from, bool swap) {
    std::byte raw[sizeof(T)];
    std::memcpy(raw, from, sizeof(T));
    if (swap) std::reverse(raw, raw + sizeof(T));
    return std::bit_cast<T>(raw);
}

}  // namespace texelscope
