#include "app/files/codecs/png.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"

namespace texelscope {
namespace {

enum class Disposal { none, background, previous };

struct Frame {
    uint32_t width = 0, height = 0, x = 0, y = 0;
    Disposal disposal = Disposal::none;
    bool over = false;  // else it replaces what was there
    std::vector<ByteSpan> data = {};
    bool whole = true;  // false: the file ends within it
};

struct Animation {
    ByteSpan header;                // the data of IHDR
    std::vector<ByteSpan> colours;  // chunks of palette and transparency, whole
    bool still_apart = false;       // the still picture is no frame
    std::vector<Frame> frames;

    uint32_t width() const { return be32(header, 0); }
    uint32_t height() const { return be32(header, 4); }
};

[[noreturn]] void throw_damaged(const char* what) {
    throw Error(fmt::format("the PNG is damaged: its animation {}", what));
}

Frame frame_of(ByteSpan control, const Animation& animation) {
    if (control.size() != 26) throw_damaged("has a frame of an impossible kind");
    Frame frame{be32(control, 4), be32(control, 8), be32(control, 12), be32(control, 16)};
    const uint64_t right = uint64_t(frame.x) + frame.width, bottom = uint64_t(frame.y) + frame.height;
    if (frame.width < 1 || frame.height < 1 || right > animation.width() || bottom > animation.height())
        throw_damaged("has a frame outside its picture");
    const uint32_t disposal = byte_at(control, 24);
    if (disposal > 2) throw_damaged("has a frame of an impossible kind");
    frame.disposal = Disposal(disposal);
    frame.over = byte_at(control, 25) == 1;
    return frame;
}

// The animation in a file that has passed check_png.
Animation animation_of(ByteSpan file) {
    Animation animation;
    PngChunks chunks(file);
    bool animated = false, still = false;
    while (const auto chunk = chunks.next()) {
        const auto& [at, type, data, whole, sum] = *chunk;
        if (type == "IHDR") {
            if (data.size() != 13) throw_damaged("has no size");
            animation.header = data;
        }
        if (animation.header.empty()) throw_damaged("has no size");
        if (type == "PLTE" || type == "tRNS") animation.colours.push_back(file.subspan(at, chunks.at() - at));
        if (type == "acTL") animated = true;
        if (type == "fcTL" && whole) animation.frames.push_back(frame_of(data, animation));
        if (type == "IDAT") {
            if (!still) animation.still_apart = animation.frames.empty();
            still = true;
            if (!animation.still_apart) animation.frames.back().data.push_back(data);
        }
        if (type == "fdAT" && data.size() > 4 && !animation.frames.empty())
            animation.frames.back().data.push_back(data.subspan(4));
    }
    if (!animated) animation.frames.clear();
    if (!animation.frames.empty()) animation.frames.back().whole = !chunks.ends_early();
    std::erase_if(animation.frames, [](const Frame& frame) { return frame.data.empty(); });
    return animation;
}

void append_number(Bytes& bytes, uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(std::byte(number >> shift));
}

void append_chunk(Bytes& bytes, std::string_view type, const std::vector<ByteSpan>& data) {
    size_t length = 0;
    for (const ByteSpan part : data) length += part.size();
    append_number(bytes, uint32_t(length));
    const size_t begin = bytes.size();
    for (const char c : type) bytes.push_back(std::byte(c));
    for (const ByteSpan part : data) bytes.insert(bytes.end(), part.begin(), part.end());
    append_number(bytes,
                  uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + begin), bytes.size() - begin)));
}

// The frame as a PNG of its own.
Image decoded(const Animation& animation, const Frame& frame) {
    Bytes bytes;
    for (const char c : std::string_view("\x89PNG\r\n\x1a\n")) bytes.push_back(std::byte(c));
    Bytes header;
    append_number(header, frame.width);
    append_number(header, frame.height);
    append_chunk(bytes, "IHDR", {header, animation.header.subspan(8)});
    for (const ByteSpan chunk : animation.colours) bytes.insert(bytes.end(), chunk.begin(), chunk.end());
    append_chunk(bytes, "IDAT", frame.data);
    if (frame.whole) append_chunk(bytes, "IEND", {});
    Image image = parse_png(bytes);
    if (image.width() != int(frame.width) || image.height() != int(frame.height)) throw_damaged("has a damaged frame");
    return image;
}

