// The Quite OK Image Format, version 1.0: https://qoiformat.org/qoi-specification.pdf

#include <array>
#include <cstring>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"

namespace texelscope {
namespace {

using Pixel = std::array<uint8_t, 4>;  // RGBA, straight alpha

constexpr size_t header_bytes = 14, most_repeats = 62;
constexpr uint32_t op_index = 0, op_difference = 1, op_luma = 2, op_run = 3;  // the two highest bits
constexpr uint32_t op_rgb = 0xfe, op_rgba = 0xff;                             // a whole byte

size_t place_in_index(const Pixel& p) { return (p[0] * 3u + p[1] * 5u + p[2] * 7u + p[3] * 11u) % 64; }

// State that the coder and the decoder share.
struct Memory {
    std::array<Pixel, 64> index{};
    Pixel last{0, 0, 0, 255};

    void remember(const Pixel& pixel) { index[place_in_index(pixel)] = last = pixel; }
};

Pixel moved(Pixel pixel, int red, int green, int blue) {
    pixel[0] = uint8_t(pixel[0] + red);
    pixel[1] = uint8_t(pixel[1] + green);
    pixel[2] = uint8_t(pixel[2] + blue);
    return pixel;
}

class QoiReader {
public:
    explicit QoiReader(ByteSpan file) : file_(file) {}

    // Reads the next pixel. False at the end of the file.
    bool next(Pixel& pixel) {
        if (repeats_ > 0) --repeats_;
        else if (!read_chunk()) return false;
        pixel = memory_.last;
        return true;
    }

private:
    bool read_chunk() {
        if (at_ >= file_.size()) return false;
        const uint32_t first = byte_at(file_, at_), low = first & 63;
        const size_t more = first == op_rgb ? 3 : first == op_rgba ? 4 : first >> 6 == op_luma ? 1 : 0;
        if (file_.size() - at_ <= more) return false;
        Pixel pixel = memory_.last;
        if (more >= 3) std::memcpy(pixel.data(), file_.data() + at_ + 1, more);
        else if (first >> 6 == op_index) pixel = memory_.index[low];
        else if (first >> 6 == op_difference)
            pixel = moved(pixel, int(low >> 4) - 2, int(low >> 2 & 3) - 2, int(low & 3) - 2);
        else if (first >> 6 == op_luma) {
            const int green = int(low) - 32;
            const uint32_t second = byte_at(file_, at_ + 1);
            pixel = moved(pixel, green + int(second >> 4) - 8, green, green + int(second & 15) - 8);
        } else repeats_ = low;
        at_ += 1 + more;
        memory_.remember(pixel);
        return true;
    }

    ByteSpan file_;
    size_t at_ = header_bytes;
    uint32_t repeats_ = 0;
    Memory memory_;
};

void decode(const EncodedFile& encoded, ByteSpan file, DecodingTarget& target) {
    if (file.size() < header_bytes) throw_truncated(file.size(), "QOI");
    const uint32_t width = be32(file, 4), height = be32(file, 8), stored = byte_at(file, 12);
    if (stored != 3 && stored != 4) throw Error("the QOI is damaged: it claims neither three nor four channels");
    check_dimensions(width, height, stored, SampleType::u8);
    if (uint64_t(width) * height > file.size() * most_repeats)
        check_present(file.size() * most_repeats, uint64_t(width) * height, width, height);
    const Alpha alpha = stored == 4 ? Alpha::straight : Alpha::none;
    const auto [facts, channels] =
        chosen_picture(encoded.choice, {int(width), int(height), int(stored), SampleType::u8, alpha}, 1, 1);
    Image* const into =
        target.begin(turned_shape(int(width), int(height), channels, SampleType::u8, alpha, facts), facts);
    if (!into) return;
    Image& image = *into;
    const auto lack_rows_from = [&](int y) {
        check_enough_rows(y, int(height), file.size(), "QOI");
        image.set_missing({0, y, image.width(), image.height() - y});
    };
    QoiReader reader(file);
    std::vector<std::byte> row(size_t(width) * stored);
    for (int y = 0; y < int(height); ++y) {
        for (size_t x = 0; x < width; ++x) {
            Pixel pixel;
            if (!reader.next(pixel)) return lack_rows_from(y);
            std::memcpy(row.data() + x * stored, pixel.data(), stored);
        }
        place_rows({row.data(), int(width), y, 1, int(stored), channels.which}, turn_of(facts), image);
        target.rows_done(y + 1);
    }
}

class QoiWriter {
public:
    explicit QoiWriter(Bytes& out) : out_(out) {}

