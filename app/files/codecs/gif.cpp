#include "app/files/codecs/gif.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/file_io.h"
#include "app/files/bytes/walker.h"
#include "app/files/codecs/codec.h"
#include "app/files/codecs/frames.h"
#include "app/files/codecs/stb.h"

namespace texelscope {
namespace {

struct Frame {
    enum class Disposal { leave, clear, go_back } disposal = Disposal::leave;
    int x = 0, y = 0, width = 0, height = 0;
    ByteSpan control = {};  // the block with its transparent colour, whole; empty: none
    ByteSpan picture = {};  // its descriptor, colours and data
};

void skip_sub_blocks(Walker& walk) {
    while (const uint32_t length = walk.byte()) walk.take(length);
}

void skip_colours(Walker& walk, uint32_t flags) {
    if (flags & 0x80) walk.take(3ull << ((flags & 7) + 1));
}

class GifWalk {
public:
    explicit GifWalk(ByteSpan file) : file_(file), walk_(file, "GIF") {
        const ByteSpan screen = walk_.take(13);
        width_ = int(le16(screen, 6));
        height_ = int(le16(screen, 8));
        check_plausible(file.size(), uint64_t(width_), uint64_t(height_), 4, SampleType::u8);
        skip_colours(walk_, byte_at(screen, 10));
        header_ = file.first(walk_.at());
    }

    // Unset at the end.
    std::optional<Frame> next() {
        Frame frame;
        for (;;) {
            const size_t begin = walk_.at();
            const uint32_t block = walk_.byte();
            if (block == 0x21) {
                const uint32_t kind = walk_.byte();
                skip_sub_blocks(walk_);
                const ByteSpan extension = file_.subspan(begin, walk_.at() - begin);
                if (kind != 0xf9 || extension.size() != 8) continue;
                frame.control = extension;
                const uint32_t disposal = byte_at(extension, 3) >> 2 & 7;
                frame.disposal = disposal == 2   ? Frame::Disposal::clear
                                 : disposal == 3 ? Frame::Disposal::go_back
                                                 : Frame::Disposal::leave;
            } else if (block == 0x2c) {
                take_descriptor(frame);
                walk_.byte();
                skip_sub_blocks(walk_);
                frame.picture = file_.subspan(begin, walk_.at() - begin);
                return frame;
            } else {
                return {};
            }
        }
    }
    int width() const { return width_; }
    int height() const { return height_; }
    ByteSpan header() const { return header_; }  // with the colours of all frames

private:
    void take_descriptor(Frame& frame) {
        const ByteSpan data = walk_.take(9);
        frame.x = int(le16(data, 0));
        frame.y = int(le16(data, 2));
        frame.width = int(le16(data, 4));
        frame.height = int(le16(data, 6));
        if (frame.x + frame.width > width_ || frame.y + frame.height > height_)
            throw Error("the GIF is damaged: a frame is larger than its screen");
        skip_colours(walk_, byte_at(data, 8));
    }

    ByteSpan file_, header_;
    Walker walk_;
    int width_ = 0, height_ = 0;
};

// The frame alone, as a GIF of its own: transparent where it draws nothing.
Image decoded(ByteSpan header, const Frame& frame) {
    Bytes bytes(header.begin(), header.end());
    bytes[11] = std::byte(0);  // the background colour, which is drawn by no other program either
    bytes.insert(bytes.end(), frame.control.begin(), frame.control.end());
    bytes.insert(bytes.end(), frame.picture.begin(), frame.picture.end());
    bytes.push_back(std::byte(';'));
    return parse_with_stb("GIF", bytes);
}

void draw(const Frame& frame, const Image& image, Image& canvas) {
    if (image.channels() != 4 || image.width() != canvas.width() || image.height() != canvas.height())
        throw Error("the GIF is damaged: a frame makes no sense");
    for (int y = frame.y; y < frame.y + frame.height; ++y) {
        const uint8_t* from = image.row_as<uint8_t>(y) + 4 * frame.x;
        uint8_t* to = canvas.row_as<uint8_t>(y) + 4 * frame.x;
        for (int x = 0; x < frame.width; ++x, from += 4, to += 4)
            if (from[3]) std::copy_n(from, 4, to);
    }
}

void clear(const Frame& frame, Image& canvas) {
    for (int y = frame.y; y < frame.y + frame.height; ++y)
        std::fill_n(canvas.row_as<uint8_t>(y) + 4 * frame.x, 4 * frame.width, uint8_t(0));
}

}  // namespace

void check_gif(ByteSpan file) {
    if (!GifWalk(file).next()) throw Error("the GIF is damaged: it holds no picture");
}

int count_gif_frames(ByteSpan file) {
    GifWalk walk(file);
    int count = 0;
    try {
        while (walk.next()) ++count;
    } catch (const Error&) {  // what is after the last whole frame is not shown
    }
    return count;
}

Image gif_frame(ByteSpan file, int last) {
    GifWalk walk(file);
    Image canvas(walk.width(), walk.height(), 4, SampleType::u8, Alpha::straight);
    for (int i = 0;; ++i) {
        const std::optional<Frame> frame = walk.next();
        if (!frame) throw Error("the GIF is damaged: it has fewer frames than it should");
        std::optional<Image> before;
        if (frame->disposal == Frame::Disposal::go_back && i < last) before = canvas;
        draw(*frame, decoded(walk.header(), *frame), canvas);
        if (i == last) return canvas;
        if (frame->disposal == Frame::Disposal::clear) clear(*frame, canvas);
        if (before) canvas = std::move(*before);
    }
}

namespace {

void decode(const EncodedFile& encoded, ByteSpan file, DecodingTarget& target) {
    PictureFacts facts;
    const int frames = count_gif_frames(file);
    const PictureFacts::Part part{"", int(le16(file, 6)), int(le16(file, 8)), usual_channel_names(4, Alpha::straight)};
    facts.parts.assign(size_t(std::min(frames, most_listed_parts)), part);
    facts.part = chosen_part(encoded.choice, facts.parts, frames);
    show_canvas(gif_frame(file, facts.part), encoded.choice, facts, target);
}

}  // namespace

extern const Codec gif_codec;
constinit const Codec gif_codec{
    .name = "GIF",
    .extensions = "gif",
    .samples = "8 bits by palette, with alpha 0 or 1; frames are drawn over each other",
    .signatures = {{{0, "GIF87a"}, {0, "GIF89a"}}},
    .check = check_gif,
    .decode = decode,
};

}  // namespace texelscope
