// R. White and P. Greenfield's variant of Rice's code, from section 10.4.1 of the FITS Standard: differences between
// neighbours, in blocks that share a number of low bits.
#include "app/files/codecs/fits_packed.h"

namespace texelscope {
namespace {

class Bits {
public:
    explicit Bits(ByteSpan bytes) : bytes_(bytes) {}

    uint32_t take(uint32_t count) {
        uint64_t value = 0;
        for (uint32_t i = 0; i < count; ++i) value = value << 1 | next();
        return uint32_t(value);
    }
    uint32_t zeros_before_one() {
        uint32_t count = 0;
        while (next() == 0) ++count;
        return count;
    }

private:
    uint32_t next() {
        if (at_ / 8 >= bytes_.size()) throw Error("the FITS is damaged: a packed tile is too short");
        const uint32_t bit = byte_at(bytes_, at_ / 8) >> (7 - at_ % 8) & 1;
        ++at_;
        return bit;
    }

    ByteSpan bytes_;
    size_t at_ = 0;
};

}  // namespace

std::vector<int32_t> unpacked_rice(ByteSpan packed, uint64_t count, uint64_t block, uint64_t bytes) {
    const uint32_t width = uint32_t(8 * bytes), code_bits = bytes == 1 ? 3 : bytes == 2 ? 4 : 5;
    const uint32_t raw = bytes == 1 ? 6 : bytes == 2 ? 14 : 25;  // `raw` + 1 is the code for unpacked differences
    const auto number = [&](uint32_t value) {
        return bytes == 1 ? int32_t(uint8_t(value)) : bytes == 2 ? int32_t(int16_t(value)) : int32_t(value);
    };
    Bits bits(packed);
    std::vector<int32_t> numbers;
    numbers.reserve(count);
    uint32_t last = bits.take(width);
    while (numbers.size() < count) {
        const uint32_t code = bits.take(code_bits);
        for (uint64_t i = 0; i < block && numbers.size() < count; ++i) {
            uint32_t folded = 0;  // 0, −1, 1, −2, …
            if (code == raw + 1) folded = bits.take(width);
            else if (code > 0) folded = bits.zeros_before_one() << (code - 1) | bits.take(code - 1);
            last += folded & 1 ? ~(folded >> 1) : folded >> 1;
            numbers.push_back(number(last));
        }
    }
    return numbers;
}

}  // namespace texelscope
