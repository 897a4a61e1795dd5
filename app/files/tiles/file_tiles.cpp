#include "app/files/tiles/file_tiles.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"
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

namespace {

constexpr std::string_view magic = "texelscope tiles";
constexpr uint32_t version = 1;

// As it lies in the file.
struct Stored {
    char magic[16];
    uint32_t version, byte_order;
    int32_t width, height, channels, type, alpha, tile;
    uint64_t source_bytes;
    int64_t source_modified;
    uint32_t path_bytes, choice_bytes;
    char text[TileFileHeader::bytes - 80];  // the path, and the choice behind it
    uint32_t unused, sum;                   // of all before
};
static_assert(sizeof(Stored) == TileFileHeader::bytes);

constexpr uint32_t this_byte_order = 0x01020304;
constexpr size_t summed = TileFileHeader::bytes - sizeof(uint32_t);

bool has_sensible_shape(const PictureShape& shape) {
    try {
        check_dimensions(uint64_t(std::max(shape.width, 0)), uint64_t(std::max(shape.height, 0)),
                         uint64_t(std::max(shape.channels, 0)), shape.type);
    } catch (const Error&) {
        return false;
    }
    return true;
}

}  // namespace

SampleRegion TileFileHeader::region(int column, int row) const {
    const int x = column * tile, y = row * tile;
    return {x, y, std::min(tile, shape.width - x), std::min(tile, shape.height - y)};
}

uint64_t TileFileHeader::offset(int column, int row) const {
    const SampleRegion place = region(column, row);
    return bytes +
           (uint64_t(place.y) * uint64_t(shape.width) + uint64_t(place.x) * uint64_t(place.height)) * pixel_bytes();
}

uint64_t TileFileHeader::sums_offset() const {
    return bytes + uint64_t(shape.width) * uint64_t(shape.height) * pixel_bytes();
}

uint64_t TileFileHeader::file_bytes() const { return sums_offset() + (tiles() + 1) * sizeof(uint32_t); }

std::optional<std::vector<std::byte>> encoded(const TileFileHeader& header) {
    Stored stored{};
    const auto& [path, choice, source_bytes, modified] = header.origin;
    if (path.size() + choice.size() > sizeof stored.text) return {};
    std::memcpy(stored.magic, magic.data(), magic.size());
    stored.version = version;
    stored.byte_order = this_byte_order;
    stored.width = header.shape.width;
    stored.height = header.shape.height;
    stored.channels = header.shape.channels;
    stored.type = int32_t(header.shape.type);
    stored.alpha = int32_t(header.shape.alpha);
    stored.tile = TileFileHeader::tile;
    stored.source_bytes = source_bytes;
    stored.source_modified = modified;
    stored.path_bytes = uint32_t(path.size());
    stored.choice_bytes = uint32_t(choice.size());
    std::ranges::copy(path + choice, stored.text);
    std::vector<std::byte> result(sizeof stored);
    std::memcpy(result.data(), &stored, sizeof stored);
    stored.sum = sum_of(ByteSpan(result).first(summed));
    std::memcpy(result.data(), &stored, sizeof stored);
    return result;
}

std::optional<TileFileHeader> parse_tile_file(ByteSpan beginning, uint64_t file_bytes) {
    Stored stored;
    if (beginning.size() < sizeof stored) return {};
    std::memcpy(&stored, beginning.data(), sizeof stored);
    const bool ours = std::string_view(stored.magic, sizeof stored.magic) == magic && stored.version == version &&
                      stored.byte_order == this_byte_order && stored.tile == TileFileHeader::tile &&
                      stored.sum == sum_of(beginning.first(summed));
    const bool sensible = stored.type >= 0 && stored.type <= int32_t(SampleType::f32) && stored.alpha >= 0 &&
                          stored.alpha <= int32_t(Alpha::premultiplied) && stored.path_bytes <= sizeof stored.text &&
                          stored.choice_bytes <= sizeof stored.text - stored.path_bytes;
    if (!ours || !sensible) return {};
    TileFileHeader header;
    header.shape = {stored.width, stored.height, stored.channels, SampleType(stored.type), Alpha(stored.alpha)};
    header.origin = {{stored.text, stored.path_bytes},
                     {stored.text + stored.path_bytes, stored.choice_bytes},
                     stored.source_bytes,
                     stored.source_modified};
    if (!has_sensible_shape(header.shape) || header.file_bytes() != file_bytes) return {};
    return header;
}

uint32_t sum_of(ByteSpan tile) {
    return uint32_t(::crc32_z(0, reinterpret_cast<const Bytef*>(tile.data()), tile.size()));
}

std::vector<std::byte> encoded_sums(std::vector<uint32_t> sums) {
    const ByteSpan bytes = std::as_bytes(std::span(sums));
    sums.push_back(sum_of(bytes));
    const ByteSpan all = std::as_bytes(std::span(sums));
    return {all.begin(), all.end()};
}

std::optional<std::vector<uint32_t>> parse_sums(ByteSpan bytes, size_t tiles) {
    if (bytes.size() != (tiles + 1) * sizeof(uint32_t)) return {};
    std::vector<uint32_t> sums(tiles + 1);
    std::memcpy(sums.data(), bytes.data(), bytes.size());
    const uint32_t sum = sums.back();
    sums.pop_back();
    if (sum != sum_of(bytes.first(tiles * sizeof(uint32_t)))) return {};
    return sums;
}

}  // namespace texelscope