// Straight RGBA of any PNG's pixel; T: of its samples.
template <class T> void take_pixel(const T* from, int channels, T* to) {
    const bool grey = channels <= 2;
    for (int c = 0; c < 3; ++c) to[c] = from[grey ? 0 : c];
    to[3] = channels == 2 || channels == 4 ? from[channels - 1] : std::numeric_limits<T>::max();
}

// Both straight: `top` covers what is below by its alpha.
template <class T> void draw_over(const T* top, T* below) {
    constexpr double most = std::numeric_limits<T>::max();
    const double a = top[3] / most, rest = (1 - a) * below[3] / most, alpha = a + rest;
    for (int c = 0; c < 3; ++c) below[c] = alpha > 0 ? T((top[c] * a + below[c] * rest) / alpha + 0.5) : T(0);
    below[3] = T(alpha * most + 0.5);
}

template <class T> void draw(const Frame& frame, const Image& image, Image& canvas) {
    for (uint32_t y = 0; y < frame.height; ++y) {
        const T* from = image.row_as<T>(int(y));
        T* to = canvas.row_as<T>(int(frame.y + y)) + 4 * size_t(frame.x);
        for (uint32_t x = 0; x < frame.width; ++x, from += image.channels(), to += 4) {
            T pixel[4];
            take_pixel(from, image.channels(), pixel);
            if (frame.over) draw_over(pixel, to);
            else std::copy_n(pixel, 4, to);
        }
    }
}

void clear(const Frame& frame, Image& canvas) {
    const size_t pixel = canvas.row_bytes() / size_t(canvas.width());
    for (uint32_t y = 0; y < frame.height; ++y)
        std::fill_n(canvas.row(int(frame.y + y)) + pixel * frame.x, pixel * frame.width, std::byte(0));
}

}  // namespace

std::vector<PictureFacts::Part> parts_of_png(ByteSpan file) {
    const Animation animation = animation_of(file);
    const auto part = [&](const char* name) {
        return PictureFacts::Part{name, int(animation.width()), int(animation.height()),
                                  usual_channel_names(4, Alpha::straight)};
    };
    std::vector<PictureFacts::Part> parts(animation.frames.size(), part(""));
    if (animation.still_apart || parts.empty()) parts.insert(parts.begin(), part(parts.empty() ? "" : "still picture"));
    return parts;
}

Image apng_frame(ByteSpan file, int part) {
    const Animation animation = animation_of(file);
    const int last = animation.still_apart ? part - 1 : part;
    if (last < 0 || size_t(last) >= animation.frames.size()) throw_damaged("has fewer frames than it says");
    const SampleType type = byte_at(animation.header, 8) == 16 ? SampleType::u16 : SampleType::u8;
    Image canvas(int(animation.width()), int(animation.height()), 4, type, Alpha::straight);
    for (int i = 0;; ++i) {
        const Frame& frame = animation.frames[size_t(i)];
        std::optional<Image> before;
        if (frame.disposal == Disposal::previous && i < last) before = canvas;
        const Image image = decoded(animation, frame);
        if (image.type() != type) throw_damaged("has a damaged frame");
        if (type == SampleType::u16) draw<uint16_t>(frame, image, canvas);
        else draw<uint8_t>(frame, image, canvas);
        if (!image.missing().empty()) {
            const auto [x, y, width, height] = image.missing();
            canvas.set_missing({frame.x + x, frame.y + y, width, height});
        }
        if (i == last) return canvas;
        // Before the first frame there is nothing to go back to.
        if (frame.disposal == Disposal::background || (frame.disposal == Disposal::previous && i == 0))
            clear(frame, canvas);
        else if (before) canvas = std::move(*before);
    }
}

void show_canvas(Image canvas, const PictureChoice& choice, PictureFacts facts, DecodingTarget& target) {
    const ChosenChannels channels = chosen_channels(choice, usual_channel_names(4, Alpha::straight), 3);
    facts.channels = channels.which;
    facts.upright = choice.upright;
    if (!canvas.missing().empty())
        facts.missing = turned(canvas.missing(), canvas.width(), canvas.height(), turn_of(facts));
    Image* const into = target.begin(
        turned_shape(canvas.width(), canvas.height(), channels, canvas.type(), Alpha::straight, facts), facts);
    if (!into) return;
    Image& image = *into;
    place_rows({canvas.data(), canvas.width(), 0, canvas.height(), 4, channels.which}, turn_of(facts), image);
    image.set_missing(facts.missing);
}

}  // namespace texelscope
