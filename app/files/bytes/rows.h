#pragma once
// Pictures as they are read and written: bytes, samples and rows.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/parts.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/image.h"

namespace texelscope {

// Helpers for all readers: numbers from bytes, and checks against headers that claim more than the file holds.

using ByteSpan = std::span<const std::byte>;

inline uint32_t byte_at(ByteSpan bytes, size_t at) { return std::to_integer<uint32_t>(bytes[at]); }
inline uint32_t be16(ByteSpan b, size_t at) { return byte_at(b, at) << 8 | byte_at(b, at + 1); }
inline uint32_t le16(ByteSpan b, size_t at) { return byte_at(b, at + 1) << 8 | byte_at(b, at); }
inline uint32_t be32(ByteSpan b, size_t at) { return be16(b, at) << 16 | be16(b, at + 2); }
inline uint32_t le32(ByteSpan b, size_t at) { return le16(b, at + 2) << 16 | le16(b, at); }

inline std::string_view text_of(ByteSpan bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
inline ByteSpan bytes_of_text(std::string_view text) { return std::as_bytes(std::span(text)); }

// Throws "the file ends after … bytes; the … is truncated".
[[noreturn]] void throw_truncated(size_t size, std::string_view format);

// Throws unless an Image may have these dimensions.
void check_dimensions(uint64_t width, uint64_t height, uint64_t channels, SampleType type);

// Throws unless a picture that is never held as a whole may have these sides and channels.
void check_sides(uint64_t width, uint64_t height, uint64_t channels);

// Throws unless the rest of the file holds the `needed` bytes that the header promises. Call check_dimensions first.
void check_present(uint64_t available, uint64_t needed, uint64_t width, uint64_t height);

// The number of complete rows, from the first on, that the rest of the file holds. Throws like check_present if hardly
// any are there: then the header is more likely to be wrong. Call check_dimensions first.
uint64_t rows_present(uint64_t available, uint64_t row_bytes, uint64_t width, uint64_t height);

// A check_present for compressed data, whose size says less: refuses dimensions that no file of that size can hold.
void check_plausible(uint64_t file_bytes, uint64_t width, uint64_t height, uint64_t channels, SampleType type);

// Where an encoder puts its bytes, in the order of the file.

// What it throws ends the writing.
using ByteSink = std::function<void(ByteSpan bytes)>;

// For calls from within a C library, which nothing may be thrown through.
class WaitingError {
public:
    // False if `work` threw.
    template <class Work> bool none_in(Work work) noexcept {
        try {
            work();
            return true;
        } catch (...) {
            if (!error_) error_ = std::current_exception();
            return false;
        }
    }
    // The first one, if there is any.
    void rethrow() {
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    }

private:
    std::exception_ptr error_;
};

// A walk over the bytes of a file that cannot leave it.

// Throws "truncated" if more is taken than there is.
class Walker {
public:
    Walker(ByteSpan bytes, std::string_view format) : bytes_(bytes), format_(format) {}

    size_t at() const { return at_; }
    ByteSpan take(uint64_t count) {
        if (count > bytes_.size() - at_) throw_truncated(bytes_.size(), format_);
        at_ += size_t(count);
        return bytes_.subspan(at_ - size_t(count), size_t(count));
    }
    uint32_t byte() { return byte_at(take(1), 0); }

private:
    ByteSpan bytes_;
    std::string_view format_;
    size_t at_ = 0;
};

inline void check_claim(bool possible, uint64_t width, uint64_t height, size_t size) {
    if (!possible)
        throw Error(
            fmt::format("its header claims {}×{} pixels, which a file of {} bytes cannot hold", width, height, size));
}

// The boxes that HEIF and JPEG 2000 files are made of (ISO/IEC 14496-12, ISO/IEC 15444-1 annex I).
struct FileBox {
    uint64_t begin = 0, end = 0;  // of its content
    bool found() const { return end > 0; }
};

// The first box of this type in a part of the file, whose content begins with `kind`; without content if there is none.
FileBox box_in(const ReadAt& read, FileBox part, std::string_view type, std::string_view kind = {});

// Rows of pictures: where they come from, what is made of them, and turned ones.

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
