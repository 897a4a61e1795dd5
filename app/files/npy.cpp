#include "app/files/npy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace texelscope {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct Header {
    std::string descr;
    bool fortran_order = false;
    std::vector<uint64_t> shape;
    size_t data_at = 0;
};

// The header is a Python dictionary literal: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class Dictionary {
public:
    explicit Dictionary(std::string_view text) : text_(text) {}

    Header parse() {
        Header header;
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
    void expect(char c) { if (!accept(c)) bad(); }

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
        if (peek() == '[') throw Error("arrays of structures (a dtype with fields) are not supported; store plain samples");
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

Header parse_header(ByteSpan bytes) {
    if (bytes.size() < 12) throw_truncated(bytes.size(), ".npy");
    const uint32_t version = byte_at(bytes, 6);
    if (version < 1 || version > 3)
        throw Error(fmt::format("its .npy format version is {}; 1, 2 and 3 are known", version));
    const size_t begin = version == 1 ? 10 : 12;
    const size_t length = version == 1 ? le16(bytes, 8) : le32(bytes, 8);
    if (bytes.size() - begin < length) throw_truncated(bytes.size(), ".npy");
    Header header = Dictionary(text_of(bytes.subspan(begin, length))).parse();
    header.data_at = begin + length;
    return header;
}

struct Kind {
    std::string_view code;  // of the descr, after the byte order
    size_t bytes;           // of one number
    int numbers;            // in one element: 2 for complex
    SampleType type;
};
constexpr Kind kinds[] = {
    {"u1", 1, 1, SampleType::u8},  {"b1", 1, 1, SampleType::u8},  {"u2", 2, 1, SampleType::u16},
    {"f2", 2, 1, SampleType::f16}, {"f4", 4, 1, SampleType::f32}, {"f8", 8, 1, SampleType::f32},
    {"c8", 4, 2, SampleType::f32}, {"c16", 8, 2, SampleType::f32},
};

const Kind& kind_of(const std::string& descr) {
    const std::string_view code = std::string_view(descr).substr(descr.find_first_of("<>|=") == 0 ? 1 : 0);
    for (const Kind& kind : kinds)
        if (kind.code == code) return kind;
    throw Error(fmt::format("dtype '{}' is not supported; use uint8, uint16, float16, float32, float64, bool or complex64",
                            descr.substr(0, 20)));
}

template <class T> T load(const std::byte* from, bool swap) {
    std::byte raw[sizeof(T)];
    std::memcpy(raw, from, sizeof(T));
    if (swap) std::reverse(raw, raw + sizeof(T));
    return std::bit_cast<T>(raw);
}

void store(const Kind& kind, const std::byte* from, bool swap, std::byte* to) {
    if (kind.code == "b1") {
        *to = std::byte(*from == std::byte(0) ? 0 : 255);
    } else if (kind.bytes == 8) {
        const auto value = float(load<double>(from, swap));
        std::memcpy(to, &value, sizeof value);
    } else {
        std::memcpy(to, from, kind.bytes);
        if (swap) std::reverse(to, to + kind.bytes);
    }
}

}  // namespace

bool is_npy(ByteSpan head) { return text_of(head).starts_with(magic); }

Image parse_npy(ByteSpan bytes) {
    if (!is_npy(bytes)) throw Error("not a .npy file: it does not begin with \\x93NUMPY");
    const Header header = parse_header(bytes);
    const Kind& kind = kind_of(header.descr);
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
    const bool swap = header.descr[0] == '>' && kind.bytes > 1;
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
    return image;
}

Bytes encode_npy(const Image& image) {
    std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}, {}), }}",
                                     image.height(), image.width(), image.channels());
    // As NumPy does: padded with spaces so that the data begin at a multiple of 64.
    const size_t total = (10 + header.size() + 1 + 63) / 64 * 64;
    header.resize(total - 10 - 1, ' ');
    header += '\n';
    Bytes bytes(total + image.size_bytes());
    const std::string start = fmt::format("{}\x01{}{}{}", magic, '\0', char(header.size() & 255), char(header.size() >> 8));
    std::memcpy(bytes.data(), start.data(), start.size());
    std::memcpy(bytes.data() + 10, header.data(), header.size());
    std::memcpy(bytes.data() + total, image.data(), image.size_bytes());
    return bytes;
}

}  // namespace texelscope
