#include "app/files/codecs/pnm.h"
#include "app/files/bytes/parts.h"
#include "app/files/codecs/codecs.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace texelscope {
namespace {

constexpr bool is_space(uint32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(uint32_t c) { return c >= '0' && c <= '9'; }

// Reads the ASCII parts. '#' starts a comment to the end of the line, in the header and in a plain raster.
class Scanner {
public:
    explicit Scanner(ByteSpan bytes, size_t at) : bytes_(bytes), at_(at) {}

    bool at_end() const { return at_ >= bytes_.size(); }
    size_t position() const { return at_; }

    void skip_space() {
        for (; !at_end(); ++at_) {
            if (peek() == '#') skip_to_newline();
            else if (!is_space(peek())) return;
        }
    }

    uint64_t number(std::string_view what) {
        skip_space();
        if (at_end()) throw_truncated(bytes_.size(), "PNM");
        if (!is_digit(peek())) throw Error(fmt::format("byte {}: a number is expected for the {}", at_, what));
        uint64_t value = 0;
        for (; !at_end() && is_digit(peek()); ++at_) value = std::min<uint64_t>(value * 10 + (peek() - '0'), 1u << 31);
        return value;
    }

    // The bits of a plain PBM need no space between them.
    bool bit() {
        skip_space();
        if (at_end()) throw_truncated(bytes_.size(), "PBM");
        const uint32_t c = peek();
        if (c != '0' && c != '1') throw Error(fmt::format("byte {}: a plain PBM holds only 0 and 1", at_));
        ++at_;
        return c == '1';
    }

    // One white-space byte ends the header; a comment that touches the last number ends with it.
    void end_header() {
        if (at_end()) throw_truncated(bytes_.size(), "PNM");
        if (peek() == '#') skip_to_newline();
        if (at_end()) throw_truncated(bytes_.size(), "PNM");
        if (!is_space(peek())) throw Error(fmt::format("byte {}: white space is expected after the header", at_));
        ++at_;
    }

    std::string_view line() {
        const std::string_view rest = text_of(bytes_).substr(at_);
        const size_t length = rest.find('\n');
        if (length == rest.npos) throw_truncated(bytes_.size(), "PAM");
        at_ += length + 1;
        return rest.substr(0, length);
    }

private:
    uint32_t peek() const { return byte_at(bytes_, at_); }
    void skip_to_newline() {  // stops on the newline, which is white space
        while (at_ + 1 < bytes_.size() && peek() != '\n') ++at_;
    }

    ByteSpan bytes_;
    size_t at_;
};

struct Header {
    uint64_t width = 0, height = 0, channels = 1, maxval = 1;
    Alpha alpha = Alpha::none;
    // 8 bits if they hold value / maximum exactly.
    SampleType type() const { return maxval > 255 || 255 % maxval > 0 ? SampleType::u16 : SampleType::u8; }
};

void check_largest(const Header& header) {
    if (header.maxval < 1 || header.maxval > 65535)
        throw Error(fmt::format("its largest value is given as {}; it must be 1 to 65535", header.maxval));
}

void check(const Header& header) {
    check_largest(header);
    check_dimensions(header.width, header.height, header.channels, header.type());
}

Image image_for(const Header& header) {
    return Image(int(header.width), int(header.height), int(header.channels), header.type(), header.alpha);
}

// Full range, rounded to nearest; exact if maxval is already full range.
struct Scale {
    uint32_t maxval, top;
    uint32_t operator()(uint64_t value) const {
        if (value > maxval) throw Error(fmt::format("a sample is {}, larger than the largest value {}", value, maxval));
        return maxval == top ? uint32_t(value) : (uint32_t(value) * top + maxval / 2) / maxval;
    }
};

Scale scale_of(const Header& header) {
    return {uint32_t(header.maxval), header.type() == SampleType::u8 ? 255u : 65535u};
}

void store(Image& image, int y, size_t index, uint32_t value) {
    if (image.type() == SampleType::u8) image.row_as<uint8_t>(y)[index] = uint8_t(value);
    else image.row_as<uint16_t>(y)[index] = uint16_t(value);
}

Image plain_raster(Scanner scanner, const Header& header, bool bitmap, size_t available) {
    const uint64_t row_samples = header.width * header.channels;
    rows_present(bitmap ? available : available + 1, bitmap ? row_samples : row_samples * 2, header.width,
                 header.height);
    Image image = image_for(header);
    const Scale scale = scale_of(header);
    std::vector<uint32_t> row(row_samples);
    for (int y = 0; y < image.height(); ++y) {
        bool whole = true;
        for (uint32_t& sample : row) {
            scanner.skip_space();
            whole = !scanner.at_end();
            if (!whole) break;
            sample = bitmap ? (scanner.bit() ? 0 : 255) : scale(scanner.number("next sample"));
        }
        // A number that the file ends with may have lost its last digits, unless it is the very last.
        if (!whole || (!bitmap && scanner.at_end() && y + 1 < image.height())) {
            if (y == 0) throw_truncated(scanner.position(), "PNM");
            image.set_missing({0, y, image.width(), image.height() - y});
            return image;
        }
        for (size_t i = 0; i < row.size(); ++i) store(image, y, i, row[i]);
    }
    return image;
}

Image bitmap_raster(ByteSpan raster, const Header& header) {
    const size_t row_bytes = size_t(header.width + 7) / 8;
    const auto rows = int(rows_present(raster.size(), row_bytes, header.width, header.height));
    Image image = image_for(header);
    if (rows < image.height()) image.set_missing({0, rows, image.width(), image.height() - rows});
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < image.width(); ++x) {
            const uint32_t eight = byte_at(raster, size_t(y) * row_bytes + size_t(x) / 8);
            store(image, y, size_t(x), (eight >> (7 - x % 8) & 1) ? 0 : 255);
        }
    return image;
}

RawSamples raw_samples(const Header& header, size_t at) {
    const size_t channels = size_t(header.channels), size = header.maxval > 255 ? 2 : 1;
    const SampleType type = header.type();
    RawSamples samples{header.width, header.height, channels, type, header.alpha, at, channels * size};
    samples.convert = [=, scale = scale_of(header)](const std::byte* from, size_t pixels, std::byte* to) {
        const ByteSpan bytes(from, pixels * channels * size);
        if (size == 1 && scale.maxval == scale.top) {
            std::ranges::copy(bytes, to);
        } else if (type == SampleType::u8) {
            for (size_t i = 0; i < bytes.size(); ++i) to[i] = std::byte(scale(byte_at(bytes, i)));
        } else {
            for (size_t i = 0; i < bytes.size(); i += size, to += 2) {
                const auto value = uint16_t(scale(size == 1 ? byte_at(bytes, i) : be16(bytes, i)));
                std::memcpy(to, &value, sizeof value);
            }
        }
    };
    return samples;
}

Header pam_header(Scanner& scanner) {
    Header header;
    header.channels = 0;
    header.maxval = 0;
    std::string tuple;
    for (;;) {
        const std::string_view line = scanner.line();
        const size_t word_end = std::min(line.find_first_of(" \t\r"), line.size());
        const std::string_view word = line.substr(0, word_end), rest = line.substr(word_end);
        if (word == "ENDHDR") break;
        if (word.empty() || word[0] == '#') continue;
        if (word == "TUPLTYPE") {
            const size_t start = std::min(rest.find_first_not_of(" \t"), rest.size());
            tuple += rest.substr(start, rest.find_last_not_of(" \t\r") + 1 - start);
            continue;
        }
        const auto value = [&] { return Scanner(std::as_bytes(std::span(rest)), 0).number("PAM header"); };
        if (word == "WIDTH") header.width = value();
        else if (word == "HEIGHT") header.height = value();
        else if (word == "DEPTH") header.channels = value();
        else if (word == "MAXVAL") header.maxval = value();
        else throw Error("its PAM header has a line that begins with none of WIDTH, HEIGHT, DEPTH, MAXVAL, TUPLTYPE");
    }
    const bool alpha = tuple.ends_with("_ALPHA");
    if (alpha && header.channels != (tuple == "RGB_ALPHA" ? 4u : 2u))
        throw Error(fmt::format("its tuple type {} does not go with a depth of {}", tuple, header.channels));
    if (alpha) header.alpha = Alpha::straight;
    return header;
}

// The beginning of a file: its header, and where its raster begins.
struct Start {
    explicit Start(ByteSpan bytes) {
        if (!is_pnm(bytes)) throw Error("not a PNM file: it does not begin with P1 … P7");
        kind = byte_at(bytes, 1) - '0';
        Scanner scanner(bytes, 2);
        if (kind == 7) {
            header = pam_header(scanner);
        } else {
            header.width = scanner.number("width");
            header.height = scanner.number("height");
            if (kind % 3 != 1) header.maxval = scanner.number("largest value");
            if (kind % 3 == 0) header.channels = 3;
            if (kind > 3) scanner.end_header();
        }
        raster = scanner.position();
    }

