#include "app/files/codecs/tiff/tiff_page.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/modules.h"
#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"

namespace texelscope {
namespace {

// The reader of one thread, given back at the end of a loop.
struct BorrowedReader {
    TiffReaders* readers = nullptr;
    std::unique_ptr<TiffPieceReader> reader = {};

    TiffPieceReader& from(TiffReaders& lender) {
        if (!reader) reader = (readers = &lender)->take();
        return *reader;
    }
    ~BorrowedReader() {
        if (reader) readers->give(std::move(reader));
    }
};

// The pieces, or their last rows, whose data are behind the end of the file.
class MissingPieces {
public:
    void add(const SampleRegion& piece) {
        const std::lock_guard lock(mutex_);
        const int64_t right = std::max(around_.x + around_.width, piece.x + piece.width),
                      bottom = std::max(around_.y + around_.height, piece.y + piece.height);
        if (around_.empty()) around_ = piece;
        around_.x = std::min(around_.x, piece.x);
        around_.y = std::min(around_.y, piece.y);
        around_.width = int(right - around_.x);
        around_.height = int(bottom - around_.y);
    }
    // The smallest rectangle with all of them.
    const SampleRegion& around() const { return around_; }

private:
    std::mutex mutex_;
    SampleRegion around_;
};

// Reads `count` rows of pieces from `first` on, into rows of the whole picture's width; missing ones become zero.
void read_rows_of_pieces(const TiffDecoding& decoding, TiffReaders& readers, uint32_t first, uint32_t count,
                         std::byte* to, size_t row_bytes, MissingPieces& missing) {
    constexpr WorkName work{"decoding of TIFF"};
    constexpr uint64_t worth = uint64_t(1) << 18;  // bytes of a unit of work
    const TiffPage& page = decoding.page;
    const uint64_t piece_bytes = uint64_t(page.piece_width) * page.piece_height * decoding.pixel_bytes();
    const auto chunk = (long long)std::clamp<uint64_t>(worth / std::max<uint64_t>(piece_bytes, 1), 1, 1024);
    const uint64_t across = page.across();
    parallel_for_with<BorrowedReader>(work, across * count, chunk, [&](BorrowedReader& borrowed, uint64_t i) {
        const auto column = uint32_t(i % across), row = uint32_t(i / across);
        std::byte* const at = to + uint64_t(row) * page.piece_height * row_bytes +
                              uint64_t(column) * page.piece_width * decoding.pixel_bytes();
        TiffPieceReader& reader = borrowed.from(readers);
        SampleRegion lacking = decoding.region(column, first + row);
        const int there = reader.read_present(column, first + row, at, row_bytes);
        if (there == lacking.height) return;
        for (int y = there; y < lacking.height; ++y)
            std::memset(at + size_t(y) * row_bytes, 0, size_t(lacking.width) * decoding.pixel_bytes());
        lacking.y += there;
        lacking.height -= there;
        missing.add(lacking);
    });
}

bool takes_all(const TiffPage& page, const ChosenChannels& channels) {
    if (channels.which.size() != page.channels.size()) return false;
    for (size_t i = 0; i < channels.which.size(); ++i)
        if (channels.which[i] != int(i)) return false;
    return true;
}

// Reads as many rows of pieces at a time as keep all threads busy. Throws Error if no piece is there.
void read_picture(const TiffDecoding& decoding, const ChosenChannels& channels, int turn, Image& image,
                  DecodingTarget& target) {
    constexpr uint64_t at_once = uint64_t(8) << 20;  // bytes
    const TiffPage& page = decoding.page;
    TiffReaders readers(decoding);
    MissingPieces missing;
    const size_t row_bytes = size_t(page.width) * decoding.pixel_bytes();
    const uint64_t pieces = 4 * uint64_t(thread_count());
    const auto rows = uint32_t(std::max<uint64_t>(
        {1, at_once / (row_bytes * page.piece_height), std::min<uint64_t>(pieces / page.across(), page.down())}));
    const bool straight = turn == 1 && takes_all(page, channels);
    Bytes band(straight ? 0 : row_bytes * size_t(std::min(uint64_t(rows) * page.piece_height, uint64_t(page.height))));
    for (uint32_t row = 0; row < page.down(); row += rows) {
        const uint32_t count = std::min(rows, page.down() - row);
        const int top = int(row * page.piece_height);
        const int height = int(std::min<int64_t>(int64_t(count) * page.piece_height, page.height - top));
        read_rows_of_pieces(decoding, readers, row, count, straight ? image.row(top) : band.data(), row_bytes, missing);
        if (!straight)
            place_rows({band.data(), page.width, top, height, int(page.channels.size()), channels.which}, turn, image);
        target.rows_done(turn <= 2 ? top + height : 0);
    }
    if (missing.around() == SampleRegion{0, 0, page.width, page.height}) throw_truncated(decoding.bytes.size, "TIFF");
    if (!missing.around().empty()) image.set_missing(turned(missing.around(), page.width, page.height, turn));
}

bool has_all_data(const TiffHandle& handle, const TiffPage& page) {
    const uint32_t count = page.across() * page.down() * (page.separate ? uint32_t(page.samples) : 1);
    for (uint32_t piece = 0; piece < count; ++piece)
        if (!handle.has_data(piece)) return false;
    return true;
}

// The number in "images=7" of the description that ImageJ writes; 1 if there is none.
int images_of_imagej(std::string_view description) {
    constexpr std::string_view key = "images=";
    const size_t at = description.find(key);
    int count = 1;
    if (description.starts_with("ImageJ=") && at != description.npos)
        std::from_chars(description.data() + at + key.size(), description.data() + description.size(), count);
    return count;
}

}  // namespace

void decode_tiff(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    const TiffBytes bytes{content, -1, content.size()};
    PictureFacts facts;
    TiffPage page;
    {
        TiffHandle handle(bytes);
        const TiffPages pages = tiff_pages(handle);
        facts.parts = pages.listed;
        facts.part = chosen_part(file.choice, pages.listed, pages.count);
        handle.go_to(directory_of_page(handle, pages, facts.part));
        page = tiff_page(handle);
        facts.may_lack_samples = !has_all_data(handle, page);
    }
    const ChosenChannels channels = chosen_channels(file.choice, page.channels, page.alpha_channel);
    facts.channels = channels.which;
    facts.orientation = page.orientation;
    facts.upright = file.choice.upright;
    check_plausible(content.size(), uint64_t(page.width), uint64_t(page.height), channels.which.size(), page.type);
    const TiffDecoding decoding(bytes, std::move(page), colour_tags(content).get());
    Image* const into = target.begin(turned_shape(decoding.page.width, decoding.page.height, channels,
                                                  decoding.page.type, decoding.page.alpha, facts),
                                     facts);
    if (!into) return;
    Image& image = *into;
    read_picture(decoding, channels, turn_of(facts), image, target);
}

std::vector<MetadataRow> tiff_rows(ByteSpan content, int part) {
    TiffHandle handle({content, -1, content.size()});
    const TiffPages pages = tiff_pages(handle);
    handle.go_to(directory_of_page(handle, pages, part));
    const TiffPage page = tiff_page(handle);
    std::vector<MetadataRow> rows = {{"Picture", "Stored as", words_of_samples(page)}};
    if (const int images = images_of_imagej(page.description); images > 1 && pages.count == 1)
        rows.push_back({"Picture", "ImageJ stack",
                        fmt::format("{} images, of which the file lists the first; ImageJ saves them one by one by "
                                    "File > Save As > Image Sequence",
                                    images)});
    return rows;
}

// TIFF in pieces: the tiles of a file, or bands of whole strips; with the smaller images that it holds.

namespace {

constexpr size_t largest_piece = size_t(64) << 20;  // bytes, decoded
constexpr size_t kept_tiles = size_t(64) << 20, kept_bands = size_t(128) << 20;
constexpr int usual_tile = 512, smallest_tile = 64;  // tile sides for bands
constexpr int most_pages = 64;                       // pages searched for levels

bool is_half(int small, int large) { return small == large / 2 || small == (large + 1) / 2; }

// Whether a page is smaller by the same factor along both axes, up to one sample.
bool is_smaller(const TiffPage& small, const TiffPage& large) {
    const double x = double(large.width) / small.width, y = double(large.height) / small.height;
    const double error = std::max(x / small.width, y / small.height);
    return std::min(x, y) > 1.2 && std::abs(x - y) <= 2 * error;
}

bool is_alike(const TiffPage& a, const TiffPage& b) {
    return a.channels == b.channels && a.type == b.type && a.alpha == b.alpha && a.alpha_channel == b.alpha_channel &&
           a.tiled == b.tiled;
}

// The picture itself or a smaller one of it.
struct Level {
    Level(const TiffBytes& bytes, TiffPage page, const ColourProfile* profile)
        : decoding(bytes, std::move(page), profile), reader(decoding) {}

