#pragma once
// Reads and writes image files. The format is recognised by the first bytes, or by the extension if they do not
// identify it. Every error is one sentence that begins with the name of the file.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/losses.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/image.h"

namespace texelscope {

// Formats other than our own are decoded in a process of their own (decoding/decoding.h). Blocks until that is done; a
// `reading` with a progress callback and a stop token makes it fit for a thread of its own.
// Throws FileError, OutOfMemory or Cancelled.
Image read_image(const std::filesystem::path& path, const Reading& reading = {});

// read_image() with the decoders in this process, which a damaged file may end: for tests of the decoders themselves.
Image read_image_in_process(const std::filesystem::path& path, const Reading& reading = {});

// What the file says of itself and of the picture that read_image would give, without decoding it; metadata are read where
// the picture would be. Throws what read_image throws.
PictureFacts read_facts(const std::filesystem::path& path, const Reading& reading = {});

struct WriteOptions {
    // Unset: integers stay as they are if the format has them; floats stay floats in PFM, .npy, EXR, HDR and TIFF,
    // and become 8 bits in other formats.
    std::optional<SampleType> type = {};

    // Called once the file is complete, before it takes its place; what it throws leaves the old file.
    std::function<void()> last_check = {};

    // Called while the file is made, with the part that is done; what it throws leaves the old file as well.
    std::function<void(double part)> progress = {};

    // An extension without its dot; it chooses the format instead of the name's.
    std::string format = {};
};

// The extension chooses the format; streams without one (see is_stream) get a PNG. Straight or premultiplied alpha is
// stored as the format defines it (.npy: straight); a format without alpha (JPEG, BMP, WebP, PNM, PFM, HDR) gets the
// picture over black. No incomplete file is ever left. Returns what the file could not keep.
// Throws UsageError for options that the format does not support and for sizes that it has no room for, else FileError or
// OutOfMemory. In image_writer.cpp, as all about writing.
Losses write_image(const Image& image, const std::filesystem::path& path, const WriteOptions& options = {});

// The file of write_image() from rows that are made meanwhile: a picture of any size in bounded memory, which is a few
// bands of rows (see RowSource), for a large TIFF also a row of its tiles. What `rows` throws is passed on, with the
// file's name in front as naming() does it, and leaves the old file.
Losses write_rows(const RowSource& picture, const std::filesystem::path& path, const WriteOptions& options = {});

// Throws what write_rows would throw before it opens the file and asks for rows, which may be missing.
void check_rows(const RowSource& picture, const std::filesystem::path& path, const WriteOptions& options = {});

// For a picture made from samples of type `stored`: in the chosen type; unless one is chosen, 16 bits stay 16 bits if the
// format has them.
WriteOptions options_for(const std::filesystem::path& path, SampleType stored, std::optional<SampleType> chosen,
                         const std::string& format = {});

// The bytes of a PNG file. Throws Error or OutOfMemory.
std::vector<std::byte> encoded_png(const Image& image);

// Throws the UsageError of write_image for this name and these options, without needing an image.
void check_output_name(const std::filesystem::path& path, const WriteOptions& options = {});

// The type that write_image would store for a float image.
SampleType written_type(const std::filesystem::path& path, const WriteOptions& options = {});

// Whether those are integers, which are limited to [0, 1].
bool writes_integers(const std::filesystem::path& path, const WriteOptions& options = {});

// "png", "jpg", …: lower case, without the dot, the common ones first.
std::vector<std::string> readable_extensions();
std::vector<std::string> writable_extensions();

}  // namespace texelscope
