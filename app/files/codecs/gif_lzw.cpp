#include "app/files/codecs/gif_lzw.h"

#include <algorithm>
#include <array>

namespace texelscope {
namespace {

constexpr uint32_t most_codes = 4096, none = most_codes;

class Codes {
public:
    Codes(ByteSpan bytes, uint32_t bits) : bytes_(bytes), first_bits_(bits) {
        for (uint32_t i = 0; i < clear(); ++i) last_[i] = first_[i] = uint8_t(i), length_[i] = 1;
        reset();
    }

    void read_into(std::vector<uint8_t>& out, size_t count) {
        while (out.size() < count) {
            const uint32_t code = next();
            if (code == clear()) reset();
            else if (code > next_ || code == clear() + 1 || (code == next_ && before_ == none)) return;
            else take(code, out);
        }
        out.resize(count);
    }

private:
    uint32_t clear() const { return 1u << first_bits_; }
    void reset() {
        bits_ = first_bits_ + 1;
        next_ = clear() + 2;
        before_ = none;
    }

    // The next code; the end code if there are no more.
    uint32_t next() {
        while (held_ < bits_) {
            if (at_ == bytes_.size()) return clear() + 1;
            buffer_ |= byte_at(bytes_, at_++) << held_;
            held_ += 8;
        }
        const uint32_t code = buffer_ & ((1u << bits_) - 1);
        buffer_ >>= bits_;
        held_ -= bits_;
        return code;
    }

    // Each new code stands for the indices of the previous code and one more; `code` may be the new one itself.
    void take(uint32_t code, std::vector<uint8_t>& out) {
        if (before_ != none && next_ < most_codes) {
            before_of_[next_] = uint16_t(before_);
            first_[next_] = first_[before_];
            last_[next_] = code == next_ ? first_[before_] : first_[code];
            length_[next_] = uint16_t(length_[before_] + 1);
            if (++next_ == 1u << bits_ && bits_ < 12) ++bits_;
        }
        const size_t length = length_[code];
        out.resize(out.size() + length);
        uint32_t at = code;
        for (size_t i = 0; i < length; ++i, at = before_of_[at]) out[out.size() - 1 - i] = last_[at];
        before_ = code;
    }

    ByteSpan bytes_;
    uint32_t first_bits_, bits_ = 0, next_ = 0, before_ = none, buffer_ = 0, held_ = 0;
    size_t at_ = 0;
    std::array<uint16_t, most_codes> before_of_{}, length_{};
    std::array<uint8_t, most_codes> first_{}, last_{};
};

}  // namespace

std::vector<uint8_t> gif_indices(ByteSpan codes, uint32_t bits, size_t count) {
    std::vector<uint8_t> indices;
    indices.reserve(std::min(count, codes.size() * gif_most_dense) + most_codes);
    Codes(codes, bits).read_into(indices, count);
    return indices;
}

}  // namespace texelscope
