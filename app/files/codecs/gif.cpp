// Frames of GIF: the canvas once each is drawn over those before it, clipped to the screen. Without a palette the first
// two colours are black and white, as the specification recommends, others grey; colours beyond a palette are black.
// CompuServe's GIF 89a specification, https://www.w3.org/Graphics/GIF/spec-gif89a.txt

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"

namespace texelscope {
namespace {

// The codes of variable length by which GIF packs the indices of a frame.

// Indices that a byte of codes can stand for: 4096 in twelve bits.
constexpr size_t gif_most_dense = 2731;

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

// Unpacks at most `count` indices from the joined data blocks: fewer if the codes end or become invalid. `bits`: the
// initial code size, 1 to 8.
std::vector<uint8_t> gif_indices(ByteSpan codes, uint32_t bits, size_t count) {
    std::vector<uint8_t> indices;
    indices.reserve(std::min(count, codes.size() * gif_most_dense) + most_codes);
    Codes(codes, bits).read_into(indices, count);
    return indices;
}

struct Frame {
    enum class Disposal { leave, clear, go_back } disposal = Disposal::leave;
    int x = 0, y = 0, width = 0, height = 0;
    bool interlaced = false;
    int transparent = -1;   // an index
    ByteSpan colours = {};  // the frame's own palette; empty: that of all frames
    uint32_t code_bits = 0;
    Bytes codes = {};  // the data of all blocks, joined
    bool cut = false;  // the file ends within them
};

ByteSpan take_colours(Walker& walk, uint32_t flags) {
    return flags & 0x80 ? walk.take(3ull << ((flags & 7) + 1)) : ByteSpan();
}

class GifWalk {
public:
    explicit GifWalk(ByteSpan file) : file_(file), walk_(file, "GIF") {
        const ByteSpan screen = walk_.take(13);
        width_ = int(le16(screen, 6));
        height_ = int(le16(screen, 8));
        colours_ = take_colours(walk_, byte_at(screen, 10));
    }

    // The next frame; unset at the end.
    std::optional<Frame> next() {
        Frame frame;
        for (;;) {
            const uint32_t block = walk_.byte();
            if (block == 0x21) take_extension(frame);
            else if (block == 0x2c) return take_picture(frame);
            else return {};
        }
    }
    int width() const { return width_; }
    int height() const { return height_; }
    ByteSpan colours() const { return colours_; }  // the palette of all frames

private:
    // Joins blocks with their length in front, up to an empty one; sets `cut` if the file ends before that.
    Bytes take_blocks(bool& cut) {
        Bytes joined;
        for (;;) {
            const size_t left = file_.size() - walk_.at(), length = left > 0 ? walk_.byte() : 0;
            cut = left <= length;
            if (length == 0) return joined;
            const ByteSpan block = walk_.take(std::min(length, left - 1));
            joined.insert(joined.end(), block.begin(), block.end());
            if (cut) return joined;
        }
    }

    void take_extension(Frame& frame) {
        const uint32_t kind = walk_.byte();
        bool cut = false;
        const Bytes data = take_blocks(cut);
        if (kind != 0xf9 || data.size() < 4) return;
        const uint32_t flags = byte_at(data, 0), disposal = flags >> 2 & 7;
        frame.transparent = flags & 1 ? int(byte_at(data, 3)) : -1;
        frame.disposal = disposal == 2   ? Frame::Disposal::clear
                         : disposal == 3 ? Frame::Disposal::go_back
                                         : Frame::Disposal::leave;
    }

    Frame take_picture(Frame frame) {
        const ByteSpan data = walk_.take(9);
        frame.x = int(le16(data, 0));
        frame.y = int(le16(data, 2));
        frame.width = int(le16(data, 4));
        frame.height = int(le16(data, 6));
        frame.interlaced = (byte_at(data, 8) & 0x40) != 0;
        frame.colours = take_colours(walk_, byte_at(data, 8));
        frame.code_bits = walk_.byte();
        frame.codes = take_blocks(frame.cut);
        return frame;
    }

