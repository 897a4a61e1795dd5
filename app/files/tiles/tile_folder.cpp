#include "app/files/tiles/tile_folder.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/bytes/naming.h"
#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"
#include "app/files/tiles/file_tiles.h"
#include "gpu/core/machine.h"
#include "gpu/core/tile_source.h"

namespace fs = std::filesystem;

namespace texelscope {
namespace {

struct Kept {
    fs::file_time_type used;
    fs::path path;
    uint64_t bytes = 0;
};

// The bytes that a file with holes takes on the disk.
uint64_t allocated_bytes(const fs::path& path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 ? uint64_t(info.st_blocks) * 512 : 0;
}

std::vector<Kept> kept_in(const fs::path& folder) {
    std::vector<Kept> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code gone;
        const bool level = entry->path().extension() == level_ending;
        if (!level && entry->path().extension() != tiles_ending) continue;
        const Kept kept{entry->last_write_time(gone), entry->path(),
                        level ? allocated_bytes(entry->path()) : entry->file_size(gone)};
        if (!gone) files.push_back(kept);
    }
    std::ranges::sort(files, {}, &Kept::used);
    return files;
}

class CachedTiles : public FileTiles {
public:
    CachedTiles(OpenedFile file, TileFileHeader header, std::vector<uint32_t> sums,
                std::shared_ptr<const ColourProfile> profile)
        : FileTiles(header.origin),
          file_(std::move(file)),
          header_(std::move(header)),
          sums_(std::move(sums)),
          checked_(sums_.size()) {
        const PictureShape& shape = header_.shape;
        info_ = {shape.width, shape.height, shape.channels, shape.type, shape.alpha, std::move(profile)};
    }

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return TileFileHeader::tile; }
    Extent level_extent(int) const override { return {info_.width, info_.height}; }

    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        check_region(*this, level, region);
        constexpr int tile = TileFileHeader::tile;
        for (int row = int(region.y / tile); row <= int((region.y + region.height - 1) / tile); ++row)
            for (int column = int(region.x / tile); column <= int((region.x + region.width - 1) / tile); ++column) {
                const SampleRegion place = header_.region(column, row), part = common(region, place);
                std::byte* const first =
                    to + size_t(part.y - region.y) * row_bytes + size_t(part.x - region.x) * header_.pixel_bytes();
                try {
                    read_part(column, row, part, first, row_bytes);
                } catch (const Error&) {
                    std::error_code ignored;
                    fs::remove(file_.path(), ignored);
                    throw FileError(origin().path,
                                    "its cached tiles are damaged; open it again to have them made anew");
                }
            }
    }

private:
    static SampleRegion common(const SampleRegion& a, const SampleRegion& b) {
        const int64_t x = std::max(a.x, b.x), y = std::max(a.y, b.y);
        return {x, y, int(std::min(a.x + a.width, b.x + b.width) - x),
                int(std::min(a.y + a.height, b.y + b.height) - y)};
    }

    // Reads a part of a tile. The tile's checksum is checked with the first part that is read of it.
    void read_part(int column, int row, const SampleRegion& part, std::byte* to, size_t row_bytes) const {
        const SampleRegion place = header_.region(column, row);
        const size_t pixel = header_.pixel_bytes(), tile_row = size_t(place.width) * pixel;
        const size_t bytes = size_t(part.width) * pixel;
        const size_t at = size_t(part.y - place.y) * tile_row + size_t(part.x - place.x) * pixel;
        const size_t index = size_t(row) * size_t(header_.columns()) + size_t(column);
        if (part != place && checked_[index]) {
            for (int y = 0; y < part.height; ++y)
                file_.read(header_.offset(column, row) + at + size_t(y) * tile_row,
                           {to + size_t(y) * row_bytes, bytes});
            return;
        }
        Bytes samples(tile_row * size_t(place.height));
        file_.read(header_.offset(column, row), samples);
        if (sum_of(samples) != sums_[index]) throw Error("another checksum");
        checked_[index] = true;
        for (int y = 0; y < part.height; ++y)
            std::memcpy(to + size_t(y) * row_bytes, samples.data() + at + size_t(y) * tile_row, bytes);
    }

    OpenedFile file_;
    TileFileHeader header_;
    std::vector<uint32_t> sums_;
    mutable std::vector<std::atomic<bool>> checked_;  // tiles
    ImageInfo info_;
};

