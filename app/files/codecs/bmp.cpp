// BMP of Windows and OS/2. The fourth byte of plain pixels is alpha, as many programs store it, unless the header has a mask
// that leaves it out; alpha that is 0 everywhere is none; pixels that runs leave out have index 0.

#include "app/files/codecs/bmp.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"

namespace texelscope {
namespace {

constexpr uint32_t old_header = 12, regions_header = 40, masks_in_header = 52, alpha_in_header = 56, os2_header = 64;
constexpr uint32_t plain = 0, runs_of_8 = 1, runs_of_4 = 2, bit_fields = 3, runs_of_24 = 4, alpha_bit_fields = 6;

bool is_of_os2(uint32_t header_bytes) { return header_bytes < regions_header || header_bytes == os2_header; }

bool is_grey(const std::array<std::byte, 3>& colour) { return colour[0] == colour[1] && colour[1] == colour[2]; }

}  // namespace

Dib::Dib(ByteSpan bytes, uint64_t pixels, Use use) : bytes_(bytes) {
    if (bytes.size() < 16) throw_truncated(bytes.size(), "BMP");
    header_bytes_ = le32(bytes, 0);
    if (header_bytes_ != old_header && header_bytes_ < 16)
        throw Error(fmt::format("the BMP is damaged: its header of {} bytes is too short", header_bytes_));
    if (header_bytes_ > bytes.size()) throw_truncated(bytes.size(), "BMP");
    std::array<std::byte, 124> header{};  // stays zero beyond the header in the file
    std::copy_n(bytes.begin(), std::min<size_t>(header_bytes_, header.size()), header.begin());
    read_size(header, use);
    uint64_t at = header_bytes_ + read_masks(header, use);
    const bool told = pixels >= at;
    const uint32_t used = header_bytes_ == old_header ? 0 : le32(header, 32);
    at += read_palette(at, std::min<uint64_t>(told ? pixels : bytes.size(), bytes.size()), used);
    choose_shape();
    find_rows(told ? pixels : at);
    if (shape_.alpha != Alpha::none && !shows_alpha()) {
        shape_.alpha = Alpha::none;
        --shape_.channels;
    }
    if (palette_.empty()) shown_ = PixelFields({fields_.begin(), fields_.begin() + shape_.channels}, bits_ / 8);
}

void Dib::read_size(ByteSpan header, Use use) {
    const bool old = header_bytes_ == old_header;
    const int64_t width = old ? int64_t(le16(header, 4)) : int64_t(int32_t(le32(header, 4)));
    const int64_t height = old ? int64_t(le16(header, 6)) : int64_t(int32_t(le32(header, 8)));
    bits_ = le16(header, old ? 10 : 14);
    compression_ = old ? plain : le32(header, 16);
    top_down_ = height < 0;
    const uint64_t rows = uint64_t(top_down_ ? -height : height) / (use == Use::icon ? 2 : 1);
    if (width < 0) throw Error(fmt::format("the BMP is damaged: its width is {}", width));
    check_dimensions(uint64_t(width), rows, 4, SampleType::u8);
    width_ = int(width);
    height_ = int(rows);
    if (bits_ != 1 && bits_ != 2 && bits_ != 4 && bits_ != 8 && bits_ != 16 && bits_ != 24 && bits_ != 32)
        throw Error(fmt::format("the BMP has {} bits per pixel; 1, 2, 4, 8, 16, 24 and 32 can be read", bits_));
    const bool huffman = compression_ == bit_fields && is_of_os2(header_bytes_);
    const bool known = compression_ == plain || (compression_ == runs_of_8 && bits_ == 8) ||
                       (compression_ == runs_of_4 && bits_ == 4) ||
                       (compression_ == runs_of_24 && bits_ == 24 && is_of_os2(header_bytes_)) ||
                       ((compression_ == bit_fields || compression_ == alpha_bit_fields) && bits_ >= 16);
    if (!known || huffman)
        throw Error(
            fmt::format("the BMP is packed in a way that cannot be read (compression {} of {} bits); save it "
                        "as a plain BMP or as PNG",
                        compression_, bits_));
}

// Returns the bytes that the masks take behind the header.
uint64_t Dib::read_masks(ByteSpan header, Use use) {
    if (bits_ == 16) fields_ = {BitField(0x7c00), BitField(0x3e0), BitField(0x1f), BitField()};
    if (bits_ == 24 || bits_ == 32) fields_ = {BitField(0xff0000), BitField(0xff00), BitField(0xff), BitField()};
    const bool told = compression_ == bit_fields || compression_ == alpha_bit_fields;
    // Plain pixels have these colours whatever the masks are, but many programs keep alpha in the byte that is left over.
    constexpr uint32_t fourth_byte = 0xff000000;
    const bool has_alpha_mask = header_bytes_ >= alpha_in_header && !is_of_os2(header_bytes_);
    if (!told) {
        if (bits_ == 32 && (use == Use::icon || !has_alpha_mask || le32(header, 52) == fourth_byte))
            fields_[3] = BitField(fourth_byte);
        return 0;
    }
    const bool behind = header_bytes_ < masks_in_header;
    const size_t masks = behind ? (compression_ == alpha_bit_fields ? 4 : 3) : has_alpha_mask ? 4 : 3;
    const size_t begin = behind ? header_bytes_ : regions_header;
    if (begin + 4 * masks > bytes_.size()) throw_truncated(bytes_.size(), "BMP");
    for (size_t i = 0; i < masks; ++i) {
        fields_[i] = BitField(le32(bytes_, begin + 4 * i));
        if (!fields_[i].whole())
            throw Error(fmt::format("the BMP is damaged: the bits of a mask are no neighbours (0x{:x})",
                                    le32(bytes_, begin + 4 * i)));
    }
    if (fields_[0].empty() && fields_[1].empty() && fields_[2].empty())
        throw Error("the BMP is damaged: its masks for red, green and blue are empty");
    return behind ? 4 * masks : 0;
}

// Returns the bytes that the palette takes.
uint64_t Dib::read_palette(uint64_t begin, uint64_t end, uint32_t used) {
    const uint64_t entry = header_bytes_ == old_header ? 3 : 4;
    if (bits_ > 8) return std::min<uint64_t>(used, 256) * entry;  // colours for screens that have few
    const uint64_t indices = uint64_t(1) << bits_, told = used ? used : indices;
    const uint64_t there = std::min({told, indices, (end - std::min(begin, end)) / entry});
    if (there == 0) throw Error("the BMP is damaged: its palette is missing");
    palette_.resize(indices);  // black
    for (uint64_t i = 0; i < there; ++i)
        for (size_t c = 0; c < 3; ++c) palette_[i][c] = bytes_[begin + i * entry + 2 - c];
    return told * entry;
}

void Dib::choose_shape() {
    shape_ = {width_, height_, 3, SampleType::u8, Alpha::none};
    if (std::ranges::any_of(fields_, [](const BitField& field) { return field.bits() > 8; }))
        shape_.type = SampleType::u16;
    if (!palette_.empty() && std::ranges::all_of(palette_, is_grey)) shape_.channels = 1;
    if (!fields_[3].empty()) {
        shape_.alpha = Alpha::straight;
        shape_.channels = 4;
    }
}

void Dib::find_rows(uint64_t begin) {
    pixels_ = bytes_.subspan(std::min<uint64_t>(begin, bytes_.size()));
    if (in_runs()) {
        check_plausible(bytes_.size(), uint64_t(width_), uint64_t(height_), 3, SampleType::u8);
        auto [pixels, rows] = expanded_dib_runs(pixels_, width_, height_, bits_);
        check_enough_rows(rows, height_, bytes_.size(), "BMP");
        expanded_ = std::move(pixels);
        missing_ = missing_rows(rows, height_, !top_down_);
        bits_ = bits_ == 24 ? 24 : 8;
        stride_ = size_t(width_) * bits_ / 8;
        pixels_ = expanded_;
        return;
    }
    const uint64_t row_bytes = (uint64_t(width_) * bits_ + 7) / 8;
    stride_ = size_t((row_bytes + 3) / 4 * 4);
    // The last row may lack its padding.
    const uint64_t rows =
        rows_present(pixels_.size() + stride_ - row_bytes, stride_, uint64_t(width_), uint64_t(height_));
    missing_ = missing_rows(int(rows), height_, !top_down_);
    rest_ = pixels_.subspan(std::min<uint64_t>(uint64_t(height_) * stride_, pixels_.size()));
}

ByteSpan Dib::stored_row(int y) const { return pixels_.subspan(size_t(top_down_ ? y : height_ - 1 - y) * stride_); }

// The first pixel is in the highest bits of a byte.
uint32_t Dib::index_at(ByteSpan row, int x) const {
    const size_t bit = size_t(x) * bits_;
    return byte_at(row, bit / 8) >> (8 - bits_ - bit % 8) & ((1u << bits_) - 1);
}

bool Dib::shows_alpha() const {
    for (int y = 0; y < height_; ++y) {
        if (y >= missing_.first && y < missing_.first + missing_.count) continue;
        const ByteSpan row = stored_row(y);
        for (int x = 0; x < width_; ++x)
            if (fields_[3].in(pixel_at(row, size_t(x), bits_ / 8))) return true;
    }
    return false;
}

void Dib::row(int y, std::byte* to) const {
    const ByteSpan row = stored_row(y);
    if (!palette_.empty()) {
        for (int x = 0; x < width_; ++x, to += shape_.channels)
            std::memcpy(to, palette_[index_at(row, x)].data(), size_t(shape_.channels));
        return;
    }
    shown_.unpack(row, width_, to);
}

namespace {

// Runs of pixels in BMP: pairs of a count and a colour; a count of 0 begins an escape.
class RunReader {
public:
    RunReader(ByteSpan runs, int width, int height, uint32_t bits)
        : runs_(runs),
          width_(width),
          height_(height),
          bits_(bits),
          pixel_(bits == 24 ? 3 : 1),
          pixels_(size_t(width) * size_t(height) * pixel_) {}

