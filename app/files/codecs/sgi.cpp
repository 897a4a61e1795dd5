// SGI (Silicon Graphics' image format, draft 0.97): rows from below, plain or in runs, 8 or 16 bits; straight alpha.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"

namespace texelscope {
namespace {

constexpr size_t header_bytes = 512;

class SgiPicture {
public:
    explicit SgiPicture(ByteSpan file) : file_(file) {
        if (file.size() < header_bytes) throw_truncated(file.size(), "SGI");
        in_runs_ = byte_at(file, 2) == 1;
        sample_ = byte_at(file, 3);
        const uint32_t dimensions = be16(file, 4), colour_map = be32(file, 104);
        width_ = be16(file, 6);
        height_ = dimensions == 1 ? 1 : be16(file, 8);
        channels_ = dimensions <= 2 ? 1 : be16(file, 10);
        if (byte_at(file, 2) > 1 || (sample_ != 1 && sample_ != 2) || dimensions < 1 || dimensions > 3)
            throw Error("the SGI is damaged: its header makes no sense");
        if (colour_map != 0)
            throw Error("an SGI with a colour map is of an obsolete kind that cannot be read; save it as RGB");
        check_sides(width_, height_, std::min<uint32_t>(channels_, 4));
        const uint64_t rows = uint64_t(height_) * channels_;
        check_plausible(file.size(), width_, rows, 1, SampleType::u16);
        if (in_runs_) check_present(file.size(), header_bytes + rows * 8, width_, height_);
        row_.resize(width_ * sample_);
    }

    // Each row needs data of all channels; the last channel may end early.
    MissingRows missing() const {
        uint32_t there = 0;
        while (there < height_ && has(size_t(channels_ - 1) * height_ + there)) ++there;
        check_enough_rows(int(there), int(height_), file_.size(), "SGI");
        return missing_rows(int(there), int(height_), true);
    }

    PictureShape shape() const {
        const Alpha alpha = channels_ == 2 || channels_ == 4 ? Alpha::straight : Alpha::none;
        return {int(width_), int(height_), int(channels_), sample_ == 1 ? SampleType::u8 : SampleType::u16, alpha};
    }

    // Writes row `y` from above; the file has rows from below, and all of one channel before the next.
    void row(int y, std::byte* to) {
        for (uint32_t c = 0; c < channels_; ++c) {
            const size_t stored = size_t(c) * height_ + (height_ - 1 - uint32_t(y));
            if (in_runs_) expand(stored);
            else std::copy_n(file_.begin() + ptrdiff_t(header_bytes + stored * row_.size()), row_.size(), row_.begin());
            for (size_t x = 0; x < width_; ++x) write(to + (x * channels_ + c) * sample_, x);
        }
    }

private:
    void write(std::byte* to, size_t x) const {
        if (sample_ == 1) {
            *to = row_[x];
            return;
        }
        const uint16_t value = uint16_t(be16(row_, 2 * x));
        std::memcpy(to, &value, 2);
    }

    // Whether a row of a channel, from below, is in the file.
    bool has(size_t stored) const {
        if (!in_runs_) return header_bytes + (stored + 1) * row_.size() <= file_.size();
        return runs_at(stored).has_value();
    }
    std::optional<ByteSpan> runs_at(size_t stored) const {
        const size_t table = size_t(height_) * channels_ * 4;
        const uint64_t begin = be32(file_, header_bytes + 4 * stored);
        const uint64_t bytes = be32(file_, header_bytes + table + 4 * stored);
        if (begin > file_.size() || bytes > file_.size() - begin) return {};
        return file_.subspan(begin, bytes);
    }

    // A count's low seven bits: that many samples follow, or, with the high bit clear, one is repeated; 0 ends the row.
    void expand(size_t stored) {
        const auto found = runs_at(stored);
        if (!found) throw_truncated(file_.size(), "SGI");
        const ByteSpan runs = *found;
        size_t done = 0;
        for (size_t at = 0; at + sample_ <= runs.size() && done < row_.size();) {
            const uint32_t code = byte_at(runs, at + sample_ - 1), count = code & 127;
            at += sample_;
            if (count == 0) break;
            const bool repeats = (code & 128) == 0;
            const size_t there = std::min<size_t>((repeats ? 1 : count) * sample_, runs.size() - at);
            const size_t wanted = std::min<size_t>(count * sample_, row_.size() - done);
            if (there < (repeats ? sample_ : wanted)) break;
            for (size_t i = 0; i < wanted; i += sample_)
                std::copy_n(runs.begin() + ptrdiff_t(at + (repeats ? 0 : i)), sample_,
                            row_.begin() + ptrdiff_t(done + i));
            at += there;
            done += wanted;
        }
        if (done < row_.size())
            throw Error(fmt::format("the SGI is damaged: a row has {} of {} pixels", done / sample_, width_));
    }

    ByteSpan file_;
    bool in_runs_ = false;
    uint32_t sample_ = 1, width_ = 0, height_ = 0, channels_ = 0;  // sample_: bytes
    std::vector<std::byte> row_;                                   // one channel, as stored
};

void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    SgiPicture picture(content);
    deliver_single(
        file.choice, picture.shape(), 1, target, [&](int y, std::byte* to) { picture.row(y, to); }, picture.missing());
}

}  // namespace

extern const Codec sgi_codec;
constinit const Codec sgi_codec{
    .name = "SGI",
    .extensions = "sgi rgb rgba bw",
    .samples = "8 and 16 bits as stored; straight alpha",
    .signatures = {{{0, "\x01\xda"}}},
    .decode = decode,
    .oiio = "sgi",
};

}  // namespace texelscope
