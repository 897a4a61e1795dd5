#pragma once
// One page of a TIFF: its tags, with the defaults of the specification (Adobe's TIFF 6.0), and the form in which its
// samples are delivered.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tiffio.h>

#include "app/files/bytes/rows.h"
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

}  // namespace texelscope
