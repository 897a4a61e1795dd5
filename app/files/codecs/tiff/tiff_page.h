#pragma once
// One page of a TIFF: its tags, with the defaults of the specification (Adobe's TIFF 6.0), and the form in which its
// samples are delivered.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tiffio.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

// A TIFF opened by libtiff, which prints nothing: what it complains about is kept.

// The bytes of a TIFF: in memory, or read where they are needed, since a file may become shorter while it is open.
struct TiffBytes {
    ByteSpan memory = {};
    int descriptor = -1;  // −1: they are in memory
    size_t size = 0;
};

// A handle is for one thread.
class TiffHandle {
public:
    // Opens the first directory. Throws Error if it cannot be read. The bytes must outlive the handle.
    explicit TiffHandle(const TiffBytes& bytes);
    ~TiffHandle();

    TIFF* tiff() const { return tiff_; }
    // Goes to another directory. Throws Error if it cannot be read.
    void go_to(uint64_t directory);

    // libtiff's message about damage since the last call; empty: none.
    std::string complaint() const;
    // Throws Error with that message.
    [[noreturn]] void throw_damaged() const;

    // The numbers of a tag of the current directory as the file has them, whatever libtiff makes of it. Empty: they are
    // not there, or not of a whole type.
    std::vector<uint32_t> stored_numbers(uint32_t tag) const;

    // False if the file ends before the data of a strip or tile does.
    bool has_data(uint32_t piece) const;
    // The stored bytes of a strip or tile, as far as the file has them; in memory or in the buffer.
    ByteSpan stored_data(uint32_t piece, std::vector<std::byte>& buffer) const;
    size_t file_bytes() const;

private:
    struct Access;  // what libtiff's callbacks get
    std::unique_ptr<Access> access_;
    TIFF* tiff_ = nullptr;
};

enum class TiffNumbers { whole, signed_whole, floating };

// The conversion from the stored samples of a pixel to the delivered ones.
enum class TiffColours {
    as_stored,
    palette,  // looked up in TiffPage::map
    inks,     // four inks, to sRGB
    lab,      // CIELab and ICCLab, to sRGB
    ycbcr,    // to RGB, as section 21 says
    xyz,      // CIE XYZ of LogLuv, to linear light of Rec. 709
};

struct TiffPage {
    uint64_t directory = 0;  // its offset in the file
    std::string name = {};
    std::string description = {};
    int width = 0, height = 0, orientation = 1;

    // The samples as libtiff unpacks them.
    uint16_t compression = 1, photometric = 1;
    bool tiled = false, separate = false;
    uint32_t piece_width = 0, piece_height = 0;  // size of a strip or tile in samples
    TiffNumbers numbers = TiffNumbers::whole;
    int bits = 1;     // per sample
    int samples = 1;  // per pixel; a complex number counts as two
    bool complex = false;
    bool texture = false;  // the pages after it are smaller images of it

    TiffColours colours = TiffColours::as_stored;
    int stored_colours = 1;                                         // samples that make the colour; the others follow
    bool inverted = false;                                          // 0 is white
    std::vector<uint16_t> map = {};                                 // the palette: all reds, all greens, all blues
    std::array<int, 2> subsampling = {1, 1};                        // factors of YCbCr that libtiff delivers subsampled
    std::array<float, 3> luma = {};                                 // YCbCrCoefficients
    std::array<float, 6> reference = {0, 255, 128, 255, 128, 255};  // ReferenceBlackWhite
    bool icc_lab = false;                                           // ICC's encoding of Lab

    // The samples as delivered.
    SampleType type = SampleType::u8;
    std::vector<std::string> channels = {};
    int alpha_channel = -1;
    Alpha alpha = Alpha::none;

    uint32_t across() const { return (uint32_t(width) - 1) / piece_width + 1; }
    uint32_t down() const { return (uint32_t(height) - 1) / piece_height + 1; }
    bool subsampled() const { return subsampling != std::array{1, 1}; }
};

// The page at the handle's current directory. Throws Error, saying what can be read, for kinds that cannot.
TiffPage tiff_page(const TiffHandle& handle);

// Sets libtiff's options after each change of the directory, so that it unpacks as tiff_page expects.
void prepare_unpacking(const TiffHandle& handle);

// The stored samples in words: "12-bit unsigned integers, 0 is white: inverted".
std::string words_of_samples(const TiffPage& page);

// All pages of the file and their SubIFDs behind them, as a list for people; the first ones of very many.
struct TiffPages {
    std::vector<PictureFacts::Part> listed;
    std::vector<uint64_t> directories;  // directories of the listed pages
    int count = 1;                      // more may exist if the list is full
};
// Leaves the handle at any page.
TiffPages tiff_pages(TiffHandle& handle);

// The directory of a page, from 0. Throws Error if there is none.
uint64_t directory_of_page(TiffHandle& handle, const TiffPages& pages, int page);

// The pieces of a TIFF, decoded and unpacked into samples; reading a whole file.

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