    ByteSpan file_, colours_ = {};
    Walker walk_;
    int width_ = 0, height_ = 0;
};

struct Screen {
    int width = 0, height = 0, frames = 0;
};

// A side of 0 becomes that of the first frame. Frames that are not whole are not counted, except for the first.
Screen screen_of(ByteSpan file) {
    GifWalk walk(file);
    const std::optional<Frame> first = walk.next();
    if (!first) throw Error("the GIF is damaged: it holds no picture");
    Screen screen{walk.width(), walk.height(), 1};
    if (screen.width == 0) screen.width = first->x + first->width;
    if (screen.height == 0) screen.height = first->y + first->height;
    check_plausible(file.size(), uint64_t(screen.width), uint64_t(screen.height), 4, SampleType::u8);
    try {
        for (auto frame = walk.next(); frame && !frame->cut; frame = walk.next()) ++screen.frames;
    } catch (const Error&) {  // data after the last whole frame is not shown
    }
    return screen;
}

using Palette = std::array<std::array<uint8_t, 4>, 256>;

Palette palette_of(const Frame& frame, ByteSpan of_all) {
    Palette palette;
    const ByteSpan colours = frame.colours.empty() ? of_all : frame.colours;
    for (size_t i = 0; i < palette.size(); ++i) {
        const auto part = [&](size_t c) {
            return 3 * i + c < colours.size() ? uint8_t(byte_at(colours, 3 * i + c)) : uint8_t(0);
        };
        const uint8_t grey = i == 1 ? uint8_t(255) : uint8_t(i);
        palette[i] = colours.empty() ? std::array<uint8_t, 4>{grey, grey, grey, 255}
                                     : std::array<uint8_t, 4>{part(0), part(1), part(2), 255};
    }
    return palette;
}

// The stored order of rows; an interlaced frame has every eighth row, then those in the middle, and so on.
std::vector<int> order_of_rows(const Frame& frame) {
    std::vector<int> rows;
    constexpr std::array<std::pair<int, int>, 4> passes = {{{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
    if (frame.interlaced)
        for (const auto& [first, step] : passes)
            for (int y = first; y < frame.height; y += step) rows.push_back(y);
    else
        for (int y = 0; y < frame.height; ++y) rows.push_back(y);
    return rows;
}

struct Rows {
    int first = 0, end = 0;
};

// The rows that are not as they were written if a frame has only its first `there` stored ones. Before its last pass an
// interlaced frame is coarse all over.
Rows lacking_rows(const Frame& frame, const std::vector<int>& order, size_t there) {
    if (there >= order.size()) return {};
    const bool coarse = frame.interlaced && order[there] % 2 == 0;
    return coarse ? Rows{0, frame.height} : Rows{order[there], order.back() + 1};
}

// The stored row that each row shows: for one that an interlaced frame lacks, that of the nearest row above.
std::vector<size_t> shown_rows(const Frame& frame, const std::vector<int>& order, size_t there) {
    std::vector<size_t> shown(order.size());
    for (size_t i = 0; i < order.size(); ++i) shown[size_t(order[i])] = i;
    for (size_t y = 1; frame.interlaced && y < shown.size(); ++y)
        if (shown[y] >= there) shown[y] = shown[y - 1];
    return shown;
}

// The number of the frame's columns that are on the screen.
int columns_on(const Frame& frame, const Image& canvas) { return std::min(frame.width, canvas.width() - frame.x); }

// Draws the frame; returns the rows, on the canvas, that it lacks if the file or its codes end early.
SampleRegion draw(const Frame& frame, ByteSpan of_all, Image& canvas) {
    if (frame.code_bits < 1 || frame.code_bits > 8) throw Error("the GIF is damaged: a frame makes no sense");
    if (frame.width == 0 || frame.height == 0) return {};
    const size_t width = size_t(frame.width), pixels = width * size_t(frame.height), codes = frame.codes.size();
    check_claim(frame.cut || pixels / gif_most_dense <= codes, width, uint64_t(frame.height), codes);
    const std::vector<uint8_t> indices = gif_indices(frame.codes, frame.code_bits, pixels);
    if (frame.cut) check_enough_rows(int(indices.size() / width), frame.height, codes, "GIF");
    const Palette palette = palette_of(frame, of_all);
    const std::vector<int> order = order_of_rows(frame);
    const std::vector<size_t> shown = shown_rows(frame, order, indices.size() / width);
    const int columns = columns_on(frame, canvas), rows = std::min(frame.height, canvas.height() - frame.y);
    for (int y = 0; y < rows; ++y) {
        const size_t at = std::min(shown[size_t(y)] * width, indices.size());
        const uint8_t* from = indices.data() + at;
        for (int x = 0; x < int(std::min(width, indices.size() - at)) && x < columns; ++x)
            if (from[x] != frame.transparent)
                std::copy_n(palette[from[x]].begin(), 4, canvas.row_as<uint8_t>(frame.y + y) + 4 * (frame.x + x));
    }
    const auto [first, end] = lacking_rows(frame, order, indices.size() / width);
    const SampleRegion lacking{frame.x, frame.y + first, columns, std::min(end, rows) - first};
    return lacking.empty() ? SampleRegion{} : lacking;
}

// The missing region after a frame, complete or not, is drawn over a canvas that may lack rows.
SampleRegion missing_after(const Frame& frame, const SampleRegion& before, const SampleRegion& lacking) {
    const bool covered = frame.transparent < 0 && frame.x <= before.x && frame.y <= before.y &&
                         frame.x + frame.width >= before.x + before.width &&
                         frame.y + frame.height >= before.y + before.height;
    if (before.empty() || covered) return lacking;
    if (lacking.empty()) return before;
    const int64_t x = std::min(before.x, lacking.x), y = std::min(before.y, lacking.y);
    return {x, y, int(std::max(before.x + before.width, lacking.x + lacking.width) - x),
            int(std::max(before.y + before.height, lacking.y + lacking.height) - y)};
}

void clear(const Frame& frame, Image& canvas) {
    const int columns = columns_on(frame, canvas);
    for (int y = frame.y; columns > 0 && y < std::min(frame.y + frame.height, canvas.height()); ++y)
        std::fill_n(canvas.row_as<uint8_t>(y) + 4 * frame.x, 4 * columns, uint8_t(0));
}

// The canvas after frame number `last`, counted from 0.
Image canvas_after(ByteSpan file, const Screen& screen, int last) {
    GifWalk walk(file);
    Image canvas(screen.width, screen.height, 4, SampleType::u8, Alpha::straight);
    for (int i = 0;; ++i) {
        const std::optional<Frame> frame = walk.next();
        if (!frame) throw Error("the GIF is damaged: it has fewer frames than it should");
        std::optional<Image> before;
        if (frame->disposal == Frame::Disposal::go_back && i < last) before = canvas;
        const SampleRegion lacking = draw(*frame, walk.colours(), canvas);
        canvas.set_missing(missing_after(*frame, canvas.missing(), lacking));
        if (i == last) return canvas;
        if (frame->disposal == Frame::Disposal::clear) clear(*frame, canvas);
        if (before) canvas = std::move(*before);
    }
}

void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    const Screen screen = screen_of(content);
    const PictureShape stored{screen.width, screen.height, 4, SampleType::u8, Alpha::straight};
    ChosenPicture picture = chosen_picture(file.choice, stored, screen.frames, 1);
    const Image canvas = canvas_after(content, screen, picture.facts.part);
    picture.facts.missing = canvas.missing();
    deliver_rows(picture, stored, target,
                 [&](int y, std::byte* to) { std::memcpy(to, canvas.row(y), canvas.row_bytes()); });
}

}  // namespace

extern const Codec gif_codec;
constinit const Codec gif_codec{
    .name = "GIF",
    .extensions = "gif",
    .samples = "8 bits by palette, with alpha 0 or 1; frames are drawn over each other",
    .signatures = {{{0, "GIF87a"}, {0, "GIF89a"}}},
    .decode = decode,
};

}  // namespace texelscope
