#include "app/files/codecs/dds_blocks.h"

#include <algorithm>

namespace texelscope {
namespace {

using Pixels = std::array<float, 64>;
using Colour = std::array<float, 4>;

Colour colour_of(uint32_t packed) {
    return {float(packed >> 11) / 31, float(packed >> 5 & 63) / 63, float(packed & 31) / 31, 1};
}

Colour mixed(const Colour& a, const Colour& b, float of_b) {
    Colour result;
    for (size_t c = 0; c < 4; ++c) result[c] = a[c] + (b[c] - a[c]) * of_b;
    return result;
}

// `three`: a block whose first colour is not the greater one has three colours and transparent black.
void put_colours(ByteSpan bytes, bool three, Pixels& pixels) {
    const uint32_t first = le16(bytes, 0), second = le16(bytes, 2), indices = le32(bytes, 4);
    const Colour a = colour_of(first), b = colour_of(second);
    const bool four = !three || first > second;
    const std::array<Colour, 4> colours = {a, b, mixed(a, b, four ? 1.0f / 3 : 0.5f),
                                           four ? mixed(a, b, 2.0f / 3) : Colour{}};
    for (size_t i = 0; i < 16; ++i) std::ranges::copy(colours[indices >> 2 * i & 3], pixels.begin() + ptrdiff_t(4 * i));
}

// Unpacks one channel: two end values and those between them, with an index of three bits a pixel.
void put_ramp(ByteSpan bytes, bool with_sign, size_t channel, size_t channels, Pixels& pixels) {
    const auto end = [&](size_t at) {
        return with_sign ? float(std::max<int>(int8_t(byte_at(bytes, at)), -127)) / 127
                         : float(byte_at(bytes, at)) / 255;
    };
    const float a = end(0), b = end(1);
    const bool eight =
        with_sign ? int8_t(byte_at(bytes, 0)) > int8_t(byte_at(bytes, 1)) : byte_at(bytes, 0) > byte_at(bytes, 1);
    std::array<float, 8> values = {a, b};
    const int between = eight ? 6 : 4;
    for (int i = 1; i <= between; ++i)
        values[size_t(i) + 1] = (a * float(between + 1 - i) + b * float(i)) / float(between + 1);
    if (!eight) {
        values[6] = with_sign ? -1.0f : 0.0f;
        values[7] = 1;
    }
    const uint64_t indices = le32(bytes, 2) | uint64_t(le16(bytes, 6)) << 32;
    for (size_t i = 0; i < 16; ++i) pixels[i * channels + channel] = values[indices >> 3 * i & 7];
}

}  // namespace

Pixels unpacked(DdsBlock block, ByteSpan bytes) {
    Pixels pixels{};
    using enum DdsBlock;
    switch (block) {
        case bc1: put_colours(bytes, true, pixels); break;
        case bc2:
            put_colours(bytes.subspan(8), false, pixels);
            for (size_t i = 0; i < 16; ++i) pixels[4 * i + 3] = float(byte_at(bytes, i / 2) >> 4 * (i % 2) & 15) / 15;
            break;
        case bc3:
            put_colours(bytes.subspan(8), false, pixels);
            put_ramp(bytes, false, 3, 4, pixels);
            break;
        case bc4:
        case bc4_signed: put_ramp(bytes, is_signed(block), 0, 1, pixels); break;
        case bc5:
        case bc5_signed:
            put_ramp(bytes, is_signed(block), 0, 2, pixels);
            put_ramp(bytes.subspan(8), is_signed(block), 1, 2, pixels);
            break;
        case none: break;
    }
    return pixels;
}

}  // namespace texelscope