// Null if it is not whole, or of something else.
std::unique_ptr<const TileSource> opened(const fs::path& path, const TileFileOrigin& origin,
                                         const std::shared_ptr<const ColourProfile>& profile) {
    OpenedFile file(path);
    auto header = parse_tile_file(file.head(TileFileHeader::bytes), file.size());
    if (!header || header->origin != origin) return {};
    Bytes bytes(file.size() - header->sums_offset());
    file.read(header->sums_offset(), bytes);
    auto sums = parse_sums(bytes, header->tiles());
    if (!sums) return {};
    return std::make_unique<CachedTiles>(std::move(file), std::move(*header), std::move(*sums), profile);
}

// Writes rows as they arrive.
class TileWriter {
public:
    TileWriter(const fs::path& path, TileFileHeader header) : header_(std::move(header)), file_(path) {
        const auto bytes = encoded(header_);
        if (!bytes) throw Error("its name is too long");
        file_.write(*bytes);
    }

    // The first `rows` of the picture are there. They are not looked at again, and their memory is given back if it is
    // shared with a decoder.
    void take(const Image& image, int rows) {
        constexpr int tile = TileFileHeader::tile;
        while (row_ < header_.rows() && (rows >= image.height() || rows >= (row_ + 1) * tile)) {
            for (int column = 0; column < header_.columns(); ++column) write_tile(image, column);
            ++row_;
            give_back(image, std::min(row_ * tile, image.height()));
        }
    }

    void commit() {
        file_.write(encoded_sums(std::move(sums_)));
        file_.commit();
    }

private:
    void write_tile(const Image& image, int column) {
        const SampleRegion place = header_.region(column, row_);
        const size_t pixel = header_.pixel_bytes(), bytes = size_t(place.width) * pixel;
        samples_.resize(bytes * size_t(place.height));
        for (int y = 0; y < place.height; ++y)
            std::memcpy(samples_.data() + size_t(y) * bytes, image.row(int(place.y) + y) + size_t(place.x) * pixel,
                        bytes);
        sums_.push_back(sum_of(samples_));
        file_.write(samples_);
    }

    void give_back(const Image& image, int rows) {
        const auto page = size_t(::sysconf(_SC_PAGESIZE));
        const size_t end = size_t(rows) * image.row_bytes() / page * page;
        if (end <= given_back_) return;
        // What is no shared memory stays as it is.
        static_cast<void>(
            ::madvise(const_cast<std::byte*>(image.data()) + given_back_, end - given_back_, MADV_REMOVE));
        given_back_ = end;
    }

    TileFileHeader header_;
    OutputFile file_;
    int row_ = 0;  // of tiles, the next one
    size_t given_back_ = 0;
    Bytes samples_;
    std::vector<uint32_t> sums_;
};

bool make_private(const fs::path& folder) {
    std::error_code error;
    if (fs::is_directory(folder, error)) return true;
    return folder.has_parent_path() && folder != folder.parent_path() && make_private(folder.parent_path()) &&
           (::mkdir(folder.c_str(), 0700) == 0 || fs::is_directory(folder, error));
}

}  // namespace

fs::path usual_tile_folder() { return path_in(cache_home, "texelscope/tiles"); }

fs::path TileFolder::place(const TileFileOrigin& origin) const {
    return folder_ / (md5(origin.path + '\n' + origin.choice) + tiles_ending);
}