    uint32_t kind = 0;
    Header header;
    size_t raster = 0;
};

// 16 bits are stored with the high byte first.
void write_raster(const RowSource& image, const ByteSink& sink) {
    std::vector<std::byte> swapped;
    for_each_band(image, [&](const Image& rows, int, int) {
        const ByteSpan bytes(rows.data(), rows.size_bytes());
        if (rows.type() == SampleType::u8) return sink(bytes);
        swapped.clear();
        swapped.reserve(bytes.size());
        for (const uint16_t value : std::span(rows.row_as<uint16_t>(0), bytes.size() / 2)) {
            swapped.push_back(std::byte(value >> 8));
            swapped.push_back(std::byte(value & 255));
        }
        sink(swapped);
    });
}

int maxval(const RowSource& image) { return image.type == SampleType::u8 ? 255 : 65535; }

}  // namespace

bool is_pnm(ByteSpan head) {
    if (head.size() < 3 || byte_at(head, 0) != 'P') return false;
    const uint32_t kind = byte_at(head, 1), next = byte_at(head, 2);
    return kind == '7' ? next == '\n' || next == '\r' : kind >= '1' && kind <= '6' && (is_space(next) || next == '#');
}

RawSamples raw_pnm(ByteSpan head) {
    const Start start(head);
    check_largest(start.header);
    if (start.kind < 4) throw NotInParts("its samples are text; P5, P6 and P7 are binary");
    if (start.kind == 4) throw NotInParts("its samples are single bits");
    return raw_samples(start.header, start.raster);
}

