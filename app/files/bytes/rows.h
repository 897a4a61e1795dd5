#pragma once
// Rows of pictures: where they come from, what is made of them, and turned ones.

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/image.h"

namespace texelscope {

// A picture whose rows are made while it is written, so that nothing of its size need be held.
struct RowSource {
    int width = 0, height = 0, channels = 0;
    SampleType type = SampleType::u8;
    Alpha alpha = Alpha::none;

    // Rows `first` to `last`, without the last one, of that width, type and alpha, with that many channels. Asked for from
    // the top to the bottom, each row once, at most most_rows_at_once; what it throws ends the writing.
    std::function<Image(int first, int last)> rows;

    // The colour profile, null if there is none. Once the source fits a format, this is the profile that is written.
    std::shared_ptr<const ColourProfile> profile = {};

    int dimensions = 3;  // see Image

    size_t row_bytes() const { return size_t(width) * size_t(channels) * size_t(bytes_per_sample(type)); }
};

inline constexpr int most_rows_at_once = 64;  // whole strips of TIFF and blocks of EXR; fewer of very wide pictures

// The source's rows in order, band by band; `last` is one behind the band.
void for_each_band(const RowSource& picture, const std::function<void(const Image& band, int first, int last)>& work);

// The bytes of its ICC profile; empty: none.
ByteSpan icc_of(const RowSource& picture);

// The rows of an image, which must outlive it.
RowSource rows_of(const Image& image);

// All rows in one image. Throws OutOfMemory.
Image whole_of(const RowSource& picture);

// Delivery of pictures that our readers make row by row: turned upright, with the chosen channels.

// Writes row `y` of the picture as stored, from above, all its channels interleaved.
using MakeRow = std::function<void(int y, std::byte* to)>;

// Rows of the stored picture, counted from above, that a file which ends early lacks. They stay 0.
struct MissingRows {
    int first = 0, count = 0;
};
// The rows missing from a file that holds only its first `there` rows, beginning with the lowest or the highest one.
constexpr MissingRows missing_rows(int there, int height, bool from_below) {
    return {from_below ? 0 : there, height - there};
}

// Throws "truncated" if too few of the packed rows are there to be shown, as rows_present does.
void check_enough_rows(int there, int height, size_t file_bytes, std::string_view format);

// Makes each row once, from above, and places it. `stored`: the picture before turning, with all channels of the file.
void deliver_rows(const ChosenPicture& picture, const PictureShape& stored, DecodingTarget& target,
                  const MakeRow& make_row, const MissingRows& missing = {});

// deliver_rows() for a file with one picture, whose channels have the usual names.
void deliver_single(const PictureChoice& choice, const PictureShape& stored, int orientation, DecodingTarget& target,
                    const MakeRow& make_row, const MissingRows& missing = {});

// Puts the rows of a file where they belong in the picture: turned upright, and only the channels that were chosen.

// Orientations of EXIF, 1 to 8. Whether rows of the file are columns of the upright picture.
constexpr bool swaps_sides(int orientation) { return orientation >= 5; }

// The region of the upright picture that a part of the stored one, of `width` by `height` pixels, becomes.
SampleRegion turned(const SampleRegion& part, int width, int height, int orientation);

// Rows as a decoder delivers them.
struct FileRows {
    std::byte* samples = nullptr;  // interleaved, no gaps; overwritten if channels are left out
    int width = 0;                 // pixels
    int first = 0, count = 0;      // rows: from the first of the file's
    int stored_channels = 0;
    const std::vector<int>& channels;  // the chosen ones, in their order, as many as the image has
};

// `image` is upright, of the type of the samples.
void place_rows(const FileRows& rows, int orientation, Image& image);

// Pictures whose samples lie in their file uncompressed, row after row: where they are, and what becomes of them.
struct RawSamples {
    uint64_t width = 0, height = 0, channels = 0;  // as the header claims: to be checked
    SampleType type = SampleType::u8;
    Alpha alpha = Alpha::none;
    uint64_t at = 0;           // of the first stored row, bytes from the beginning of the file
    uint64_t pixel_bytes = 0;  // stored
    bool bottom_up = false;
    // Makes so many stored pixels of a row to those of the picture. From many threads. Throws Error.
    std::function<void(const std::byte* from, size_t pixels, std::byte* to)> convert = {};
    uint64_t stored_channels = 0;  // channels in the file, if some are left out; else 0
    bool has_layouts = false;      // the array could also be read with its channels first
    int dimensions = 3;            // see Image

    uint64_t row_bytes() const { return width * pixel_bytes; }
};

// The part of the picture that lies beyond the end of a file of `file_bytes`; empty: none. Throws Error if nearly all
// is missing, or if an Image may not have its dimensions.
SampleRegion missing_of(const RawSamples& samples, uint64_t file_bytes);

// The picture, with 0 where the file ends early. Throws Error like missing_of.
Image image_of(const RawSamples& samples, ByteSpan file);

}  // namespace texelscope
