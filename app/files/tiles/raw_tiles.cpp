#include "app/files/tiles/raw_tiles.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/npy.h"
#include "app/files/codecs/pfm.h"
#include "app/files/codecs/pnm.h"
#include "app/files/tiles/file_tiles.h"
#include "app/files/tiles/region.h"
#include "gpu/core/check_region.h"

namespace texelscope {
namespace {

constexpr size_t longest_header = size_t(1) << 20;

std::vector<int> all_channels(int count) {
    std::vector<int> all(size_t(std::max(count, 0)));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

RawSamples samples_of_npy(ByteSpan head, const PictureChoice& choice) {
    const int channels = count_npy_channels(head);
    if (channels <= 4 && choice.channels.empty()) return raw_npy(head, all_channels(channels));
    return raw_npy(head, chosen_channels(choice, usual_channel_names(channels, Alpha::none), -1).which);
}

RawSamples samples_of(ByteSpan head, const OpenedFile& file, const PictureChoice& choice) {
    if (!choice.part.empty() && choice.part != "1") facts_of_single(choice, 1, 1, 1, Alpha::none);  // throws
    const Format* format = recognise(head, file.path());
    if (format && format->id == FormatId::npy) return samples_of_npy(head, choice);
    if (!choice.channels.empty()) throw NotInParts("some of its channels are chosen");
    return format && format->id == FormatId::pfm ? raw_pfm(head) : raw_pnm(head);
}

class RawTiles : public FileTiles {
public:
    RawTiles(std::shared_ptr<const OpenedFile> file, const PictureChoice& choice, bool truncated)
        : FileTiles(origin_of(*file, choice)),
          file_(std::move(file)),
          samples_(samples_of(file_->head(longest_header), *file_, choice)) {
        const auto& [width, height, channels, type, alpha, at, pixel, bottom_up, convert] = samples_;
        check_sides(width, height, channels);
        const uint64_t there = file_->size() - std::min<uint64_t>(at, file_->size());
        if (!truncated || there == 0) check_present(there, samples_.row_bytes() * height, width, height);
        info_ = {int(width), int(height), int(channels), type, alpha, nullptr};
    }

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return usual_tile; }
    bool reads_any_region() const override { return true; }
    Extent level_extent(int) const override { return {info_.width, info_.height}; }

    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        naming(file_->path(), [&] {
            check_region(*this, level, region);
            file_->check_unchanged();
            Bytes stored(size_t(region.width) * samples_.pixel_bytes);
            for (int y = 0; y < region.height; ++y) {
                const int64_t row = samples_.bottom_up ? info_.height - 1 - (region.y + y) : region.y + y;
                const uint64_t at =
                    samples_.at + uint64_t(row) * samples_.row_bytes() + uint64_t(region.x) * samples_.pixel_bytes;
                if (at + stored.size() > file_->size())
                    throw Error("the file is truncated: it ends before these samples");
                file_->read(at, stored);
                samples_.convert(stored.data(), size_t(region.width), to + size_t(y) * row_bytes);
            }
        });
    }

private:
    std::shared_ptr<const OpenedFile> file_;
    RawSamples samples_;
    ImageInfo info_;
};

}  // namespace

std::unique_ptr<const TileSource> raw_tiles(std::shared_ptr<const OpenedFile> file, const PictureChoice& choice,
                                            bool truncated) {
    return std::make_unique<RawTiles>(std::move(file), choice, truncated);
}

}  // namespace texelscope
