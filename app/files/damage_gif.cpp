// GIF: a walk over the blocks of its frames.
// CompuServe's GIF 89a specification, https://www.w3.org/Graphics/GIF/spec-gif89a.txt
#include <limits>

#include "app/files/damage.h"
#include "app/files/walker.h"

namespace texelscope {
namespace {

void skip_sub_blocks(Walker& walk) {
    while (const uint32_t length = walk.byte()) walk.take(length);
}

void skip_colours(Walker& walk, uint32_t flags) {
    if (flags & 0x80) walk.take(3ull << ((flags & 7) + 1));
}

class GifWalk {
public:
    explicit GifWalk(ByteSpan bytes) : walk_(bytes, "GIF") {
        const ByteSpan screen = walk_.take(13);
        width_ = le16(screen, 6);
        height_ = le16(screen, 8);
        check_plausible(bytes.size(), width_, height_, 4, SampleType::u8);
        skip_colours(walk_, byte_at(screen, 10));
    }

    // Past the next frame; false at the end.
    bool next() {
        for (;;) {
            const uint32_t block = walk_.byte();
            if (block == 0x21) {  // an extension
                walk_.byte();
                skip_sub_blocks(walk_);
            } else if (block == 0x2c) {
                const ByteSpan frame = walk_.take(9);
                if (le16(frame, 0) + le16(frame, 4) > width_ || le16(frame, 2) + le16(frame, 6) > height_)
                    throw Error("the GIF is damaged: a frame is larger than its screen");
                skip_colours(walk_, byte_at(frame, 8));
                walk_.byte();
                skip_sub_blocks(walk_);
                return true;
            } else {
                return false;
            }
        }
    }
    size_t at() const { return walk_.at(); }

private:
    Walker walk_;
    uint64_t width_ = 0, height_ = 0;
};

}  // namespace

size_t end_of_gif_frame(ByteSpan bytes, int frame) {
    GifWalk walk(bytes);
    for (int i = 0; i <= frame; ++i)
        if (!walk.next())
            throw Error(i == 0 ? "the GIF is damaged: it holds no picture"
                               : fmt::format("the GIF is damaged: it ends after {} frames", i));
    return walk.at();
}

void check_gif(ByteSpan bytes, int frame) { static_cast<void>(end_of_gif_frame(bytes, frame)); }

int count_gif_frames(ByteSpan bytes) {
    GifWalk walk(bytes);
    int count = 0;
    try {
        while (walk.next()) ++count;
    } catch (const Error&) {  // what is after the last whole frame is not shown
    }
    return count;
}

}  // namespace texelscope
