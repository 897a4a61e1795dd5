#include "app/files/codecs/npy.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace texelscope {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

// The header is a Python dictionary literal: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class Dictionary {
public:
    explicit Dictionary(std::string_view text) : text_(text) {}

    NpyHeader parse() {
        NpyHeader header;
        int found = 0;
        expect('{');
        while (!accept('}')) {
            const std::string key = quoted();
            expect(':');
            if (key == "descr") header.descr = descr();
            else if (key == "fortran_order") header.fortran_order = boolean();
            else if (key == "shape") header.shape = tuple();
            else bad();
            ++found;
            if (!accept(',') && peek() != '}') bad();
        }
        if (found != 3) bad();
        return header;
    }

private:
    [[noreturn]] static void bad() {
        throw Error("its .npy header is damaged; a dictionary with 'descr', 'fortran_order' and 'shape' is expected");
    }
    char peek() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool accept(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) bad();
    }

    std::string quoted() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') bad();
        const size_t end = text_.find(quote, ++at_);
        if (end == text_.npos) bad();
        const std::string_view inside = text_.substr(at_, end - at_);
        at_ = end + 1;
        return std::string(inside);
    }
    std::string descr() {
        if (peek() == '[')
            throw Error("arrays of structures (a dtype with fields) are not supported; store plain samples");
        return quoted();
    }
    bool boolean() {
        peek();
        for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {"False", false}})
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                return value;
            }
        bad();
    }
    std::vector<uint64_t> tuple() {
        std::vector<uint64_t> numbers;
        expect('(');
        while (!accept(')')) {
            if (peek() < '0' || peek() > '9' || numbers.size() == 32) bad();
            uint64_t value = 0;
            for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
                value = std::min<uint64_t>(value * 10 + uint64_t(text_[at_] - '0'), UINT32_MAX);
            accept('L');  // as Python 2 wrote it
            numbers.push_back(value);
            if (!accept(',') && peek() != ')') bad();
        }
        return numbers;
    }

    std::string_view text_;
    size_t at_ = 0;
};

}  // namespace

bool is_npy(ByteSpan head) { return text_of(head).starts_with(magic); }

NpyHeader parse_npy_header(ByteSpan bytes) {
    if (!is_npy(bytes)) throw Error("not a .npy file: it does not begin with \\x93NUMPY");
    if (bytes.size() < 12) throw_truncated(bytes.size(), ".npy");
    const uint32_t version = byte_at(bytes, 6);
    if (version < 1 || version > 3)
        throw Error(fmt::format("its .npy format version is {}; 1, 2 and 3 are known", version));
    const size_t begin = version == 1 ? 10 : 12;
    const size_t length = version == 1 ? le16(bytes, 8) : le32(bytes, 8);
    if (bytes.size() - begin < length) throw_truncated(bytes.size(), ".npy");
    NpyHeader header = Dictionary(text_of(bytes.subspan(begin, length))).parse();
    header.data_at = begin + length;
    return header;
}

std::string encode_npy_header(std::span<const uint64_t> shape, SampleType type) {
    const std::string tuple = fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    const int bytes = bytes_per_sample(type);
    const std::string descr = fmt::format("{}{}{}", bytes > 1 ? '<' : '|', name_of(type)[0], bytes);
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, tuple);
    // Padded with spaces so that the data begin at a multiple of 64.
    const size_t total = (10 + header.size() + 1 + 63) / 64 * 64;
    header.resize(total - 10 - 1, ' ');
    header += '\n';
    return fmt::format("{}\x01{}{}{}{}", magic, '\0', char(header.size() & 255), char(header.size() >> 8), header);
}

}  // namespace texelscope
