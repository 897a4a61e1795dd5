#include "app/files/codecs/dpx_words.h"

namespace texelscope {
namespace {

uint32_t scaled(uint32_t value, uint32_t bits) {
    const uint32_t most = (1u << bits) - 1;
    return (value * 65535 + most / 2) / most;
}

}  // namespace

uint64_t DpxPacking::line_bytes(uint64_t components) const {
    if (bits == 10 && kind != Kind::packed) return (components + 2) / 3 * 4;
    if (bits == 12 && kind != Kind::packed) return components * 2;
    if (bits == 10 || bits == 12) return (components * bits + 31) / 32 * 4;
    return components * bits / 8;
}

uint32_t DpxPacking::component(ByteSpan line, size_t which) const {
    const auto two = [&](size_t at) { return little_endian ? le16(line, at) : be16(line, at); };
    const auto four = [&](size_t at) { return little_endian ? le32(line, at) : be32(line, at); };
    if (bits == 8) return byte_at(line, which);
    if (bits == 16) return two(2 * which);
    if (bits == 32) return four(4 * which);
    if (kind == Kind::packed) {  // the first component is in the lowest bits of the first word
        const size_t bit = which * bits, word = bit / 32 * 4, shift = bit % 32;
        uint64_t words = four(word);
        if (shift + bits > 32) words |= uint64_t(four(word + 4)) << 32;
        return scaled(uint32_t(words >> shift) & ((1u << bits) - 1), bits);
    }
    if (bits == 12) return scaled(two(2 * which) >> (kind == Kind::high ? 4 : 0) & 0xfff, bits);
    const size_t place = from_low ? which % 3 : 2 - which % 3;
    return scaled(four(which / 3 * 4) >> (10 * place + (kind == Kind::high ? 2 : 0)) & 0x3ff, bits);
}

}  // namespace texelscope