    ExpandedRuns read() {
        while (y_ < height_ && step()) {}
        const int rows = ends_early_ ? y_ + (x_ >= width_ ? 1 : 0) : height_;
        return {std::move(pixels_), std::min(rows, height_)};
    }

private:
    // Reads one code. False at the end of the picture.
    bool step() {
        if (runs_.size() < 2) {
            ends_early_ = true;
            return false;
        }
        const uint32_t count = byte_at(runs_, 0), code = byte_at(runs_, 1);
        if (count == 0 && code <= 2) {
            runs_ = runs_.subspan(2);
            return escape(code);
        }
        runs_ = runs_.subspan(count == 0 ? 2 : 1);
        if (count == 0) literal(code);
        else repeat(count);
        return true;
    }

    bool escape(uint32_t code) {
        if (code == 1) return false;
        if (code == 0) {
            x_ = 0;
            ++y_;
            return true;
        }
        const ByteSpan move = take(2);
        if (move.size() < 2) return true;
        x_ = std::min<int64_t>(x_ + byte_at(move, 0), width_);
        y_ += int(byte_at(move, 1));
        return true;
    }

    void literal(uint32_t count) {
        const size_t bytes = (count * bits_ + 7) / 8;
        const ByteSpan colours = take(bytes + bytes % 2);
        for (uint32_t i = 0; i < count && (i + 1) * bits_ <= colours.size() * 8; ++i) put(colours, i);
    }

