// Runs of pixels in BMP: pairs of a count and a colour; a count of 0 begins an escape.
#include <algorithm>

#include "app/files/codecs/dib.h"

namespace texelscope {
namespace {

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

}  // namespace texelscope
