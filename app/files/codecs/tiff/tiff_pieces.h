#pragma once
// The pieces of a TIFF, decoded and unpacked into samples; reading a whole file.

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/tiff/tiff_page.h"
#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// Unpacks the samples that libtiff delivers to one of our types.

class TiffUnpacker {
public:
    // The page must outlive the object.
    explicit TiffUnpacker(const TiffPage& page);

    // The type that row() makes. Samples of palettes, Lab and YCbCr stay as stored; others have the delivered type.
    SampleType type() const { return type_; }
    // Whether the packed samples already are as row() makes them.
    bool as_packed() const { return plain_ && !page_.inverted; }

    // Unpacks `count` samples from the beginning of a packed row, each `step` samples behind the one before.
    void row(const std::byte* packed, size_t count, std::byte* to, size_t step) const;

    // Inverts the grey, the first sample, of `pixels` pixels, for pages on which 0 is white.
    void invert(std::byte* samples, size_t pixels) const;

private:
    const TiffPage& page_;
    SampleType type_;
    bool plain_ = false;
    std::vector<uint16_t> scaled_;  // table for unsigned integers of at most 16 bits that are scaled
};

// Converts samples of a TIFF that are not screen colours to RGB or grey.
class TiffColourMaker {
public:
    // The page must outlive the object. `profile`: the file's, for inks; may be null. Throws OutOfMemory.
    TiffColourMaker(const TiffPage& page, const ColourProfile* profile);

    // Converts a row of `pixels` from samples as TiffUnpacker makes them to delivered ones. Callable from any thread.
    void row(const std::byte* samples, int pixels, std::byte* to) const;

    // Spreads subsampled YCbCr, as libtiff delivers it (section 21): one row of its blocks, all Y of a block before its
    // Cb and Cr, to Y, Cb, Cr of each pixel.
    void spread(const std::byte* blocks, int row, int width, std::byte* to) const;

private:
    template <class T> void palette(const T* from, int pixels, std::byte* to) const;
    void inks(const std::byte* from, int pixels, std::byte* to) const;
    void lab(const std::byte* from, int pixels, uint16_t* to) const;
    void ycbcr(const uint8_t* from, int pixels, uint8_t* to) const;
    void xyz(const float* from, int pixels, float* to) const;

    const TiffPage& page_;
    std::unique_ptr<const Inks> inks_;
    std::unique_ptr<const LabToSrgb> lab_;
};

// The strips and tiles of a page, decoded one by one.

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
    bool deflated_ = false, predicted_ = false, bits_turned_ = false;
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

// TIFF through libtiff; app/files/codecs/modules.h describes these functions.

void decode_tiff(const EncodedFile& file, ByteSpan content, DecodingTarget& target);
std::unique_ptr<const TileSource> tiff_regions(const EncodedFile& file);
std::vector<MetadataRow> tiff_rows(ByteSpan content, int part);

}  // namespace texelscope