    TiffDecoding decoding;
    TiffPieceReader reader;
    uint32_t rows = 1;  // rows of strips that are decoded at once

    int piece_width() const { return int(decoding.page.piece_width); }
    int piece_height() const { return int(decoding.page.piece_height * rows); }
};

// A level whose pieces can be decoded for a region. Throws NotInParts.
std::unique_ptr<Level> level_of(const TiffBytes& bytes, TiffPage page, const ColourProfile* profile) {
    auto level = std::make_unique<Level>(bytes, std::move(page), profile);
    const TiffPage& at = level->decoding.page;
    const uint64_t piece = uint64_t(at.piece_width) * at.piece_height * level->decoding.pixel_bytes();
    if (piece > largest_piece) throw NotInParts(at.tiled ? "its tiles are too large" : "its strips are too large");
    constexpr uint32_t enough = 32;  // rows of samples
    if (!at.tiled)
        level->rows = std::max(1u, std::min(uint32_t(largest_piece / piece), enough / std::max(1u, at.piece_height)));
    return level;
}

class TiffRegions : public TileSource {
public:
    explicit TiffRegions(const EncodedFile& file)
        : bytes_{{}, file.descriptor, file.bytes}, profile_(colour_tags(file.descriptor)) {
        TiffHandle handle(bytes_);
        const TiffPages pages = tiff_pages(handle);
        const int part = chosen_part(file.choice, pages.listed, pages.count);
        handle.go_to(directory_of_page(handle, pages, part));
        TiffPage page = tiff_page(handle);
        if (page.orientation != 1 && file.choice.upright) throw NotInParts("it is stored turned");
        choose_channels(file.choice, page);
        levels_.push_back(level_of(bytes_, std::move(page), profile_.get()));
        add_smaller_ones(handle);
        pieces_.set_budget(levels_[0]->decoding.page.tiled ? kept_tiles : kept_bands);
    }

