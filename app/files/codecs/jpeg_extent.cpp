#include "app/files/codecs/jpeg_extent.h"

#include <cstring>
#include <optional>

namespace texelscope {
namespace {

constexpr bool is_frame(uint32_t marker) {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

struct Segment {
    size_t at = 0;  // offset of its marker
    uint32_t marker = 0;
    ByteSpan data = {};
};

class Segments {
public:
    explicit Segments(ByteSpan file) : file_(file) {}

    // The next segment. Entropy-coded bytes are skipped like any others: in them, zero or a restart follows 0xff.
    // Unset if the file ends within it, or if it cannot be a segment.
    std::optional<Segment> next() {
        for (;;) {
            end = file_.size();
            const void* const found = std::memchr(file_.data() + at_, 0xff, file_.size() - at_);
            if (!found) return {};
            Segment segment{size_t(static_cast<const std::byte*>(found) - file_.data())};
            at_ = segment.at;
            while (at_ < file_.size() && byte_at(file_, at_) == 0xff) ++at_;
            if (at_ == file_.size()) return {};
            segment.marker = byte_at(file_, at_++);
            if (segment.marker <= 0x01 || (segment.marker >= 0xd0 && segment.marker <= 0xd7)) continue;
            if (segment.marker == 0xd9 || segment.marker == 0xd8) return segment;
            end = segment.at;
            if (file_.size() - at_ < 2) return {};
            const uint32_t length = be16(file_, at_);
            damaged = length < 2;
            if (damaged || length > file_.size() - at_) return {};
            segment.data = file_.subspan(at_ + 2, length - 2);
            at_ += length;
            return segment;
        }
    }

    size_t at() const { return at_; }
    // After the last segment: the end of the undamaged part, and whether something other than a segment follows.
    size_t end = 0;
    bool damaged = false;

private:
    ByteSpan file_;
    size_t at_ = 2;
};

}  // namespace

JpegExtent extent_of_jpeg(ByteSpan file) {
    if (file.size() < 2) throw_truncated(file.size(), "JPEG");
    JpegExtent extent;
    Segments segments(file);
    bool scanning = false, ended = false;
    while (!ended) {
        const auto segment = segments.next();
        if (!segment) break;
        if (is_frame(segment->marker) && extent.width == 0) {
            if (segment->data.size() < 6) throw Error("the JPEG is damaged: its frame header is too short");
            extent.height = be16(segment->data, 1);
            extent.width = be16(segment->data, 3);
        }
        scanning = scanning || segment->marker == 0xda;
        const bool another = segment->marker == 0xd8 && scanning;  // another picture
        ended = segment->marker == 0xd9 || another;
        extent.bytes = another ? segment->at : segments.at();
    }
    if (ended) return extent;
    if (!scanning && segments.damaged) throw Error("the JPEG is damaged: a segment has an impossible length");
    if (!scanning) throw_truncated(file.size(), "JPEG");
    extent.bytes = segments.end;
    extent.ends_early = !segments.damaged;
    return extent;
}

}  // namespace texelscope