std::unique_ptr<const TileSource> TileFolder::find(const OpenedFile& file, const PictureChoice& choice) const {
    if (folder_.empty()) return {};
    const TileFileOrigin origin = origin_of(file, choice);
    const fs::path path = place(origin);
    std::error_code error;
    if (!fs::exists(path, error)) return {};
    try {
        if (auto tiles = opened(path, origin, colour_tags(file.descriptor()))) {
            fs::last_write_time(path, fs::file_time_type::clock::now(), error);  // it was used
            return tiles;
        }
    } catch (const Error&) {}
    fs::remove(path, error);
    return {};
}

void TileFolder::prepare() const {
    if (folder_.empty()) throw Error("there is no folder for a cache");
    if (!make_private(folder_)) throw FileError(folder_.string(), "cannot be made");
}

void TileFolder::make_room(uint64_t bytes, const fs::path& keep) const {
    if (bytes > most_bytes_)
        throw Error(fmt::format("they would take {} MiB of the {} MiB that the cache may take", bytes >> 20,
                                most_bytes_ >> 20));
    uint64_t all = this->bytes();
    for (const Kept& kept : kept_in(folder_)) {
        if (all + bytes <= most_bytes_) return;
        std::error_code error;
        if (kept.path != keep && fs::remove(kept.path, error)) all -= kept.bytes;
    }
    if (all + bytes > most_bytes_)
        throw Error(fmt::format("there is no more room in the {} MiB that the cache may take", most_bytes_ >> 20));
}

TilesOrWhy TileFolder::make(const OpenedFile& file, const PictureChoice& choice, const Making& making) const {
    const TileFileOrigin origin = origin_of(file, choice);
    const fs::path path = place(origin);
    std::optional<TileWriter> writer;
    std::string why_not;
    bool is_large = false;
    // What goes wrong with the cache is no fault of the file: it ends the reading in words of its own.
    const auto guarded = [&](const auto& work) {
        try {
            work();
        } catch (const Cancelled&) {
            throw;
        } catch (const std::exception& error) {
            why_not = fmt::format("its tiles cannot be kept ({})", error.what());
        }
        if (!why_not.empty()) throw Cancelled(why_not);
    };
    Reading reading{.cancel = making.cancel, .choice = choice};
    reading.paced = true;
    reading.told = [&](const PictureFacts& facts) {
        guarded([&] {
            const TileFileHeader header{facts.shape, origin};
            const uint64_t bytes = header.sums_offset() - TileFileHeader::bytes;
            if (int64_t(bytes) < making.worth)
                return void(why_not = fmt::format("its {}×{} samples take no more than {} MiB", facts.shape.width,
                                                  facts.shape.height, (bytes + (1 << 20) - 1) >> 20));
            is_large = true;
            prepare();
            make_room(header.file_bytes());
            writer.emplace(path, header);
        });
    };
    reading.progress = [&](const Image& image, int rows) {
        if (making.progress) making.progress(double(rows) / std::max(image.height(), 1));
        guarded([&] { writer->take(image, rows); });
    };
    try {
        const Image image = read_image(file.path(), reading);
        guarded([&] {
            if (!image.missing().empty()) return void(why_not = "the file ends early");
            writer->take(image, image.height());
            if (origin_of(OpenedFile(file.path()), choice) != origin) throw Error("the file was changed meanwhile");
            writer->commit();
        });
    } catch (const Cancelled&) {
        if (!why_not.empty()) return {nullptr, why_not, is_large};
        throw;
    }
    try {
        if (auto tiles = opened(path, origin, colour_tags(file.descriptor()))) return {std::move(tiles)};
    } catch (const Error&) {}
    return {nullptr, "its tiles cannot be kept (they were removed at once)", true};
}

uint64_t TileFolder::bytes() const {
    uint64_t all = 0;
    for (const Kept& kept : kept_in(folder_)) all += kept.bytes;
    return all;
}

void TileFolder::clear() const {
    std::error_code error;
    for (const Kept& kept : kept_in(folder_)) fs::remove(kept.path, error);
}

}  // namespace texelscope
