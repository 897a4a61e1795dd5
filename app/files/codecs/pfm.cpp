#include "app/files/bytes/parts.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/pnm.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace texelscope {
namespace {

constexpr std::string_view spaces = " \t\r\n";

// The next word of the header; `at` ends on the byte after it. Comments begin with '#', as in other formats of Netpbm.
std::string_view next_word(std::string_view text, size_t& at) {
    size_t begin = std::min(text.find_first_not_of(spaces, at), text.size());
    while (begin < text.size() && text[begin] == '#')
        begin = std::min(text.find_first_not_of(spaces, std::min(text.find('\n', begin), text.size())), text.size());
    at = std::min(text.find_first_of(spaces, begin), text.size());
    if (at == text.size()) throw_truncated(text.size(), "PFM");
    return text.substr(begin, at - begin);
}

uint64_t whole_number(std::string_view word, std::string_view what) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range) return UINT32_MAX;  // refused as a dimension
    if (error != std::errc() || end != word.data() + word.size())
        throw Error(fmt::format("its PFM header has no number for the {}", what));
    return std::min<uint64_t>(value, UINT32_MAX);
}

bool is_little_endian(std::string_view word) {
    double scale = 0;
    const std::string_view digits = word.substr(word.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), scale);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(scale) || scale == 0)
        throw Error("its PFM header has no scale; a negative number means little endian, a positive one big endian");
    return scale < 0;
}

int channels_of(std::string_view kind) { return kind == "Pf" ? 1 : kind == "PF" ? 3 : kind == "PF4" ? 4 : 0; }

}  // namespace

bool is_pfm(ByteSpan head) {
    const std::string_view text = text_of(head.first(std::min<size_t>(head.size(), 4)));
    const size_t end = text.find_first_of(spaces);
    return end != text.npos && channels_of(text.substr(0, end)) != 0;
}

RawSamples raw_pfm(ByteSpan head) {
    if (!is_pfm(head)) throw Error("not a PFM file: it does not begin with Pf, PF or PF4");
    const std::string_view text = text_of(head);
    size_t at = 0;
    const auto channels = size_t(channels_of(next_word(text, at)));
    RawSamples samples{.channels = channels, .type = SampleType::f32, .pixel_bytes = channels * sizeof(float)};
    samples.width = whole_number(next_word(text, at), "width");
    samples.height = whole_number(next_word(text, at), "height");
    const bool little = is_little_endian(next_word(text, at));
    samples.at = at + 1;  // exactly one white-space byte precedes the raster
    samples.bottom_up = true;
    samples.convert = [channels, little](const std::byte* from, size_t pixels, std::byte* to) {
        const ByteSpan bytes(from, pixels * channels * sizeof(float));
        for (size_t i = 0; i < bytes.size(); i += sizeof(float)) {
            const uint32_t bits = little ? le32(bytes, i) : be32(bytes, i);
            std::memcpy(to + i, &bits, sizeof bits);
        }
    };
    return samples;
}

Image parse_pfm(ByteSpan bytes) { return image_of(raw_pfm(bytes), bytes); }

void encode_pfm(const RowSource& image, OutputFile& file) {
    static_assert(std::endian::native == std::endian::little);
    const char* kind = image.channels == 1 ? "Pf" : image.channels == 3 ? "PF" : "PF4";
    file.write(bytes_of_text(fmt::format("{}\n{} {}\n-1.0\n", kind, image.width, image.height)));
    const uint64_t begin = file.size();
    for_each_band(image, [&](const Image& rows, int, int last) {
        Image turned(rows.width(), rows.height(), rows.channels(), rows.type());
        for (int y = 0; y < rows.height(); ++y)
            std::memcpy(turned.row(rows.height() - 1 - y), rows.row(y), rows.row_bytes());
        file.write_at(begin + uint64_t(image.height - last) * rows.row_bytes(), {turned.data(), turned.size_bytes()});
    });
}

namespace {

Image parse(ByteSpan file, const PictureChoice& choice, PictureFacts* facts) {
    return chosen_from(parse_pfm(file), choice, facts);
}

RawSamples raw(ByteSpan head, const PictureChoice& choice) {
    check_unchosen(choice);
    return raw_pfm(head);
}

void encode(const Codec&, const RowSource& rows, OutputFile& file) { encode_pfm(rows, file); }

}  // namespace

extern const Codec pfm_codec;
constinit const Codec pfm_codec{
    .name = "PFM",
    .extensions = "pfm",
    .samples = "32-bit floats as stored",
    .recognise = is_pfm,
    .parse = parse,
    .raw = raw,
    .writing = {.types = holds_f32, .channels = "134", .encode = encode, .data = true},
};

}  // namespace texelscope
