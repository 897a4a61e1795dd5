#include "app/files/bytes/naming.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

namespace texelscope {

std::string words_of_missing(const SampleRegion& missing, int width, int height) {
    const bool rows = missing.width == width, columns = missing.height == height;
    if (rows && columns) return "the file ends early; at most a coarse picture is there";
    if (!rows && !columns)
        return fmt::format("the file ends early; {}×{} of its pixels are missing", missing.width, missing.height);
    const int all = rows ? height : width, there = all - (rows ? missing.height : missing.width);
    return fmt::format("the file ends early; {} % of the {} are there", int64_t(there) * 100 / all,
                       rows ? "rows" : "columns");
}

std::string encoded_path(std::string_view path) {
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!$&'()*+,-./:=@_~";
    std::string text;
    for (const char c : path)
        if (plain.find(c) != plain.npos) text += c;
        else fmt::format_to(std::back_inserter(text), "%{:02X}", static_cast<unsigned char>(c));
    return text;
}

namespace {

constexpr size_t block_bytes = 64;

// The integer part of 2³² · |sin i|, i = 1 … 64 (RFC 1321, section 3.4).
std::array<uint32_t, 64> sines() {
    std::array<uint32_t, 64> table{};
    for (size_t i = 0; i < table.size(); ++i)
        table[i] = uint32_t(std::floor(std::abs(std::sin(double(i + 1))) * 0x1p32));
    return table;
}

uint32_t little_endian(std::string_view bytes, size_t at) {
    uint32_t word = 0;
    for (size_t i = 4; i-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
    return word;
}

// With a bit 1, zeros, and the length in bits, to whole blocks.
std::string padded(std::string_view text) {
    std::string message(text);
    message += char(0x80);
    while (message.size() % block_bytes != block_bytes - 8) message += char(0);
    const uint64_t bits = uint64_t(text.size()) * 8;
    for (int i = 0; i < 8; ++i) message += char(bits >> 8 * i & 255);
    return message;
}

using State = std::array<uint32_t, 4>;

void take_block(State& state, std::string_view block) {
    static const std::array<uint32_t, 64> sine = sines();
    static constexpr int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    auto [a, b, c, d] = state;
    for (uint32_t i = 0; i < 64; ++i) {
        uint32_t mixed = 0, word = 0;
        switch (i / 16) {
            case 0: mixed = (b & c) | (~b & d), word = i; break;
            case 1: mixed = (d & b) | (~d & c), word = (5 * i + 1) % 16; break;
            case 2: mixed = b ^ c ^ d, word = (3 * i + 5) % 16; break;
            default: mixed = c ^ (b | ~d), word = 7 * i % 16; break;
        }
        const uint32_t sum = a + mixed + sine[i] + little_endian(block, 4 * word);
        a = d, d = c, c = b;
        b += std::rotl(sum, turns[i / 16][i % 4]);
    }
    state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

}  // namespace

std::string md5(std::string_view text) {
    State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    const std::string message = padded(text);
    for (size_t at = 0; at < message.size(); at += block_bytes)
        take_block(state, std::string_view(message).substr(at, block_bytes));
    std::string digits;
    for (const uint32_t word : state)
        for (int i = 0; i < 4; ++i) digits += fmt::format("{:02x}", word >> 8 * i & 255);
    return digits;
}

}  // namespace texelscope
