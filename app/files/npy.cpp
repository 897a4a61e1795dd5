#include "app/files/npy.h"

#include <algorithm>
#include <cstring>
#include <string>

#include <fmt/format.h>

namespace texelscope {
namespace {

struct Kind {
    std::string_view code;  // of the descr, after the byte order
    size_t bytes;           // of one number
    int numbers;            // in one element: 2 for complex
    SampleType type;
};
constexpr Kind kinds[] = {
    {"u1", 1, 1, SampleType::u8},  {"b1", 1, 1, SampleType::u8},   {"u2", 2, 1, SampleType::u16},
    {"f2", 2, 1, SampleType::f16}, {"f4", 4, 1, SampleType::f32},  {"f8", 8, 1, SampleType::f32},
    {"c8", 4, 2, SampleType::f32}, {"c16", 8, 2, SampleType::f32},
};

const Kind& kind_of(const NpyHeader& header) {
    for (const Kind& kind : kinds)
        if (kind.code == header.code()) return kind;
    throw Error(
        fmt::format("dtype '{}' is not supported; use uint8, uint16, float16, float32, float64, bool or complex64",
                    header.descr.substr(0, 20)));
}

void store(const Kind& kind, const std::byte* from, bool swap, std::byte* to) {
    if (kind.code == "b1") {
        *to = std::byte(*from == std::byte(0) ? 0 : 255);
    } else if (kind.bytes == 8) {
        const auto value = float(load_number<double>(from, swap));
        std::memcpy(to, &value, sizeof value);
    } else {
        std::memcpy(to, from, kind.bytes);
        if (swap) std::reverse(to, to + kind.bytes);
    }
}

}  // namespace

Image parse_npy(ByteSpan bytes) {
    const NpyHeader header = parse_npy_header(bytes);
    const Kind& kind = kind_of(header);
    const size_t dimensions = header.shape.size();
    if (dimensions < 1 || dimensions > 3)
        throw Error(fmt::format("the array has {} dimensions; (N,), (H, W) or (H, W, C) is expected", dimensions));
    const uint64_t height = dimensions == 1 ? 1 : header.shape[0];
    const uint64_t width = header.shape[dimensions == 1 ? 0 : 1];
    const uint64_t depth = dimensions == 3 ? header.shape[2] : 1;
    check_dimensions(width, height, depth * uint64_t(kind.numbers), kind.type);
    check_present(bytes.size() - header.data_at, width * height * depth * kind.bytes * uint64_t(kind.numbers), width,
                  height);

    Image image(int(width), int(height), int(depth) * kind.numbers, kind.type);
    const bool swap = header.big_endian() && kind.bytes > 1;
    const size_t element = kind.bytes * size_t(kind.numbers);
    const bool fortran = header.fortran_order;
    const size_t step_c = fortran ? size_t(width * height) : 1, step_x = fortran ? size_t(height) : size_t(depth),
                 step_y = fortran ? 1 : size_t(width * depth);
    const std::byte* data = bytes.data() + header.data_at;
    const size_t sample_bytes = size_t(bytes_per_sample(kind.type));
    for (size_t y = 0; y < height; ++y) {
        std::byte* to = image.row(int(y));
        for (size_t x = 0; x < width; ++x)
            for (size_t c = 0; c < depth; ++c) {
                const std::byte* from = data + (y * step_y + x * step_x + c * step_c) * element;
                for (int n = 0; n < kind.numbers; ++n, to += sample_bytes)
                    store(kind, from + size_t(n) * kind.bytes, swap, to);
            }
    }
    image.set_one_dimensional(dimensions == 1);
    return image;
}

Bytes encode_npy(const Image& image) {
    const uint64_t shape[] = {uint64_t(image.height()), uint64_t(image.width()), uint64_t(image.channels())};
    const std::string header = encode_npy_header(shape);
    Bytes bytes(header.size() + image.size_bytes());
    std::memcpy(bytes.data(), header.data(), header.size());
    std::memcpy(bytes.data() + header.size(), image.data(), image.size_bytes());
    return bytes;
}

}  // namespace texelscope
