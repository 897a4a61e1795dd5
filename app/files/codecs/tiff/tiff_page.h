#pragma once
// What the tags of one page of a TIFF say, with the defaults of the specification (Adobe's TIFF 6.0), and what is made of its
// samples.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "app/files/codecs/tiff/tiff_handle.h"
#include "app/files/decoding/picture_facts.h"

namespace texelscope {

enum class TiffNumbers { whole, signed_whole, floating };

// What must be done to the stored samples of a pixel to get those that are delivered.
enum class TiffColours {
    as_stored,
    palette,  // looked up in TiffPage::map
    inks,     // four of them, to sRGB
    lab,      // CIELab and ICCLab, to sRGB
    ycbcr,    // to RGB, as section 21 says
    xyz,      // of LogLuv, to linear light of Rec. 709
};

struct TiffPage {
    uint64_t directory = 0;  // where it is
    std::string name = {};
    std::string description = {};
    int width = 0, height = 0, orientation = 1;

    // As libtiff unpacks it.
    uint16_t compression = 1, photometric = 1;
    bool tiled = false, separate = false;
    uint32_t piece_width = 0, piece_height = 0;  // of a strip or tile, samples
    TiffNumbers numbers = TiffNumbers::whole;
    int bits = 1;     // of a sample
    int samples = 1;  // of a pixel; complex numbers count as two
    bool complex = false;
    bool texture = false;  // the pages after it are smaller images of it

    TiffColours colours = TiffColours::as_stored;
    int stored_colours = 1;                                         // samples of them; the others follow
    bool inverted = false;                                          // 0 is white
    std::vector<uint16_t> map = {};                                 // of a palette: all reds, all greens, all blues
    std::array<int, 2> subsampling = {1, 1};                        // of YCbCr that libtiff delivers so
    std::array<float, 3> luma = {};                                 // YCbCrCoefficients
    std::array<float, 6> reference = {0, 255, 128, 255, 128, 255};  // ReferenceBlackWhite
    bool icc_lab = false;                                           // ICC's encoding of Lab

    // As delivered.
    SampleType type = SampleType::u8;
    std::vector<std::string> channels = {};
    int alpha_channel = -1;
    Alpha alpha = Alpha::none;

    uint32_t across() const { return (uint32_t(width) - 1) / piece_width + 1; }
    uint32_t down() const { return (uint32_t(height) - 1) / piece_height + 1; }
    bool subsampled() const { return subsampling != std::array{1, 1}; }
};

// Of the directory at which the handle is. Throws Error for what is not read, and says what would be.
TiffPage tiff_page(const TiffHandle& handle);

// Sets what libtiff has to be told after each change of the directory, so that it unpacks as tiff_page expects.
void prepare_unpacking(const TiffHandle& handle);

// "12-bit unsigned integers, 0 is white".
std::string words_of_samples(const TiffPage& page);

// All pages of the file, as a list for people; the first ones of very many.
struct TiffPages {
    std::vector<PictureFacts::Part> listed;
    std::vector<uint64_t> directories;  // of those that are listed
    int count = 1;                      // more may exist if the list is full
};
// Leaves the handle at any page.
TiffPages tiff_pages(TiffHandle& handle);

// The directory of a page, from 0. Throws Error if there is none.
uint64_t directory_of_page(TiffHandle& handle, const TiffPages& pages, int page);

}  // namespace texelscope
