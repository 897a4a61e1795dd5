#include "app/files/tiles/file_tiles.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/colour/colour_tags.h"
#include "app/files/decoding/decoding.h"
#include "app/files/reading/decoders.h"
#include "gpu/core/errors.h"
#include "gpu/core/tile_source.h"

namespace texelscope {
namespace {

constexpr const char* changed = "the file was changed while it was open; open it again";

}  // namespace

OpenedFile::OpenedFile(const std::filesystem::path& path)
    : path_(path),
      file_(path),
      companions_(companions_of(file_.descriptor(), files_beside(path))),
      beside_(companions_ ? companions_->files() : std::vector<std::string>()),
      state_(state_now()) {}

void OpenedFile::read(uint64_t at, std::span<std::byte> to) const {
    while (!to.empty()) {
        const ssize_t count = ::pread(descriptor(), to.data(), to.size(), off_t(at));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw Error("cannot be read: " + words_of_error(errno));
        if (count == 0) throw Error(changed);
        to = to.subspan(size_t(count));
        at += uint64_t(count);
    }
}

void OpenedFile::check_unchanged() const {
    if (state_now() != state_) throw Error(changed);
}

FileState OpenedFile::state_now() const {
    struct stat info {};
    if (::fstat(descriptor(), &info) != 0) throw Error("cannot be read: " + words_of_error(errno));
    FileState state;
    state.add(info);
    if (companions_) state.add(*companions_, beside_);
    return state;
}

std::optional<uint64_t> stored_bytes(const std::filesystem::path& path) {
    try {
        return OpenedFile(path).state().bytes;
    } catch (const Error&) {
        return {};
    }
}

TileFileOrigin origin_of(const OpenedFile& file, const PictureChoice& choice) {
    std::error_code ignored;
    return {std::filesystem::absolute(file.path(), ignored).lexically_normal().string(), text_of(choice),
            file.state().bytes, file.state().modified};
}

namespace {

constexpr size_t longest_header = size_t(1) << 20;

RawSamples samples_of(ByteSpan head, const OpenedFile& file, const PictureChoice& choice) {
    const Codec* codec = recognise(head, file.path());
    if (!codec || !codec->raw) throw NotInParts("its samples do not lie as they are");
    return codec->raw(head, choice);
}

class RawTiles : public FileTiles {
public:
    RawTiles(std::shared_ptr<const OpenedFile> file, const PictureChoice& choice, bool truncated)
        : FileTiles(origin_of(*file, choice)),
          file_(std::move(file)),
          samples_(samples_of(file_->head(longest_header), *file_, choice)) {
        const uint64_t width = samples_.width, height = samples_.height, channels = samples_.channels;
        check_sides(width, height, channels);
        const uint64_t there = file_->size() - std::min<uint64_t>(samples_.at, file_->size());
        if (!truncated || there == 0) check_present(there, samples_.row_bytes() * height, width, height);
        info_ = {int(width), int(height), int(channels), samples_.type, samples_.alpha};
        info_.dimensions = samples_.dimensions;
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

namespace {

class DecodedTiles : public FileTiles {
public:
    DecodedTiles(std::shared_ptr<const OpenedFile> file, const Codec& codec, const PictureChoice& choice)
        : FileTiles(origin_of(*file, choice)), file_(std::move(file)) {
        const EncodedFile encoded{.format = place_of(codec),
                                  .format_name = codec.name,
                                  .name = file_->path().string(),
                                  .descriptor = file_->descriptor(),
                                  .bytes = file_->size(),
                                  .choice = choice,
                                  .modules = codec.modules,
                                  .companions = file_->companions()};
        regions_ = decodes_in_child() ? regions_in_child(encoded) : foreign_decoder().open_regions(encoded);
        info_ = regions_->info();
        if (!encoded.companions) info_.profile = colour_tags(file_->descriptor());
    }

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return regions_->tile(); }
    int levels() const override { return regions_->levels(); }
    Extent level_extent(int level) const override { return regions_->level_extent(level); }

    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        naming(file_->path(), [&] {
            check_region(*this, level, region);
            file_->check_unchanged();
            regions_->read(level, region, to, row_bytes);
        });
    }

private:
    std::shared_ptr<const OpenedFile> file_;
    ImageInfo info_;
    std::unique_ptr<const TileSource> regions_;
};

}  // namespace

bool has_pieces(const Codec& codec) { return codec.open_regions != nullptr; }

std::unique_ptr<const TileSource> decoded_tiles(std::shared_ptr<const OpenedFile> file, const Codec& codec,
                                                const PictureChoice& choice) {
    return std::make_unique<DecodedTiles>(std::move(file), codec, choice);
}

}  // namespace texelscope