    const ImageInfo& info() const override { return info_; }
    int levels() const override { return int(levels_.size()); }
    Extent level_extent(int level) const override {
        const TiffPage& page = levels_.at(size_t(level))->decoding.page;
        return {page.width, page.height};
    }

    // Bands are decoded once for all tiles of a row if they all fit in the cache.
    int tile() const override {
        const Level& level = *levels_[0];
        if (level.decoding.page.tiled) return tile_of_pieces(level.piece_width(), level.piece_height());
        const size_t row_bytes = size_t(info_.width) * pixel_;
        int side = usual_tile;
        while (side > smallest_tile && size_t(side) * row_bytes > kept_bands / 2) side /= 2;
        return side;
    }

    void read(int number, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        const std::lock_guard lock(mutex_);
        const Level& level = *levels_.at(size_t(number));
        const int width = level.piece_width(), height = level.piece_height();
        for (int64_t y = region.y / height; y * height < region.y + region.height; ++y)
            for (int64_t x = region.x / width; x * width < region.x + region.width; ++x)
                copy_common(pieces_.at({number, int(x), int(y)}, [&] { return decoded(number, int(x), int(y)); }),
                            region, pixel_, to, row_bytes);
    }

private:
    void choose_channels(const PictureChoice& choice, const TiffPage& page) {
        const ChosenChannels channels = chosen_channels(choice, page.channels, page.alpha_channel);
        check_sides(uint64_t(page.width), uint64_t(page.height), channels.which.size());
        PictureFacts facts;
        facts.upright = false;
        const PictureShape shape = turned_shape(page.width, page.height, channels, page.type, page.alpha, facts);
        info_ = {shape.width, shape.height, shape.channels, shape.type, shape.alpha, nullptr};
        which_ = channels.which;
        pixel_ = which_.size() * size_t(bytes_per_sample(page.type));
    }