Image parse_pnm(ByteSpan bytes) {
    const Start start(bytes);
    check(start.header);
    const ByteSpan raster = bytes.subspan(start.raster);
    if (start.kind == 4) return bitmap_raster(raster, start.header);
    if (start.kind > 3) return image_of(raw_samples(start.header, start.raster), bytes);
    return plain_raster(Scanner(bytes, start.raster), start.header, start.kind == 1, raster.size());
}

void encode_pnm(const RowSource& image, const ByteSink& sink) {
    const int kind = image.channels == 1 ? 5 : 6;
    sink(bytes_of_text(fmt::format("P{}\n{} {}\n{}\n", kind, image.width, image.height, maxval(image))));
    write_raster(image, sink);
}

void encode_pam(const RowSource& image, const ByteSink& sink) {
    std::string_view tuple = image.channels == 1 ? "GRAYSCALE" : image.channels == 3 ? "RGB" : "";
    if (image.alpha != Alpha::none) tuple = image.channels == 2 ? "GRAYSCALE_ALPHA" : "RGB_ALPHA";
    std::string header = fmt::format("P7\nWIDTH {}\nHEIGHT {}\nDEPTH {}\nMAXVAL {}\n", image.width, image.height,
                                     image.channels, maxval(image));
    if (!tuple.empty()) header += fmt::format("TUPLTYPE {}\n", tuple);
    sink(bytes_of_text(header + "ENDHDR\n"));
    write_raster(image, sink);
}

namespace {

bool is_pam(ByteSpan head) { return is_pnm(head) && byte_at(head, 1) == '7'; }

bool is_other_pnm(ByteSpan head) { return is_pnm(head) && !is_pam(head); }

Image parse(ByteSpan file, const PictureChoice& choice, PictureFacts* facts) {
    return chosen_from(parse_pnm(file), choice, facts);
}

RawSamples raw(ByteSpan head, const PictureChoice& choice) {
    check_unchosen(choice);
    return raw_pnm(head);
}

void encode_as_pnm(const Codec&, const RowSource& rows, OutputFile& file) {
    encode_pnm(rows, [&](ByteSpan bytes) { file.write(bytes); });
}

void encode_as_pam(const Codec&, const RowSource& rows, OutputFile& file) {
    encode_pam(rows, [&](ByteSpan bytes) { file.write(bytes); });
}

}  // namespace

extern const Codec pnm_codec, pam_codec;
constinit const Codec pnm_codec{
    .name = "PNM",
    .extensions = "pnm ppm pgm pbm",
    .samples = "8 bits if that is exact, else the nearest of 16 to value / maximum",
    .recognise = is_other_pnm,
    .parse = parse,
    .raw = raw,
    .writing = {.types = holds_u8 | holds_u16, .channels = "13", .encode = encode_as_pnm},
};
constinit const Codec pam_codec{
    .name = "PAM",
    .extensions = "pam",
    .samples = "8 bits if that is exact, else the nearest of 16 to value / maximum; straight alpha",
    .recognise = is_pam,
    .parse = parse,
    .raw = raw,
    .writing = {.types = holds_u8 | holds_u16, .channels = "1234", .alpha = Alpha::straight, .encode = encode_as_pam},
};

}  // namespace texelscope
