#include "app/files/decoding/printable.h"

#include <cstdint>

#include <fmt/format.h>

namespace texelscope {
namespace {

struct Character {
    uint32_t code = 0;
    size_t bytes = 0;  // 0: no UTF-8
};

// The first one of a text that is not empty (Unicode 15.0, table 3-7).
Character first_of(std::string_view text) {
    const auto byte = [&](size_t i) { return uint32_t(uint8_t(text[i])); };
    const uint32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const size_t count = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < count) return {};
    uint32_t code = lead & (0xffu >> (count + 1));
    for (size_t i = 1; i < count; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3f);
    }
    const bool overlong = (count == 3 && code < 0x800) || (count == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return overlong || surrogate || code > 0x10ffff ? Character{} : Character{code, count};
}

bool is_space(uint32_t code) {
    return code == ' ' || (code >= 0x09 && code <= 0x0d) || code == 0x85 || code == 0xa0 || code == 0x2028 ||
           code == 0x2029;
}

bool is_control(uint32_t code) {
    const bool direction = code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                           (code >= 0x2066 && code <= 0x2069);
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfeff || direction;
}

}  // namespace

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const size_t bytes = first_of(text).bytes;
        if (bytes == 0) return false;
        text.remove_prefix(bytes);
    }
    return true;
}

std::string printable(std::string_view text, size_t most) {
    constexpr std::string_view cut = "…";
    std::string result;
    size_t fits = 0;  // of the result, with `cut` behind it
    bool space = false;
    while (!text.empty()) {
        const Character next = first_of(text);
        std::string word(text.substr(0, next.bytes));
        if (next.bytes == 0) word = fmt::format("\\x{:02x}", uint8_t(text[0]));
        else if (is_control(next.code) && next.code < 0x100) word = fmt::format("\\x{:02x}", next.code);
        else if (is_control(next.code)) word = fmt::format("\\u{:04x}", next.code);
        text.remove_prefix(next.bytes == 0 ? 1 : next.bytes);
        if (next.bytes > 0 && is_space(next.code)) {
            space = !result.empty();
            continue;
        }
        if (space) word.insert(0, " ");
        space = false;
        if (result.size() + word.size() > most) {
            result.resize(fits);
            return most < cut.size() ? result : result.append(cut);
        }
        result += word;
        if (result.size() + cut.size() <= most) fits = result.size();
    }
    return result;
}

}  // namespace texelscope