    // Adds SubIFDs, else following pages of half the size each; Aperio's slides have a small overview between them, and
    // any factor.
    void add_smaller_ones(TiffHandle& handle) {
        uint16_t count = 0;
        const uint64_t* places = nullptr;
        std::vector<uint64_t> sub_images;
        if (TIFFGetField(handle.tiff(), TIFFTAG_SUBIFD, &count, &places)) sub_images.assign(places, places + count);
        for (const uint64_t place : sub_images)
            if (!add_smaller(handle, place, false)) break;
        if (levels_.size() > 1) return;
        handle.go_to(levels_[0]->decoding.page.directory);
        const bool slide = levels_[0]->decoding.page.description.starts_with("Aperio");
        for (int i = 0; i < most_pages && TIFFReadDirectory(handle.tiff()); ++i) {
            const uint64_t place = TIFFCurrentDirOffset(handle.tiff());
            if (!add_smaller(handle, place, !slide) && !slide) break;
        }
    }

    bool add_smaller(TiffHandle& handle, uint64_t place, bool half) {
        try {
            handle.go_to(place);
            TiffPage page = tiff_page(handle);
            const TiffPage& before = levels_.back()->decoding.page;
            const bool halves = is_half(page.width, before.width) && is_half(page.height, before.height);
            if (!is_alike(page, before) || !(halves || (!half && is_smaller(page, before)))) return false;
            levels_.push_back(level_of(bytes_, std::move(page), profile_.get()));
            return true;
        } catch (const Error&) {  // the picture itself is there
            return false;
        }
    }

    Piece decoded(int number, int x, int y) const {
        Level& level = *levels_[size_t(number)];
        const TiffPage& page = level.decoding.page;
        const auto first = uint32_t(y) * level.rows;
        Piece piece{level.decoding.region(uint32_t(x), first)};
        const uint32_t rows = std::min(level.rows, page.down() - first);
        const size_t row_bytes = size_t(piece.region.width) * level.decoding.pixel_bytes();
        piece.region.height = int(std::min<int64_t>(int64_t(rows) * page.piece_height, page.height - piece.region.y));
        piece.samples.resize(row_bytes * size_t(piece.region.height));
        for (uint32_t row = 0; row < rows; ++row)
            level.reader.read(uint32_t(x), first + row,
                              piece.samples.data() + size_t(row) * page.piece_height * row_bytes, row_bytes);
        take_chosen(piece, page.channels.size());
        return piece;
    }

    void take_chosen(Piece& piece, size_t stored) const {
        bool all = stored == which_.size();
        for (size_t i = 0; i < which_.size(); ++i) all = all && which_[i] == int(i);
        if (all) return;
        const size_t pixels = size_t(piece.region.width) * size_t(piece.region.height), sample = pixel_ / which_.size();
        Bytes chosen(pixels * pixel_);
        std::byte* to = chosen.data();
        for (size_t i = 0; i < pixels; ++i)
            for (const int channel : which_) {
                std::memcpy(to, piece.samples.data() + (i * stored + size_t(channel)) * sample, sample);
                to += sample;
            }
        piece.samples = std::move(chosen);
    }

    TiffBytes bytes_;
    std::shared_ptr<const ColourProfile> profile_;
    std::vector<std::unique_ptr<Level>> levels_;
    ImageInfo info_;
    std::vector<int> which_;  // the chosen channels
    size_t pixel_ = 1;
    mutable std::mutex mutex_;
    mutable KeptPieces pieces_;
};

}  // namespace

std::unique_ptr<const TileSource> tiff_regions(const EncodedFile& file) { return std::make_unique<TiffRegions>(file); }

}  // namespace texelscope

// The module's only entry point, which app/files/codecs/modules.h describes.

// The functions of the module; null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::TiffModule* texelscope_tiff(const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    static constexpr TiffModule module{decode_tiff, tiff_regions, tiff_rows};
    return &module;
}
