#include "app/files/codecs/tiff/tiff_files.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/tiff/tiff_pieces.h"
#include "app/files/colour/colour_tags.h"
#include "gpu/core/parallel.h"
#include "gpu/core/profiler.h"

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

}  // namespace texelscope
