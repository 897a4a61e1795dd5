#include "app/files/npy.h"

#include <algorithm>
#include <cstring>
#include <numeric>
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
        fmt::format("dtype '{}' is not supported; use uint8, uint16, float16, float32, float64, bool, complex64 or "
                    "complex128",
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

struct Layout {
    uint64_t width = 0, height = 1, depth = 1;
    const Kind& kind;

    uint64_t channels() const { return depth * uint64_t(kind.numbers); }
};

Layout layout_of(const NpyHeader& header) {
    const size_t dimensions = header.shape.size();
    if (dimensions < 1 || dimensions > 3)
        throw Error(fmt::format("the array has {} dimensions; (N,), (H, W) or (H, W, C) is expected", dimensions));
    Layout layout{header.shape[dimensions == 1 ? 0 : 1], 1, 1, kind_of(header)};
    if (dimensions > 1) layout.height = header.shape[0];
    if (dimensions > 2) layout.depth = header.shape[2];
    return layout;
}

Image parse(ByteSpan bytes, const NpyHeader& header, const Layout& layout, const std::vector<int>& channels) {
    const auto& [width, height, depth, kind] = layout;
    check_dimensions(width, height, channels.size(), kind.type);
    check_present(bytes.size() - header.data_at, width * height * layout.channels() * kind.bytes, width, height);

    Image image(int(width), int(height), int(channels.size()), kind.type);
    const bool swap = header.big_endian() && kind.bytes > 1;
    const size_t numbers = size_t(kind.numbers), element = kind.bytes * numbers;
    const bool fortran = header.fortran_order;
    const size_t step_c = fortran ? size_t(width * height) : 1, step_x = fortran ? size_t(height) : size_t(depth),
                 step_y = fortran ? 1 : size_t(width * depth);
    const std::byte* data = bytes.data() + header.data_at;
    const size_t sample_bytes = size_t(bytes_per_sample(kind.type));
    std::vector<size_t> offsets;  // of the channels, from their pixel
    for (const int channel : channels)
        offsets.push_back(size_t(channel) / numbers * step_c * element + size_t(channel) % numbers * kind.bytes);
    for (size_t y = 0; y < height; ++y) {
        std::byte* to = image.row(int(y));
        for (size_t x = 0; x < width; ++x) {
            const std::byte* pixel = data + (y * step_y + x * step_x) * element;
            for (const size_t offset : offsets) {
                store(kind, pixel + offset, swap, to);
                to += sample_bytes;
            }
        }
    }
    image.set_one_dimensional(header.shape.size() == 1);
    return image;
}

}  // namespace

Image parse_npy(ByteSpan bytes) {
    const NpyHeader header = parse_npy_header(bytes);
    const Layout layout = layout_of(header);
    check_dimensions(layout.width, layout.height, layout.channels(), layout.kind.type);
    std::vector<int> all(size_t(layout.channels()));
    std::iota(all.begin(), all.end(), 0);
    return parse(bytes, header, layout, all);
}

Image parse_npy(ByteSpan bytes, const std::vector<int>& channels) {
    const NpyHeader header = parse_npy_header(bytes);
    return parse(bytes, header, layout_of(header), channels);
}

int count_npy_channels(ByteSpan bytes) {
    constexpr uint64_t most = 65535;
    const uint64_t channels = layout_of(parse_npy_header(bytes)).channels();
    if (channels > most) throw Error(fmt::format("its header claims {} channels; at most {} can be", channels, most));
    return int(channels);
}

void encode_npy(const RowSource& image, const ByteSink& sink) {
    const uint64_t shape[] = {uint64_t(image.height), uint64_t(image.width), uint64_t(image.channels)};
    sink(bytes_of_text(encode_npy_header(shape)));
    for_each_band(image, [&](const Image& rows, int, int) { sink({rows.data(), rows.size_bytes()}); });
}

}  // namespace texelscope
