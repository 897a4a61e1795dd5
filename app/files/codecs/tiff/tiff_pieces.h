#pragma once
// The strips and tiles of a page, decoded one by one.

#include <mutex>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/codecs/tiff/tiff_unpack.h"

namespace texelscope {

// The state of a page that all threads share.
struct TiffDecoding {
    // Throws Error if a piece would take impossibly much memory.
    TiffDecoding(const TiffBytes& bytes, TiffPage page, const ColourProfile* profile);

    TiffDecoding(const TiffDecoding&) = delete;
    TiffDecoding& operator=(const TiffDecoding&) = delete;

    size_t pixel_bytes() const { return page.channels.size() * size_t(bytes_per_sample(page.type)); }
    // The part of the picture, in samples, that the piece in this column and row covers.
    SampleRegion region(uint32_t column, uint32_t row) const;

    const TiffBytes bytes;
    const TiffPage page;
    const TiffUnpacker unpacker;
    const TiffColourMaker colours;
};

// The reader of one thread.
class TiffPieceReader {
public:
    // Throws Error.
    explicit TiffPieceReader(const TiffDecoding& decoding);

    // False if the file ends before all data of that piece; pieces that it leaves out are not missing.
    bool has_data(uint32_t column, uint32_t row) const;
    // Reads the samples of region(column, row) as delivered, rows `row_bytes` apart. Pieces that the file leaves out
    // are zero. Throws Error if the data are missing or make no sense.
    void read(uint32_t column, uint32_t row, std::byte* to, size_t row_bytes);
    // Like read(), for the rows that the file has: of an uncompressed strip that is cut off, its whole rows. Returns
    // their number.
    int read_present(uint32_t column, uint32_t row, std::byte* to, size_t row_bytes);

private:
    // Where unpacked samples go: rows that begin `row_bytes` apart.
    struct Rows {
        std::byte* first;
        size_t row_bytes;
        std::byte* at(int y) const { return first + size_t(y) * row_bytes; }
    };
    bool goes_straight(const SampleRegion& region, size_t row_bytes) const;
    size_t packed_row_bytes() const;
    // Whether the file ends within an uncompressed strip.
    bool is_cut(uint32_t piece) const;
    // False if the file leaves the piece out. Throws Error if the file ends before its data does.
    bool is_there(uint32_t piece) const;
    // Copies a tile that is stored as it is delivered. False if it must be unpacked.
    bool copy_tile(uint32_t piece, const SampleRegion& region, const Rows& to);
    // Throws Error if libtiff complained.
    void check_complaint() const;
    // Throws Error if deflated data are damaged. `unpacked`: the bytes made from them; empty: unknown.
    void check_deflated(uint32_t piece, ByteSpan unpacked, uint64_t needed);
    void read_packed(uint32_t piece, std::byte* to, size_t bytes);
    void read_cut(uint32_t piece, std::byte* to, size_t bytes);
    void read_region(uint32_t piece, const SampleRegion& region, std::byte* to, size_t row_bytes);
    void read_samples(uint32_t piece, const SampleRegion& region, const Rows& to);
    void read_plane(uint32_t piece, int plane, const SampleRegion& region, const Rows& to);
    void read_rows_one_by_one(int plane, const SampleRegion& region, const Rows& to);
    void read_blocks(uint32_t piece, const SampleRegion& region, const Rows& to);
    void place_plane(const std::byte* packed, int plane, int width, std::byte* to) const;

    const TiffDecoding& decoding_;
    TiffHandle handle_;
    Bytes packed_, unpacked_, stored_;
    bool as_in_file_ = false;  // tiles are stored as they are delivered
    bool deflated_ = false, predicted_ = false;
};

// Readers that are not in use.
class TiffReaders {
public:
    explicit TiffReaders(const TiffDecoding& decoding) : decoding_(decoding) {}
    std::unique_ptr<TiffPieceReader> take();
    void give(std::unique_ptr<TiffPieceReader> reader);

private:
    const TiffDecoding& decoding_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<TiffPieceReader>> free_;
};

}  // namespace texelscope