    void repeat(uint32_t count) {
        const size_t bytes = bits_ == 24 ? 3 : 1;
        const ByteSpan colour = take(bytes);
        if (colour.size() < bytes) return;
        for (uint32_t i = 0; i < count; ++i) put(colour, bits_ == 4 ? i % 2 : 0);
    }

    // Writes the `which`-th of these colours. Pixels beyond a row's end are dropped.
    void put(ByteSpan colours, uint32_t which) {
        if (x_ >= width_) return;
        std::byte* to = pixels_.data() + (size_t(y_) * size_t(width_) + size_t(x_++)) * pixel_;
        if (bits_ == 24) std::copy_n(colours.begin() + 3 * which, 3, to);
        else if (bits_ == 8) *to = colours[which];
        else *to = std::byte(byte_at(colours, which / 2) >> (which % 2 ? 0 : 4) & 15);
    }

    // Takes `bytes` bytes, fewer at the end.
    ByteSpan take(size_t bytes) {
        const ByteSpan taken = runs_.first(std::min(bytes, runs_.size()));
        runs_ = runs_.subspan(taken.size());
        return taken;
    }

    ByteSpan runs_;
    int width_, height_;
    uint32_t bits_;
    size_t pixel_;
    Bytes pixels_;
    int64_t x_ = 0;
    int y_ = 0;
    bool ends_early_ = false;
};

}  // namespace

ExpandedRuns expanded_dib_runs(ByteSpan runs, int width, int height, uint32_t bits) {
    return RunReader(runs, width, height, bits).read();
}

namespace {

void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    constexpr size_t file_header = 14;
    if (content.size() < file_header) throw_truncated(content.size(), "BMP");
    const uint64_t pixels = le32(content, 10);
    const Dib picture(content.subspan(file_header), pixels < file_header ? 0 : pixels - file_header, Dib::Use::file);
    deliver_single(
        file.choice, picture.shape(), 1, target, [&](int y, std::byte* to) { picture.row(y, to); }, picture.missing());
}

Bytes little(uint32_t value, size_t bytes) {
    Bytes result(bytes);
    for (size_t i = 0; i < bytes; ++i) result[i] = std::byte(value >> 8 * i & 255);
    return result;
}

// Grey by a palette, or 24 bits; with alpha 32, and the header of version 4, whose masks name it.
void encode(const Codec&, const RowSource& rows, OutputFile& file) {
    const auto pixel = size_t(rows.channels);
    const bool grey = pixel == 1, alpha = pixel == 4;
    const size_t row_bytes = (size_t(rows.width) * pixel + 3) / 4 * 4;
    const uint32_t header = alpha ? 108 : 40, begin = 14 + header + (grey ? 1024 : 0);
    const auto picture_bytes = uint32_t(row_bytes * size_t(rows.height));
    file.write(bytes_of_text("BM"));
    const auto write = [&](std::initializer_list<uint32_t> values, size_t bytes) {
        for (const uint32_t value : values) file.write(little(value, bytes));
    };
    write({begin + picture_bytes, 0, begin, header, uint32_t(rows.width), uint32_t(rows.height)}, 4);
    write({1, uint32_t(8 * pixel)}, 2);
    constexpr uint32_t masks = 3, dots_per_metre = 2835, srgb = 0x73524742;
    write({alpha ? masks : 0, picture_bytes, dots_per_metre, dots_per_metre, grey ? 256u : 0, 0}, 4);
    if (alpha) {
        write({0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000, srgb}, 4);
        file.write(Bytes(48));  // end points and gammas of other colours
    }
    for (uint32_t i = 0; grey && i < 256; ++i) write({i * 0x010101}, 4);
    for_each_band(rows, [&](const Image& band, int first, int last) {
        Bytes lowest_first(row_bytes * size_t(last - first));
        for (int y = first; y < last; ++y) {
            const std::byte* from = band.row(y - first);
            std::byte* to = lowest_first.data() + size_t(last - 1 - y) * row_bytes;
            for (int x = 0; x < rows.width; ++x, from += pixel, to += pixel) {
                std::copy_n(from, pixel, to);
                if (pixel >= 3) std::swap(to[0], to[2]);
            }
        }
        file.write_at(begin + uint64_t(rows.height - last) * row_bytes, lowest_first);
    });
}

}  // namespace

extern const Codec bmp_codec;
constinit const Codec bmp_codec{
    .name = "BMP",
    .extensions = "bmp dib",
    .samples =
        "8 bits, 16 if a mask has more than 8; palettes as 8; straight alpha if a fourth byte or a mask has it and it is not "
        "0 everywhere",
    .signatures = {{{0, "BM"}}},
    .decode = decode,
    .oiio = "bmp",
    .writing = {.types = holds_u8,
                .channels = "134",
                .alpha = Alpha::straight,
                .encode = encode,
                .fourth_is_alpha = true,
                .most_gibibytes = 4},
};

}  // namespace texelscope
