#pragma once
// NumPy arrays as images.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/bytes/rows.h"

namespace texelscope {

// The header of a NumPy array.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

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

// (N,) becomes a one-dimensional signal, (H, W) one channel, (H, W, C) C channels; a complex sample is two channels.
// Numbers stay what they are; bool becomes 0 or 255 of u8. Never alpha. `channels_first`: (C, H, W). An array of more axes holds
// pictures of the last three, (N, C, H, W), counted from 0 along the others. Throws Error.
Image parse_npy(ByteSpan bytes, bool channels_first = false, int picture = 0);
int count_npy_pictures(ByteSpan head);

// These channels, from 0, of an array, which may have more of them than an image. Throws Error.
Image parse_npy(ByteSpan bytes, const std::vector<int>& channels, bool channels_first = false, int picture = 0);
int count_npy_channels(ByteSpan bytes, bool channels_first = false);

// Whether the channels may come first or last.
bool has_npy_layouts(ByteSpan bytes);

// Where these channels of a picture in C order are, by the beginning of the file. Throws Error, NotInParts for any other order.
RawSamples raw_npy(ByteSpan head, const std::vector<int>& channels);

// Writes an array of the picture's type and dimensions: (H, W, C), (H, W) or (W,).
void encode_npy(const RowSource& image, const ByteSink& sink);

// NumPy arrays as plain numbers: coordinates and other data that are not pictures.
struct NumberArray {
    std::vector<uint64_t> shape;
    std::vector<double> values;  // in C order, whatever the order in the file
    bool single = false;         // stored as float32 or shorter: only that many digits count
};

// Real numbers of any kind, either byte order, C or Fortran order. 64-bit integers are rounded to double. Throws Error
// for other dtypes, and for an array that is empty or truncated.
NumberArray parse_npy_numbers(ByteSpan bytes);

}  // namespace texelscope