    void add(const Pixel& pixel) {
        if (pixel == memory_.last) {
            if (++repeats_ == most_repeats) finish_run();
            return;
        }
        finish_run();
        const int red = int8_t(pixel[0] - memory_.last[0]), green = int8_t(pixel[1] - memory_.last[1]),
                  blue = int8_t(pixel[2] - memory_.last[2]);
        const auto fits = [](int value, int half) { return value >= -half && value < half; };
        if (const size_t place = place_in_index(pixel); memory_.index[place] == pixel) put(op_index << 6 | place);
        else if (pixel[3] != memory_.last[3]) put_whole(op_rgba, pixel, 4);
        else if (fits(red, 2) && fits(green, 2) && fits(blue, 2))
            put(op_difference << 6 | unsigned(red + 2) << 4 | unsigned(green + 2) << 2 | unsigned(blue + 2));
        else if (fits(green, 32) && fits(red - green, 8) && fits(blue - green, 8)) {
            put(op_luma << 6 | unsigned(green + 32));
            put(unsigned(red - green + 8) << 4 | unsigned(blue - green + 8));
        } else put_whole(op_rgb, pixel, 3);
        memory_.remember(pixel);
    }

    void finish_run() {
        if (repeats_ > 0) put(op_run << 6 | (repeats_ - 1));
        repeats_ = 0;
    }

private:
    void put(size_t byte) { out_.push_back(std::byte(byte)); }
    void put_whole(uint32_t op, const Pixel& pixel, size_t count) {
        put(op);
        for (size_t i = 0; i < count; ++i) put(pixel[i]);
    }

    Bytes& out_;
    size_t repeats_ = 0;
    Memory memory_;
};

Bytes header_of(const RowSource& rows) {
    constexpr std::byte srgb{0};
    Bytes header;
    for (const char letter : std::string_view("qoif")) header.push_back(std::byte(letter));
    for (const int side : {rows.width, rows.height})
        for (int shift = 24; shift >= 0; shift -= 8) header.push_back(std::byte(unsigned(side) >> shift & 255));
    header.push_back(std::byte(rows.channels));
    header.push_back(srgb);
    return header;
}

void encode(const Codec&, const RowSource& rows, OutputFile& file) {
    file.write(header_of(rows));
    Bytes packed;
    QoiWriter writer(packed);
    for_each_band(rows, [&](const Image& band, int, int) {
        for (int y = 0; y < band.height(); ++y)
            for (int x = 0; x < band.width(); ++x) {
                Pixel pixel{0, 0, 0, 255};
                std::memcpy(pixel.data(), band.row(y) + size_t(x) * size_t(band.channels()), size_t(band.channels()));
                writer.add(pixel);
            }
        file.write(packed);
        packed.clear();
    });
    writer.finish_run();
    for (int i = 0; i < 8; ++i) packed.push_back(std::byte(i == 7));
    file.write(packed);
}

}  // namespace

extern const Codec qoi_codec;
constinit const Codec qoi_codec{
    .name = "QOI",
    .extensions = "qoi",
    .samples = "8 bits as stored, straight alpha",
    .signatures = {{{0, "qoif"}}},
    .decode = decode,
    .writing =
        {.types = holds_u8, .channels = "34", .alpha = Alpha::straight, .encode = encode, .fourth_is_alpha = true},
};

}  // namespace texelscope
